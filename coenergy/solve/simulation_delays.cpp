#include <fmt/format.h>

#include <algorithm>

#include "coenergy/equations/data.hpp"
#include "coenergy/solve/simulation.hpp"

namespace coenergy::solve {

/// The past is empty at the start, where delayed signals have the values of before. A steady start is found without any
/// past: there every signal is what it always was.
void Simulation::begin_pasts() {
  pasts_.resize(static_cast<std::size_t>(evaluator_->system().delays()));
  for (equations::History& past : pasts_) past.begin(options_.t_start);
  evaluator_->follow(options_.start == "given" ? &pasts_ : nullptr);
}

void Simulation::take_steady_pasts() {
  read_.resize(pasts_.size());
  evaluator_->delays(now_, read_);
  for (std::size_t k = 0; k < pasts_.size(); ++k) pasts_[k].set_before(read_[k].u);
  evaluator_->follow(&pasts_);
}

/// No step is longer than the shortest delay at its start, so that all that is read in it is known.
double Simulation::limit_to_pasts(double h) {
  if (pasts_.empty()) return h;
  read_.resize(pasts_.size());
  evaluator_->delays(now_, read_);
  for (const auto& delayed : read_) h = std::min(h, now_.t - delayed.at);
  return std::max(h, min_step_);
}

/// A delay that has become so short in the step just made that it read what this step was about to find; or −1.
int Simulation::find_reading_ahead() {
  if (pasts_.empty()) return -1;
  evaluator_->delays(next_, read_);
  const auto ahead =
      std::find_if(read_.begin(), read_.end(), [this](const auto& d) { return d.at > now_.t + instant_; });
  return ahead == read_.end() ? -1 : static_cast<int>(ahead - read_.begin());
}

/// Adds the step just made to the past; false where the equations have no solution inside it.
bool Simulation::record_pasts() {
  if (pasts_.empty()) return true;
  constexpr int points = equations::History::points;
  constexpr double round_off = 1e-12;  // of derivatives of polynomials, where no tolerance says how large steps are
  const bool solves = evaluator_->system().data().delays_are_solved_for || !interpolates_all();
  std::vector<std::array<double, points>> values(pasts_.size());
  const auto note = [&](const equations::Point& p, int j) {
    evaluator_->delays(p, read_);
    for (std::size_t k = 0; k < values.size(); ++k) values[k][j] = read_[k].u;
  };
  note(now_, 0);
  for (int j = 1; j + 1 < points; ++j) {
    interpolate(equations::History::nodes()[j]);
    if (solves)
      if (const NewtonReport report = solve_row(); !report.converged) {
        fail(fmt::format("the equations have no solution at t = {:g} s, inside a step whose signals are read later; {}",
                         at_.t, reason(report, at_.t)));
        return false;
      }
    note(at_, j);
  }
  note(next_, points - 1);
  for (std::size_t k = 0; k < pasts_.size(); ++k) {
    pasts_[k].add_step(now_.t, next_.t, values[k]);
    if (evaluator_->system().data().delays_are_reflected && read_[k].at <= pasts_[k].last_break() + instant_)
      pasts_[k].join_smooth(adaptive_ ? options_.rtol : round_off);
    pasts_[k].forget(now_.t - evaluator_->system().data().delays[k].longest);
  }
  return true;
}

/// How smooth what happens at now_ is (see History), before it has happened: one more than the roughest of the delayed
/// bends that arrive, if nothing else happens; no more where what arrives leaves at once.
int Simulation::order_of_break() const {
  if (pasts_.empty() || now_.t >= clock_ - instant_) return 0;
  const auto& data = evaluator_->system().data();
  const auto& delays = data.delays;
  const int smoother = data.delays_are_reflected ? 0 : 1;
  int order = equations::History::smooth_order;
  std::size_t arrivals = 0;
  const std::vector<int> crossed = crossed_indicators();
  for (std::size_t k = 0; k < delays.size(); ++k) {
    if (std::find(crossed.begin(), crossed.end(), delays[k].indicator) == crossed.end()) continue;
    ++arrivals;
    order = std::min(order, pasts_[k].order_of_break(static_cast<int>(now_.d[delays[k].passed]) + 1) + smoother);
  }
  return arrivals > 0 && arrivals == crossed.size() ? order : 0;
}

void Simulation::break_pasts(int order) {
  for (equations::History& past : pasts_) past.add_break(now_.t, order);
}

}  // namespace coenergy::solve
