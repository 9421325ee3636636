#include "coenergy/solve/between.hpp"

#include <algorithm>
#include <cmath>

namespace coenergy::solve {
namespace {

constexpr int max_iterations = 8;
constexpr double little = 0.03;  // of the tolerance: corrections below that no longer shrink are round-off

double find_largest(const double* values, std::size_t count) {
  double largest = 0;
  for (std::size_t k = 0; k < count; ++k) largest = std::max(largest, std::abs(values[k]));
  return largest;
}

/// Moves all of `at` by δ; its size in units of the tolerance.
double apply(equations::Evaluator& evaluator, const Tangent& tangent, double g, std::vector<double>& residual,
             ErrorNorm& norm, equations::Point& at) {
  const double* delta = residual.data();
  norm.clear();
  for (std::size_t j = 0; j < at.a.size(); ++j) {
    at.a[j] += delta[j], at.v[j] += g * delta[j];
    norm.add_velocity(int(j), g * delta[j], std::abs(at.v[j]));
    norm.add_position(int(j), g * g * delta[j], tangent.size(at.q, int(j)));
  }
  delta += at.a.size();
  const double moved = find_largest(delta, at.lambda.size());
  for (double& lambda : at.lambda) lambda += *delta++;
  for (std::size_t j = 0; j < at.xd.size(); ++j, ++delta) {
    at.xd[j] += *delta, at.x[j] += g * *delta;
    norm.add_state(int(j), g * *delta, std::abs(at.x[j]));
  }
  for (std::size_t j = 0; j < at.y.size(); ++j, ++delta) {
    at.y[j] += *delta;
    norm.add_algebraic(int(j), *delta, std::abs(at.y[j]));
  }
  if (!at.v.empty()) {
    for (std::size_t j = 0; j < at.a.size(); ++j) residual[j] *= g * g;
    evaluator.retract(at.q, std::span(residual).first(at.a.size()));
  }
  // driven motions leave nothing to a: that multipliers are right does not show in it
  const double size = norm.value(), of_lambda = moved / norm.rtol();
  return std::max(size, moved > 0 ? of_lambda / find_largest(at.lambda.data(), at.lambda.size()) : 0);
}

}  // namespace

bool solve_between(equations::Evaluator& evaluator, Statistics& statistics, math::SparseLu<double>& lu, double g,
                   double limit, ErrorNorm& norm, std::vector<double>& residual, equations::Point& at) {
  const Tangent tangent(evaluator.system());
  double previous = 0;
  for (int k = 0; k < max_iterations; ++k) {
    evaluator.residual(at, equations::Level::acceleration, residual);
    ++statistics.residuals;
    for (double& r : residual) r = -r;
    // next to a singular position of a mechanism, one solution is not enough
    at.lambda.empty() ? lu.solve_once(residual) : lu.solve(residual);
    const double size = apply(evaluator, tangent, g, residual, norm, at);
    if (!std::isfinite(size) || !std::isfinite(norm.value())) return false;
    const double rate = previous > 0 ? size / previous : 1;
    if (size <= limit * std::max(1e-3, std::min(1.0, (1 - rate) / rate))) return true;
    if (rate > 0.9 && previous > 0) return size <= little;
    previous = size;
  }
  return previous <= little;
}

}  // namespace coenergy::solve
