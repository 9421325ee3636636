#include "coenergy/analyze/modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/math/decompositions.hpp"

namespace coenergy::analyze {

std::vector<Mode> compute_modes(const StateSpace& model) {
  std::vector<Mode> modes;
  if (model.A.rows == 0) return modes;
  const math::EigenPairs pairs = math::compute_eigenpairs(model.A);
  for (std::size_t k = 0; k < pairs.values.size(); ++k) {
    const std::complex<double> s = pairs.values[k];
    if (s.imag() < 0) continue;
    Mode mode;
    mode.eigenvalue = s;
    const double size = std::abs(s);
    mode.frequency = s.imag() > 0 ? size / (2 * std::numbers::pi) : 0;
    mode.damping = size > 0 ? -s.real() / size : 0;
    std::complex<double> largest = 0;
    for (int i = 0; i < model.A.rows; ++i) {
      mode.shape.push_back(pairs.vectors(i, static_cast<int>(k)));
      if (std::abs(mode.shape.back()) > std::abs(largest)) largest = mode.shape.back();
    }
    for (std::complex<double>& entry : mode.shape) entry /= largest;
    modes.push_back(std::move(mode));
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const Mode& a, const Mode& b) { return std::abs(a.eigenvalue) < std::abs(b.eigenvalue); });
  return modes;
}

}  // namespace coenergy::analyze
