#include "coenergy/analyze/minimal_coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"

namespace coenergy::analyze {
namespace {

using math::Matrix;

/// Rows of the constraints by coordinates, ∂(constraint at a level)/∂(q or v).
Matrix constraint_matrix(system::Evaluator& evaluator, const system::Point& point, system::Level level) {
  const system::System& s = evaluator.system();
  const auto& pattern = s.pattern();
  std::vector<double> values(pattern.row.size());
  evaluator.jacobian(point, level, {.q = 1}, values);
  Matrix m(s.nl(), s.nv());
  for (int j = 0; j < s.nv(); ++j)
    for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
      if (const int i = pattern.row[e] - s.nv(); i >= 0 && i < s.nl()) m(i, j) = values[e];
  return m;
}

struct Pivots {
  std::vector<int> rows, columns;
};

/// Gaussian elimination with complete pivoting until what is left is round-off.
Pivots find_pivots(Matrix m) {
  Pivots pivots;
  // rows to unit size, so that their units do not matter
  for (int i = 0; i < m.rows; ++i) {
    double largest = 0;
    for (int j = 0; j < m.columns; ++j) largest = std::max(largest, std::abs(m(i, j)));
    for (int j = 0; j < m.columns && largest > 0; ++j) m(i, j) /= largest;
  }
  std::vector<char> used_row(m.rows, 0), used_column(m.columns, 0);
  for (int step = 0; step < std::min(m.rows, m.columns); ++step) {
    int row = -1, column = -1;
    double largest = 1e-10;
    for (int j = 0; j < m.columns; ++j)
      for (int i = 0; i < m.rows && !used_column[j]; ++i)
        if (!used_row[i] && std::abs(m(i, j)) > largest) largest = std::abs(m(i, j)), row = i, column = j;
    if (row < 0) break;
    used_row[row] = used_column[column] = 1;
    pivots.rows.push_back(row), pivots.columns.push_back(column);
    for (int i = 0; i < m.rows; ++i) {
      if (used_row[i] || m(i, column) == 0) continue;
      const double factor = m(i, column) / m(row, column);
      for (int j = 0; j < m.columns; ++j) m(i, j) -= factor * m(row, j);
    }
  }
  return pivots;
}

/// −Φ_D⁻¹ · right for the pivot rows.
Matrix solve_dependent(const Matrix& phi_q, const Pivots& pivots, const Matrix& right) {
  const int count = int(pivots.rows.size());
  Matrix block(count, count), picked(count, right.columns);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) block(i, j) = phi_q(pivots.rows[i], pivots.columns[j]);
    for (int j = 0; j < right.columns; ++j) picked(i, j) = -right(pivots.rows[i], j);
  }
  return math::solve(block, picked);
}

}  // namespace

MinimalCoordinates compute_minimal_coordinates(system::Evaluator& evaluator, const system::Point& point) {
  const system::System& s = evaluator.system();
  const int nv = s.nv();
  for (int k = 0; k < s.nl(); ++k)
    if (s.is_velocity_constraint(k))
      throw Error(s.row_name(nv + k) +
                  ": a model with non-holonomic constraints has no minimal coordinates; it cannot be "
                  "linearised");
  const Matrix phi_q = constraint_matrix(evaluator, point, system::Level::position);

  // which coordinates depend on which
  Matrix scaled = phi_q;
  for (int j = 0; j < nv; ++j)
    for (int i = 0; i < s.nl(); ++i) scaled(i, j) *= s.unknown(j).nominal * (s.unknown(j).fixed ? 1e-3 : 1);
  const Pivots pivots = find_pivots(std::move(scaled));
  MinimalCoordinates result;
  result.dependent = pivots.columns;
  std::vector<char> is_dependent(nv, 0);
  for (int j : pivots.columns) is_dependent[j] = 1;
  for (int j = 0; j < nv; ++j)
    if (!is_dependent[j]) result.independent.push_back(j);

  // N
  const int count = int(result.independent.size());
  Matrix by_independent(s.nl(), count);
  for (int j = 0; j < count; ++j)
    for (int i = 0; i < s.nl(); ++i) by_independent(i, j) = phi_q(i, result.independent[j]);
  result.n = Matrix(nv, count), result.k = Matrix(nv, count);
  for (int j = 0; j < count; ++j) result.n(result.independent[j], j) = 1;
  if (pivots.columns.empty()) return result;
  const Matrix n_dependent = solve_dependent(phi_q, pivots, by_independent);

  // K from the change of Φ̇ with q
  for (int j = 0; j < count; ++j)
    for (std::size_t i = 0; i < pivots.columns.size(); ++i) result.n(pivots.columns[i], j) = n_dependent(int(i), j);
  const Matrix rate = math::multiply(constraint_matrix(evaluator, point, system::Level::velocity), result.n);
  const Matrix k_dependent = solve_dependent(phi_q, pivots, rate);
  for (int j = 0; j < count; ++j)
    for (std::size_t i = 0; i < pivots.columns.size(); ++i) result.k(pivots.columns[i], j) = k_dependent(int(i), j);
  return result;
}

}  // namespace coenergy::analyze
