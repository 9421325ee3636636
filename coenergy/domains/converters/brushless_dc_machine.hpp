#pragma once
#include <numbers>

#include "coenergy/domains/converters/rotor.hpp"
#include "coenergy/domains/converters/three_phase.hpp"

namespace coenergy::domains::converters {

/// Brushless DC machine: three phases whose induced voltage is a trapezoid of the angle θ = p φ,
///
///   e_k = k_e ω s(θ − k 2π/3),   torque = k_e Σ i_k s(θ − k 2π/3)
///
/// s rises from −1 to 1 about θ = 0, is flat over the angle `flat` about 90° and falls; k_e (V.s/rad = N.m/A) is that of
/// one phase. By six-step commutation two phases carry the current i and the torque is 2 k_e i. L, M are the inductances
/// of a phase and between two. The flux of the magnets is the integral of s, so that power is kept.
struct BrushlessDcMachine {
  Rotor rotor;
  ThreePhase stator;
  Parameter k_e, L, M, flat;

  void describe(Description& d) {
    d.name("converters.BrushlessDcMachine", "brushless DC machine: trapezoidal voltages, e = k_e*w*s(theta)");
    stator.describe(d, "", "stator");
    rotor.describe(d);
    rotor.describe_poles(d);
    d.parameter(k_e, "k_e", "V.s/rad", "constant of one phase where its voltage is flat").positive();
    d.parameter(L, "L", "H", "inductance of a phase").positive();
    d.parameter(M, "M", "H", "mutual inductance of two phases").fallback("0 H");
    d.parameter(flat, "flat", "rad", "electrical angle over which the voltage is flat")
        .between(0.1, 3)
        .fallback("120 deg");
  }

  std::vector<Branch> branches(Equations& eq) const { return stator.branches(eq); }

  void equations(Equations& eq) const {
    const std::vector<Expr> currents = stator.free_currents(eq);
    if (!(eq.number(L) > eq.number(M)) || (currents.size() == 3 && !(eq.number(L) + 2 * eq.number(M) > 0)))
      eq.refuse("L - M must be > 0, and L + 2 M where the zero sequence can have a current");
    const std::array<Expr, 3> i = stator.currents(eq);
    const Expr p = rotor.pairs(eq), theta = p * make_motion(eq);
    constexpr double third = 2 * std::numbers::pi / 3;
    Expr w = eq[L] * (i[0] * i[0] + i[1] * i[1] + i[2] * i[2]) / 2 + eq[M] * (i[0] * i[1] + i[1] * i[2] + i[2] * i[0]);
    for (std::size_t k = 0; k < 3; ++k)
      w += eq[k_e] / p * flux(theta - third * static_cast<double>(k), eq[flat]) * i[k];
    const Fields fields = write_coenergy(eq, w, currents, rotor.angle(eq));
    stator.equations(eq, fields.flux);
    rotor.equations(eq, fields.force);
  }

 private:
  /// ∫ s dθ from 0, an even function of period 2π. With a = |θ| in (−π, π) and the half width h = (π − flat)/2 of an
  /// edge it is a²/(2 h) on the rising edge, grows by a on the flat part and bends back on the falling edge.
  static Expr flux(const Expr& theta, const Expr& flat) {
    constexpr double pi = std::numbers::pi;
    const Expr a = abs(theta - 2 * pi * floor(theta / (2 * pi) + 0.5)), h = (pi - flat) / 2;
    const Expr rise = min(a, h), level = max(min(a, pi - h) - h, 0), fall = max(a - (pi - h), 0);
    return rise * rise / (2 * h) + level + fall - fall * fall / (2 * h);
  }
};

}  // namespace coenergy::domains::converters
