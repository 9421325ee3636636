#pragma once
#include "coenergy/domains/electrical/storage.hpp"

namespace coenergy::domains::electrical {

/// Inductor: v = dφ/dt with the flux linkage φ = L i + φ_p.
///
/// v = v_p − v_n (V), i from p to n (A), L (H) > 0. L may vary with time, with coordinates of a mechanism and with the
/// current itself (saturation); then v = L di/dt + i dL/dt. φ_p (Wb) is the flux of permanent magnets, which varies as
/// they move (Sass 2004; see also electrical.PermanentMagnet). Windings that share flux are
/// joined by electrical.Coupling.
///
/// Energy: ½ L i² is stored. Where L and φ_p depend on coordinates of a mechanism, the forces ½ i² ∂L/∂q + i ∂φ_p/∂q
/// act on them; what else changes L and φ_p supplies −½ i² dL/dt − i dφ_p/dt (Sass 2004).
struct Inductor {
  Pin p, n;
  Parameter L, flux, i0;
  State i;

  void describe(Description& d) {
    d.name("electrical.Inductor", "inductor: v = d(L i + flux)/dt");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    d.parameter(L, "L", "H", "inductance").positive().varying();
    d.parameter(flux, "flux", "Wb", "flux linkage of permanent magnets").fallback("0 Wb").varying();
    d.parameter(i0, "i0", "A", "current at the start").fallback("0 A");
    d.variable(i, "i", "A", "current from p to n").start(i0);
    d.output("v", "V", "voltage from p to n");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::inductive, i}}; }

  void equations(Equations& eq) const {
    const Expr v = eq[p] - eq[n];
    eq.through(p, eq[i]);
    eq.through(n, -eq[i]);
    const Expr phi = eq[L] * eq[i] + eq[flux];
    eq.zero(i, eq.time_derivative(phi) - v);
    if (const auto deviation = eq.flux_deviation(eq.component()))
      eq.add_deviating_flux(eq.component(), eq[L] * *deviation);
    write_storage(eq, phi, eq[i]);
    eq.output("v", "V", v);
  }
};

}  // namespace coenergy::domains::electrical
