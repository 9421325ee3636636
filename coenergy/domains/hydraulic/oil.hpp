#pragma once
#include "coenergy/domains/component.hpp"
#include "coenergy/model/fluid.hpp"

namespace coenergy::domains::hydraulic {

/// Oil that compresses and evaporates, in a space of the volume V that may change.
///
/// Where flows draw more oil than there is, the pressure stays at the vacuum p_v (absolute zero: the vapour pressure of
/// hydraulic oils is below 10 Pa, and air that comes out of solution is left out) and vapour fills the part φ of the
/// space. One state p̂ tells both, the pressure that the oil would have if it could be pulled:
///
///   p = max(p̂, p_v),   φ = (p − p̂)/β,   Q = V̇ (1 − φ) + V/β dp̂/dt      Q flow in (m³/s), β bulk modulus (Pa)
///
/// (Merritt 1967 without φ). Vapour takes no oil along: it collapses by the same volume by which it grew. Stored is
/// V (p p̂ − p²/2)/β, which is ½ V p²/β without vapour; oil that comes as the space grows brings its own energy of
/// compression, ½ p² V̇/β. The transition is a located event. φ reaches 1 where no oil is left: there a run ends.
struct Oil {
  Expr p, stretched, stretched_rate;
  Expr beta;

  Oil(Equations& eq, Fluid port, const Expr& beta_of)
      : p(eq[port]), stretched(eq.stretched(port)), stretched_rate(eq.der(port)), beta(beta_of) {}

  Expr void_part() const { return (p - stretched) / beta; }
  Expr flow(const Expr& V, const Expr& V_rate) const { return V_rate * (1 - void_part()) + V / beta * stretched_rate; }
  Expr stored(const Expr& V) const { return V / beta * (p * stretched - p * p / 2); }
  void require_oil(Equations& eq, const std::string& name, const std::string& what) const {
    eq.require(name, void_part() - 1, what + " is empty: more oil is drawn from it than it holds");
  }
};

}  // namespace coenergy::domains::hydraulic
