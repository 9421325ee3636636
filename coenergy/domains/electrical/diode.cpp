#include "coenergy/domains/electrical/diode.hpp"

#include "coenergy/domains/electrical/storage.hpp"

namespace coenergy::domains::electrical {

void Diode::describe_pins(Description& d) {
  d.port(p, "p", "anode");
  d.port(n, "n", "cathode");
  d.parameter(Is, "Is", "A", "saturation current").fallback("1e-14 A").positive();
  d.parameter(N, "N", "", "emission coefficient").fallback("1").positive();
  d.parameter(Rs, "Rs", "ohm", "series resistance").fallback("0 ohm").not_negative();
}

void Diode::describe_values(Description& d) {
  d.parameter(Cj0, "Cj0", "F", "depletion capacitance at zero voltage").fallback("0 F").not_negative();
  d.parameter(Vj, "Vj", "V", "junction potential").fallback("1 V").positive();
  d.parameter(M, "M", "", "grading coefficient").fallback("0.5").between(0, 0.99);
  d.parameter(FC, "FC", "", "part of Vj up to which the capacitance follows its law").fallback("0.5").between(0, 0.95);
  d.parameter(TT, "TT", "s", "transit time").fallback("0 s").not_negative();
  d.parameter(Ibv, "Ibv", "A", "current at the breakdown voltage").fallback("1 mA").positive();
  d.parameter(Nbv, "Nbv", "", "emission coefficient of the breakdown").fallback("1").positive();
  d.parameter(gmin, "gmin", "S", "conductance across the junction").fallback("1e-12 S").not_negative();
  d.parameter(EG, "EG", "V", "energy gap over the elementary charge").fallback("1.11 V").positive();
  d.parameter(XTI, "XTI", "", "exponent of the temperature in Is").fallback("3").not_negative();
  describe_temperatures(d, T, Tnom);
  d.parameter(Isr, "Isr", "A", "saturation current of the recombination").fallback("0 A").not_negative();
  d.parameter(Nr, "Nr", "", "emission coefficient of the recombination").fallback("2").positive().used_with(Isr);
  d.parameter(Ikf, "Ikf", "A", "forward knee current; infinite without it").positive().optional();
  d.parameter(Ikr, "Ikr", "A", "reverse knee current; infinite without it").positive().optional();
  d.parameter(v0, "v0", "V", "junction voltage at the start").fallback("0 V");
  d.variable(vj, "vj", "V", "voltage of the junction").start(v0);
  d.output("v", "V", "voltage from p to n");
  d.output("i", "A", "current from p to n");
}

void Diode::describe(Description& d) {
  d.name("electrical.Diode", "semiconductor diode: i = Is (exp(vj/(N kT/q)) - 1) + dq/dt, v = vj + Rs i");
  describe_pins(d);
  d.parameter(BV, "BV", "V", "reverse breakdown voltage; none without it").positive().optional();
  describe_values(d);
}

void Zener::describe(Description& d) {
  d.name("electrical.Zener", "Zener diode: a diode with the breakdown current Ibv exp(-(vj + BV)/(Nbv kT/q))");
  describe_pins(d);
  d.parameter(BV, "BV", "V", "reverse breakdown voltage").positive();
  describe_values(d);
}

std::vector<Branch> Diode::branches(Equations& eq) const {
  if (!has_charge(eq)) return {{p, n, BranchKind::resistive, vj}};
  if (has_series_resistance(eq)) return {{p, n, BranchKind::resistive}};
  return {{p, n, BranchKind::capacitive, vj}};
}

Expr Diode::saturation_current(Equations& eq) const {
  const auto warm = find_warming(eq, T, Tnom);
  return warm ? warm->saturation_current(eq[Is], eq[EG], eq[XTI], eq[N]) : eq[Is];
}

Expr Diode::limit_by_knees(Equations& eq, const Expr& i) const {
  constexpr double none = 1e-30;  // A: the root has a slope above it
  Expr limit = 1;
  if (eq.has(Ikf)) limit += sqrt(max(i, none) / eq[Ikf]);
  if (eq.has(Ikr)) limit += sqrt(max(-i, none) / eq[Ikr]);
  return i / limit;
}

Expr Diode::recombination(Equations& eq, const Expr& v) const {
  if (eq.number(Isr) <= 0) return 0;
  const auto warm = find_warming(eq, T, Tnom);
  const Expr I = warm ? warm->saturation_current(eq[Isr], eq[EG], eq[XTI], eq[Nr]) : eq[Isr];
  const Expr y = 1 - v / (warm ? warm->potential(eq[Vj]) : eq[Vj]);
  return I * (limited_exp(v / (eq[Nr] * thermal_voltage(eq, T, Tnom)), exponent_limit(eq.number(Isr))) - 1) *
         pow(y * y + 0.005, eq[M] / 2);
}

JunctionCharge Diode::charge(Equations& eq) const {
  const auto warm = find_warming(eq, T, Tnom);
  const Expr C = eq.number(Cj0) > 0 ? eq[Cj0] : Expr(0), tau = eq.number(TT) > 0 ? eq[TT] : Expr(0);
  return {warm ? warm->capacitance(C, eq[Vj], eq[M]) : C,
          warm ? warm->potential(eq[Vj]) : eq[Vj],
          eq[M],
          eq[FC],
          tau,
          saturation_current(eq),
          eq[N] * thermal_voltage(eq, T, Tnom),
          exponent_limit(eq.number(Is))};
}

void Diode::equations(Equations& eq) const {
  has_charge(eq) ? write_with_charge(eq) : write_static(eq);
  eq.output("v", "V", eq[p] - eq[n]);
}

void Diode::write_static(Equations& eq) const {
  if (eq.number(v0) != 0) eq.note("v0 has no effect: without Cj0 and TT the voltage of the junction is no state");
  const Expr Vt = thermal_voltage(eq, T, Tnom), V = eq[N] * Vt, I = saturation_current(eq);
  const Algebraic s = eq.make_algebraic("s", "");
  Expr v, i;
  if (eq.has(BV)) {
    const BreakdownJunction j = make_breakdown_junction(eq[s], V, eq[BV], eq[Nbv] * Vt);
    v = j.v;
    i = limit_by_knees(eq, I * (j.exponential - 1) + recombination(eq, v)) + eq[gmin] * v - eq[Ibv] * j.breakdown;
  } else {
    const Junction j = make_junction(eq[s], V);
    v = j.v;
    i = limit_by_knees(eq, I * (j.exponential - 1) + recombination(eq, v)) + eq[gmin] * v;
  }
  eq.through(p, i);
  eq.through(n, -i);
  eq.zero(s, eq[vj] - v);
  eq.zero(vj, eq[vj] + eq[Rs] * i - (eq[p] - eq[n]));
  eq.dissipated((eq[p] - eq[n]) * i);
  eq.output("i", "A", i);
}

void Diode::write_with_charge(Equations& eq) const {
  const Expr Vt = thermal_voltage(eq, T, Tnom), V = eq[N] * Vt, v = eq[vj];
  const JunctionCharge store = charge(eq);
  const Expr diffusion = store.Is * (limited_exp(v / V, store.limit) - 1),
             limited = limit_by_knees(eq, diffusion + recombination(eq, v));
  Expr i_d = limited + eq[gmin] * v;
  if (eq.has(BV)) i_d -= eq[Ibv] * limited_exp(-(v + eq[BV]) / (eq[Nbv] * Vt), exponent_limit(eq.number(Ibv)));
  // what the knees take from the charge, and the recombination adds to it
  Expr q = store.charge(v);
  if ((eq.has(Ikf) || eq.has(Ikr) || eq.number(Isr) > 0) && !store.tau.is_zero()) {
    const Expr less = store.tau * (limited - diffusion);
    write_storage(eq, less, v);
    q += less;
  }
  const Expr i = i_d + eq.time_derivative(q);

  // with a series resistance the current follows from it, without one the voltage does
  const bool series = has_series_resistance(eq);
  const Expr through = series ? (eq[p] - eq[n] - v) / eq[Rs] : i;
  eq.through(p, through);
  eq.through(n, -through);
  eq.zero(vj, series ? i - through : v - (eq[p] - eq[n]));
  eq.stored(store.energy(v));
  eq.dissipated(v * i_d + (eq[p] - eq[n] - v) * through);
  eq.output("i", "A", through);
}

}  // namespace coenergy::domains::electrical
