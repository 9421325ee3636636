#pragma once
#include <array>

#include "coenergy/domains/coenergy.hpp"
#include "coenergy/domains/converters/winding.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/integral.hpp"

namespace coenergy::domains::converters {

/// Transformer of two windings on one core that saturates:
///
///   λ_1 = l_1 i_1 + λ_m,  λ_2 = l_2 i_2 + λ_m/r,   i_m = i_1 + i_2/r,   λ_m = L_sat i_m + ψ_s tanh((L_m − L_sat) i_m/ψ_s)
///
/// r = N_1/N_2 turns ratio, l_1, l_2 leakage inductances, L_m magnetising inductance seen from winding 1 (H), ψ_s flux
/// linkage at which the core saturates (Wb), L_sat inductance beyond. Without ψ_s the core is linear. A bank of three makes a
/// three-phase transformer.
struct SaturatedTransformer {
  std::array<Winding, 2> winding;
  Parameter ratio, R_1, R_2, l_1, l_2, L_m, psi_s, L_sat;

  void describe(Description& d) {
    d.name("converters.SaturatedTransformer", "transformer with a core that saturates: v_k = R_k*i_k + d(lambda_k)/dt");
    winding[0].describe(d, "1", "winding 1");
    winding[1].describe(d, "2", "winding 2");
    d.parameter(ratio, "ratio", "", "turns of winding 1 over turns of winding 2").positive();
    d.parameter(R_1, "R_1", "ohm", "resistance of winding 1").not_negative().varying();
    d.parameter(R_2, "R_2", "ohm", "resistance of winding 2").not_negative().varying();
    d.parameter(l_1, "l_1", "H", "leakage inductance of winding 1").positive();
    d.parameter(l_2, "l_2", "H", "leakage inductance of winding 2").positive();
    d.parameter(L_m, "L_m", "H", "magnetising inductance seen from winding 1, without saturation").positive();
    d.parameter(psi_s, "psi_s", "Wb", "flux linkage of winding 1 at which the core saturates; without it never")
        .positive()
        .optional();
    d.parameter(L_sat, "L_sat", "H", "magnetising inductance of the saturated core").positive().optional();
    d.output("i_m", "A", "magnetising current seen from winding 1");
    d.output("phi_m", "Wb", "flux linkage of the core seen from winding 1");
  }

  std::vector<Branch> branches(Equations&) const { return {winding[0].branch(), winding[1].branch()}; }

  void equations(Equations& eq) const {
    if (eq.has(psi_s) != eq.has(L_sat)) eq.refuse("psi_s and L_sat belong together");
    if (eq.has(L_sat) && !(eq.number(L_sat) < eq.number(L_m))) eq.refuse("L_sat must be less than L_m");
    const Expr i[] = {eq[winding[0].i], eq[winding[1].i]}, magnetising = i[0] + i[1] / eq[ratio];
    // the core as a function of one current
    const Expr x = eq.graph().symbol(eq.component() + "'i_m");
    Expr flux = eq[L_m] * x;
    if (eq.has(psi_s)) flux = eq[L_sat] * x + eq[psi_s] * tanh((eq[L_m] - eq[L_sat]) * x / eq[psi_s]);
    const auto at = [&](const Expr& e) {
      return symbolic::substitute(e, std::span(&x, 1), std::span(&magnetising, 1));
    };
    const Expr w = eq[l_1] * i[0] * i[0] / 2 + eq[l_2] * i[1] * i[1] / 2 + at(symbolic::integral(flux, x));
    const Fields fields = write_coenergy(eq, w, i, 0);
    winding[0].equations(eq, eq[R_1], fields.flux[0]);
    winding[1].equations(eq, eq[R_2], fields.flux[1]);
    eq.output("i_m", "A", magnetising);
    eq.output("phi_m", "Wb", at(flux));
  }
};

}  // namespace coenergy::domains::converters
