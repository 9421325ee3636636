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
  d.parameter(i_max, "i_max", "A", "limit of the current; without it none").positive().optional();
  d.parameter(torque_factor, "torque_factor", "", "part of the torque k*gear*i that reaches the shaft")
      .between(0, 1)
      .fallback("1");
  d.parameter(i0, "i0", "A", "current at the start (with an inductance)").fallback("0 A");
  d.variable(i, "i", "A", "armature current from p to n").start(i0);
  d.output("v", "V", "voltage from p to n");
  d.output("w", "rad/s", "angular velocity of the shaft");
  d.output("tau", "N.m", "torque on the shaft: k*gear*i less what turns the rotor");
}

std::vector<Branch> DcMachine::branches(Equations& eq) const {
  if (eq.number(L) > 0) return {{p, n, BranchKind::inductive, i}};
  if (eq.number(R) > 0) return {{p, n, BranchKind::resistive, i}};
  return {{p, n, BranchKind::voltage, i, eq[k] * eq[gear] * (eq.der(shaft) - eq.der(support)), true}};
}

Expr DcMachine::write_armature(Equations& eq, const Expr& u) const {
  const bool limited = eq.has(i_max);
  if (eq.number(L) > 0) {
    Expr free = 1;
    if (limited)
      free = (1 - eq.relation("upper limit", eq[i] - eq[i_max]) * eq.relation("rising", u)) *
             (1 - eq.relation("lower limit", -eq[i] - eq[i_max]) * eq.relation("falling", -u));
    eq.zero(i, eq.time_derivative(eq[L] * eq[i]) - free * u);
    if (const auto deviation = eq.flux_deviation(eq.component()))
      eq.add_deviating_flux(eq.component(), eq[L] * *deviation);
    eq.stored(eq[L] * eq[i] * eq[i] / 2);
    return (1 - free) * u;
  }
  if (!limited) return eq.zero(i, -u), Expr(0);
  if (eq.number(R) == 0) eq.refuse("i_max needs R or L: the current of an ideal machine is not limited by itself");
  const Expr unlimited = eq[i] + u / eq[R];
  eq.zero(i, eq[i] - max(min(unlimited, eq[i_max]), -eq[i_max]));
  return u;
}

void DcMachine::equations(Equations& eq) const {
  const Expr N = eq[gear], kN = eq[k] * N, w = eq.der(shaft) - eq.der(support), v = eq[p] - eq[n];

  // armature: the current is a state only where there is an inductance
  const bool is_ideal = eq.number(L) == 0 && eq.number(R) == 0 && !eq.has(i_max);
  const bool follows = is_ideal && eq.follow_voltage(i, kN * w);
  const Expr limiter = follows ? Expr(0) : write_armature(eq, v - eq[R] * eq[i] - kN * w);
  eq.through(p, eq[i]);
  eq.through(n, -eq[i]);
  eq.dissipated(eq[R] * eq[i] * eq[i] + limiter * eq[i]);

  // shaft
  const Expr torque = eq[torque_factor] * kN * eq[i], applied = follows ? torque - kN * eq[i] : torque;
  eq.through(shaft, -applied);
  eq.through(support, applied);
  eq.dissipated((kN * eq[i] - torque) * w);
  Expr tau = torque;
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
