#pragma once
#include "coenergy/domains/electrical/storage.hpp"

namespace coenergy::domains::electrical {

/// Capacitor: i = dq/dt with the charge q = C v.
///
/// v = v_p − v_n (V), i from p to n (A), C (F) > 0. C may vary with time, with coordinates of a mechanism and with the
/// voltage itself; then i = C dv/dt + v dC/dt.
///
/// Energy: ½ C v² is stored. Where C depends on coordinates of a mechanism, the forces ½ v² ∂C/∂q act on them; what
/// else changes C supplies −½ v² dC/dt (Sass 2004).
struct Capacitor {
  Pin p, n;
  Parameter C, v0;
  State v;

  void describe(Description& d) {
    d.name("electrical.Capacitor", "capacitor: i = d(C v)/dt");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    d.parameter(C, "C", "F", "capacitance").positive().varying();
    d.parameter(v0, "v0", "V", "voltage at the start").fallback("0 V");
    d.variable(v, "v", "V", "voltage from p to n").start(v0);
    d.output("i", "A", "current from p to n");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::capacitive, v}}; }

  void equations(Equations& eq) const {
    const Expr i = eq.time_derivative(eq[C] * eq[v]);
    eq.through(p, i);
    eq.through(n, -i);
    eq.zero(v, eq[v] - (eq[p] - eq[n]));
    write_storage(eq, eq[C] * eq[v], eq[v]);
    eq.output("i", "A", i);
  }
};

}  // namespace coenergy::domains::electrical
