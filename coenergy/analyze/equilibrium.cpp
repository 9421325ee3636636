#include "coenergy/analyze/equilibrium.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/base/names.hpp"
#include "coenergy/math/decompositions.hpp"

namespace coenergy::analyze {

using system::Level;

namespace {

double norm(const std::vector<double>& r) {
  double sum = 0;
  for (double x : r) sum += x * x;
  return std::sqrt(sum);
}

/// Row scales: the largest coefficient of each row, so that newtons and pascals count alike.
std::vector<double> row_scales(const system::SparsePattern& pattern, const std::vector<double>& values) {
  std::vector<double> scale(pattern.n, 0);
  for (std::size_t k = 0; k < values.size(); ++k) scale[pattern.row[k]] = std::max(scale[pattern.row[k]], std::abs(values[k]));
  for (double& s : scale) s = s > 0 ? 1 / s : 1;
  return scale;
}

}  // namespace

Equilibrium find_equilibrium(system::Evaluator& evaluator, const system::Point& start, int max_iterations) {
  const system::System& system = evaluator.system();
  const system::SparsePattern& pattern = system.pattern();
  const int n = system.n(), nv = system.nv(), nl = system.nl(), nx = system.nx();
  Equilibrium result{start, false, 0, {}};
  for (std::vector<double>* rates : {&result.point.v, &result.point.a, &result.point.xd}) std::fill(rates->begin(), rates->end(), 0.0);

  std::vector<double> residual(n), values(pattern.row.size());
  auto scaled_residual = [&](const system::Point& p, const std::vector<double>& scale) {
    evaluator.residual(p, Level::position, residual);
    for (int i = 0; i < n; ++i) residual[i] *= scale[i];
    return norm(residual);
  };
  double h = 0.1;
  for (result.iterations = 0; result.iterations < max_iterations; ++result.iterations) {
    // a step of the damped motion: inertia over h² beside stiffness; Newton's iteration as h grows
    evaluator.jacobian(result.point, Level::position,
                       {.q = 1, .a = 1 / (h * h), .lambda = 1, .x = 1, .xd = 1 / h, .y = 1}, values);
    const std::vector<double> scale = row_scales(pattern, values);
    const double size = scaled_residual(result.point, scale);
    math::Matrix matrix(n, n), right(n, 1);
    for (int j = 0; j < n; ++j)
      for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
        matrix(pattern.row[k], j) += values[k] * scale[pattern.row[k]];
    for (int i = 0; i < n; ++i) right(i, 0) = -residual[i];
    const math::Matrix step = math::solve_least_squares(matrix, right);
    if (math::max_abs(step) < 1e-11 && size < 1e-8 && h > 1e3) {
      result.good = true;
      result.text = "equilibrium found in " + std::to_string(result.iterations) + " iterations";
      return result;
    }
    system::Point next = result.point;
    evaluator.retract(next.q, std::span(step.data).first(nv));
    for (int i = 0; i < nl; ++i) next.lambda[i] += step(nv + i, 0);
    for (int i = 0; i < nx; ++i) next.x[i] += step(nv + nl + i, 0);
    for (int i = 0; i < system.ny(); ++i) next.y[i] += step(nv + nl + nx + i, 0);
    const bool better = scaled_residual(next, scale) < size || size < 1e-10;
    h = better ? 4 * h : std::max(h / 2, 1e-6);
    result.point = std::move(next);
  }
  evaluator.residual(result.point, Level::position, residual);
  const auto worst = std::max_element(residual.begin(), residual.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  result.text = "no equilibrium found in " + std::to_string(max_iterations) + " iterations; largest residual: " +
                system.row_name(static_cast<int>(worst - residual.begin())) + ", " + format_short(*worst);
  return result;
}

}  // namespace coenergy::analyze
