#pragma once
#include <string>

#include "coenergy/domains/component.hpp"

namespace coenergy::domains::converters {

/// One winding of a machine between two pins: v = R i + dλ/dt.
struct Winding {
  Pin p, n;
  Parameter i0;
  State i;

  void describe(Description& d, const std::string& name, const std::string& role) {
    d.port(p, name + "p", "positive pin of " + role);
    d.port(n, name + "n", "negative pin of " + role);
    d.parameter(i0, "i_" + name + "0", "A", "current of " + role + " at the start").fallback("0 A");
    d.variable(i, "i_" + name, "A", "current of " + role).start(i0);
  }
  Branch branch() const { return {p, n, BranchKind::inductive, i}; }
  void equations(Equations& eq, const Expr& R, const Expr& flux) const {
    eq.through(p, eq[i]);
    eq.through(n, -eq[i]);
    eq.zero(i, R * eq[i] + eq.time_derivative(flux) - (eq[p] - eq[n]));
    eq.dissipated(R * eq[i] * eq[i]);
  }
};

}  // namespace coenergy::domains::converters
