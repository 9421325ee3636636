#pragma once
#include <array>
#include <numbers>

#include "coenergy/domains/component.hpp"

namespace coenergy::domains::drives {

/// Values along an axis at some angle and across it, 90° ahead.
struct Axes {
  Expr d, q;
};

/// Amplitude-invariant: a symmetrical system X cos(φ − k 2π/3) becomes d = X cos(φ − angle), q = X sin(φ − angle).
inline Axes to_axes(const std::array<Expr, 3>& x, const Expr& angle) {
  constexpr double third = 2 * std::numbers::pi / 3;
  Axes axes{0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    const double shift = k == 2 ? -third : third * static_cast<double>(k);
    axes.d += x[k] * cos(angle - shift) * 2 / 3;
    axes.q -= x[k] * sin(angle - shift) * 2 / 3;
  }
  return axes;
}

inline std::array<Expr, 3> to_phases(const Axes& x, const Expr& angle) {
  constexpr double third = 2 * std::numbers::pi / 3;
  std::array<Expr, 3> phases;
  for (std::size_t k = 0; k < 3; ++k) {
    const double shift = k == 2 ? -third : third * static_cast<double>(k);
    phases[k] = x.d * cos(angle - shift) - x.q * sin(angle - shift);
  }
  return phases;
}

/// Three entries of one name with the phases a, b, c behind it.
struct Phases {
  std::array<Parameter, 3> of;

  void describe(Description& d, const std::string& name, const std::string& unit, const std::string& what) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string phase(1, static_cast<char>('a' + k));
      d.parameter(of[k], name.empty() ? phase : name + "_" + phase, unit, what + " " + phase).varying();
    }
  }
  std::array<Expr, 3> operator()(Equations& eq) const { return {eq[of[0]], eq[of[1]], eq[of[2]]}; }
};

}  // namespace coenergy::domains::drives
