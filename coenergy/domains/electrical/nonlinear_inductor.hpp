#pragma once
#include "coenergy/domains/electrical/storage.hpp"

namespace coenergy::domains::electrical {

/// Inductor with any flux characteristic: v = dφ/dt, φ = flux(i, …).
///
/// The flux linkage φ (Wb) is an expression of the component's own current and, where needed, of time and of
/// coordinates of a mechanism: `flux: "0.2 Wb*tanh(L1.i/(3 A))"`, or a table: `flux: "spline(L1.i, [-2, 0, 2], [-1, 0,
/// 1])"`. ∂φ/∂i must be positive. v = v_p − v_n (V), i from p to n (A).
///
/// Energy: W = i φ − W* is stored, W* = ∫₀ φ di. Where φ depends on coordinates of a mechanism, the forces ∂W*/∂q act
/// on them (see storage.hpp).
struct NonlinearInductor {
  Pin p, n;
  Parameter flux, i0;
  State i;

  void describe(Description& d) {
    d.name("electrical.NonlinearInductor", "inductor with any flux characteristic: v = d(flux)/dt");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    d.parameter(flux, "flux", "Wb", "flux linkage, an expression of the own current").varying();
    d.parameter(i0, "i0", "A", "current at the start").fallback("0 A");
    d.variable(i, "i", "A", "current from p to n").start(i0);
    d.output("v", "V", "voltage from p to n");
    d.output("phi", "Wb", "flux linkage");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::inductive, i}}; }

  void equations(Equations& eq) const {
    const Expr v = eq[p] - eq[n], rate = eq.time_derivative(eq[flux]);
    eq.through(p, eq[i]);
    eq.through(n, -eq[i]);
    eq.zero(i, rate - v);
    write_storage(eq, eq[flux], eq[i]);
    eq.output("v", "V", v);
    eq.output("phi", "Wb", eq[flux]);
  }
};

}  // namespace coenergy::domains::electrical
