#include "coenergy/analyze/equilibrium.hpp"

#include <algorithm>
#include <limits>

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

}  // namespace

Stability find_stability(equations::Evaluator& evaluator, const equations::Point& point) {
  check_holonomic(evaluator.system(), "the stability of an equilibrium");
  const Linearization linear = linearize_states(evaluator, point);
  const int coordinates = static_cast<int>(linear.coordinates.size());
  // round-off of an eigenvalue: of a free motion, whose eigenvalue is zero twice, it is the root of that of a number
  constexpr double round_off = 1e-10, double_root = 1e-6;
  Stability result;
  if (coordinates > 0) {
    const Matrix k = static_stiffness(linear.model.a, coordinates);
    result.lowest = std::numeric_limits<double>::infinity();
    double largest = 0;
    std::vector<double> values;
    for (const std::complex<double>& value : math::compute_eigenvalues(k)) {
      values.push_back(value.real());
      largest = std::max(largest, std::abs(value));
      result.lowest = std::min(result.lowest, value.real());
    }
    for (const double value : values) result.negative += value < -round_off * largest;
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
