#include "coenergy/analyze/inverse_kinematics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "coenergy/base/argument.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/equations/open_equations.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/solve/partition.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::analyze {

using equations::Evaluator;
using equations::Point;
using equations::System;
using math::Matrix;
using math::Quaternion;
using math::Vector3;

namespace {

constexpr double closed = 1e-9;  // of a constraint, m or rad

/// Signals x y z p0 … p3 of a body follow each other.
int find_body(const System& s, const std::string& body) {
  std::vector<std::string> known;
  for (const equations::FrameSignals& frame : s.frames()) {
    if (frame.name == body) return frame.first;
    known.push_back(frame.name);
  }
  throw Error(argument("point") + ": there is no body \"" + body + "\"" + did_you_mean(body, known));
}

Pose pose_of(Evaluator& evaluator, const Point& p, int first, const Vector3& at, std::vector<double>& signals) {
  signals.resize(evaluator.system().signals().size());
  evaluator.signals(p, signals);
  Pose pose;
  for (int i = 0; i < 4; ++i) pose.rotation[i] = signals[first + 3 + i];
  const Vector3 arm = math::rotate(pose.rotation, at);
  for (int i = 0; i < 3; ++i) pose.position[i] = signals[first + i] + arm[i];
  return pose;
}

/// The problem: gap and constraints with their derivatives.
class Gap {
 public:
  Gap(Evaluator& evaluator, const mechanics::BodyPoint& point, const Target& target)
      : evaluator_(evaluator),
        s_(evaluator.system()),
        first_(find_body(s_, point.body)),
        at_(point.at),
        target_(target),
        tasks_(target.rotation ? 6 : 3) {
    std::vector<char> is_drive(s_.nl(), 0);
    const equations::OpenEquations equations(s_);
    const equations::EquationSet& set = *equations;
    for (const auto& [k, phi] : set.constraint)
      for (const symbolic::Expr& symbol : symbolic::free_symbols(std::span(&phi, 1)))
        if (set.variables.address(symbol).source == equations::Source::time) is_drive[k] = 1;
    for (int k = 0; k < s_.nl(); ++k)
      if (!is_drive[k] && !s_.is_velocity_constraint(k)) rows_.push_back(k);
  }

  int rows() const { return tasks_ + int(rows_.size()); }
  int tasks() const { return tasks_; }
  Pose pose(const Point& p) { return pose_of(evaluator_, p, first_, at_, signals_); }

  /// e and Φ.
  std::vector<double> value(const Point& p) {
    std::vector<double> value(rows());
    const Pose now = pose(p);
    for (int i = 0; i < 3; ++i) value[i] = now.position[i] - target_.position[i];
    if (target_.rotation) {
      const Vector3 turn = math::logarithm(math::multiply(math::conjugate(*target_.rotation), now.rotation));
      std::copy(turn.begin(), turn.end(), value.begin() + 3);
    }
    residual_.resize(s_.n());
    evaluator_.residual(p, equations::Level::position, residual_);
    for (std::size_t i = 0; i < rows_.size(); ++i) value[tasks_ + i] = residual_[s_.nv() + rows_[i]];
    return value;
  }

  /// Derivatives along the tangent, rows × nv.
  Matrix slope(const Point& p) {
    Matrix a(rows(), s_.nv());
    const Pose now = pose(p);
    Evaluator::Gradient g[7];
    for (int k = 0; k < 7; ++k) g[k] = evaluator_.signal_gradient(p, first_ + k);
    for (int j = 0; j < s_.nv(); ++j) {
      // δθ in body axes from δp = ½ p ⊗ δθ; the arm turns with the body
      Quaternion dp{};
      for (int k = 0; k < 4; ++k) dp[k] = g[3 + k].q[j];
      const Quaternion turn = math::multiply(math::conjugate(now.rotation), dp);
      const Vector3 w{2 * turn[1], 2 * turn[2], 2 * turn[3]};
      const Vector3 moved = math::rotate(
          now.rotation, {w[1] * at_[2] - w[2] * at_[1], w[2] * at_[0] - w[0] * at_[2], w[0] * at_[1] - w[1] * at_[0]});
      for (int i = 0; i < 3; ++i) a(i, j) = g[i].q[j] + moved[i];
      if (target_.rotation) {
        const Vector3 gap = math::logarithm(math::multiply(math::conjugate(*target_.rotation), now.rotation));
        const Vector3 rate = math::apply_inverse_tangent(gap, w);
        for (int i = 0; i < 3; ++i) a(3 + i, j) = rate[i];
      }
    }
    const Matrix phi_q = solve::constraint_jacobian(evaluator_, p);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (int j = 0; j < s_.nv(); ++j) a(tasks_ + int(i), j) = phi_q(rows_[i], j);
    return a;
  }

 private:
  Evaluator& evaluator_;
  const System& s_;
  int first_;
  Vector3 at_;
  Target target_;
  int tasks_;
  std::vector<int> rows_;  ///< constraints that count
  std::vector<double> signals_, residual_;
};

double norm(const std::vector<double>& v, int first, int last) {
  double sum = 0;
  for (int i = first; i < last; ++i) sum += v[i] * v[i];
  return std::sqrt(sum);
}

class Search {
 public:
  Search(Evaluator& evaluator, Gap& gap, const std::vector<Limit>& limits, const KinematicsOptions& options)
      : evaluator_(evaluator), gap_(gap), limits_(limits), options_(options) {}

  /// From p to the nearest configuration; loops weigh so much that a target out of reach does not tear them open.
  int descend(Point& p) {
    clamp(p);
    double mu = 1e-3;
    std::vector<double> f = weighted(p);
    double size = norm(f, 0, int(f.size()));
    int k = 0;
    for (; k < options_.max_iterations && size > 1e-14; ++k) {
      const std::vector<double> step = compute_step(p, f, mu);
      Point trial = p;
      evaluator_.retract(trial.q, step);
      clamp(trial);
      close(trial);  // back onto the loops, along which the gap is followed
      std::vector<double> next = weighted(trial);
      const double next_size = norm(next, 0, int(next.size()));
      if (!(next_size < size)) {
        mu = std::max(10 * mu, 1e-12);
        if (mu > 1e12) break;
        continue;
      }
      const bool stands = size - next_size < 1e-15 * size;
      p = std::move(trial), f = std::move(next), size = next_size;
      mu = std::max(mu / 10, 1e-16);
      if (stands) break;
    }
    return k;
  }

  /// Closes the loops with the smallest change, limits kept: what the weights left open.
  void close(Point& p) {
    for (int k = 0; k < 10; ++k) {
      std::vector<double> f = gap_.value(p);
      Matrix a = gap_.slope(p);
      if (a.rows == gap_.tasks() || norm(f, gap_.tasks(), gap_.rows()) < 1e-14) return;
      for (int i = 0; i < gap_.tasks(); ++i) {
        f[i] = 0;
        for (int j = 0; j < a.columns; ++j) a(i, j) = 0;
      }
      for (const Limit& l : limits_)
        if (p.q[l.coordinate] <= l.lower || p.q[l.coordinate] >= l.upper)
          for (int i = 0; i < a.rows; ++i) a(i, l.coordinate) = 0;
      Matrix right(a.rows, 1);
      for (int i = 0; i < a.rows; ++i) right(i, 0) = -f[i];
      const Matrix x = math::solve_least_squares(a, right);
      evaluator_.retract(p.q, x.data);
      clamp(p);
    }
  }

 private:
  static constexpr double loop_weight = 1e4;

  std::vector<double> weighted(const Point& p) {
    std::vector<double> f = gap_.value(p);
    for (std::size_t i = gap_.tasks(); i < f.size(); ++i) f[i] *= loop_weight;
    return f;
  }

  void clamp(Point& p) const {
    for (const Limit& l : limits_) p.q[l.coordinate] = std::clamp(p.q[l.coordinate], l.lower, l.upper);
  }

  /// The step; coordinates at a limit that would leave it are held, one after the other.
  std::vector<double> compute_step(const Point& p, const std::vector<double>& f, double mu) {
    Matrix a = gap_.slope(p);
    for (int i = gap_.tasks(); i < a.rows; ++i)
      for (int j = 0; j < a.columns; ++j) a(i, j) *= loop_weight;
    std::vector<char> held(a.columns, 0);
    for (;;) {
      std::vector<double> step = solve_damped(a, f, mu, held);
      bool changed = false;
      for (const Limit& l : limits_) {
        const int j = l.coordinate;
        const bool leaves = (p.q[j] <= l.lower && step[j] < 0) || (p.q[j] >= l.upper && step[j] > 0);
        if (leaves && !held[j]) held[j] = 1, changed = true;
      }
      if (!changed) return step;
    }
  }

  /// Least squares of (A; √μ D) δ = (−f; 0), D the sizes of the columns.
  std::vector<double> solve_damped(const Matrix& a, const std::vector<double>& f, double mu,
                                   const std::vector<char>& held) const {
    const int n = a.columns;
    Matrix stacked(a.rows + n, n), right(a.rows + n, 1);
    double largest = 1e-12;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < gap_.tasks(); ++i) largest = std::max(largest, std::abs(a(i, j)));
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < a.rows; ++i) stacked(i, j) = held[j] ? 0 : a(i, j);
      stacked(a.rows + j, j) = held[j] ? 1 : std::sqrt(mu) * largest;
    }
    for (int i = 0; i < a.rows; ++i) right(i, 0) = -f[i];
    const Matrix x = math::solve_least_squares(stacked, right, 1e-15);
    return {x.data.begin(), x.data.end()};
  }

  Evaluator& evaluator_;
  Gap& gap_;
  const std::vector<Limit>& limits_;
  const KinematicsOptions& options_;
};

/// Another configuration to start from: within the limits, or half a turn and half a nominal length about the first.
Point scatter(Evaluator& evaluator, const Point& start, const std::vector<Limit>& limits, std::mt19937& random) {
  const System& s = evaluator.system();
  std::vector<double> step(s.nv());
  for (int j = 0; j < s.nv(); ++j) {
    const bool turns = s.unknown(j).turns;
    const double range = (turns ? std::numbers::pi : 0.5) * s.unknown(j).nominal;
    step[j] = std::uniform_real_distribution(-range, range)(random);
  }
  Point p = start;
  evaluator.retract(p.q, step);
  for (const Limit& l : limits) p.q[l.coordinate] = std::uniform_real_distribution(l.lower, l.upper)(random);
  return p;
}

}  // namespace

Pose find_pose(Evaluator& evaluator, const Point& p, const mechanics::BodyPoint& point) {
  std::vector<double> signals;
  return pose_of(evaluator, p, find_body(evaluator.system(), point.body), point.at, signals);
}

Reach find_configuration(Evaluator& evaluator, const Point& start, const mechanics::BodyPoint& point,
                         const Target& target, const std::vector<Limit>& limits, const KinematicsOptions& options) {
  Gap gap(evaluator, point, target);
  Search search(evaluator, gap, limits, options);
  std::mt19937 random(options.seed);
  Reach best;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= options.restarts && !best.good; ++k) {
    Point p = k == 0 ? start : scatter(evaluator, start, limits, random);
    best.iterations += search.descend(p);
    search.close(p);
    const std::vector<double> f = gap.value(p);
    const double open = norm(f, gap.tasks(), gap.rows()), miss = norm(f, 0, gap.tasks());
    if (!(open <= closed) || !(miss < least)) continue;
    least = miss;
    best.point = p;
    best.distance = norm(f, 0, 3);
    best.angle = norm(f, 3, gap.tasks());
    best.good = best.distance <= options.tolerance && best.angle <= options.tolerance;
  }
  if (!std::isfinite(least)) {
    best.point = start;
    best.distance = best.angle = least;
    return best;
  }
  best.pose = gap.pose(best.point);
  for (const Limit& l : limits)
    if (best.point.q[l.coordinate] <= l.lower || best.point.q[l.coordinate] >= l.upper)
      best.at_limit.push_back(l.coordinate);
  return best;
}

}  // namespace coenergy::analyze
