#pragma once
#include <array>
#include <numbers>

#include "coenergy/domains/converters/rotor.hpp"
#include "coenergy/domains/converters/winding.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/integral.hpp"

namespace coenergy::domains::converters {

/// Switched reluctance machine, also as variable-reluctance stepper: three phases that do not share flux,
///
///   λ_k = L_sat i_k + ψ_s tanh((L(θ_k) − L_sat) i_k/ψ_s),   L(θ) = ½ (L_a + L_u) + ½ (L_a − L_u) cos θ
///   θ_k = N φ − k 2π/3,   k = 0, 1, 2          W' = Σ ∫ λ_k di_k, torque = ∂W'/∂φ
///
/// N poles of the rotor, L_a, L_u inductances without saturation at the aligned and unaligned position (H), ψ_s flux (Wb)
/// at which iron saturates, L_sat inductance beyond, less than L_u. Without ψ_s there is no saturation: λ = L(θ) i, torque
/// = ½ i² ∂L/∂φ.
struct SwitchedReluctanceMachine {
  Rotor rotor;
  std::array<Winding, 3> winding;
  Parameter R, L_a, L_u, L_sat, psi_s, poles;

  void describe(Description& d) {
    d.name("converters.SwitchedReluctanceMachine", "switched reluctance machine: v = R*i + d(lambda(i, theta))/dt");
    winding[0].describe(d, "a", "phase a");
    winding[1].describe(d, "b", "phase b");
    winding[2].describe(d, "c", "phase c");
    rotor.describe(d);
    d.parameter(R, "R", "ohm", "resistance of a phase").not_negative().varying();
    d.parameter(L_a, "L_a", "H", "inductance at the aligned position").positive();
    d.parameter(L_u, "L_u", "H", "inductance at the unaligned position").positive();
    d.parameter(psi_s, "psi_s", "Wb", "flux linkage at which the iron saturates; without it never")
        .positive()
        .optional();
    d.parameter(L_sat, "L_sat", "H", "inductance of saturated iron").positive().optional();
    d.parameter(poles, "poles", "", "poles of the rotor").positive();
  }

  std::vector<Branch> branches(Equations&) const {
    return {winding[0].branch(), winding[1].branch(), winding[2].branch()};
  }

  void equations(Equations& eq) const {
    if (eq.has(psi_s) != eq.has(L_sat)) eq.refuse("psi_s and L_sat belong together");
    if (eq.has(L_sat) && !(eq.number(L_sat) < eq.number(L_u) && eq.number(L_sat) < eq.number(L_a)))
      eq.refuse("L_sat must be less than L_u and L_a");
    constexpr double third = 2 * std::numbers::pi / 3;
    const Expr s = make_motion(eq);
    std::array<Expr, 3> i;
    Expr w = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      i[k] = eq[winding[k].i];
      const Expr theta = eq[poles] * s - third * static_cast<double>(k);
      const Expr l = (eq[L_a] + eq[L_u]) / 2 + (eq[L_a] - eq[L_u]) / 2 * cos(theta);
      if (eq.has(psi_s))
        w += symbolic::integral(eq[L_sat] * i[k] + eq[psi_s] * tanh((l - eq[L_sat]) * i[k] / eq[psi_s]), i[k]);
      else
        w += l * i[k] * i[k] / 2;
    }
    const Fields fields = write_coenergy(eq, w, i, rotor.angle(eq));
    for (std::size_t k = 0; k < 3; ++k) winding[k].equations(eq, eq[R], fields.flux[k]);
    rotor.equations(eq, fields.force);
  }
};

}  // namespace coenergy::domains::converters
