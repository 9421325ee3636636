#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::hydraulic {

/// Turbulent flow K sign(Δp) √|Δp|, with a finite slope K/√Δp₀ at Δp = 0:
///
///   Q = K Δp / (Δp² + Δp₀²)^¼
///
/// Above the transition pressure Δp₀ it differs from the root by less than the part (Δp₀/Δp)²/4.
inline Expr orifice_flow(const Expr& K, const Expr& dp, const Expr& transition) {
  return K * dp / sqrt(sqrt(dp * dp + transition * transition));
}

/// What valves and orifices share: a sharp-edged opening, by its area or by a nominal point of its catalogue.
///
///   K = C_d A √(2/ρ)   or   K = q_nominal/√dp_nominal     (m³/(s √Pa))
struct OrificeSize {
  Parameter area, Cd, rho, q_nominal, dp_nominal, transition;

  void describe(Description& d) {
    d.parameter(area, "area", "m2", "area when fully open").positive().optional();
    d.parameter(Cd, "Cd", "", "discharge coefficient").positive().fallback("0.7").used_with(area);
    d.parameter(rho, "rho", "kg/m3", "density of the oil").positive().fallback("870 kg/m3").used_with(area);
    d.parameter(q_nominal, "q_nominal", "m3/s", "flow at dp_nominal when fully open, instead of the area")
        .positive()
        .optional();
    d.parameter(dp_nominal, "dp_nominal", "Pa", "pressure drop of the flow q_nominal")
        .positive()
        .fallback("10 bar")
        .used_with(q_nominal);
    d.parameter(transition, "transition", "Pa", "pressure drop below which the flow turns laminar")
        .positive()
        .fallback("1 kPa");
  }

  /// K of the fully open orifice. Refuses a size that is given twice or not at all.
  Expr coefficient(Equations& eq) const {
    if (eq.has(area) == eq.has(q_nominal))
      eq.refuse(eq.has(area) ? "area and q_nominal both give its size; remove one of them"
                             : "its size is missing; give area, or q_nominal (with dp_nominal)");
    if (eq.has(area)) return eq[Cd] * eq[area] * sqrt(2 / eq[rho]);
    return eq[q_nominal] / sqrt(eq[dp_nominal]);
  }
};

}  // namespace coenergy::domains::hydraulic
