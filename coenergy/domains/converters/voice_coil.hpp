#pragma once
#include "coenergy/domains/converters/mover.hpp"

namespace coenergy::domains::converters {

/// Voice coil, or linear DC motor: v = R i + d(L i)/dt + k ẋ, f = k i + ½ i² ∂L/∂x.
///
/// k (N/A = V.s/m) is the length of wire in the field times its flux density; k and L may depend on the position, k as any
/// signal, since e i = f ẋ at every instant. v from p to n (V), x of the flange against the support (m).
struct VoiceCoil {
  Mover mover;
  Pin p, n;
  Parameter k, R, L, i0;
  State i;

  void describe(Description& d) {
    d.name("converters.VoiceCoil", "voice coil: v = R*i + d(L*i)/dt + k*dx/dt, f = k*i");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    mover.describe(d, "the coil");
    d.parameter(k, "k", "N/A", "force per current").varying();
    d.parameter(R, "R", "ohm", "resistance").not_negative().varying();
    d.parameter(L, "L", "H", "inductance").positive().varying();
    d.parameter(i0, "i0", "A", "current at the start").fallback("0 A");
    d.variable(i, "i", "A", "current from p to n").start(i0);
    d.output("v", "V", "voltage from p to n");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::inductive, i}}; }

  void equations(Equations& eq) const {
    const Expr x = eq[i], v = eq[p] - eq[n], e = eq[k] * mover.speed(eq);
    const Fields fields = write_coenergy(eq, eq[L] * x * x / 2, std::span(&x, 1), 0);
    eq.zero(i, eq[R] * x + eq.time_derivative(fields.flux[0]) + e - v);
    eq.through(p, x);
    eq.through(n, -x);
    eq.dissipated(eq[R] * x * x);
    mover.apply(eq, eq[k] * x);
    mover.outputs(eq, eq[k] * x);
    eq.output("v", "V", v);
  }
};

}  // namespace coenergy::domains::converters
