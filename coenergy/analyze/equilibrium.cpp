#include "coenergy/analyze/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/tangent.hpp"

namespace coenergy::analyze {
namespace {

using system::Evaluator;
using system::Point;
using system::System;

constexpr double largest_move = 0.5;  // of a coordinate per iteration, in units of its size or nominal value
constexpr double plain_newton = std::numeric_limits<double>::infinity();

/// The static equations and their corrections.
class Statics {
 public:
  Statics(Evaluator& evaluator, const Point& guess)
      : evaluator_(evaluator),
        s_(evaluator.system()),
        tangent_(s_),
        lu_(s_.n(), s_.pattern().column_start, s_.pattern().row, solve::multiplier_indices(s_)),
        matrix_(s_.pattern().row.size()),
        residual_(s_.n()),
        delta_(s_.n()),
        point_(guess) {
    for (auto* rates : {&point_.v, &point_.a, &point_.xd}) std::fill(rates->begin(), rates->end(), 0.0);
    if (!solve::find_redundant_constraints(evaluator, guess).empty()) lu_.set_damping(1e-8);
    evaluate();
  }

  const Point& point() const { return point_; }
  int weakest_column() const { return lu_.weakest_column(); }

  /// Correction by Newton (τ infinite) or an implicit Euler step; false where the matrix is singular.
  bool compute_correction(double tau) {
    const double r = std::isinf(tau) ? 0 : 1 / tau;
    evaluator_.jacobian(point_, system::Level::position,
                        {.q = 1, .v = r, .a = r * r, .lambda = 1, .x = 1, .xd = r, .y = 1}, matrix_);
    if (!lu_.factor(matrix_)) return false;
    for (std::size_t i = 0; i < delta_.size(); ++i) delta_[i] = -residual_[i];
    lu_.solve(delta_);
    return true;
  }

  /// Size of the correction relative to the variables; multipliers are left out.
  double correction_size() const {
    double size = 0;
    for (int i = 0; i < s_.n(); ++i) {
      if (i >= s_.nv() && i < s_.nv() + s_.nl()) continue;
      const double relative = std::abs(delta_[i]) / scale(i);
      size = std::max(size, relative);
      if (std::isnan(relative)) return relative;
    }
    return size;
  }

  /// Takes the correction, limited, and in line-search mode halved until the residual falls. Returns the new residual
  /// size.
  double take(bool line_search) {
    const double before = residual_size(), size = correction_size();
    double factor = size > largest_move ? largest_move / size : 1;
    const Point old = point_;
    for (int k = 0; k < 12; ++k, factor /= 2) {
      point_ = old;
      move(factor);
      evaluate();
      const double after = residual_size();
      if (std::isfinite(after) && (!line_search || after <= before * (1 - 1e-4 * factor) || after < 1e-14))
        return after;
    }
    return residual_size();
  }

  /// Largest residual relative to the coefficients of its row.
  double residual_size() const {
    double size = 0;
    for (std::size_t i = 0; i < residual_.size(); ++i) {
      const double r = std::abs(residual_[i]) * lu_.row_scale()[i];
      if (std::isnan(r)) return r;
      size = std::max(size, r);
    }
    return size;
  }

  std::string worst_row() const {
    int worst = 0;
    for (int i = 1; i < s_.n(); ++i)
      if (std::abs(residual_[i]) * lu_.row_scale()[i] > std::abs(residual_[worst]) * lu_.row_scale()[worst]) worst = i;
    return fmt::format("largest residual: {}, {:.2g}", s_.row_name(worst), residual_[worst]);
  }

 private:
  double scale(int i) const {
    const double nominal = s_.unknown(i).nominal;
    if (i < s_.nv()) return std::max(tangent_.size(point_.q, i), nominal);
    const int x = i - s_.nv() - s_.nl(), y = x - s_.nx();
    return std::max(std::abs(y >= 0 ? point_.y[y] : point_.x[x]), nominal);
  }

  void evaluate() { evaluator_.residual(point_, system::Level::position, residual_); }

  void move(double factor) {
    std::vector<double> dq(delta_.begin(), delta_.begin() + s_.nv());
    for (double& value : dq) value *= factor;
    evaluator_.retract(point_.q, dq);
    const double* d = delta_.data() + s_.nv();
    for (auto* part : {&point_.lambda, &point_.x, &point_.y})
      for (double& value : *part) value += factor * *d++;
  }

  Evaluator& evaluator_;
  const System& s_;
  solve::Tangent tangent_;
  math::SparseLu<double> lu_;
  std::vector<double> matrix_, residual_, delta_;
  Point point_;
};

enum class Ending { converged, singular, exhausted };

Ending run_newton(Statics& statics, const EquilibriumOptions& options, int& iterations) {
  for (int k = 0; k < options.max_newton; ++k) {
    ++iterations;
    if (!statics.compute_correction(plain_newton)) return Ending::singular;
    const double size = statics.correction_size();
    if (!std::isfinite(size)) return Ending::exhausted;
    statics.take(true);
    if (size <= options.tolerance) return Ending::converged;
  }
  return Ending::exhausted;
}

/// Implicit Euler steps from rest, ever longer while the residual falls, until nothing moves any more.
Ending relax(Statics& statics, const EquilibriumOptions& options, int& iterations) {
  double tau = 1e-2, longest = 1e8, before = 0;
  for (int k = 0; k < options.max_relaxation; ++k) {
    ++iterations;
    if (!statics.compute_correction(tau)) {
      // free motions are held by their inertia alone, which must not vanish beside the stiffness of the others
      longest = tau /= 100;
      if (tau < 1e-6) return Ending::singular;
      continue;
    }
    const double size = statics.correction_size();
    if (!std::isfinite(size)) return Ending::exhausted;
    const double after = statics.take(false);
    if (size <= options.tolerance && after <= options.tolerance && tau >= 0.01 * longest) return Ending::converged;
    const double growth = before > 0 && after > 0 ? before / after : 1;
    tau = std::clamp(tau * std::clamp(growth, 0.3, 3.0) * (size < 0.01 ? 2 : 1), 1e-6, longest);
    before = after;
  }
  return Ending::exhausted;
}

}  // namespace

Equilibrium find_equilibrium(Evaluator& evaluator, const EquilibriumOptions& options) {
  solve::Options start_options;
  start_options.t_start = options.t, start_options.t_end = options.t + 1;
  const solve::Start start = solve::initialize(evaluator, start_options);
  if (!start.good) return {start.point, false, start.text, 0};
  return find_equilibrium(evaluator, start.point, options);
}

Equilibrium find_equilibrium(Evaluator& evaluator, const Point& guess, const EquilibriumOptions& options) {
  const System& s = evaluator.system();
  Equilibrium result;
  Statics statics(evaluator, guess);
  Ending ending = run_newton(statics, options, result.iterations);
  result.point = statics.point();

  // relaxation from the guess
  if (ending != Ending::converged) {
    Statics relaxed(evaluator, guess);
    ending = relax(relaxed, options, result.iterations);
    if (ending == Ending::converged) result.point = relaxed.point();
    if (ending == Ending::exhausted)
      result.text = fmt::format("no equilibrium found in {} iterations; {}", result.iterations, relaxed.worst_row());
    if (ending == Ending::singular)
      result.text =
          fmt::format("no equilibrium: the equations do not determine {}", s.unknown(relaxed.weakest_column()).name);
  }
  result.good = ending == Ending::converged;
  return result;
}

}  // namespace coenergy::analyze
