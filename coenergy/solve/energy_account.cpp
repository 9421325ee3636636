#include "coenergy/solve/energy_account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coenergy::solve {

EnergyAccount::EnergyAccount(equations::Evaluator& evaluator)
    : evaluator_(&evaluator), stored_(evaluator.system().find_signal("energy.stored")) {
  if (stored_ < 0) return;
  supplied_ = evaluator.system().find_signal("energy.supplied");
  dissipated_ = evaluator.system().find_signal("energy.dissipated");
  row_.resize(evaluator.system().signals().size());
}

double EnergyAccount::read(const equations::Point& p) {
  evaluator_->signals(p, row_);
  for (int k : {stored_, supplied_, dissipated_}) largest_ = std::max(largest_, std::abs(row_[k]));
  return row_[stored_] - row_[supplied_] + row_[dissipated_];
}

void EnergyAccount::enter(const equations::Point& p) {
  if (stored_ >= 0) before_ = read(p);
}

/// Now and then: the kinetic energy asks for the mass matrix.
void EnergyAccount::watch(const equations::Point& p) {
  constexpr long often = 32;
  const equations::System& s = evaluator_->system();
  if (stored_ < 0 || s.nv() == 0 || (++steps_ > often && steps_ % often != 0)) return;
  const auto& pattern = s.pattern();
  matrix_.resize(pattern.row.size());
  evaluator_->jacobian(p, equations::Level::acceleration, {.a = 1}, matrix_);
  double kinetic = 0;
  for (int j = 0; j < s.nv(); ++j)
    for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
      if (pattern.row[e] < s.nv()) kinetic += 0.5 * p.v[pattern.row[e]] * matrix_[e] * p.v[j];
  largest_ = std::max(largest_, std::abs(kinetic));
}

void EnergyAccount::leave(const equations::Point& p) {
  if (stored_ >= 0) error_ += read(p) - before_;
}

std::optional<std::string> EnergyAccount::find_gap(const Options& options, const Statistics& statistics) const {
  constexpr double most = 0.01;    // of the energies: more is no answer at any tolerance
  constexpr double fewest = 1e-9;  // round-off of sums over many steps
  const double explained =
      is_adaptive(options) ? std::clamp(2 * options.rtol * double(statistics.steps), fewest, most) : most;
  if (stored_ < 0 || !(std::abs(error_) > explained * largest_ + options.atol)) return std::nullopt;
  return fmt::format(
      "the energy account does not close: {:.3g} J are {} of {:.3g} J, more than {} explain; {}", std::abs(error_),
      error_ > 0 ? "gained" : "lost", largest_,
      is_adaptive(options) ? fmt::format("{} steps at rtol {:g}", statistics.steps, options.rtol) : "fixed steps",
      is_adaptive(options) ? "a smaller rtol tells whether the model or the tolerance is the cause"
                           : "use smaller steps, or a method with error control");
}

}  // namespace coenergy::solve
