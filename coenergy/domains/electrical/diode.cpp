#include "coenergy/domains/electrical/diode.hpp"

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
  d.parameter(T, "T", "K", "temperature").fallback("300.15 K").positive();
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

JunctionCharge Diode::charge(Equations& eq) const {
  return {eq.number(Cj0) > 0 ? eq[Cj0] : Expr(0), eq[Vj], eq[M], eq[FC], eq.number(TT) > 0 ? eq[TT] : Expr(0), eq[Is],
          eq[N] * thermal_voltage(eq[T])};
}

void Diode::equations(Equations& eq) const {
  has_charge(eq) ? write_with_charge(eq) : write_static(eq);
  eq.output("v", "V", eq[p] - eq[n]);
}

void Diode::write_static(Equations& eq) const {
  const Expr V = eq[N] * thermal_voltage(eq[T]);
  const Algebraic s = eq.make_algebraic("s", "");
  Expr v, i;
  if (eq.has(BV)) {
    const BreakdownJunction j = make_breakdown_junction(eq[s], V, eq[BV], eq[Nbv] * thermal_voltage(eq[T]));
    v = j.v;
    i = eq[Is] * (j.exponential - 1) + eq[gmin] * v - eq[Ibv] * j.breakdown;
  } else {
    const Junction j = make_junction(eq[s], V);
    v = j.v;
    i = eq[Is] * (j.exponential - 1) + eq[gmin] * v;
  }
  eq.through(p, i);
  eq.through(n, -i);
  eq.zero(s, eq[vj] - v);
  eq.zero(vj, eq[vj] + eq[Rs] * i - (eq[p] - eq[n]));
  eq.dissipated((eq[p] - eq[n]) * i);
  eq.output("i", "A", i);
}

void Diode::write_with_charge(Equations& eq) const {
  const Expr V = eq[N] * thermal_voltage(eq[T]), v = eq[vj];
  Expr i_d = eq[Is] * (limited_exp(v / V) - 1) + eq[gmin] * v;
  if (eq.has(BV)) i_d -= eq[Ibv] * limited_exp(-(v + eq[BV]) / (eq[Nbv] * thermal_voltage(eq[T])));
  const JunctionCharge store = charge(eq);
  const Expr i = i_d + eq.time_derivative(store.charge(v));

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
