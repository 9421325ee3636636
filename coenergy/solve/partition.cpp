#include "coenergy/solve/partition.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"

namespace coenergy::solve {

using equations::Point;
using equations::System;
using math::Matrix;

namespace {

constexpr double round_off = 1e-10;   // of a pivot, rows at unit size
constexpr double small_step = 1e-13;  // relative; the correction after it would be its square
constexpr double satisfied = 1e-9;    // of a constraint that corrections no longer change, in units of its coordinates
constexpr double largest_leverage = 2;  // complete pivoting starts near 1
constexpr double seldom = 1e-3;         // weight of coordinates that become dependent last
constexpr int max_iterations = 25;

}  // namespace

Partition choose_partition(const Matrix& jacobian, std::span<const double> weights) {
  Matrix m = jacobian;
  for (int i = 0; i < m.rows; ++i) {
    double largest = 0;
    for (int j = 0; j < m.columns; ++j) largest = std::max(largest, std::abs(m(i, j) *= weights[j]));
    for (int j = 0; j < m.columns && largest > 0; ++j) m(i, j) /= largest;
  }
  Partition p;
  std::vector<char> used_row(m.rows, 0), used_column(m.columns, 0);
  for (;;) {
    int row = -1, column = -1;
    double largest = round_off;
    for (int j = 0; j < m.columns; ++j)
      for (int i = 0; i < m.rows && !used_column[j]; ++i)
        if (!used_row[i] && std::abs(m(i, j)) > largest) largest = std::abs(m(i, j)), row = i, column = j;
    if (row < 0) break;
    used_row[row] = used_column[column] = 1;
    p.rows.push_back(row), p.dependent.push_back(column);
    for (int i = 0; i < m.rows; ++i) {
      if (used_row[i] || m(i, column) == 0) continue;
      const double factor = m(i, column) / m(row, column);
      for (int j = 0; j < m.columns; ++j) m(i, j) -= factor * m(row, j);
    }
  }
  for (int j = 0; j < m.columns; ++j)
    if (!used_column[j]) p.independent.push_back(j);
  for (int i = 0; i < m.rows; ++i)
    if (!used_row[i]) p.redundant.push_back(i);
  return p;
}

Matrix constraint_jacobian(equations::Evaluator& evaluator, const Point& p) {
  const System& s = evaluator.system();
  const auto& pattern = s.pattern();
  std::vector<double> values(pattern.row.size());
  evaluator.constraint_jacobian(p, equations::Level::velocity, {.v = 1}, values);  // ∂Φ̇/∂v = Φ_q
  Matrix m(s.nl(), s.nv());
  for (int j = 0; j < s.nv(); ++j)
    for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
      if (const int i = pattern.row[e] - s.nv(); i >= 0 && i < s.nl()) m(i, j) = values[e];
  return m;
}

std::vector<double> partition_weights(const System& s) {
  std::vector<double> weights(s.nv());
  for (int j = 0; j < s.nv(); ++j) weights[j] = s.unknown(j).nominal * (s.unknown(j).fixed ? seldom : 1);
  return weights;
}

Closure::Closure(equations::Evaluator& evaluator, Statistics& statistics)
    : evaluator_(&evaluator),
      statistics_(&statistics),
      tangent_(evaluator.system()),
      nv_(evaluator.system().nv()),
      nl_(evaluator.system().nl()),
      position_(nv_, -1),
      residual_(evaluator.system().n()),
      moved_(nv_),
      work_(nv_) {
  const System& s = evaluator.system();
  for (int k = 0; k < nl_; ++k)
    if (s.is_velocity_constraint(k))
      throw Error(s.row_name(nv_ + k) +
                  ": a model with non-holonomic constraints has no minimal coordinates: its positions and rates differ "
                  "in number");
}

void Closure::choose(const Point& p, std::span<const char> keep) {
  keep_.assign(keep.begin(), keep.end());
  choose(p, partition_weights(evaluator_->system()));
  if (chosen_leverage_ > largest_leverage) choose_best(p);
}

void Closure::choose_best(const Point& p) {
  std::vector<double> weights(nv_);
  for (int j = 0; j < nv_; ++j) weights[j] = evaluator_->system().unknown(j).nominal;
  choose(p, std::move(weights));
}

void Closure::choose(const Point& p, std::vector<double> weights) {
  for (std::size_t j = 0; j < keep_.size(); ++j)
    if (keep_[j]) weights[j] = 0;
  ++statistics_->jacobians;
  partition_ = choose_partition(constraint_jacobian(*evaluator_, p), weights);
  std::fill(position_.begin(), position_.end(), -1);
  for (std::size_t k = 0; k < partition_.dependent.size(); ++k) position_[partition_.dependent[k]] = int(k);
  step_.resize(partition_.dependent.size());
  chosen_leverage_ = std::max(1.0, leverage(p));
}

/// J_v = L U with partial pivoting; in the chart, J T(θ).
bool Closure::factor(const Point& p, std::span<const double> theta) {
  ++statistics_->jacobians, ++statistics_->factorizations;
  jacobian_ = constraint_jacobian(*evaluator_, p);
  const int m = int(partition_.dependent.size());
  block_ = Matrix(m, m);
  for (int j = 0; j < m; ++j) {
    const int column = partition_.dependent[j];
    if (theta.empty() || !tangent_.is_rotation(column)) {
      for (int i = 0; i < m; ++i) block_(i, j) = jacobian_(partition_.rows[i], column);
      continue;
    }
    std::vector<double> unit(nv_, 0.0);
    unit[column] = 1;
    tangent_.velocity(theta, unit, work_);
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < nv_; ++k) block_(i, j) += jacobian_(partition_.rows[i], k) * work_[k];
  }
  order_.resize(m);
  for (int i = 0; i < m; ++i) order_[i] = i;
  for (int k = 0; k < m; ++k) {
    int pivot = k;
    for (int i = k + 1; i < m; ++i)
      if (std::abs(block_(i, k)) > std::abs(block_(pivot, k))) pivot = i;
    if (!(std::abs(block_(pivot, k)) > 0)) return false;
    std::swap(order_[k], order_[pivot]);
    for (int j = 0; j < m && pivot != k; ++j) std::swap(block_(k, j), block_(pivot, j));
    for (int i = k + 1; i < m; ++i) {
      const double factor = block_(i, k) /= block_(k, k);
      for (int j = k + 1; j < m; ++j) block_(i, j) -= factor * block_(k, j);
    }
  }
  return true;
}

void Closure::solve() {
  const int m = int(step_.size());
  work_.resize(std::max(nv_, m));
  for (int i = 0; i < m; ++i) {
    work_[i] = step_[order_[i]];
    for (int j = 0; j < i; ++j) work_[i] -= block_(i, j) * work_[j];
  }
  for (int i = m - 1; i >= 0; --i) {
    for (int j = i + 1; j < m; ++j) work_[i] -= block_(i, j) * step_[j];
    step_[i] = work_[i] / block_(i, i);
  }
}

Closure::Outcome Closure::close_position(Point& p) {
  const std::vector<double> q0 = p.q;
  std::fill(moved_.begin(), moved_.end(), 0.0);
  return close_position(q0, moved_, p);
}

Closure::Outcome Closure::close_position(const std::vector<double>& q0, std::span<double> theta, Point& p) {
  Outcome outcome;
  const int m = int(partition_.dependent.size());
  double last = 1;
  for (int k = 0;; ++k) {
    p.q = q0;
    evaluator_->retract(p.q, theta);
    if (m == 0) return outcome;
    evaluator_->residual(p, equations::Level::position, residual_);
    ++statistics_->residuals;
    outcome.violation = 0;
    for (int i = 0; i < nl_; ++i)
      if (!(std::abs(residual_[nv_ + i]) <= std::abs(outcome.violation)))
        outcome.constraint = i, outcome.violation = residual_[nv_ + i];
    if (!std::isfinite(outcome.violation) || k == max_iterations || !factor(p, theta)) break;
    for (int i = 0; i < m; ++i) step_[i] = -residual_[nv_ + partition_.rows[i]];
    solve();
    double largest = 0;
    for (int i = 0; i < m; ++i) {
      const int j = partition_.dependent[i];
      largest = std::max(largest,
                         std::abs(step_[i]) / std::max(tangent_.size(p.q, j), evaluator_->system().unknown(j).nominal));
    }
    const bool stalls = largest <= round_off && largest >= last / 2;
    last = largest;
    if (largest <= small_step || stalls) {
      outcome.good = is_satisfied();
      for (int i = 0; i < m; ++i) theta[partition_.dependent[i]] += step_[i];
      p.q = q0;
      evaluator_->retract(p.q, theta);
      return outcome;
    }
    // far from the solution no coordinate moves by more than half its size
    const double limit = largest > 0.5 ? 0.5 / largest : 1;
    for (int i = 0; i < m; ++i) theta[partition_.dependent[i]] += limit * step_[i];
  }
  outcome.good = false;
  return outcome;
}

/// Whether all constraints hold, redundant ones too, relative to their derivatives.
bool Closure::is_satisfied() const {
  for (int i = 0; i < nl_; ++i) {
    double slope = 0;
    for (int j = 0; j < nv_; ++j)
      slope = std::max(slope, std::abs(jacobian_(i, j)) * evaluator_->system().unknown(j).nominal);
    if (std::abs(residual_[nv_ + i]) > satisfied * (slope > 0 ? slope : 1)) return false;
  }
  return true;
}

Closure::Outcome Closure::close_velocity(Point& p) { return close_rate(equations::Level::velocity, p.v, p); }
Closure::Outcome Closure::close_acceleration(Point& p) { return close_rate(equations::Level::acceleration, p.a, p); }

/// Φ̇ with the dependent velocities at zero is J_u ṡ_u + ∂h/∂t; Φ̈ with the dependent accelerations at zero J_u s̈_u + b.
Closure::Outcome Closure::close_rate(equations::Level level, std::vector<double>& rates, Point& p) {
  const int m = int(partition_.dependent.size());
  if (m == 0) return {};
  if (!factor(p, {})) return {false, partition_.rows[0], 0};
  for (const int j : partition_.dependent) rates[j] = 0;
  evaluator_->residual(p, level, residual_);
  ++statistics_->residuals;
  for (int i = 0; i < m; ++i) step_[i] = -residual_[nv_ + partition_.rows[i]];
  solve();
  for (int i = 0; i < m; ++i) rates[partition_.dependent[i]] = step_[i];
  return {};
}

Matrix Closure::dependence(const Point& p) {
  const int m = int(partition_.dependent.size()), n = int(partition_.independent.size());
  Matrix b(m, n);
  if (m == 0 || !factor(p, {})) return b;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) step_[i] = -jacobian_(partition_.rows[i], partition_.independent[j]);
    solve();
    for (int i = 0; i < m; ++i) b(i, j) = step_[i];
  }
  return b;
}

double Closure::leverage(const Point& p) {
  const System& s = evaluator_->system();
  const Matrix b = dependence(p);
  double largest = 0;
  for (int j = 0; j < b.columns; ++j)
    for (int i = 0; i < b.rows; ++i)
      largest = std::max(largest, std::abs(b(i, j)) * s.unknown(partition_.independent[j]).nominal /
                                      s.unknown(partition_.dependent[i]).nominal);
  return largest;
}

bool Closure::renew(const Point& p) {
  if (!(leverage(p) > largest_leverage * chosen_leverage_)) return false;
  std::vector<int> before = partition_.dependent;
  choose_best(p);
  std::vector<int> after = partition_.dependent;
  std::sort(before.begin(), before.end()), std::sort(after.begin(), after.end());
  if (before == after) return false;
  ++statistics_->partitions;
  return true;
}

}  // namespace coenergy::solve
