#include "coenergy/analyze/modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/analyze/minimal_coordinates.hpp"
#include "coenergy/math/decompositions.hpp"

namespace coenergy::analyze {
namespace {

using Complex = std::complex<double>;

/// The largest entry becomes 1.
std::vector<Complex> scale_shape(std::vector<Complex> shape) {
  const auto largest =
      std::max_element(shape.begin(), shape.end(), [](Complex a, Complex b) { return std::abs(a) < std::abs(b); });
  if (largest != shape.end() && std::abs(*largest) > 0) {
    const Complex scale = *largest;
    for (Complex& value : shape) value /= scale;
  }
  return shape;
}

/// Deviations of all coordinates and states.
std::vector<Complex> expand_shape(const equations::System& s, const Linearization& linear,
                                  const math::ComplexMatrix& vectors, int k) {
  const int count = int(linear.coordinates.size());
  std::vector<Complex> shape(s.nv() + linear.states.size());
  for (int i = 0; i < s.nv(); ++i)
    for (int j = 0; j < count; ++j) shape[i] += linear.position_of_states(i, j) * vectors(j, k);
  for (int i = 0; i < int(linear.states.size()); ++i) shape[s.nv() + i] = vectors(count + linear.rates + i, k);
  return shape;
}

/// Modes of a matrix, with the shapes that columns of eigenvectors mean.
template <class Shape>
std::vector<Mode> find_modes(const math::Matrix& a, Shape&& shape_of) {
  const math::EigenPairs pairs = math::compute_eigenpairs(a);
  std::vector<Mode> modes;
  for (std::size_t k = 0; k < pairs.values.size(); ++k) {
    const Complex value = pairs.values[k];
    if (value.imag() < 0) continue;
    const double size = std::abs(value);
    modes.push_back({value, size / (2 * std::numbers::pi), size > 0 ? -value.real() / size : 0,
                     scale_shape(shape_of(pairs.vectors, int(k)))});
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const Mode& x, const Mode& y) { return std::abs(x.eigenvalue) < std::abs(y.eigenvalue); });
  return modes;
}

}  // namespace

Modes compute_modes(const equations::System& system, const Linearization& linear) {
  Modes result;
  for (int i = 0; i < system.nv(); ++i) result.names.push_back(position_name(system, i));
  for (int i : linear.states) result.names.push_back(system.unknown(system.nv() + system.nl() + i).name);
  result.modes = find_modes(linear.model.a, [&](const math::ComplexMatrix& vectors, int k) {
    return expand_shape(system, linear, vectors, k);
  });
  return result;
}

Modes compute_modes(const StateSpace& model) {
  return {model.states, find_modes(model.a, [&](const math::ComplexMatrix& vectors, int k) {
            std::vector<Complex> shape;
            for (int i = 0; i < model.a.rows; ++i) shape.push_back(vectors(i, k));
            return shape;
          })};
}

}  // namespace coenergy::analyze
