#include "coenergy/domains/electrical/bipolar_transistor.hpp"

namespace coenergy::domains::electrical {

void BipolarTransistor::describe(Description& d) {
  d.name("electrical.BipolarTransistor",
         "bipolar transistor: i_c = Is (exp(v_be/(Nf kT/q)) - exp(v_bc/(Nr kT/q)))/q_b - ...");
  d.port(c, "c", "collector");
  d.port(b, "b", "base");
  d.port(e, "e", "emitter");
  d.choice(kind, "kind", {"npn", "pnp"}, "npn or pnp").fallback("npn");
  d.choice(junctions, "junctions", {"parameter", "voltage"}, "what the currents of the junctions are functions of")
      .fallback("parameter");
  d.parameter(Is, "Is", "A", "transport saturation current").fallback("1e-16 A").positive();
  d.parameter(Bf, "Bf", "", "forward current gain").fallback("100").positive();
  d.parameter(Br, "Br", "", "reverse current gain").fallback("1").positive();
  d.parameter(Nf, "Nf", "", "forward emission coefficient").fallback("1").positive();
  d.parameter(Nr, "Nr", "", "reverse emission coefficient").fallback("1").positive();
  d.parameter(Vaf, "Vaf", "V", "forward Early voltage; infinite without it").positive().optional();
  d.parameter(Var, "Var", "V", "reverse Early voltage; infinite without it").positive().optional();
  d.parameter(Ikf, "Ikf", "A", "forward knee current; infinite without it").positive().optional();
  d.parameter(Ikr, "Ikr", "A", "reverse knee current; infinite without it").positive().optional();
  d.parameter(Nk, "Nk", "", "exponent of the knee").fallback("0.5").between(0, 1);
  d.parameter(Ise, "Ise", "A", "leakage saturation current of the base-emitter junction")
      .fallback("0 A")
      .not_negative();
  d.parameter(Ne, "Ne", "", "emission coefficient of that leakage").fallback("1.5").positive();
  d.parameter(Isc, "Isc", "A", "leakage saturation current of the base-collector junction")
      .fallback("0 A")
      .not_negative();
  d.parameter(Nc, "Nc", "", "emission coefficient of that leakage").fallback("2").positive();
  d.parameter(gmin, "gmin", "S", "conductance across the junctions").fallback("1e-12 S").not_negative();
  d.parameter(EG, "EG", "V", "energy gap over the elementary charge").fallback("1.11 V").positive();
  d.parameter(XTI, "XTI", "", "exponent of the temperature in Is").fallback("3").not_negative();
  d.parameter(XTB, "XTB", "", "exponent of the temperature in Bf and Br").fallback("0");
  describe_temperatures(d, T, Tnom);
  d.output("i", "A", "current into the collector");
  d.output("i_b", "A", "current into the base");
  d.output("q_b", "", "charge of the base, relative to that at zero voltages");
  d.output("v_be", "V", "voltage from base to emitter");
  d.output("v_ce", "V", "voltage from collector to emitter");
}

std::vector<Branch> BipolarTransistor::branches(Equations&) const {
  return {{b, e, BranchKind::resistive}, {b, c, BranchKind::resistive}};
}

BipolarTransistor::Values BipolarTransistor::values(Equations& eq) const {
  Values v{thermal_voltage(eq, T, Tnom),          eq[Is], eq[Bf], eq[Br], eq.number(Ise) > 0 ? eq[Ise] : Expr(0),
           eq.number(Isc) > 0 ? eq[Isc] : Expr(0)};
  const auto warm = find_warming(eq, T, Tnom);
  if (!warm) return v;
  const Expr r = pow(warm->ratio(), eq[XTB]);
  v.Is = warm->saturation_current(v.Is, eq[EG], eq[XTI], 1);
  v.Bf = v.Bf * r;
  v.Br = v.Br * r;
  if (!v.Ise.is_zero()) v.Ise = warm->saturation_current(v.Ise, eq[EG], eq[XTI], eq[Ne]) / r;
  if (!v.Isc.is_zero()) v.Isc = warm->saturation_current(v.Isc, eq[EG], eq[XTI], eq[Nc]) / r;
  return v;
}

Junction BipolarTransistor::junction(Equations& eq, const char* parameter, const Expr& v, const Expr& V,
                                     double saturation) const {
  if (eq[junctions] == "voltage") return {v, limited_exp(v / V, exponent_limit(saturation))};
  const Algebraic s = eq.make_algebraic(parameter, "");
  const Junction j = make_junction(eq[s], V);
  eq.zero(s, j.v - v);
  return j;
}

Expr BipolarTransistor::base_charge(Equations& eq, const Expr& v_be, const Expr& v_bc, const Expr& i_f,
                                    const Expr& i_r) const {
  Expr early = 1, knee = 0;
  if (eq.has(Vaf)) early -= v_bc / eq[Vaf];
  if (eq.has(Var)) early -= v_be / eq[Var];
  if (eq.has(Ikf)) knee += i_f / eq[Ikf];
  if (eq.has(Ikr)) knee += i_r / eq[Ikr];
  if (knee.is_zero()) return 1 / early;
  const Expr rise = 1 + 4 * max(knee, 0);
  return (1 + (eq.number(Nk) == 0.5 ? sqrt(rise) : pow(rise, eq[Nk]))) / (2 * early);
}

void BipolarTransistor::equations(Equations& eq) const {
  const double sign = eq[kind] == "npn" ? 1 : -1;
  const Values at = values(eq);
  const Expr Vt = at.Vt, v_be = eq[b] - eq[e], v_bc = eq[b] - eq[c];
  const Junction emitter = junction(eq, "s_be", sign * v_be, eq[Nf] * Vt, eq.number(Is)),
                 collector = junction(eq, "s_bc", sign * v_bc, eq[Nr] * Vt, eq.number(Is));

  // transport currents and leakages
  const Expr i_f = at.Is * (emitter.exponential - 1), i_r = at.Is * (collector.exponential - 1);
  Expr leak_e = eq[gmin] * emitter.v, leak_c = eq[gmin] * collector.v;
  if (!at.Ise.is_zero())
    leak_e += at.Ise * (limited_exp(emitter.v / (eq[Ne] * Vt), exponent_limit(eq.number(Ise))) - 1);
  if (!at.Isc.is_zero())
    leak_c += at.Isc * (limited_exp(collector.v / (eq[Nc] * Vt), exponent_limit(eq.number(Isc))) - 1);
  const Expr q_b = base_charge(eq, emitter.v, collector.v, i_f, i_r), transport = (i_f - i_r) / q_b;
  const Expr i_c = sign * (transport - i_r / at.Br - leak_c);
  const Expr i_b = sign * (i_f / at.Bf + leak_e + i_r / at.Br + leak_c);

  eq.through(c, i_c);
  eq.through(b, i_b);
  eq.through(e, -i_c - i_b);
  eq.dissipated((eq[c] - eq[e]) * i_c + v_be * i_b);
  eq.output("i", "A", i_c);
  eq.output("i_b", "A", i_b);
  eq.output("q_b", "", q_b);
  eq.output("v_be", "V", v_be);
  eq.output("v_ce", "V", eq[c] - eq[e]);
}

}  // namespace coenergy::domains::electrical
