#pragma once
#include <cmath>

#include "coenergy/domains/pneumatic/gas.hpp"

namespace coenergy::domains::pneumatic {

/// What restrictions share: isentropic flow of air through a nozzle, which chokes (Saint-Venant, Wantzel; ISO 6358):
///
///   ṁ = C_d A p₁/√(R T) ψ(r),  r = p₂/p₁,  ψ = √(2κ/(κ − 1) (r^{2/κ} − r^{(κ+1)/κ})),  r ≥ r_c = (2/(κ + 1))^{κ/(κ−1)}
///
/// p₁ upstream, p₂ downstream (absolute), κ = 1.4; below r_c = 0.528 ψ keeps its value there, 0.685. Above the laminar ratio
/// r_l the flow is linear in p₁ − p₂, so that its slope is finite where it turns.
struct Nozzle {
  static constexpr double kappa = 1.4;
  Parameter area, Cd, laminar;

  void describe(Description& d) {
    d.parameter(area, "area", "m2", "area when fully open").positive();
    d.parameter(Cd, "Cd", "", "discharge coefficient").positive().fallback("0.8");
    d.parameter(laminar, "laminar", "", "ratio of pressures above which the flow is laminar")
        .between(0.6, 0.9999)
        .fallback("0.999");
  }

  /// Flow from a to b (kg/s) with the part `opening` of the area.
  Expr flow(Equations& eq, const Expr& p_a, const Expr& p_b, const Expr& opening) const {
    const double critical = std::pow(2 / (kappa + 1), kappa / (kappa - 1));
    const Expr up = max(p_a, p_b), down = min(p_a, p_b), limit = eq[laminar];
    const auto psi = [](const Expr& x) {
      return sqrt(2 * kappa / (kappa - 1) * (pow(x, 2 / kappa) - pow(x, (kappa + 1) / kappa)));
    };
    // within the range of the formula on both sides of the choice: its root has no value elsewhere
    const Expr turbulent = up * psi(min(max(down / up, critical), limit));
    const Expr laminar_flow = psi(limit) / (1 - limit) * (p_a - p_b);
    const Expr size = eq[Cd] * eq[area] * opening / std::sqrt(Air::R * Air::T);
    return size * select(less(limit * up, down), laminar_flow, select(less(p_a, p_b), -turbulent, turbulent));
  }
};

}  // namespace coenergy::domains::pneumatic
