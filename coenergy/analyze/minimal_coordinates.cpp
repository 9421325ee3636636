#include "coenergy/analyze/minimal_coordinates.hpp"

#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/solve/partition.hpp"

namespace coenergy::analyze {
namespace {

using math::Matrix;

/// Change of Φ̇ with the coordinates, constraints × coordinates.
Matrix rate_matrix(equations::Evaluator& evaluator, const equations::Point& point) {
  const equations::System& s = evaluator.system();
  const auto& pattern = s.pattern();
  std::vector<double> values(pattern.row.size());
  evaluator.jacobian(point, equations::Level::velocity, {.q = 1}, values);
  Matrix m(s.nl(), s.nv());
  for (int j = 0; j < s.nv(); ++j)
    for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
      if (const int i = pattern.row[e] - s.nv(); i >= 0 && i < s.nl()) m(i, j) = values[e];
  return m;
}

/// −Φ_D⁻¹ · right for the pivot rows.
Matrix solve_dependent(const Matrix& phi_q, const solve::Partition& pivots, const Matrix& right) {
  const int count = int(pivots.rows.size());
  Matrix block(count, count), picked(count, right.columns);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) block(i, j) = phi_q(pivots.rows[i], pivots.dependent[j]);
    for (int j = 0; j < right.columns; ++j) picked(i, j) = -right(pivots.rows[i], j);
  }
  return math::solve(block, picked);
}

}  // namespace

MinimalCoordinates compute_minimal_coordinates(equations::Evaluator& evaluator, const equations::Point& point) {
  const equations::System& s = evaluator.system();
  const int nv = s.nv();
  for (int k = 0; k < s.nl(); ++k)
    if (s.is_velocity_constraint(k))
      throw Error(s.row_name(nv + k) +
                  ": a model with non-holonomic constraints has no minimal coordinates; it cannot be "
                  "linearised");
  const Matrix phi_q = solve::constraint_jacobian(evaluator, point);
  const solve::Partition pivots = solve::choose_partition(phi_q, solve::partition_weights(s));
  MinimalCoordinates result;
  result.dependent = pivots.dependent;
  result.independent = pivots.independent;

  // N
  const int count = int(result.independent.size());
  Matrix by_independent(s.nl(), count);
  for (int j = 0; j < count; ++j)
    for (int i = 0; i < s.nl(); ++i) by_independent(i, j) = phi_q(i, result.independent[j]);
  result.n = Matrix(nv, count), result.k = Matrix(nv, count);
  for (int j = 0; j < count; ++j) result.n(result.independent[j], j) = 1;
  if (pivots.dependent.empty()) return result;
  const Matrix n_dependent = solve_dependent(phi_q, pivots, by_independent);

  // K from the change of Φ̇ with q
  for (int j = 0; j < count; ++j)
    for (std::size_t i = 0; i < pivots.dependent.size(); ++i) result.n(pivots.dependent[i], j) = n_dependent(int(i), j);
  const Matrix rate = math::multiply(rate_matrix(evaluator, point), result.n);
  const Matrix k_dependent = solve_dependent(phi_q, pivots, rate);
  for (int j = 0; j < count; ++j)
    for (std::size_t i = 0; i < pivots.dependent.size(); ++i) result.k(pivots.dependent[i], j) = k_dependent(int(i), j);
  return result;
}

}  // namespace coenergy::analyze
