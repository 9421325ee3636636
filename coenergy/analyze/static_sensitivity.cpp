#include "coenergy/analyze/static_sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/solve/newton.hpp"
#include "coenergy/solve/static_newton.hpp"

namespace coenergy::analyze {

namespace {

using equations::Level;

/// (δq, δλ, δx, δy) and the changes of the speeds in the order of unknowns, as deviations of everything.
Deviation distribute(const equations::System& s, const std::vector<double>& solution, bool hold_coordinates,
                     const std::vector<char>& integral, const math::Matrix& free) {
  auto from = solution.begin();
  const auto take = [&](int count) {
    std::vector<double> part(from, from + count);
    from += count;
    return part;
  };
  Deviation d;
  (hold_coordinates ? d.a : d.q) = take(s.nv());
  (hold_coordinates ? d.q : d.a).assign(s.nv(), 0.0);
  d.v.assign(s.nv(), 0.0), d.xd.assign(s.nx(), 0.0);
  d.lambda = take(s.nl()), d.x = take(s.nx()), d.y = take(s.ny());
  for (int i = 0; i < s.nx(); ++i)
    if (integral[i]) d.x[i] = 0;
  for (int j = 0; j < free.columns; ++j, ++from)
    for (int i = 0; i < s.nv(); ++i) d.v[i] += free(i, j) * *from;
  return d;
}

/// The solutions with speeds N s among the unknowns, as a full matrix: R_z δz + R_v N δs = right, Nᵀ δq = 0.
std::vector<std::vector<double>> solve_with_speeds(equations::Evaluator& evaluator, const equations::Point& point,
                                                   const std::vector<double>& matrix, const math::Matrix& free,
                                                   const std::vector<std::vector<double>>& right) {
  const equations::System& s = evaluator.system();
  const auto& pattern = s.pattern();
  const int n = s.n(), m = free.columns;
  std::vector<double> by_v(matrix.size());
  evaluator.jacobian(point, Level::position, {.v = 1}, by_v);
  math::Matrix a(n + m, n + m), b(n + m, static_cast<int>(right.size()));
  for (int j = 0; j < n; ++j)
    for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e) {
      a(pattern.row[e], j) = matrix[e];
      for (int k = 0; k < m && j < s.nv(); ++k) a(pattern.row[e], n + k) += by_v[e] * free(j, k);
    }
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < s.nv(); ++i) a(n + k, i) = free(i, k);
  for (int k = 0; k < b.columns; ++k)
    for (int i = 0; i < n; ++i) b(i, k) = right[k][i];
  // rows of unit length
  for (int i = 0; i < n + m; ++i) {
    double size = 0;
    for (int j = 0; j < n + m; ++j) size = std::max(size, std::abs(a(i, j)));
    for (int j = 0; j < n + m && size > 0; ++j) a(i, j) /= size;
    for (int k = 0; k < b.columns && size > 0; ++k) b(i, k) /= size;
  }
  const math::Matrix z = math::solve_least_squares(a, b);
  std::vector<std::vector<double>> all;
  for (int k = 0; k < z.columns; ++k) all.emplace_back(z.data.begin() + k * z.rows, z.data.begin() + (k + 1) * z.rows);
  return all;
}

}  // namespace

std::vector<Deviation> compute_static_deviations(equations::Evaluator& evaluator, const equations::Point& point,
                                                 const std::vector<Direction>& directions, bool hold_coordinates,
                                                 const math::Matrix& free) {
  const equations::System& s = evaluator.system();
  // beyond all time constants: charges that only leak away in the limit are determined by their rate
  constexpr double slow = 1e-9;  // 1/s
  const auto level = hold_coordinates ? Level::acceleration : Level::position;
  equations::Weights weights{.lambda = 1, .x = 1, .xd = slow, .y = 1};
  (hold_coordinates ? weights.a : weights.q) = 1;
  std::vector<double> matrix(s.pattern().row.size());
  evaluator.jacobian(point, level, weights, matrix);
  std::vector<std::vector<double>> right;
  for (const Direction& direction : directions) {
    right.push_back(compute_parameter_term(evaluator, point, level, direction, {}));
    for (double& value : right.back()) value = -value;
  }
  if (free.columns > 0) {
    right = solve_with_speeds(evaluator, point, matrix, free, right);
  } else {
    math::SparseLu<double> lu(s.n(), s.pattern().column_start, s.pattern().row, solve::multiplier_indices(s));
    if (!lu.factor(matrix)) {
      lu.set_damping(1e-8);
      if (s.nl() == 0 || !lu.factor(matrix))
        throw Error("the equations do not determine " + s.unknown(lu.weakest_column()).name +
                    " at rest; its derivatives do not exist");
    }
    for (std::vector<double>& b : right) lu.solve(b);
  }
  solve::Statistics statistics;
  const std::vector<char> integral = solve::StaticNewton(evaluator, statistics).integrals();
  std::vector<Deviation> all;
  for (const std::vector<double>& solution : right)
    all.push_back(distribute(s, solution, hold_coordinates, integral, free));
  return all;
}

}  // namespace coenergy::analyze
