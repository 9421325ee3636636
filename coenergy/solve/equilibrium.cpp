#include "coenergy/solve/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/static_newton.hpp"
#include "coenergy/solve/tangent.hpp"

namespace coenergy::solve {
namespace {

using equations::Evaluator;
using equations::Point;
using equations::System;

constexpr double largest_move = 0.5;  // of a coordinate per iteration, in units of its size or nominal value
constexpr double plain_newton = std::numeric_limits<double>::infinity();

/// The static equations and their corrections.
class Statics {
 public:
  Statics(Evaluator& evaluator, const Point& guess)
      : evaluator_(evaluator),
        s_(evaluator.system()),
        tangent_(s_),
        lu_(s_.n(), s_.pattern().column_start, s_.pattern().row, multiplier_indices(s_)),
        matrix_(s_.pattern().row.size()),
        residual_(s_.n()),
        delta_(s_.n()),
        point_(guess) {
    for (auto* rates : {&point_.v, &point_.a, &point_.xd}) std::fill(rates->begin(), rates->end(), 0.0);
    // integrals (an energy account) decide nothing and stay
    const std::vector<char> integral = StaticNewton::find_integrals(s_);
    const int first = s_.nv() + s_.nl();
    for (int i = 0; i < s_.nx(); ++i)
      for (int k = s_.pattern().column_start[first + i]; integral[i] && k < s_.pattern().column_start[first + i + 1];
           ++k)
        if (s_.pattern().row[k] == first + i) integrals_.push_back({first + i, k});
    if (!find_redundant_constraints(evaluator, guess).empty()) lu_.set_damping(1e-8);
    evaluate();
  }

  const Point& point() const { return point_; }
  int weakest_column() const { return lu_.weakest_column(); }

  /// Correction by Newton (τ infinite) or an implicit Euler step; false where the matrix is singular.
  bool compute_correction(double tau) {
    const double r = std::isinf(tau) ? 0 : 1 / tau;
    evaluator_.jacobian(point_, equations::Level::position,
                        {.q = 1, .v = r, .a = r * r, .lambda = 1, .x = 1, .xd = r, .y = 1}, matrix_);
    for (const Integral& integral : integrals_) matrix_[integral.place] = 1;
    if (!lu_.factor(matrix_)) return false;
    for (std::size_t i = 0; i < delta_.size(); ++i) delta_[i] = -residual_[i];
    lu_.solve(delta_);
    for (const Integral& integral : integrals_) delta_[integral.row] = 0;
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

  /// Takes a part (1 − s) of what is left at the guess from the equations: s = 0 makes the guess a solution.
  void set_load(double s) {
    if (loads_.empty()) loads_ = residual_;
    load_ = s;
    evaluate();
  }
  void go_to(const Point& p) {
    point_ = p;
    evaluate();
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

  void evaluate() {
    evaluator_.residual(point_, equations::Level::position, residual_);
    for (std::size_t i = 0; i < loads_.size(); ++i) residual_[i] -= (1 - load_) * loads_[i];
    for (const Integral& integral : integrals_) residual_[integral.row] = 0;
  }

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
  Tangent tangent_;
  math::SparseLu<double> lu_;
  std::vector<double> matrix_, residual_, delta_;
  struct Integral {
    int row, place;  // of its diagonal in the matrix
  };
  std::vector<Integral> integrals_;
  std::vector<double> loads_;  // what is left at the guess; empty: the equations as they are
  double load_ = 1;
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

/// Newton's iterations at one load, from nearby: few, and without a search.
bool follow_load(Statics& statics, const EquilibriumOptions& options, int& iterations) {
  constexpr int most = 12;
  constexpr double far = 0.3;  // a correction of this size, relative to the coordinates, may leave the path
  for (int k = 0; k < most; ++k) {
    ++iterations;
    if (!statics.compute_correction(plain_newton)) return false;
    const double size = statics.correction_size();
    if (!(size < far)) return false;
    statics.take(false);
    if (size <= options.tolerance) return true;
  }
  return false;
}

Ending step_load(Statics& statics, const EquilibriumOptions& options, int& iterations) {
  constexpr double smallest = 1e-6;
  double reached = 0, step = 0.05;
  for (int k = 0; k < options.max_load_steps && reached < 1; ++k) {
    const Point good = statics.point();
    const double next = std::min(1.0, reached + step);
    const int before = iterations;
    statics.set_load(next);
    if (follow_load(statics, options, iterations)) {
      reached = next;
      if (iterations - before <= 5) step *= 1.5;
      continue;
    }
    statics.go_to(good);
    if ((step /= 4) < smallest) return Ending::exhausted;
  }
  return reached < 1 ? Ending::exhausted : Ending::converged;
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

Equilibrium find_equilibrium(Evaluator& evaluator, const Point& guess, const EquilibriumOptions& options) {
  const System& s = evaluator.system();
  Equilibrium result;
  const auto try_method = [&](const char* name, auto&& method) {
    Statics statics(evaluator, guess);
    const Ending ending = method(statics, options, result.iterations);
    result.good = ending == Ending::converged;
    result.point = statics.point();
    if (result.good) result.method = name;
    if (ending == Ending::exhausted)
      result.text = fmt::format("no equilibrium found in {} iterations; {}", result.iterations, statics.worst_row());
    if (ending == Ending::singular)
      result.text =
          fmt::format("no equilibrium: the equations do not determine {}", s.unknown(statics.weakest_column()).name);
    return result.good;
  };
  if (try_method("Newton's method", run_newton) || try_method("load stepping", step_load) ||
      try_method("relaxation", relax))
    result.text.clear();
  return result;
}

}  // namespace coenergy::solve
