#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::hydraulic {

/// Valves without a size, by complementarity with located events: 0 ≤ Q ⟂ p_open − Δp ≥ 0, Δp = p_a − p_b, softened by
/// a resistance R while open and a leakage G while closed.
///
/// The characteristic has the parameter s: open (s > 0) Q = G p_open + s·1 l/s and Δp = p_open + R s·1 l/s, closed
/// Δp = p_open + s·1 bar and Q = G Δp. Both meet at s = 0. `IdealCheckValve` lets oil pass from a to b only; `IdealReliefValve` holds
/// the pressure drop at its setting. Turn Q Δp into heat.
template <bool is_relief>
struct IdealValve {
  Fluid a, b;
  Parameter p_open, resistance, leakage;
  Algebraic s;
  static constexpr double unit_flow = 1e-3, unit_pressure = 1e5;  // m³/s, Pa

  void describe(Description& d) {
    if constexpr (is_relief) {
      d.name("hydraulic.IdealReliefValve", "ideal relief valve: the pressure drop is p_set while oil flows");
      d.port(a, "a", "protected side");
      d.port(b, "b", "tank side");
      d.parameter(p_open, "p_set", "Pa", "pressure drop while open").positive();
    } else {
      d.name("hydraulic.IdealCheckValve", "ideal check valve: no pressure drop from a to b, no flow from b to a");
      d.port(a, "a", "inlet");
      d.port(b, "b", "outlet");
      d.parameter(p_open, "p_crack", "Pa", "pressure drop while open").not_negative().fallback("0 Pa");
    }
    d.parameter(resistance, "R", "Pa.s/m3", "resistance while open").positive().fallback("1e5 Pa.s/m3");
    d.parameter(leakage, "leakage", "m3/(s.Pa)", "leakage per pressure while closed").not_negative().fallback("1e-16");
    d.variable(s, "s", "",
               "flow over 1 l/s while open, what the pressure drop is more than p_open while closed over 1 bar");
    d.output("q", "m3/s", "flow from a to b");
    d.output("dp", "Pa", "pressure drop from a to b");
    d.output("open", "", "1 while open, 0 while closed");
  }

  void equations(Equations& eq) const {
    const Expr dp = eq[a] - eq[b], open = eq.relation("opening", eq[s]);
    const Expr q = eq[leakage] * eq[p_open] + select(open, unit_flow, eq[leakage] * unit_pressure) * eq[s];
    eq.through(a, q);
    eq.through(b, -q);
    // in bar, so that this row is of the size of s
    eq.zero(s, (dp - eq[p_open]) / unit_pressure - select(open, eq[resistance] * unit_flow / unit_pressure, 1) * eq[s]);
    eq.dissipated(q * dp);
    eq.output("q", "m3/s", q);
    eq.output("dp", "Pa", dp);
    eq.output("open", "", open);
  }
};

using IdealCheckValve = IdealValve<false>;
using IdealReliefValve = IdealValve<true>;

}  // namespace coenergy::domains::hydraulic
