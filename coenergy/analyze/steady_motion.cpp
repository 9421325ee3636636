#include "coenergy/analyze/steady_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/analyze/equilibrium.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/solve/events.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"
#include "coenergy/solve/static_newton.hpp"

namespace coenergy::analyze {
namespace {

using equations::Evaluator;
using equations::Level;
using equations::Point;
using equations::System;
using math::Matrix;

constexpr int largest_system = 1500;  // unknowns: the equations are solved as a full matrix
constexpr double none = 1e-9;         // of a row of unit length: what a free motion may change

/// Rows of R_q of unit length.
Matrix find_stiffness(Evaluator& evaluator, const Point& p) {
  const System& s = evaluator.system();
  std::vector<double> values(s.pattern().row.size());
  evaluator.jacobian(p, Level::position, {.q = 1}, values);
  Matrix m(s.n(), s.nv());
  std::vector<double> size(s.n(), 0.0);
  for (int j = 0; j < s.nv(); ++j)
    for (int e = s.pattern().column_start[j]; e < s.pattern().column_start[j + 1]; ++e) {
      m(s.pattern().row[e], j) = values[e];
      size[s.pattern().row[e]] = std::hypot(size[s.pattern().row[e]], values[e]);
    }
  for (int j = 0; j < s.nv(); ++j)
    for (int i = 0; i < s.n(); ++i)
      if (size[i] > 0) m(i, j) /= size[i];
  return m;
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

/// Newton's method on the equations of steady motion.
class Balance {
 public:
  Balance(Evaluator& evaluator, const Point& start, const Matrix& free)
      : evaluator_(evaluator), s_(evaluator.system()), free_(free), point_(start), speeds_(free.columns, 0.0) {
    integral_ = solve::StaticNewton::find_integrals(s_);
    std::fill(point_.a.begin(), point_.a.end(), 0.0), std::fill(point_.xd.begin(), point_.xd.end(), 0.0);
  }
  const Point& point() const { return point_; }
  Point& point() { return point_; }

  bool solve() {
    constexpr int most = 100;
    constexpr double small = 1e-11;
    for (int k = 0; k < most; ++k) {
      set_speeds();
      const std::vector<double> step = find_correction();
      if (!all_finite(step)) return false;
      const double size = measure(step);
      take(step);
      if (size < small) return set_speeds(), true;
    }
    return false;
  }

 private:
  void set_speeds() {
    for (int i = 0; i < s_.nv(); ++i) {
      point_.v[i] = 0;
      for (int j = 0; j < free_.columns; ++j) point_.v[i] += free_(i, j) * speeds_[j];
    }
  }

  std::vector<double> find_correction() const {
    const int n = s_.n(), m = free_.columns, first_x = s_.nv() + s_.nl();
    std::vector<double> residual(n), values(s_.pattern().row.size()), by_v(values);
    evaluator_.residual(point_, Level::position, residual);
    evaluator_.jacobian(point_, Level::position, {.q = 1, .lambda = 1, .x = 1, .y = 1}, values);
    evaluator_.jacobian(point_, Level::position, {.v = 1}, by_v);
    Matrix a(n + m, n + m), b(n + m, 1);
    for (int j = 0; j < n; ++j)
      for (int e = s_.pattern().column_start[j]; e < s_.pattern().column_start[j + 1]; ++e) {
        a(s_.pattern().row[e], j) = values[e];
        for (int k = 0; k < m && j < s_.nv(); ++k) a(s_.pattern().row[e], n + k) += by_v[e] * free_(j, k);
      }
    for (int i = 0; i < n; ++i) b(i, 0) = -residual[i];
    for (int k = 0; k < m; ++k)
      for (int i = 0; i < s_.nv(); ++i) a(n + k, i) = free_(i, k);
    // integrals decide nothing and stay
    for (int i = 0; i < s_.nx(); ++i) {
      if (!integral_[i]) continue;
      for (int j = 0; j < n + m; ++j) a(first_x + i, j) = 0;
      a(first_x + i, first_x + i) = 1, b(first_x + i, 0) = 0;
    }
    // columns in units of their variables, rows of unit length
    std::vector<double> sizes(n + m, 0.0);
    for (int j = 0; j < n + m; ++j)
      for (int i = 0; i < n + m; ++i) {
        if (j < n) a(i, j) *= s_.unknown(j).nominal;
        sizes[i] = std::hypot(sizes[i], a(i, j));
      }
    for (int j = 0; j < n + m; ++j)
      for (int i = 0; i < n + m; ++i)
        if (sizes[i] > 0) a(i, j) /= sizes[i];
    for (int i = 0; i < n + m; ++i)
      if (sizes[i] > 0) b(i, 0) /= sizes[i];
    if (!all_finite(a.data) || !all_finite(b.data)) return {NAN};
    std::vector<double> step = math::solve_least_squares(a, b, 1e-14).data;
    for (int j = 0; j < n; ++j) step[j] *= s_.unknown(j).nominal;
    return step;
  }

  /// The largest change beside what changes; multipliers are left out.
  double measure(const std::vector<double>& step) const {
    double size = 0;
    const int first_x = s_.nv() + s_.nl(), first_y = first_x + s_.nx();
    for (int i = 0; i < s_.n(); ++i) {
      if (i >= s_.nv() && i < first_x) continue;
      const double value = i < s_.nv() ? 0 : i < first_y ? point_.x[i - first_x] : point_.y[i - first_y];
      size = std::max(size, std::abs(step[i]) / std::max(std::abs(value), s_.unknown(i).nominal));
    }
    for (int k = 0; k < free_.columns; ++k)
      size = std::max(size, std::abs(step[s_.n() + k]) / std::max(std::abs(speeds_[k]), 1.0));
    return size;
  }

  /// The whole correction, or a part of it after which the equations have values.
  void take(const std::vector<double>& step) {
    const Point before = point_;
    const std::vector<double> speeds = speeds_;
    std::vector<double> residual(s_.n());
    double part = 1;
    for (int k = 0; k < 20; ++k, part /= 2) {
      point_ = before, speeds_ = speeds;
      move(step, part);
      set_speeds();
      evaluator_.residual(point_, Level::position, residual);
      if (all_finite(residual)) return;
    }
  }

  void move(std::vector<double> step, double part) {
    for (double& value : step) value *= part;
    evaluator_.retract(point_.q, std::vector<double>(step.begin(), step.begin() + s_.nv()));
    const double* d = step.data() + s_.nv();
    for (auto* values : {&point_.lambda, &point_.x, &point_.y})
      for (double& value : *values) value += *d++;
    for (double& speed : speeds_) speed += *d++;
  }

  Evaluator& evaluator_;
  const System& s_;
  const Matrix& free_;
  Point point_;
  std::vector<double> speeds_;
  std::vector<char> integral_;
};

/// Names of the coordinates that the free motions move.
std::vector<std::string> find_moving(const System& s, const Matrix& free) {
  std::vector<std::string> names;
  for (int i = 0; i < s.nv(); ++i) {
    double size = 0;
    for (int j = 0; j < free.columns; ++j) size = std::max(size, std::abs(free(i, j)));
    if (size > none) names.push_back(s.unknown(i).name);
  }
  return names;
}

}  // namespace

SteadyMotion find_steady_motion(Evaluator& evaluator, const solve::Options& given) {
  const System& s = evaluator.system();
  const solve::HeldTime time(evaluator);
  SteadyMotion result;
  solve::Options options = given;
  if (s.nv() == 0) {
    options.start = "steady";
    const solve::Start start = solve::initialize(evaluator, options);
    result.point = start.point, result.good = start.good, result.text = start.text;
    return result;
  }
  options.start = "given";
  const solve::Start start = solve::initialize(evaluator, options);
  result.point = start.point, result.text = start.text;
  if (!start.good) return result;
  Point guess = start.point;
  std::fill(guess.v.begin(), guess.v.end(), 0.0);
  result.free = math::compute_null_space(find_stiffness(evaluator, guess), none);
  if (result.free.columns == 0) {
    options.start = "static";
    const solve::Start rest = solve::initialize(evaluator, options);
    result.point = rest.point, result.good = rest.good, result.text = rest.text;
    return result;
  }
  result.moving = find_moving(s, result.free);
  if (s.n() > largest_system)
    throw Error(fmt::format("a steady motion of {} unknowns is not computed; at most {}", s.n(), largest_system));
  Balance balance(evaluator, guess, result.free);
  for (int pass = 0; pass < options.max_event_passes; ++pass) {
    if (!balance.solve()) break;
    const bool switched = evaluator.update_comparisons(balance.point()) || evaluator.update_modes(balance.point());
    if (switched) continue;
    result.point = balance.point();
    // that nothing notices the motion must still hold
    const Matrix noticed = math::multiply(find_stiffness(evaluator, result.point), result.free);
    if (math::max_abs(noticed) > 1e-6) break;
    Point p = result.point;
    result.good = solve::restart(evaluator, p).converged;
    for (int i = 0; i < s.nv(); ++i)
      result.good = result.good && std::abs(p.a[i]) <= 1e-6 * std::max(1.0, std::abs(p.v[i])) * s.unknown(i).nominal;
    if (result.good) result.point = p;
    break;
  }
  if (!result.good)
    result.text = "there are no steady speeds: nothing limits " + (result.moving.empty() ? "" : result.moving.front()) +
                  ", or its speed depends on where it is";
  return result;
}

}  // namespace coenergy::analyze
