#pragma once
#include "coenergy/domains/component.hpp"
#include "coenergy/model/fluid.hpp"

namespace coenergy::domains::pneumatic {

/// Air at room temperature, everywhere and always (isothermal): p V = m R T, with p absolute.
///
/// The account counts exergy, the work that air can do against the atmosphere p₀ at that temperature. A flow ṁ at the
/// pressure p carries ṁ R T ln(p/p₀); air in a space V stores V (p ln(p/p₀) − p + p₀), since then, with ṁ R T = ṗ V + p V̇,
///
///   d/dt stored = ṁ R T ln(p/p₀) − (p − p₀) V̇
///
/// so that a restriction loses ṁ R T ln(p_a/p_b) ≥ 0 and a piston takes (p − p₀) V̇.
struct Air {
  static constexpr double R = 287.05, T = 293.15;  // J/(kg K), K

  /// J/kg. Below 1 Pa, where hardly any air is left, it stays as it is there.
  static Expr exergy(const Expr& p) { return R * T * log(max(p, 1) / model::atmosphere); }
  static Expr stored(const Expr& p, const Expr& V) {
    return V * (p * log(max(p, 1) / model::atmosphere) - p + model::atmosphere);
  }
};

}  // namespace coenergy::domains::pneumatic
