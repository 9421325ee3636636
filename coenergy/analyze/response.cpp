#include "coenergy/analyze/response.hpp"

#include <algorithm>

#include "coenergy/base/error.hpp"
#include "coenergy/solve/newton.hpp"

namespace coenergy::analyze {
Response::Response(equations::Evaluator& evaluator, const equations::Point& point)
    : system_(&evaluator.system()),
      lu_(system_->n(), system_->pattern().column_start, system_->pattern().row, solve::multiplier_indices(*system_)) {
  const std::size_t entries = system_->pattern().row.size();
  s0_.resize(entries), by_v_and_x_.resize(entries), by_q_.resize(entries);
  constexpr auto level = equations::Level::acceleration;
  evaluator.jacobian(point, level, {.a = 1, .lambda = 1, .xd = 1, .y = 1}, s0_);
  evaluator.jacobian(point, level, {.v = 1, .x = 1}, by_v_and_x_);
  evaluator.jacobian(point, level, {.q = 1}, by_q_);
  right_.resize(system_->n()), solution_.resize(system_->n()), residual_.resize(system_->n());
  if (lu_.factor(s0_)) return;
  lu_.set_damping(1e-8);
  if (system_->nl() == 0 || !lu_.factor(s0_))
    throw Error("the equations do not determine " + system_->unknown(lu_.weakest_column()).name +
                "; the system cannot be linearised");
}

/// sum += matrix columns × factors
void Response::add_product(const std::vector<double>& matrix, int first_column, const std::vector<double>& factors,
                           std::vector<double>& sum) const {
  const auto& pattern = system_->pattern();
  for (std::size_t j = 0; j < factors.size(); ++j) {
    if (factors[j] == 0) continue;
    const int column = first_column + int(j);
    for (int e = pattern.column_start[column]; e < pattern.column_start[column + 1]; ++e)
      sum[pattern.row[e]] += matrix[e] * factors[j];
  }
}

void Response::complete(Deviation& deviation, const std::vector<double>& parameter_term) {
  const int nv = system_->nv(), nl = system_->nl(), nx = system_->nx(), ny = system_->ny();
  if (parameter_term.empty())
    std::fill(right_.begin(), right_.end(), 0.0);
  else
    std::copy(parameter_term.begin(), parameter_term.end(), right_.begin());
  add_product(by_q_, 0, deviation.q, right_);
  add_product(by_v_and_x_, 0, deviation.v, right_);
  add_product(by_v_and_x_, nv + nl, deviation.x, right_);

  // repeated against the undamped matrix, so that damping leaves no trace
  std::fill(solution_.begin(), solution_.end(), 0.0);
  for (int k = 0; k < (lu_.damping() > 0 ? 4 : 1); ++k) {
    std::copy(right_.begin(), right_.end(), residual_.begin());
    add_product(s0_, 0, solution_, residual_);
    lu_.solve(residual_);
    for (std::size_t i = 0; i < solution_.size(); ++i) solution_[i] -= residual_[i];
  }
  auto from = solution_.begin();
  deviation.a.assign(from, from + nv), from += nv;
  deviation.lambda.assign(from, from + nl), from += nl;
  deviation.xd.assign(from, from + nx), from += nx;
  deviation.y.assign(from, from + ny);
}

}  // namespace coenergy::analyze
