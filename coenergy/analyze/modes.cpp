#include "coenergy/analyze/modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/math/decompositions.hpp"

namespace coenergy::analyze {
namespace {

using Complex = std::complex<double>;

/// Deviations of all coordinates and states, the largest scaled to 1.
std::vector<Complex> expand_shape(const equations::System& s, const Linearization& linear,
                                  const math::ComplexMatrix& vectors, int k) {
  const int count = int(linear.coordinates.size());
  std::vector<Complex> shape(s.nv() + linear.states.size());
  for (int i = 0; i < s.nv(); ++i)
    for (int j = 0; j < count; ++j) shape[i] += linear.position_of_states(i, j) * vectors(j, k);
  for (int i = 0; i < int(linear.states.size()); ++i) shape[s.nv() + i] = vectors(count + linear.rates + i, k);
  const auto largest =
      std::max_element(shape.begin(), shape.end(), [](Complex a, Complex b) { return std::abs(a) < std::abs(b); });
  if (largest != shape.end() && std::abs(*largest) > 0) {
    const Complex scale = *largest;
    for (Complex& value : shape) value /= scale;
  }
  return shape;
}

}  // namespace

Modes compute_modes(const equations::System& system, const Linearization& linear) {
  const math::EigenPairs pairs = math::compute_eigenpairs(linear.model.a);
  Modes result;
  for (int i = 0; i < system.nv(); ++i) result.names.push_back(system.unknown(i).name);
  for (int i : linear.states) result.names.push_back(system.unknown(system.nv() + system.nl() + i).name);
  for (std::size_t k = 0; k < pairs.values.size(); ++k) {
    const Complex value = pairs.values[k];
    if (value.imag() < 0) continue;
    const double size = std::abs(value);
    result.modes.push_back({value, size / (2 * std::numbers::pi), size > 0 ? -value.real() / size : 0,
                            expand_shape(system, linear, pairs.vectors, int(k))});
  }
  std::stable_sort(result.modes.begin(), result.modes.end(),
                   [](const Mode& a, const Mode& b) { return std::abs(a.eigenvalue) < std::abs(b.eigenvalue); });
  return result;
}

}  // namespace coenergy::analyze
