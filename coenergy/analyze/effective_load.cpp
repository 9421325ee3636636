#include "coenergy/analyze/effective_load.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/equations/open_equations.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/solve/partition.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::analyze {

using equations::Point;
using equations::System;
using math::Matrix;

namespace {

constexpr double difference_step = 1e-4;  // of θ in nominal units: its square and round-off over it are both below 1e-8

/// Constraints but those that hold θ alone: its own drive or lock.
std::vector<int> find_others(const System& s, int coordinate) {
  const equations::OpenEquations equations(s);
  const equations::EquationSet& set = *equations;
  std::vector<char> own(s.nl(), 0);
  for (const auto& [k, phi] : set.constraint) {
    bool has_theta = false, has_others = false;
    for (const symbolic::Expr& symbol : symbolic::free_symbols(std::span(&phi, 1))) {
      const equations::Address at = set.variables.address(symbol);
      if (at.source == equations::Source::q && at.index == coordinate)
        has_theta = true;
      else if (at.source == equations::Source::q || at.source == equations::Source::rotation_q)
        has_others = true;
    }
    own[k] = has_theta && !has_others;
  }
  std::vector<int> others;
  for (int k = 0; k < s.nl(); ++k)
    if (!own[k]) others.push_back(k);
  return others;
}

class Load {
 public:
  Load(equations::Evaluator& evaluator, int coordinate)
      : evaluator_(evaluator), s_(evaluator.system()), coordinate_(coordinate), others_(find_others(s_, coordinate)) {
    for (int k = 0; k < s_.nl(); ++k)
      if (s_.is_velocity_constraint(k))
        throw Error(s_.row_name(s_.nv() + k) + ": the effective load needs constraints of positions, not of rates");
  }

  /// The motion of all coordinates for a unit of θ.
  std::vector<double> motion(const Point& p) {
    const Matrix j = solve::constraint_jacobian(evaluator_, p);
    std::vector<double> violation(s_.nl());
    for (int i = 0; i < s_.nl(); ++i) violation[i] = j(i, coordinate_);
    std::vector<double> t = correct(j, violation);
    t[coordinate_] = 1;
    // a constraint that the others cannot follow holds θ
    for (const int row : others_) {
      double left = 0, size = 0;
      for (int k = 0; k < s_.nv(); ++k)
        left += j(row, k) * t[k], size = std::max(size, std::abs(j(row, k)) * s_.unknown(k).nominal);
      if (std::abs(left) > 1e-8 * size)
        throw Error(s_.unknown(coordinate_).name + " cannot move: " + s_.row_name(s_.nv() + row) + " holds it");
    }
    return t;
  }

  double inertia(const Point& p, const std::vector<double>& t) {
    const auto& pattern = s_.pattern();
    std::vector<double> values(pattern.row.size());
    evaluator_.jacobian(p, equations::Level::acceleration, {.a = 1}, values);
    double sum = 0;
    for (int k = 0; k < s_.nv(); ++k)
      for (int e = pattern.column_start[k]; e < pattern.column_start[k + 1]; ++e)
        if (const int i = pattern.row[e]; i < s_.nv()) sum += t[i] * values[e] * t[k];
    return sum;
  }

  /// Tᵀ(M s̈ + c − Q) with θ̈ and the other free accelerations at zero.
  double force_at_constant_rate(Point p, const std::vector<double>& t) {
    std::vector<double> r(s_.n());
    std::fill(p.lambda.begin(), p.lambda.end(), 0.0);
    std::fill(p.a.begin(), p.a.end(), 0.0);
    evaluator_.residual(p, equations::Level::acceleration, r);
    p.a = correct(solve::constraint_jacobian(evaluator_, p), {r.begin() + s_.nv(), r.begin() + s_.nv() + s_.nl()});
    evaluator_.residual(p, equations::Level::acceleration, r);
    double sum = 0;
    for (int k = 0; k < s_.nv(); ++k) sum += t[k] * r[k];
    return sum;
  }

  /// J_eff where θ has moved by `step` along the closed mechanism.
  double inertia_beside(Point p, const std::vector<double>& t, double step) {
    std::vector<double> move(s_.nv());
    for (int k = 0; k < s_.nv(); ++k) move[k] = step * t[k];
    evaluator_.retract(p.q, move);
    close(p);
    return inertia(p, motion(p));
  }

 private:
  /// δ of the dependent coordinates with J δ = −violation (by constraint), θ and the other free ones held.
  std::vector<double> correct(const Matrix& all, const std::vector<double>& violation) {
    Matrix j(int(others_.size()), s_.nv());
    for (int i = 0; i < j.rows; ++i)
      for (int k = 0; k < j.columns; ++k) j(i, k) = all(others_[i], k);
    std::vector<double> weights(s_.nv()), delta(s_.nv(), 0.0);
    for (int k = 0; k < s_.nv(); ++k) weights[k] = k == coordinate_ ? 0 : s_.unknown(k).nominal;
    const solve::Partition partition = solve::choose_partition(j, weights);
    const int m = int(partition.dependent.size());
    if (m == 0) return delta;
    Matrix block(m, m), right(m, 1);
    for (int i = 0; i < m; ++i) {
      for (int k = 0; k < m; ++k) block(i, k) = j(partition.rows[i], partition.dependent[k]);
      right(i, 0) = -violation[others_[partition.rows[i]]];
    }
    const Matrix x = math::solve(block, right);
    for (int i = 0; i < m; ++i) delta[partition.dependent[i]] = x(i, 0);
    return delta;
  }

  /// Newton's iteration on the other constraints, θ held.
  void close(Point& p) {
    std::vector<double> r(s_.n());
    for (int iteration = 0; iteration < 8; ++iteration) {
      evaluator_.residual(p, equations::Level::position, r);
      const std::vector<double> delta =
          correct(solve::constraint_jacobian(evaluator_, p), {r.begin() + s_.nv(), r.begin() + s_.nv() + s_.nl()});
      evaluator_.retract(p.q, delta);
      if (std::all_of(delta.begin(), delta.end(), [](double x) { return std::abs(x) < 1e-14; })) return;
    }
  }

  equations::Evaluator& evaluator_;
  const System& s_;
  int coordinate_;
  std::vector<int> others_;
};

}  // namespace

EffectiveLoad compute_effective_load(equations::Evaluator& evaluator, const Point& p, int coordinate) {
  Load load(evaluator, coordinate);
  const std::vector<double> t = load.motion(p);
  EffectiveLoad result;
  result.inertia = load.inertia(p, t);
  const double step = difference_step * evaluator.system().unknown(coordinate).nominal;
  result.inertia_slope = (load.inertia_beside(p, t, step) - load.inertia_beside(p, t, -step)) / (2 * step);
  const double rate = p.v[coordinate];
  result.load = load.force_at_constant_rate(p, t) - result.inertia_slope * rate * rate / 2;
  return result;
}

}  // namespace coenergy::analyze
