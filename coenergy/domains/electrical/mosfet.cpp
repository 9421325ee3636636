#include "coenergy/domains/electrical/mosfet.hpp"

#include "coenergy/domains/electrical/junction.hpp"

namespace coenergy::domains::electrical {

namespace {

Expr clamp(const Expr& x) { return min(max(x, 0), 1); }

/// Current of a bulk diode.
Expr diode_current(const Expr& Is, const Expr& gmin, const Expr& V, const Expr& v, double limit) {
  return Is * (limited_exp(v / V, limit) - 1) + gmin * v;
}

}  // namespace

void Mosfet::describe(Description& d) {
  d.name("electrical.Mosfet", "MOS transistor, level 1: i_ds = Kp W/L v_ds (v_gs - v_th - v_ds/2) (1 + lambda v_ds)");
  describe_law(d);
  describe_modulation(d);
  d.output("v_gs", "V", "voltage from gate to source");
}

void Mosfet::describe_modulation(Description& m) {
  m.parameter(lambda, "lambda", "1/V", "channel-length modulation").fallback("0 1/V").not_negative();
}

void Mosfet::describe_law(Description& description) {
  Description& m = description;
  m.port(d, "d", "drain");
  m.port(g, "g", "gate");
  m.port(s, "s", "source");
  m.port(b, "b", "bulk");
  m.choice(channel, "channel", {"n", "p"}, "kind of channel").fallback("n");
  m.parameter(Vto, "Vto", "V", "threshold voltage; negative for the usual p-channel").fallback("0 V");
  m.parameter(Kp, "Kp", "A/V2", "transconductance parameter").fallback("2e-5 A/V2").positive();
  m.parameter(W, "W", "m", "channel width").fallback("100 um").positive();
  m.parameter(L, "L", "m", "channel length").fallback("100 um").positive();
  m.parameter(gamma, "gamma", "", "bulk threshold parameter, in the root of volt").fallback("0").not_negative();
  m.parameter(phi, "phi", "V", "surface potential").fallback("0.6 V").positive();
  m.parameter(Is, "Is", "A", "saturation current of the bulk junctions").fallback("1e-14 A").positive();
  m.parameter(Is_d, "Is_d", "A", "saturation current of the bulk-drain junction; Is without it").positive().optional();
  m.parameter(N, "N", "", "emission coefficient of the bulk junctions").fallback("1").positive();
  m.parameter(gmin, "gmin", "S", "conductance across the bulk junctions").fallback("1e-12 S").not_negative();
  describe_temperatures(m, T, Tnom);
  m.output("i", "A", "current into the drain");
  m.output("v_ds", "V", "voltage from drain to source");
}

std::vector<Branch> Mosfet::branches(Equations&) const {
  return {{d, s, BranchKind::resistive}, {b, s, BranchKind::resistive}, {b, d, BranchKind::resistive}};
}

Mosfet::Values Mosfet::values(Equations& eq) const {
  Values v{eq[Kp], eq[phi], sign(eq) * eq[Vto], eq[Is], eq.has(Is_d) ? eq[Is_d] : eq[Is]};
  const auto warm = find_warming(eq, T, Tnom);
  if (!warm) return v;
  v.Kp = v.Kp * pow(warm->ratio(), -1.5);
  v.phi = warm->potential(eq[phi]);
  v.threshold += (v.phi - eq[phi]) / 2 + sign(eq) * (warm->nominal_gap() - warm->gap()) / 2;
  if (eq.number(gamma) > 0) v.threshold += eq[gamma] * (sqrt(v.phi) - sqrt(eq[phi]));
  const Expr rise = exp(warm->nominal_gap() / thermal_voltage(warm->nominal) - warm->gap() / thermal_voltage(warm->T));
  v.Is = v.Is * rise;
  v.Is_d = v.Is_d * rise;
  return v;
}

Mosfet::Voltages Mosfet::voltages(Equations& eq) const {
  const Expr v_gs = sign(eq) * (eq[g] - eq[s]), v_ds = sign(eq) * (eq[d] - eq[s]), v_bs = sign(eq) * (eq[b] - eq[s]);
  // the terminal at the lower potential acts as the source
  return {max(v_gs, v_gs - v_ds), abs(v_ds), max(v_bs, v_bs - v_ds)};
}

Mosfet::Channel Mosfet::make_channel(Equations& eq, const Values& at) const {
  const Voltages v = voltages(eq);
  Expr threshold = at.threshold;
  if (eq.number(gamma) > 0) {
    const Expr root = sqrt(at.phi);
    const Expr depletion = sqrt(at.phi - min(v.bulk, 0)) - max(v.bulk, 0) / (2 * root);
    threshold += eq[gamma] * (max(depletion, 0) - root);
  }
  const Expr overdrive = v.gate - threshold, open = max(overdrive, 0);
  const Expr used = min(v.drain, open);
  return {at.Kp * eq[W] / eq[L] * (open - used / 2) * (1 + eq[lambda] * v.drain), overdrive, open};
}

void Mosfet::write_currents(Equations& eq, const Values& at, const Channel& made, const Expr& i_gd) const {
  const double k = sign(eq);
  const Expr v_ds = eq[d] - eq[s], v_bs = eq[b] - eq[s], v_bd = eq[b] - eq[d];
  // v_ds limited to what the channel can use, with its sign: all regions in one line
  const Expr channel_i = k * made.conductance * max(min(k * v_ds, made.saturation), -made.saturation);

  // junctions from bulk to both ends, forward where the bulk of an n-channel is positive
  const Expr V = eq[N] * thermal_voltage(eq, T, Tnom);
  const double limit = exponent_limit(eq.number(Is));
  const Expr i_bs = k * diode_current(at.Is, eq[gmin], V, k * v_bs, limit);
  const Expr i_bd = k * diode_current(at.Is_d, eq[gmin], V, k * v_bd, limit);

  eq.through(d, channel_i - i_bd);
  eq.through(s, -channel_i - i_bs);
  eq.through(b, i_bs + i_bd);
  eq.dissipated(v_ds * channel_i + v_bs * i_bs + v_bd * i_bd);
  eq.output("i", "A", channel_i - i_bd - i_gd);
  eq.output("v_ds", "V", v_ds);
}

void Mosfet::equations(Equations& eq) const {
  const Values at = values(eq);
  write_currents(eq, at, make_channel(eq, at), 0);
  eq.output("v_gs", "V", eq[g] - eq[s]);
}

void ChargedMosfet::describe(Description& m) {
  m.name("electrical.ChargedMosfet", "MOS transistor, level 1, with the charges of its gate by Meyer and of overlaps");
  describe_law(m);
  describe_modulation(m);
  describe_charges(m);
}

void ChargedMosfet::describe_charges(Description& m) {
  m.parameter(Cox, "Cox", "F", "capacitance of the oxide over the channel").positive();
  m.parameter(Cgs, "Cgs", "F", "capacitance of the overlap of gate and source").fallback("0 F").not_negative();
  m.parameter(Cgd, "Cgd", "F", "capacitance of the overlap of gate and drain").fallback("0 F").not_negative();
  m.parameter(Cgb, "Cgb", "F", "capacitance of the overlap of gate and bulk").fallback("0 F").not_negative();
  m.variable(v_gs, "v_gs", "V", "voltage from gate to source");
  m.variable(v_gd, "v_gd", "V", "voltage from gate to drain");
  m.variable(v_gb, "v_gb", "V", "voltage from gate to bulk");
}

std::vector<Branch> ChargedMosfet::branches(Equations&) const {
  return {{d, s, BranchKind::resistive},        {b, s, BranchKind::resistive},
          {b, d, BranchKind::resistive},        {g, s, BranchKind::capacitive, v_gs},
          {g, d, BranchKind::capacitive, v_gd}, {g, b, BranchKind::capacitive, v_gb}};
}

ChargedMosfet::Capacitances ChargedMosfet::capacitances(Equations& eq, const Values& at, const Channel& made) const {
  constexpr double least = 0.025;  // V
  const Expr x = made.overdrive / at.phi, F = eq[Cox] * 2 / 3 * clamp(1 + 2 * x);
  const Expr v_ds = sign(eq) * (eq[v_gs] - eq[v_gd]), u = max(made.saturation, least), w = min(abs(v_ds), u),
             z = 2 * u - w;
  const Expr at_source = F * (1 - (u - w) * (u - w) / (z * z)), at_drain = F * (1 - u * u / (z * z));
  const Expr is_reverse = less(v_ds, 0);
  return {select(is_reverse, at_drain, at_source), select(is_reverse, at_source, at_drain), eq[Cox] * clamp(-x)};
}

void ChargedMosfet::equations(Equations& eq) const {
  const Values at = values(eq);
  write(eq, at, make_channel(eq, at));
}

void ChargedMosfet::write(Equations& eq, const Values& at, const Channel& made) const {
  constexpr double least = 1e-5;  // of Cox
  const Capacitances c = capacitances(eq, at, made);
  const auto overlap = [&](Parameter C) { return eq.number(C) > 0 ? eq[C] : least * eq[Cox]; };
  const Expr i_gs = (c.gs + overlap(Cgs)) * eq.der(v_gs), i_gd = (c.gd + overlap(Cgd)) * eq.der(v_gd),
             i_gb = (c.gb + overlap(Cgb)) * eq.der(v_gb);
  write_currents(eq, at, made, i_gd);
  eq.through(g, i_gs + i_gd + i_gb);
  eq.through(s, -i_gs);
  eq.through(d, -i_gd);
  eq.through(b, -i_gb);
  eq.zero(v_gs, eq[v_gs] - (eq[g] - eq[s]));
  eq.zero(v_gd, eq[v_gd] - (eq[g] - eq[d]));
  eq.zero(v_gb, eq[v_gb] - (eq[g] - eq[b]));
  // what overlaps store is energy, the rest of the power is counted as heat
  const auto stored = [&](Parameter C, State v) { return overlap(C) * eq[v] * eq[v] / 2; };
  eq.stored(stored(Cgs, v_gs) + stored(Cgd, v_gd) + stored(Cgb, v_gb));
  eq.dissipated(eq[v_gs] * c.gs * eq.der(v_gs) + eq[v_gd] * c.gd * eq.der(v_gd) + eq[v_gb] * c.gb * eq.der(v_gb));
}

}  // namespace coenergy::domains::electrical
