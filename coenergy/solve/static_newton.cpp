#include "coenergy/solve/static_newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "coenergy/equations/open_equations.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::solve {
namespace {

using equations::Evaluator;
using equations::Point;
using equations::System;

constexpr double converged = 1e-10;  // relative size of the last correction
constexpr int most_iterations = 60;
constexpr double grip = 1e10;      // S, of nodes that are held
constexpr double steepest = 1e12;  // slope that takes the place of an infinite one

bool are_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

std::vector<int> multipliers(const System& s) {
  std::vector<int> indices(s.nl());
  std::iota(indices.begin(), indices.end(), s.nv());
  return indices;
}

}  // namespace

std::vector<int> StaticNewton::find_nodes(const System& s) {
  std::vector<int> nodes;
  for (int i = 0; i < s.nx() + s.ny(); ++i)
    if (s.row(s.nv() + s.nl() + i).kind == equations::RowKind::current_balance) nodes.push_back(i);
  return nodes;
}

std::vector<char> StaticNewton::find_integrals(const System& s) {
  const std::vector<int> nodes = find_nodes(s);
  std::vector<char> integral(s.nx());
  const int first = s.nv() + s.nl();
  const auto& pattern = s.pattern();
  for (int i = 0; i < s.nx(); ++i) {
    integral[i] = 1;
    for (int k = pattern.column_start[first + i]; k < pattern.column_start[first + i + 1]; ++k)
      if (pattern.row[k] != first + i) integral[i] = 0;
  }
  // a lag is at rest at one value only, even if nobody reads it
  const equations::OpenEquations equations(s);
  for (const auto& [i, row] : equations->state)
    if (integral[i] && symbolic::depends_on(row, equations->variables.state(i).x)) integral[i] = 0;
  for (const int node : nodes)
    if (node < s.nx()) integral[node] = 0;
  return integral;
}

std::string StaticNewton::node_name(const System& s, int node) {
  return std::string(s.row(s.nv() + s.nl() + node).owner());
}

StaticNewton::StaticNewton(Evaluator& evaluator, Statistics& statistics)
    : evaluator_(evaluator),
      s_(evaluator.system()),
      statistics_(statistics),
      nodes_(find_nodes(s_)),
      integral_(find_integrals(s_)),
      values_(s_.pattern().row.size()),
      residual_(s_.n()),
      delta_(s_.n()) {
  add_diagonals();
  lu_.emplace(s_.n(), column_start_, row_, multipliers(s_));
  round_off_.emplace(column_start_, row_);
}

void StaticNewton::add_diagonals() {
  const auto& pattern = s_.pattern();
  const int first = s_.nv() + s_.nl();
  std::vector<char> wanted(s_.n(), 0);
  for (int i : nodes_) wanted[first + i] = 1;
  place_.resize(pattern.row.size());
  std::vector<int> diagonal_of(s_.n(), -1);
  column_start_.assign(1, 0);
  for (int column = 0; column < s_.n(); ++column) {
    bool missing = wanted[column] != 0;
    auto add = [&](int r) {
      if (r == column) diagonal_of[column] = static_cast<int>(row_.size());
      row_.push_back(r);
    };
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k) {
      if (missing && pattern.row[k] >= column) {
        if (pattern.row[k] > column) add(column);
        missing = false;
      }
      place_[k] = static_cast<int>(row_.size());
      add(pattern.row[k]);
    }
    if (missing) add(column);
    column_start_.push_back(static_cast<int>(row_.size()));
  }
  matrix_.resize(row_.size());
  diagonal_of_node_.assign(s_.nx() + s_.ny(), -1);
  for (int i : nodes_) diagonal_of_node_[i] = diagonal_of[first + i];
}

bool StaticNewton::solve(Point& p, double tau, double leak) {
  tau_ = tau, leak_ = leak;
  const Point start = p;
  if (iterate(p, start.x)) return true;
  if (starts_finite_) return false;
  // logarithms, roots and quotients are not defined where all variables are zero: begin beside it
  for (const double distance : {1e-3, -1e-3, 1.0, -1.0, 10.0, -10.0, 100.0, -100.0}) {
    Point at = start;
    displace(at, distance);
    if (!iterate(at, start.x)) continue;
    p = at;
    return true;
  }
  return false;
}

void StaticNewton::displace(Point& p, double distance) const {
  // by different distances, so that differences do not vanish either
  const auto move = [&](std::vector<double>& values, int first) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] +=
          distance * s_.unknown(first + static_cast<int>(i)).nominal * (1 + 0.5 * std::sin(1 + 2.3 * double(i)));
  };
  if (tau_ > 0) move(p.x, s_.nv() + s_.nl());
  move(p.y, s_.nv() + s_.nl() + s_.nx());
}

bool StaticNewton::iterate(Point& p, const std::vector<double>& x0) {
  evaluate(p, x0);
  for (int k = 0; k < most_iterations; ++k) {
    iterations_ = k + 1;
    const bool factored = factor(p);
    if (k == 0) starts_finite_ = are_finite(residual_) && are_finite(matrix_);
    if (!starts_finite_) {
      reason_ = "the equations have no value at the start: " + worst_row();
      return false;
    }
    if (!factored) {
      reason_ = fmt::format("the equations do not determine {}", s_.unknown(lu_->weakest_column()).name);
      return false;
    }
    for (std::size_t i = 0; i < delta_.size(); ++i) delta_[i] = -residual_[i];
    lu_->solve(delta_);
    const double size = correction_size(p);
    if (!std::isfinite(size)) break;
    // nothing is left to correct, however far the least determined unknowns would go
    if (k > 0 && is_round_off(p)) return true;
    if (!take(p, x0)) break;
    // late corrections that small are round-off
    if (size <= converged || (k > 20 && size <= 1e3 * converged)) return true;
  }
  reason_ = worst_row();
  return false;
}

bool StaticNewton::solve_by_leaks(Point& p, double tau) {
  constexpr double first = 1, last = 1e-13, largest_factor = 100, smallest_factor = 1.05;
  Point at = p, good = p;
  double leak = first, factor = 10;
  if (!solve(at, tau, leak)) return false;
  while (leak > last) {
    good = at;
    const double next = leak / factor;
    if (solve(at, tau, next)) {
      leak = next;
      factor = std::min(factor * factor, largest_factor);
      continue;
    }
    at = good;
    factor = std::sqrt(factor);
    if (factor < smallest_factor) return false;
  }
  if (!solve(at, tau, 0)) return false;
  p = at;
  return true;
}

bool StaticNewton::solve_by_sources(Point& p, double tau) {
  constexpr double smallest_step = 1e-5;
  Point at = p;
  for (auto* part : {&at.a, &at.lambda, &at.xd, &at.y}) std::fill(part->begin(), part->end(), 0.0);
  if (tau > 0) std::fill(at.x.begin(), at.x.end(), 0.0);
  tau_ = tau, leak_ = 0;
  offset_.clear();
  evaluate(at, at.x);
  const std::vector<double> sources = residual_;
  double reached = 0, step = 0.1;
  while (reached < 1 && step >= smallest_step) {
    const Point good = at;
    const double next = std::min(1.0, reached + step);
    offset_.resize(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) offset_[i] = (1 - next) * sources[i];
    if (solve(at, tau, 0)) {
      reached = next;
      step *= 2;
    } else {
      at = good;
      step /= 4;
    }
  }
  offset_.clear();
  // once more, from the solution of the whole: the rates are those of a rest
  if (reached < 1 || !solve(at, tau, 0)) return false;
  p = at;
  return true;
}

bool StaticNewton::solve_by_capacitors(Point& p, double tau) {
  constexpr double first = 1e-2, last = 1e-13, largest = 1e6;  // S
  constexpr int most_steps = 400, easy = 8;
  if (nodes_.empty()) return false;
  Point at = p;
  double conductance = first;
  bool reached = false;
  for (int k = 0; k < most_steps && !reached && conductance < largest; ++k) {
    anchor_.clear();
    for (int i : nodes_) anchor_.push_back(voltage(at, i));
    Point next = at;
    if (!solve(next, tau, conductance)) {
      conductance *= 8;
      continue;
    }
    at = next;
    conductance /= iterations_ <= easy ? 5 : 2;
    if (conductance > last) continue;
    anchor_.clear();
    reached = solve(next, tau, 0);
    if (reached) at = next;
    conductance *= 1000;  // otherwise it has not settled
  }
  anchor_.clear();
  if (reached) p = at;
  return reached;
}

bool StaticNewton::solve_anyhow(Point& p, double tau) {
  Point at = p;
  if (!solve(at, tau, 0)) return solve_by_leaks(p, tau) || solve_by_sources(p, tau) || solve_by_capacitors(p, tau);
  p = at;
  return true;
}

void StaticNewton::evaluate(Point& p, const std::vector<double>& x0) {
  if (tau_ > 0)
    for (int i = 0; i < s_.nx(); ++i) p.xd[i] = (p.x[i] - x0[i]) / tau_;
  evaluator_.residual(p, equations::Level::acceleration, residual_);
  const int first = s_.nv() + s_.nl();
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    if (is_free(nodes_[k]))
      residual_[first + nodes_[k]] += leak_ * (voltage(p, nodes_[k]) - (anchor_.empty() ? 0 : anchor_[k]));
  for (const Held& h : held_)
    if (is_free(h.node)) residual_[first + h.node] += grip * (voltage(p, h.node) - h.voltage);
  for (std::size_t i = 0; i < offset_.size(); ++i) residual_[i] -= offset_[i];
  ++statistics_.residuals;
}

bool StaticNewton::factor(const Point& p) {
  equations::Weights weights{.a = 1, .lambda = 1, .xd = 1, .y = 1};
  if (tau_ > 0) weights.x = 1, weights.xd = 1 / tau_;
  evaluator_.jacobian(p, equations::Level::acceleration, weights, values_);
  // a solution may lie where a root has no slope; the residual alone tells it
  for (double& value : values_)
    if (iterations_ > 1 && !std::isfinite(value)) value = std::isnan(value) ? 0 : std::copysign(steepest, value);
  std::fill(matrix_.begin(), matrix_.end(), 0.0);
  for (std::size_t k = 0; k < values_.size(); ++k) matrix_[place_[k]] = values_[k];
  for (int i : nodes_)
    if (is_free(i)) matrix_[diagonal_of_node_[i]] += leak_;
  for (const Held& h : held_)
    if (is_free(h.node)) matrix_[diagonal_of_node_[h.node]] += grip;
  ++statistics_.jacobians, ++statistics_.factorizations, ++statistics_.newton_iterations;
  return lu_->factor(matrix_);
}

double StaticNewton::correction_size(const Point& p) const {
  double size = 0;
  const int x = s_.nv() + s_.nl(), y = x + s_.nx();
  const auto include = [&](double delta, double value, int unknown) {
    size = std::max(size, std::abs(delta) / std::max(std::abs(value), s_.unknown(unknown).nominal));
  };
  for (int i = 0; i < s_.nx(); ++i)
    if (!integral_[i]) include(delta_[x + i], tau_ > 0 ? p.x[i] : p.xd[i], x + i);
  for (int i = 0; i < s_.ny(); ++i) include(delta_[y + i], p.y[i], y + i);
  const bool is_number = std::none_of(delta_.begin(), delta_.end(), [](double d) { return std::isnan(d); });
  return is_number ? size : std::numeric_limits<double>::quiet_NaN();
}

/// Whether nothing is left that could be corrected, with the matrix of the last factorisation.
bool StaticNewton::is_round_off(const Point& p) {
  return round_off_->is_all(matrix_, {&p.a, &p.lambda, tau_ > 0 ? &p.x : &p.xd, &p.y}, residual_);
}

/// Takes the correction, halved while the residual is not finite or much larger.
bool StaticNewton::take(Point& p, const std::vector<double>& x0) {
  const double before = residual_size();
  const Point old = p;
  double factor = 1;
  for (int k = 0; k < 8; ++k, factor /= 2) {
    p = old;
    const double* d = delta_.data();
    for (auto* part : {&p.a, &p.lambda, tau_ > 0 ? &p.x : &p.xd, &p.y})
      for (double& value : *part) value += factor * *d++;
    evaluate(p, x0);
    if (residual_size() <= 2 * before + 1e-12) return true;
  }
  return std::isfinite(residual_size());
}

double StaticNewton::residual_size() const {
  double size = 0;
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    const double r = std::abs(residual_[i]) * lu_->row_scale()[i];
    if (!std::isfinite(r)) return std::numeric_limits<double>::infinity();
    size = std::max(size, r);
  }
  return size;
}

std::string StaticNewton::worst_row() const {
  int worst = 0;
  for (int i = 1; i < s_.n() && !std::isnan(residual_[worst]); ++i)
    if (!(std::abs(residual_[i]) * lu_->row_scale()[i] <= std::abs(residual_[worst]) * lu_->row_scale()[worst]))
      worst = i;
  return fmt::format("largest residual: {}, {:.2g}", s_.row_name(worst), residual_[worst]);
}

}  // namespace coenergy::solve
