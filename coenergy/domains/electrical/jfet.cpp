#include "coenergy/domains/electrical/jfet.hpp"

#include "coenergy/domains/electrical/junction.hpp"

namespace coenergy::domains::electrical {

void Jfet::describe(Description& j) {
  j.name("electrical.Jfet", "junction field-effect transistor: i_ds = beta (v_gs - Vto)^2 (1 + lambda v_ds)");
  j.port(d, "d", "drain");
  j.port(g, "g", "gate");
  j.port(s, "s", "source");
  j.choice(channel, "channel", {"n", "p"}, "kind of channel").fallback("n");
  j.parameter(Vto, "Vto", "V", "threshold voltage, negative for both kinds of channel").fallback("-2 V");
  j.parameter(beta, "beta", "A/V2", "transconductance parameter").fallback("1e-4 A/V2").positive();
  j.parameter(lambda, "lambda", "1/V", "channel-length modulation").fallback("0 1/V").not_negative();
  j.parameter(B, "B", "", "doping tail").fallback("1");
  j.parameter(Pb, "Pb", "V", "potential of the gate junctions").fallback("1 V").positive();
  j.parameter(Is, "Is", "A", "saturation current of the gate junctions").fallback("1e-14 A").positive();
  j.parameter(N, "N", "", "emission coefficient of the gate junctions").fallback("1").positive();
  j.parameter(gmin, "gmin", "S", "conductance across the gate junctions").fallback("1e-12 S").not_negative();
  describe_temperatures(j, T, Tnom);
  j.output("i", "A", "current into the drain");
  j.output("i_g", "A", "current into the gate");
  j.output("v_gs", "V", "voltage from gate to source");
  j.output("v_ds", "V", "voltage from drain to source");
}

std::vector<Branch> Jfet::branches(Equations&) const {
  return {{d, s, BranchKind::resistive}, {g, s, BranchKind::resistive}, {g, d, BranchKind::resistive}};
}

Expr Jfet::channel_current(Equations& eq, const Expr& v_gs, const Expr& v_ds) const {
  const auto warm = find_warming(eq, T, Tnom);
  const Expr open = max(max(v_gs, v_gs - v_ds) - eq[Vto], 0);
  // in saturation the law of the linear range holds with what the channel can use of v_ds, with its sign
  const Expr v = max(min(v_ds, open), -open), u = abs(v);
  Expr law = v * (2 * open - u);
  if (eq.number(B) != 1) {
    const Expr k = (1 - eq[B]) / ((warm ? warm->potential(eq[Pb]) : eq[Pb]) - eq[Vto]);
    law = v * (u * (k * u - eq[B]) + open * (2 * eq[B] + 3 * k * (open - u)));
  }
  return eq[beta] * law * (1 + eq[lambda] * abs(v_ds));
}

void Jfet::equations(Equations& eq) const {
  constexpr double gap = 1.11;
  const double limit = exponent_limit(eq.number(Is));
  const double k = eq[channel] == "n" ? 1 : -1;
  const Expr v_gs = eq[g] - eq[s], v_gd = eq[g] - eq[d], v_ds = eq[d] - eq[s];
  const auto warm = find_warming(eq, T, Tnom);
  const Expr I = warm ? warm->saturation_current(eq[Is], gap, 0, 1) : eq[Is], V = eq[N] * thermal_voltage(eq, T, Tnom);
  const auto junction = [&](const Expr& v) { return k * (I * (limited_exp(k * v / V, limit) - 1)) + eq[gmin] * v; };
  const Expr channel_i = k * channel_current(eq, k * v_gs, k * v_ds), i_gs = junction(v_gs), i_gd = junction(v_gd);
  eq.through(d, channel_i - i_gd);
  eq.through(g, i_gs + i_gd);
  eq.through(s, -channel_i - i_gs);
  eq.dissipated(v_ds * channel_i + v_gs * i_gs + v_gd * i_gd);
  eq.output("i", "A", channel_i - i_gd);
  eq.output("i_g", "A", i_gs + i_gd);
  eq.output("v_gs", "V", v_gs);
  eq.output("v_ds", "V", v_ds);
}

}  // namespace coenergy::domains::electrical
