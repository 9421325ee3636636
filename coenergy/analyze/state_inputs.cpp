#include "coenergy/analyze/state_inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/argument.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"

namespace coenergy::analyze {

using equations::Point;
using equations::System;
using math::Matrix;

namespace {

constexpr int most_passes = 30;
constexpr std::size_t neighbours = 7;  // for the rate of a row: errors go with the sixth power of the step

/// Weights of the values at `t` for the slope at t0 (B. Fornberg: Generation of finite difference formulas on arbitrarily
/// spaced grids, 1988).
std::vector<double> slope_weights(double t0, std::span<const double> t) {
  const std::size_t n = t.size();
  std::vector<double> value(n, 0.0), slope(n, 0.0);
  value[0] = 1;
  double before = 1, from = t[0] - t0;
  for (std::size_t i = 1; i < n; ++i) {
    double product = 1;
    const double last = from;
    from = t[i] - t0;
    for (std::size_t j = 0; j < i; ++j) {
      const double gap = t[i] - t[j];
      product *= gap;
      if (j == i - 1) {
        slope[i] = before * (value[i - 1] - last * slope[i - 1]) / product;
        value[i] = -before * last * value[i - 1] / product;
      }
      slope[j] = (from * slope[j] - value[j]) / gap;
      value[j] = from * value[j] / gap;
    }
    before = product;
  }
  return slope;
}

}  // namespace

StateInputs::StateInputs(equations::Evaluator& evaluator, const Point& p, std::vector<int> inputs)
    : evaluator_(&evaluator), inputs_(inputs), actuation_(evaluator, p, std::move(inputs)) {
  choose_states(p);
  check_others(p);
}

std::vector<std::string> StateInputs::states() const {
  const System& s = evaluator_->system();
  std::vector<std::string> names;
  for (const int k : chosen_) names.push_back(s.unknown(s.nv() + s.nl() + k).name);
  return names;
}

/// Rows of states and algebraic variables, constraints aside.
std::vector<double> StateInputs::residual(const Point& p) {
  const System& s = evaluator_->system();
  std::vector<double> r(static_cast<std::size_t>(s.n()));
  evaluator_->residual(p, equations::Level::acceleration, r);
  return {r.begin() + s.nv() + s.nl(), r.end()};
}

/// ∂(those rows)/∂(ẋ, y); `with_inputs`: the columns of ẋ_A are those of the inputs instead.
Matrix StateInputs::matrix_of_rates(const Point& p, bool with_inputs) {
  const System& s = evaluator_->system();
  const int first = s.nv() + s.nl(), n = s.nx() + s.ny();
  const equations::SparsePattern& pattern = s.pattern();
  std::vector<double> values(pattern.row.size());
  evaluator_->jacobian(p, equations::Level::acceleration, {.xd = 1, .y = 1}, values);
  Matrix m(n, n);
  for (int c = 0; c < n; ++c)
    for (int k = pattern.column_start[first + c]; k < pattern.column_start[first + c + 1]; ++k)
      if (pattern.row[k] >= first) m(pattern.row[k] - first, c) = values[static_cast<std::size_t>(k)];
  if (!with_inputs) return m;
  std::vector<double> slope(static_cast<std::size_t>(s.n()));
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    evaluator_->parameter_derivative(p, equations::Level::acceleration, inputs_[k], slope);
    for (int row = 0; row < n; ++row) m(row, chosen_[k]) = slope[static_cast<std::size_t>(first + row)];
  }
  return m;
}

void StateInputs::choose_states(const Point& p) {
  constexpr double none = 1e-9;
  const System& s = evaluator_->system();
  const int first = s.nv() + s.nl(), n = s.nx() + s.ny();
  const Matrix m = matrix_of_rates(p, false);
  std::vector<double> moved(static_cast<std::size_t>(s.nx()), 0.0), slope(static_cast<std::size_t>(s.n()));
  for (const int input : inputs_) {
    evaluator_->parameter_derivative(p, equations::Level::acceleration, input, slope);
    Matrix b(n, 1);
    for (int row = 0; row < n; ++row) b(row, 0) = -slope[static_cast<std::size_t>(first + row)];
    const Matrix rates = math::solve(m, b);
    double largest = 0;
    for (int k = 0; k < s.nx(); ++k) largest = std::max(largest, std::abs(rates(k, 0)));
    for (int k = 0; k < s.nx(); ++k)
      if (largest > 0)
        moved[static_cast<std::size_t>(k)] =
            std::max(moved[static_cast<std::size_t>(k)], std::abs(rates(k, 0)) / largest);
  }
  for (int k = 0; k < s.nx(); ++k) {
    if (s.unknown(first + k).owner() == "energy") continue;
    (moved[static_cast<std::size_t>(k)] > none ? chosen_ : others_).push_back(k);
  }
  if (chosen_.size() == inputs_.size()) return;
  throw Error(fmt::format(
      "inverse: the forces of the motion do not depend on the inputs at once, and the inputs change the rates "
      "of {} states{}{}; {} of them, one for each input, could make the motion",
      chosen_.size(), chosen_.empty() ? "" : ": ", fmt::join(states(), ", "), inputs_.size()));
}

void StateInputs::check_others(const Point& p) {
  for (const int k : others_) {
    Point moved = p;
    moved.x[static_cast<std::size_t>(k)] += 1;
    const auto before = actuation_.forces_of_drives(p), after = actuation_.forces_of_drives(moved);
    std::vector<double> r = residual(p), other = residual(moved);
    double change = 0;
    for (std::size_t i = 0; i < before.size(); ++i) change = std::max(change, std::abs(after[i] - before[i]));
    for (const int row : chosen_)
      change = std::max(change, std::abs(other[static_cast<std::size_t>(row)] - r[static_cast<std::size_t>(row)]));
    if (change > 0) {
      const System& s = evaluator_->system();
      throw Error(
          fmt::format("inverse: the state {} has a part in the motion, and no input decides on it; only states that "
                      "inputs move can be found",
                      s.unknown(s.nv() + s.nl() + k).name));
    }
  }
}

bool StateInputs::find_states(Point& p) {
  const int n = static_cast<int>(chosen_.size());
  double best = 0;
  for (int pass = 0; pass < most_passes; ++pass) {
    const std::vector<double> tau = actuation_.forces_of_drives(p);
    Matrix a(n, n), b(n, 1);
    double largest = 0;
    for (int k = 0; k < n; ++k) {
      double& x = p.x[static_cast<std::size_t>(chosen_[static_cast<std::size_t>(k)])];
      const double at = x, step = 1e-6 * std::max(1.0, std::abs(at));
      x = at + step;
      const std::vector<double> above = actuation_.forces_of_drives(p);
      x = at - step;
      const std::vector<double> below = actuation_.forces_of_drives(p);
      x = at;
      for (int i = 0; i < n; ++i)
        a(i, k) = (above[static_cast<std::size_t>(i)] - below[static_cast<std::size_t>(i)]) / (2 * step),
             largest = std::max(largest, std::abs(a(i, k)));
    }
    for (int i = 0; i < n; ++i) b(i, 0) = -tau[static_cast<std::size_t>(i)];
    const math::SingularValues values = math::compute_singular_values(a);
    if (!(values.s.back() > 1e-9 * values.s.front())) return false;
    const Matrix step = math::solve(a, b);
    double moved = 0, size = 0;
    for (int k = 0; k < n; ++k) {
      double& x = p.x[static_cast<std::size_t>(chosen_[static_cast<std::size_t>(k)])];
      x += step(k, 0);
      moved = std::max(moved, std::abs(step(k, 0))), size = std::max(size, std::abs(x));
    }
    if (!std::isfinite(moved)) return false;
    // Newton with a slope by differences ends at round-off
    if (moved <= 1e-13 * (1 + size) || (pass > 2 && moved <= 1e-11 * (1 + size) && moved >= best)) return true;
    best = moved;
  }
  return false;
}

bool StateInputs::add(const Point& p) {
  Point row = p;
  if (!rows_.empty())
    for (const int k : chosen_) row.x[static_cast<std::size_t>(k)] = rows_.back().x[static_cast<std::size_t>(k)];
  if (!find_states(row)) return false;
  rows_.push_back(std::move(row));
  return true;
}

bool StateInputs::find_inputs(Point& p, const std::vector<double>& rates, std::vector<double>& u) {
  const System& s = evaluator_->system();
  const int n = s.nx() + s.ny();
  for (std::size_t k = 0; k < chosen_.size(); ++k) p.xd[static_cast<std::size_t>(chosen_[k])] = rates[k];
  for (int pass = 0; pass < most_passes; ++pass) {
    for (std::size_t k = 0; k < u.size(); ++k) evaluator_->set_parameter(inputs_[k], u[k]);
    const std::vector<double> r = residual(p);
    Matrix b(n, 1);
    for (int i = 0; i < n; ++i) b(i, 0) = -r[static_cast<std::size_t>(i)];
    const Matrix step = math::solve(matrix_of_rates(p, true), b);
    double moved = 0;
    for (int i = 0; i < n; ++i) {
      const auto input = std::find(chosen_.begin(), chosen_.end(), i);
      double& x = i < s.nx() ? (input != chosen_.end() ? u[static_cast<std::size_t>(input - chosen_.begin())]
                                                       : p.xd[static_cast<std::size_t>(i)])
                             : p.y[static_cast<std::size_t>(i - s.nx())];
      x += step(i, 0);
      moved = std::max(moved, std::abs(step(i, 0)) / (1 + std::abs(x)));
    }
    if (!std::isfinite(moved)) return false;
    if (moved < 1e-12) return true;
  }
  return false;
}

std::optional<Matrix> StateInputs::compute() {
  if (rows_.size() < neighbours)
    throw Error(fmt::format("inverse: a motion needs at least {} rows where inputs act by way of states", neighbours));
  Matrix values(static_cast<int>(rows_.size()), static_cast<int>(2 * inputs_.size()));
  std::vector<double> times, u;
  for (const Point& p : rows_) times.push_back(p.t);
  for (const int k : inputs_) u.push_back(evaluator_->parameter(k));
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const std::size_t first = std::min(row - std::min(row, neighbours / 2), rows_.size() - neighbours);
    const std::vector<double> weights = slope_weights(times[row], std::span(times).subspan(first, neighbours));
    std::vector<double> rates(chosen_.size(), 0.0);
    for (std::size_t k = 0; k < chosen_.size(); ++k)
      for (std::size_t j = 0; j < neighbours; ++j)
        rates[k] += weights[j] * rows_[first + j].x[static_cast<std::size_t>(chosen_[k])];
    if (!find_inputs(rows_[row], rates, u)) return std::nullopt;
    for (std::size_t k = 0; k < u.size(); ++k) {
      values(static_cast<int>(row), static_cast<int>(k)) = u[k];
      values(static_cast<int>(row), static_cast<int>(u.size() + k)) =
          rows_[row].x[static_cast<std::size_t>(chosen_[k])];
    }
  }
  return values;
}

}  // namespace coenergy::analyze
