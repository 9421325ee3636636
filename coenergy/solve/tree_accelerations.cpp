#include "coenergy/solve/tree_accelerations.hpp"

#include <algorithm>
#include <cmath>

namespace coenergy::solve {
namespace {

constexpr int max_corrections = 4;

/// Columns and rows from `first` on of a pattern, with their places in it.
struct Corner {
  Corner(const equations::SparsePattern& pattern, int first) {
    for (int j = first; j < pattern.n; ++j) {
      for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
        if (pattern.row[e] >= first) row.push_back(pattern.row[e] - first), place.push_back(e);
      column_start.push_back(static_cast<int>(row.size()));
    }
  }
  std::vector<int> column_start{0}, row, place;
};

math::SparseLu<double> make_lu(const equations::System& s) {
  const Corner corner(s.pattern(), s.nv());
  return {s.n() - s.nv(), corner.column_start, corner.row};
}

}  // namespace

TreeAccelerations::TreeAccelerations(equations::Evaluator& evaluator, double tolerance, Statistics& statistics)
    : evaluator_(&evaluator),
      tolerance_(tolerance),
      statistics_(&statistics),
      nv_(evaluator.system().nv()),
      nz_(evaluator.system().n() - nv_),
      residual_(evaluator.system().n()),
      lu_(make_lu(evaluator.system())) {
  const equations::System& s = evaluator.system();
  for (int i = 0; i < s.n(); ++i) nominal_.push_back(s.unknown(i).nominal);
  Corner corner(s.pattern(), nv_);
  place_ = std::move(corner.place);
  values_.resize(s.pattern().row.size());
  d_values_.resize(place_.size());
}

bool TreeAccelerations::solve(equations::Point& p) {
  a0_ = p.a, xd0_ = p.xd, y0_ = p.y;
  const bool was_fresh = !has_matrix_;
  if (iterate(p)) return true;
  std::copy(a0_.begin(), a0_.end(), p.a.begin());
  std::copy(xd0_.begin(), xd0_.end(), p.xd.begin());
  std::copy(y0_.begin(), y0_.end(), p.y.begin());
  if (was_fresh || nz_ == 0) return false;
  has_matrix_ = false;
  if (iterate(p)) return true;
  std::copy(a0_.begin(), a0_.end(), p.a.begin());
  std::copy(xd0_.begin(), xd0_.end(), p.xd.begin());
  std::copy(y0_.begin(), y0_.end(), p.y.begin());
  return false;
}

bool TreeAccelerations::iterate(equations::Point& p) {
  const bool is_exact = nz_ == 0 || !has_matrix_;  // else a small correction by the older matrix may be one too stiff
  if (nz_ > 0 && !has_matrix_ && !update_matrix(p)) return false;
  double rate = is_exact ? 0 : 1, previous = 0;
  for (int k = 0; k < max_corrections; ++k) {
    evaluator_->residual(p, equations::Level::acceleration, residual_);
    ++statistics_->residuals;
    const double size = correct(p);
    ++statistics_->newton_iterations;
    if (!std::isfinite(size)) return false;
    if (k > 0 && !is_exact) rate = previous > 0 ? size / previous : 0;
    if (size <= 1 && rate < 1 && rate / (1 - rate) * size <= 1) return true;
    previous = size;
  }
  return false;
}

bool TreeAccelerations::update_matrix(const equations::Point& p) {
  evaluator_->jacobian(p, equations::Level::acceleration, {.xd = 1, .y = 1}, values_);
  ++statistics_->jacobians, ++statistics_->factorizations;
  for (std::size_t i = 0; i < place_.size(); ++i) d_values_[i] = values_[place_[i]];
  has_matrix_ = lu_.factor(d_values_);
  return has_matrix_;
}

/// One correction; its size in units of what is allowed.
double TreeAccelerations::correct(equations::Point& p) {
  const equations::SparsePattern& pattern = evaluator_->system().pattern();
  for (double& r : residual_) r = -r;
  const std::span<double> all(residual_), z = all.subspan(static_cast<std::size_t>(nv_));
  if (nz_ > 0) {
    lu_.solve(z);
    for (int j = nv_; j < pattern.n; ++j)
      for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1] && pattern.row[e] < nv_; ++e)
        residual_[pattern.row[e]] -= values_[e] * residual_[j];
  }
  evaluator_->solve_mass(p, all.first(static_cast<std::size_t>(nv_)));
  double size = 0;
  const double* delta = residual_.data();
  const double* nominal = nominal_.data();
  for (std::vector<double>* part : {&p.a, &p.xd, &p.y})
    for (double& value : *part) {
      size = std::max(size, std::abs(*delta) / (tolerance_ * std::max(std::abs(value), *nominal++)));
      if (!std::isfinite(*delta)) return *delta;
      value += *delta++;
    }
  return size;
}

}  // namespace coenergy::solve
