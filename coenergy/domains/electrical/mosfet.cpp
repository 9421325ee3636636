#include "coenergy/domains/electrical/mosfet.hpp"

namespace coenergy::domains::electrical {

void Mosfet::describe(Description& description) {
  Description& m = description;
  m.name("electrical.Mosfet", "MOS transistor, level 1: i_ds = Kp W/L v_ds (v_gs - v_th - v_ds/2) (1 + lambda v_ds)");
  m.port(d, "d", "drain");
  m.port(g, "g", "gate");
  m.port(s, "s", "source");
  m.port(b, "b", "bulk");
  m.choice(channel, "channel", {"n", "p"}, "kind of channel").fallback("n");
  m.parameter(Vto, "Vto", "V", "threshold voltage; negative for the usual p-channel").fallback("0 V");
  m.parameter(Kp, "Kp", "A/V2", "transconductance parameter").fallback("2e-5 A/V2").positive();
  m.parameter(W, "W", "m", "channel width").fallback("100 um").positive();
  m.parameter(L, "L", "m", "channel length").fallback("100 um").positive();
  m.parameter(lambda, "lambda", "1/V", "channel-length modulation").fallback("0 1/V").not_negative();
  m.parameter(gamma, "gamma", "", "bulk threshold parameter, in the root of volt").fallback("0").not_negative();
  m.parameter(phi, "phi", "V", "surface potential").fallback("0.6 V").positive();
  m.parameter(Is, "Is", "A", "saturation current of the bulk junctions").fallback("1e-14 A").positive();
  m.parameter(N, "N", "", "emission coefficient of the bulk junctions").fallback("1").positive();
  m.parameter(gmin, "gmin", "S", "conductance across the bulk junctions").fallback("1e-12 S").not_negative();
  describe_temperatures(m, T, Tnom);
  m.variable(s_bs, "s_bs", "", "parameter of the bulk-source junction");
  m.variable(s_bd, "s_bd", "", "parameter of the bulk-drain junction");
  m.output("i", "A", "current into the drain");
  m.output("v_gs", "V", "voltage from gate to source");
  m.output("v_ds", "V", "voltage from drain to source");
}

std::vector<Branch> Mosfet::branches(Equations&) const {
  return {{d, s, BranchKind::resistive}, {b, s, BranchKind::resistive}, {b, d, BranchKind::resistive}};
}

Mosfet::Values Mosfet::values(Equations& eq) const {
  const double sign = eq[channel] == "n" ? 1 : -1;
  Values v{eq[Kp], eq[phi], sign * eq[Vto], eq[Is]};
  const auto warm = find_warming(eq, T, Tnom);
  if (!warm) return v;
  v.Kp = v.Kp * pow(warm->ratio(), Expr(-1.5));
  v.phi = warm->potential(eq[phi]);
  v.threshold += (v.phi - eq[phi]) / 2 + sign * (warm->nominal_gap() - warm->gap()) / 2;
  if (eq.number(gamma) > 0) v.threshold += eq[gamma] * (sqrt(v.phi) - sqrt(eq[phi]));
  v.Is = v.Is * exp(warm->nominal_gap() / thermal_voltage(warm->nominal) - warm->gap() / thermal_voltage(warm->T));
  return v;
}

Expr Mosfet::channel_current(Equations& eq, const Values& at, const Expr& v_gs, const Expr& v_ds,
                             const Expr& v_bs) const {
  // the terminal at the lower potential acts as the source
  const Expr control = max(v_gs, v_gs - v_ds), bulk = max(v_bs, v_bs - v_ds);
  Expr threshold = at.threshold;
  if (eq.number(gamma) > 0) {
    const Expr root = sqrt(at.phi);
    const Expr depletion = sqrt(at.phi - min(bulk, 0)) - max(bulk, 0) / (2 * root);
    threshold += eq[gamma] * (max(depletion, 0) - root);
  }
  const Expr overdrive = max(control - threshold, 0);
  // v_ds limited to what the channel can use, with its sign: all regions in one line
  const Expr v = max(min(v_ds, overdrive), -overdrive);
  return at.Kp * eq[W] / eq[L] * v * (overdrive - abs(v) / 2) * (1 + eq[lambda] * abs(v_ds));
}

void Mosfet::equations(Equations& eq) const {
  const double sign = eq[channel] == "n" ? 1 : -1;
  const Expr v_ds = eq[d] - eq[s], v_gs = eq[g] - eq[s], v_bs = eq[b] - eq[s], v_bd = eq[b] - eq[d];
  const Values at = values(eq);
  const Expr channel_i = sign * channel_current(eq, at, sign * v_gs, sign * v_ds, sign * v_bs);

  // junctions from bulk to both ends, forward where the bulk of an n-channel is positive
  const Expr V = eq[N] * thermal_voltage(eq, T, Tnom);
  const Junction to_source = make_junction(eq[s_bs], V), to_drain = make_junction(eq[s_bd], V);
  eq.zero(s_bs, to_source.v - sign * v_bs);
  eq.zero(s_bd, to_drain.v - sign * v_bd);
  const Expr i_bs = sign * (at.Is * (to_source.exponential - 1) + eq[gmin] * to_source.v);
  const Expr i_bd = sign * (at.Is * (to_drain.exponential - 1) + eq[gmin] * to_drain.v);

  eq.through(d, channel_i - i_bd);
  eq.through(s, -channel_i - i_bs);
  eq.through(b, i_bs + i_bd);
  eq.dissipated(v_ds * channel_i + v_bs * i_bs + v_bd * i_bd);
  eq.output("i", "A", channel_i - i_bd);
  eq.output("v_gs", "V", v_gs);
  eq.output("v_ds", "V", v_ds);
}

}  // namespace coenergy::domains::electrical
