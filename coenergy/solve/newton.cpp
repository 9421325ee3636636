#include "coenergy/solve/newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coenergy/solve/residual_size.hpp"

namespace coenergy::solve {
namespace {

constexpr double damping = 1e-8;          // of multipliers, relative to the equilibrated matrix
constexpr double keep_matrix_rate = 0.1;  // corrections must shrink at least by this factor
constexpr double smallest_error = 4e-15;  // relative error that positions and states cannot do without
constexpr double near = 1e-3;             // relative change of unknowns that changes the matrix little
constexpr double stagnation = 1e3;        // corrections of this many tolerances may be round-off

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

std::vector<int> multiplier_indices(const equations::System& s) {
  std::vector<int> indices(s.nl());
  std::iota(indices.begin(), indices.end(), s.nv());
  return indices;
}

void NewtonReport::note_singular(const equations::System& system, int column, int row) {
  singular = true;
  singular_column = column < system.n() ? column : -1;
  worst_row = row < system.n() ? row : -1;
}

std::string NewtonReport::text(const equations::System& system) const {
  if (singular && singular_column >= 0) {
    const std::string row = worst_row >= 0 ? fmt::format(" (row {})", system.row_name(worst_row)) : "";
    return fmt::format("the equations do not determine {}{}", system.unknown(singular_column).name, row);
  }
  if (worst_row < 0) return "no residual";
  if (!std::isfinite(residual))
    return fmt::format(
        "equation {} has no finite value; look for a division by zero, or a root or logarithm of a negative number",
        system.row_name(worst_row));
  return fmt::format("largest residual: {}, {:.2g}", system.row_name(worst_row), residual);
}

Newton::Newton(equations::Evaluator& evaluator, const NewtonSettings& settings, Statistics& statistics)
    : evaluator_(&evaluator),
      settings_(settings),
      statistics_(&statistics),
      tangent_(evaluator.system()),
      pattern_(&evaluator.system().solver_pattern()),
      lu_(pattern_->n, pattern_->column_start, pattern_->row, multiplier_indices(evaluator.system())),
      round_off_(pattern_->column_start, pattern_->row),
      is_restart_linear_(evaluator.system().is_linear_in_rates()),
      linear_(evaluator.system()),
      matrix_(pattern_->row.size()),
      residual_(evaluator.system().n()),
      delta_(evaluator.system().n()),
      theta_(evaluator.system().nv()) {
  for (int i = 0; i < evaluator.system().n(); ++i) nominal_.push_back(evaluator.system().unknown(i).nominal);
}

void Newton::damp_multipliers(std::vector<int> spare) {
  lu_.set_damping(damping);
  has_matrix_ = false;
  for (int& k : spare) k += evaluator_->system().nv();
  if (!spare.empty()) spare_ = std::move(spare);
}

NewtonReport Newton::solve(const Rule& rule, equations::Point& p) {
  if (!is_damped() || spare_.empty()) return iterate(rule, p);
  given_ = p;
  NewtonReport report = iterate(rule, p);
  if (report.converged && report.left <= 1) return report;

  // without damping, but for the spare multipliers
  if (!report.converged) p = given_;
  lu_.set_damping(1, spare_);
  holds_spare_ = true, has_matrix_ = false;
  report = iterate(rule, p);
  lu_.set_damping(damping);
  holds_spare_ = has_matrix_ = false;
  return report;
}

NewtonReport Newton::iterate(const Rule& rule, equations::Point& p) {
  NewtonReport report;
  if (matrix_cq_ != rule.cq || matrix_cv_ != rule.cv || matrix_cx_ != rule.cx || matrix_level_ != rule.level)
    has_matrix_ = false;
  // linear equations: one solution with the matrix of this point
  const bool is_restart = rule.cq == 0 && rule.cv == 0 && rule.cx == 0;
  const bool is_exact = !is_damped() && (linear_.is_linear() || (is_restart && is_restart_linear_));
  // of small systems the matrix costs less than a look at what an older one leaves
  if (linear_.is_linear() ? !linear_.fits(*evaluator_, p) : is_exact && lu_.n() <= math::SparseLu<double>::dense_limit)
    has_matrix_ = false;
  if (!evaluate(rule, p)) return fail(report);

  double previous_size = 0;
  for (int k = 0; k < settings_.max_iterations; ++k) {
    // matrix of this iterate, unless an earlier one still serves
    bool is_fresh = false;
    if (!has_matrix_) {
      if (!update_matrix(rule, p)) {
        report.note_singular(evaluator_->system(), lu_.weakest_column(), lu_.weakest_row());
        return report;
      }
      is_fresh = true;
    }

    // correction
    const double residual_before = residual_size();
    before_ = residual_;
    for (std::size_t i = 0; i < delta_.size(); ++i) delta_[i] = -residual_[i];
    // what an old matrix gives is corrected by the next one anyway
    is_fresh || is_exact || is_damped() ? lu_.solve(delta_) : lu_.solve_once(delta_);
    const double size = correction_size(rule, p);
    correct(p, 1);
    if (is_exact && (is_fresh || linear_.is_linear()) && !is_damped() && std::isfinite(size)) {
      place_on_rule(rule, p);
      report.converged = true, report.iterations = k + 1;
      ++statistics_->newton_iterations;
      return report;
    }
    if (!evaluate(rule, p) && !search_line(rule, p, residual_before)) return fail(report);
    if (settings_.line_search && residual_size() > 2 * residual_before && size > stagnation)
      search_line(rule, p, residual_before);
    report.iterations = k + 1;
    ++statistics_->newton_iterations;

    // converged, by the correction itself or by what the remaining residual would still change
    if (!std::isfinite(size)) return fail(report);
    const double shrunk = residual_before > 0 ? residual_size() / residual_before : 0;
    const double rate = k > 0 ? size / previous_size : shrunk;
    // λ, which is not tested, is exact after a correction with the matrix of this iterate, but not after one with an
    // older matrix: where motions are driven, nothing else would be left to correct
    const bool is_lambda_old = !is_fresh && moves_multipliers(p);
    // a small correction by an older matrix, which may be too stiff by any factor, says nothing unless it is known to
    // shrink what is left
    const bool is_confirmed =
        is_fresh || (k > 0 ? rate < 1 && rate / (1 - rate) * size <= 1 : size <= 1 && have_rows_shrunk(p));
    // after a large correction the matrix that it was made with tells as little of what the residual would still change
    const bool is_near = size * settings_.tolerance <= near;
    const bool is_small =
        (size <= 1 && !is_lambda_old && is_confirmed) || (is_fresh && is_near && size * shrunk <= 0.01);
    const bool is_noise = (is_fresh && k > 0 && rate > 0.3 && (size <= stagnation || is_round_off(p, residual_))) ||
                          (!is_confirmed && size <= 1 && !is_lambda_old && is_round_off(p, residual_));
    has_matrix_ = !is_lambda_old && (rate <= keep_matrix_rate || (is_small && size <= 0.01));
    if (is_small || is_noise) {
      report.converged = true;
      report.left = is_noise ? 0 : rate < 1 ? size * rate / (1 - rate) : size;
      return report;
    }
    if (is_fresh && k > 2 && rate > 10 && !settings_.line_search) return fail(report);
    previous_size = size;
  }
  // corrections went on, but there is nothing left to correct
  report.converged = is_round_off(p, residual_);
  return report.converged ? report : fail(report);
}

/// Whether all rows are zero as far as they can be computed.
bool Newton::is_round_off(const equations::Point& p, const std::vector<double>& residual) {
  bound_.resize(pattern_->n - residual.size());
  evaluator_->bound_values(p, bound_);
  return round_off_.is_all(matrix_, {&p.a, &p.lambda, &p.xd, &p.y, &bound_}, residual);
}

/// Whether the last correction has made each row smaller that is not zero as far as it can be computed.
bool Newton::have_rows_shrunk(const equations::Point& p) {
  constexpr double much = 0.5;
  bool all = true;
  for (std::size_t i = 0; i < residual_.size(); ++i) all = all && std::abs(residual_[i]) <= much * std::abs(before_[i]);
  if (all) return true;
  std::vector<double>& left = before_;
  for (std::size_t i = 0; i < residual_.size(); ++i)
    left[i] = std::abs(residual_[i]) <= much * std::abs(before_[i]) ? 0 : residual_[i];
  return is_round_off(p, left);
}

/// Residual at the point that the rule makes of a and ẋ; false where it is not finite.
bool Newton::evaluate(const Rule& rule, equations::Point& p) {
  place_on_rule(rule, p);
  evaluator_->residual(p, rule.level, residual_);
  ++statistics_->residuals;
  if (holds_spare_)
    for (int k : spare_) residual_[k] = 0;
  return all_finite(residual_);
}

void Newton::place_on_rule(const Rule& rule, equations::Point& p) {
  if (rule.cq != 0) {
    for (std::size_t i = 0; i < p.a.size(); ++i) theta_[i] = rule.theta0[i] + rule.cq * p.a[i];
    std::copy(rule.q0.begin(), rule.q0.end(), p.q.begin());
    evaluator_->retract(p.q, theta_);
  }
  if (rule.cv != 0)
    for (std::size_t i = 0; i < p.a.size(); ++i) p.v[i] = rule.v0[i] + rule.cv * p.a[i];
  if (rule.cx != 0)
    for (std::size_t i = 0; i < p.xd.size(); ++i) p.x[i] = rule.x0[i] + rule.cx * p.xd[i];
}

bool Newton::update_matrix(const Rule& rule, const equations::Point& p) {
  const equations::Weights weights{.q = rule.cq, .v = rule.cv, .a = 1, .lambda = 1, .x = rule.cx, .xd = 1, .y = 1};
  const equations::MatrixPart part{weights, matrix_};
  evaluator_->solver_matrix(p, rule.level, std::span(&part, 1));
  ++statistics_->jacobians, ++statistics_->factorizations;
  bool good = lu_.factor(matrix_);
  const equations::System& s = evaluator_->system();
  if (!good && s.nl() > 0 && !is_damped()) {
    damp_multipliers();
    ++statistics_->factorizations;
    good = lu_.factor(matrix_);
  }
  has_matrix_ = good;
  linear_.take(*evaluator_, p);
  matrix_cq_ = rule.cq, matrix_cv_ = rule.cv, matrix_cx_ = rule.cx, matrix_level_ = rule.level;
  return good;
}

void Newton::correct(equations::Point& p, double factor) const {
  const double* d = delta_.data();
  for (double& a : p.a) a += factor * *d++;
  for (double& lambda : p.lambda) lambda += factor * *d++;
  for (double& xd : p.xd) xd += factor * *d++;
  for (double& y : p.y) y += factor * *d++;
}

/// Corrections in units of what is allowed.
double Newton::correction_size(const Rule& rule, const equations::Point& p) const {
  const equations::System& s = evaluator_->system();
  double size = 0;
  const auto include = [&](double delta, double value, int unknown, double floor) {
    const double allowed = settings_.tolerance * std::max(std::abs(value), nominal_[unknown]) + floor;
    size = std::max(size, std::abs(delta) / allowed);
    if (std::isnan(delta)) size = delta;
  };
  const int first_x = s.nv() + s.nl(), first_y = first_x + s.nx();
  for (int i = 0; i < s.nv(); ++i) {
    const double q = std::max(tangent_.size(p.q, i), nominal_[i]);
    include(delta_[i], p.a[i], i, rule.cq > 0 ? smallest_error * q / rule.cq : 0);
  }
  for (int i = 0; i < s.nx(); ++i) {
    const double x = std::max(std::abs(p.x[i]), nominal_[first_x + i]);
    include(delta_[first_x + i], p.xd[i], first_x + i, rule.cx > 0 ? smallest_error * x / rule.cx : 0);
  }
  for (int i = 0; i < s.ny(); ++i) include(delta_[first_y + i], p.y[i], first_y + i, 0);
  return size;
}

/// Whether the last correction changed multipliers by more than is allowed, relative to the largest of them.
bool Newton::moves_multipliers(const equations::Point& p) const {
  double moved = 0, largest = 0;
  const double* delta = delta_.data() + p.a.size();
  for (std::size_t k = 0; k < p.lambda.size(); ++k) {
    moved = std::max(moved, std::abs(delta[k]));
    largest = std::max(largest, std::abs(p.lambda[k]));
  }
  return moved > settings_.tolerance * largest;
}

/// Largest residual, each relative to the largest coefficient of its row.
double Newton::residual_size() const { return scaled_size(residual_, lu_.row_scale()); }

/// Takes back halves of the last correction until the residual is no larger than before; false where none is finite.
bool Newton::search_line(const Rule& rule, equations::Point& p, double size_before) {
  double factor = 1;
  for (int k = 0; k < 12; ++k) {
    factor /= 2;
    correct(p, -factor);
    if (evaluate(rule, p) && residual_size() <= size_before) return true;
  }
  return all_finite(residual_);
}

NewtonReport Newton::fail(NewtonReport report) const {
  double worst = -1;
  note_worst_row(residual_, lu_.row_scale(), worst, report);
  return report;
}

}  // namespace coenergy::solve
