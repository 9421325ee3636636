#include "coenergy/domains/converters/dc_machine.hpp"

namespace coenergy::domains::converters {

void DcMachine::describe(Description& d) {
  d.name("converters.DcMachine", "DC machine: v = R*i + L*di/dt + k*gear*w, tau = k*gear*i");
  d.port(p, "p", "positive pin");
  d.port(n, "n", "negative pin");
  d.port(shaft, "shaft", "output shaft (behind the gear)");
  d.port(support, "support", "the part that takes the reaction; without it the ground").optional();
  d.parameter(k, "k", "V.s/rad", "machine constant").varying();
  d.parameter(gear, "gear", "", "turns of the rotor per turn of the shaft").fallback("1");
  d.parameter(R, "R", "ohm", "armature resistance").not_negative().fallback("0 ohm");
  d.parameter(L, "L", "H", "armature inductance").not_negative().fallback("0 H");
  d.parameter(J, "J", "kg.m2", "moment of inertia of the rotor").not_negative().fallback("0 kg.m2");
  d.parameter(i0, "i0", "A", "current at the start").fallback("0 A").used_with(L);
  d.variable(i, "i", "A", "armature current from p to n").start(i0);
  d.output("v", "V", "voltage from p to n");
  d.output("w", "rad/s", "angular velocity of the shaft");
  d.output("tau", "N.m", "torque on the shaft: k*gear*i less what turns the rotor");
}

std::vector<Branch> DcMachine::branches(Equations& eq) const {
  if (eq.number(L) > 0) return {{p, n, BranchKind::inductive, i}};
  return {{p, n, BranchKind::resistive, i}};
}

void DcMachine::equations(Equations& eq) const {
  const Expr N = eq[gear], kN = eq[k] * N, w = eq.der(shaft) - eq.der(support), v = eq[p] - eq[n];

  // armature: the current is a state only where there is an inductance
  const bool is_ideal = eq.number(L) == 0 && eq.number(R) == 0;
  const Expr resistance = is_ideal ? Expr(ideal_resistance) : eq[R];
  Expr drop = resistance * eq[i] + kN * w;
  if (eq.number(L) > 0) {
    drop += eq.time_derivative(eq[L] * eq[i]);
    if (const auto deviation = eq.flux_deviation(eq.component()))
      eq.add_deviating_flux(eq.component(), eq[L] * *deviation);
    eq.stored(eq[L] * eq[i] * eq[i] / 2);
  }
  eq.zero(i, drop - v);
  eq.through(p, eq[i]);
  eq.through(n, -eq[i]);
  eq.dissipated(resistance * eq[i] * eq[i]);

  // shaft
  eq.through(shaft, -kN * eq[i]);
  eq.through(support, kN * eq[i]);
  Expr tau = kN * eq[i];
  if (eq.number(J) > 0) {
    const Expr rotor = N * w;
    eq.kinetic(eq[J] * rotor * rotor / 2);
    tau -= N * eq[J] * eq.time_derivative(rotor);
  }
  eq.output("v", "V", v);
  eq.output("w", "rad/s", w);
  eq.output("tau", "N.m", tau);
}

}  // namespace coenergy::domains::converters
