#pragma once
#include "coenergy/domains/electrical/storage.hpp"

namespace coenergy::domains::electrical {

/// Capacitor with any charge characteristic: i = dq/dt, q = charge(v, …).
///
/// The charge q (C) is an expression of the component's own voltage and, where needed, of time and of coordinates of a
/// mechanism: `charge: "1 nC*tanh(C1.v/(2 V))"`, or a table. ∂q/∂v must be positive. v = v_p − v_n (V), i from p to n
/// (A).
///
/// Energy: W = v q − W* is stored, W* = ∫₀ q dv. Where q depends on coordinates of a mechanism, the forces ∂W*/∂q act
/// on them (see storage.hpp).
struct NonlinearCapacitor {
  Pin p, n;
  Parameter charge, v0;
  State v;

  void describe(Description& d) {
    d.name("electrical.NonlinearCapacitor", "capacitor with any charge characteristic: i = d(charge)/dt");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    d.parameter(charge, "charge", "C", "charge, an expression of the own voltage").varying();
    d.parameter(v0, "v0", "V", "voltage at the start").fallback("0 V");
    d.variable(v, "v", "V", "voltage from p to n").start(v0);
    d.output("i", "A", "current from p to n");
    d.output("q", "C", "charge");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::capacitive, v}}; }

  void equations(Equations& eq) const {
    const Expr i = eq.time_derivative(eq[charge]);
    eq.through(p, i);
    eq.through(n, -i);
    eq.zero(v, eq[v] - (eq[p] - eq[n]));
    write_storage(eq, eq[charge], eq[v]);
    eq.output("i", "A", i);
    eq.output("q", "C", eq[charge]);
  }
};

}  // namespace coenergy::domains::electrical
