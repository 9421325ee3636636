#include "coenergy/analyze/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/minimal_coordinates.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/solve/initialize.hpp"

namespace coenergy::analyze {

using math::Matrix;

Equilibrium find_equilibrium(equations::Evaluator& evaluator, const EquilibriumOptions& options) {
  solve::Options start_options;
  start_options.t_start = options.t, start_options.t_end = options.t + 1;
  const solve::Start start = solve::initialize(evaluator, start_options);
  if (!start.good) return {start.point, false, start.text, 0, ""};
  return find_equilibrium(evaluator, start.point, options);
}

namespace {

/// −∂q̈/∂q with the states at rest: A₂₁ − A₂₃ A₃₃⁻¹ A₃₁ of the linear model in (q, q̇, x).
Matrix static_stiffness(const Matrix& a, int coordinates) {
  const int states = a.rows - 2 * coordinates;
  Matrix k(coordinates, coordinates);
  for (int i = 0; i < coordinates; ++i)
    for (int j = 0; j < coordinates; ++j) k(i, j) = -a(coordinates + i, j);
  if (states == 0) return k;
  Matrix own(states, states), of_position(states, coordinates);
  for (int i = 0; i < states; ++i) {
    for (int j = 0; j < states; ++j) own(i, j) = a(2 * coordinates + i, 2 * coordinates + j);
    for (int j = 0; j < coordinates; ++j) of_position(i, j) = a(2 * coordinates + i, j);
  }
  // states that do not return by themselves (integrals) stay where they are
  const Matrix followed = math::solve_least_squares(own, of_position);
  for (int i = 0; i < coordinates; ++i)
    for (int j = 0; j < coordinates; ++j)
      for (int m = 0; m < states; ++m) k(i, j) += a(coordinates + i, 2 * coordinates + m) * followed(m, j);
  return k;
}

/// Eigenvalues of a stiffness divided by masses, the small ones as exactly as the large ones: those that are round-off
/// beside the largest are the inverses of the largest of K⁻¹, where light and stiff parts do not hide them.
std::vector<double> find_eigenvalues(const Matrix& k) {
  constexpr double round_off = 1e-10, nothing = 1e-15;  // of the largest: unresolved in K, and in K⁻¹ too
  std::vector<double> values, small;
  double largest = 0;
  for (const std::complex<double>& value : math::compute_eigenvalues(k)) {
    values.push_back(value.real());
    largest = std::max(largest, std::abs(value));
  }
  std::sort(values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  const auto resolved =
      std::find_if(values.begin(), values.end(), [&](double value) { return std::abs(value) > round_off * largest; });
  const auto count = resolved - values.begin();
  if (count == 0) return values;
  try {
    for (const std::complex<double>& value : math::compute_eigenvalues(math::solve(k, math::identity(k.rows))))
      small.push_back(1 / value.real());
  } catch (const std::runtime_error&) {  // motions without any stiffness
    small.assign(values.size(), 0);
  }
  std::sort(small.begin(), small.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  for (long i = 0; i < count; ++i)
    values[i] = std::abs(small[i]) > nothing * largest && std::isfinite(small[i]) ? small[i] : 0;
  return values;
}

}  // namespace

Stability find_stability(equations::Evaluator& evaluator, const equations::Point& point) {
  check_holonomic(evaluator.system(), "the stability of an equilibrium");
  const Linearization linear = linearize_states(evaluator, point);
  const int coordinates = static_cast<int>(linear.coordinates.size());
  // of a free motion, whose eigenvalue is zero twice, round-off is the root of that of a number
  constexpr double double_root = 1e-6;
  Stability result;
  if (coordinates > 0) {
    const Matrix k = static_stiffness(linear.model.a, coordinates);
    result.lowest = std::numeric_limits<double>::infinity();
    for (const double value : find_eigenvalues(k)) {
      result.lowest = std::min(result.lowest, value);
      result.negative += value < 0;
    }
  }
  double fastest = 0;
  for (const std::complex<double>& value : math::compute_eigenvalues(linear.model.a)) {
    fastest = std::max(fastest, std::abs(value));
    result.fastest_growth = std::max(result.fastest_growth, value.real());
  }
  result.stable = result.negative == 0 && result.fastest_growth <= double_root * fastest;
  return result;
}

}  // namespace coenergy::analyze
