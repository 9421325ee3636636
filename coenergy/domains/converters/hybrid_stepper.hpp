#pragma once
#include <array>

#include "coenergy/domains/converters/rotor.hpp"
#include "coenergy/domains/converters/winding.hpp"

namespace coenergy::domains::converters {

/// Hybrid stepper motor: two windings a, b and a toothed rotor with a permanent magnet (T. Kenjo, A. Sugawara: Stepping
/// Motors and Their Microprocessor Controls, 1994).
///
///   W' = ½ L (i_a² + i_b²) + ψ (i_a cos N φ + i_b sin N φ) + T_d/(4 N) cos 4 N φ
///   torque = N ψ (i_b cos N φ − i_a sin N φ) − T_d sin 4 N φ
///
/// N teeth (50 for a full step of 1.8°, 2π/(4 N)), ψ flux of the magnet through a winding (Wb), T_d detent torque (N.m).
/// The holding torque is N ψ i with one winding fed.
struct HybridStepper {
  Rotor rotor;
  std::array<Winding, 2> winding;
  Parameter R, L, psi, teeth, detent;

  void describe(Description& d) {
    d.name("converters.HybridStepper", "hybrid stepper: torque = N*psi*(i_b*cos(N*phi) - i_a*sin(N*phi)) - detent");
    winding[0].describe(d, "a", "winding a");
    winding[1].describe(d, "b", "winding b");
    rotor.describe(d);
    d.parameter(R, "R", "ohm", "resistance of a winding").not_negative().varying();
    d.parameter(L, "L", "H", "inductance of a winding").positive();
    d.parameter(psi, "psi", "Wb", "greatest flux of the magnet through a winding").not_negative();
    d.parameter(teeth, "teeth", "", "teeth of the rotor").positive().fallback("50");
    d.parameter(detent, "detent", "N.m", "amplitude of the detent torque").not_negative().fallback("0 N.m");
  }

  std::vector<Branch> branches(Equations&) const { return {winding[0].branch(), winding[1].branch()}; }

  void equations(Equations& eq) const {
    const Expr a = eq[winding[0].i], b = eq[winding[1].i], N = eq[teeth], theta = N * make_motion(eq);
    const Expr w = eq[L] * (a * a + b * b) / 2 + eq[psi] * (a * cos(theta) + b * sin(theta)) +
                   eq[detent] / (4 * N) * cos(4 * theta);
    const Expr currents[] = {a, b};
    const Fields fields = write_coenergy(eq, w, currents, rotor.angle(eq));
    for (std::size_t k = 0; k < 2; ++k) winding[k].equations(eq, eq[R], fields.flux[k]);
    rotor.equations(eq, fields.force);
  }
};

}  // namespace coenergy::domains::converters
