#include <fmt/format.h>

#include <algorithm>

#include "coenergy/solve/saved_state.hpp"
#include "coenergy/solve/simulation.hpp"

namespace coenergy::solve {

// ---- inputs

int Simulation::find_input(const std::string& name) const {
  const equations::System& s = evaluator_->system();
  const int k = s.find_parameter(name);
  if (k >= 0 && !s.find_clocked(k).empty())
    throw Error("parameter " + name + " cannot be set during a run: it says when " + s.find_clocked(k) + " is sampled");
  if (k >= 0 && s.find_built_in(k).empty()) return k;
  if (k >= 0)
    throw Error("parameter " + name + " cannot be set: it is built into the equations by " + s.find_built_in(k));
  std::vector<std::string> known;
  for (int i = 0; i < s.parameters(); ++i) known.push_back(s.parameter_name(i));
  throw Error("there is no parameter \"" + name + "\" to set" + did_you_mean(name, known));
}

double Simulation::input(const std::string& name) const { return evaluator_->parameter(find_input(name)); }

void Simulation::set_input(const std::string& name, double value) {
  const int k = find_input(name);
  if (has_ended_) throw Error(name + " cannot be set: the run has ended (" + result_.text + ")");
  // a start with the old value comes first
  if (!prepare()) return;
  if (evaluator_->parameter(k) == value) return;
  if (!inputs_changed_) account_.leave(now_);
  evaluator_->set_parameter(k, value);
  inputs_changed_ = true;
}

/// Modes, accelerations, rates and algebraic variables for new inputs; what was continuous stays.
bool Simulation::settle_inputs() {
  inputs_changed_ = false;
  if (const auto moved = projection_.find_violation(now_); !moved.good) {
    const equations::System& s = evaluator_->system();
    fail(
        fmt::format("an input that was set at t = {:g} s moves the constraint {} by {:.3g} at once; move it by a drive "
                    "over some time",
                    now_.t, s.row_name(s.nv() + moved.constraint), moved.violation));
    return false;
  }
  ++statistics_->events;
  const EventHandler::Outcome outcome = events_.change_inputs(now_);
  if (!outcome.good) {
    fail(fmt::format("inputs set at t = {:g} s: {}", now_.t, outcome.text));
    return false;
  }
  break_pasts(0);
  evaluator_->indicators(now_, g_now_);
  events_.find_sides(now_, sides_);
  stepper_->begin(now_);
  if (options_.record_events || options_.output_step == 0) record(now_, time_of_row(now_.t));
  account_.enter(now_);
  return true;
}

// ---- state

std::string Simulation::save(const std::string& besides) {
  prepare();
  if (stepper_ == nullptr) throw Error("a run without a start cannot be saved: " + result_.text);
  SavedState state;
  if (!identity_) identity_.emplace(*evaluator_);
  state.model = *identity_;
  state.options = options_as_text(options_);
  state.point = now_;
  StateArchive archive;
  visit(archive);
  archive.close();
  state.rest = archive.bytes();
  state.besides = besides;
  return state.to_bytes();
}

void Simulation::load(std::string_view bytes) {
  const SavedState state = SavedState::from_bytes(bytes);
  check_same_run(state, ModelIdentity(*evaluator_), options_);
  if (state.point.t > options_.t_end)
    throw Error(fmt::format("the state was saved at t = {:g} s, after the end of this run at {:g} s", state.point.t,
                            options_.t_end));
  StateArchive archive(state.rest);
  try {
    visit(archive);
    archive.close();
  } catch (const Error&) {
    has_started_ = has_ended_ = true;
    fail("the state that was to be loaded does not fit");
    throw;
  }
  has_started_ = true;
  // one that was stopped goes on
  if (result_.status == Status::stopped) result_.status = Status::done;
  has_ended_ = result_.status != Status::done || now_.t >= options_.t_end;
  result_.times.clear(), result_.values.clear();
}

/// In an order in which what is read makes what comes next.
void Simulation::visit(StateArchive& archive) {
  archive(redundancy_, span_);
  if (archive.reads()) make_method();
  const int parameters = evaluator_->system().parameters();
  for (int k = 0; k < parameters; ++k) {
    double value = k == evaluator_->system().data().history_parameter ? 0 : evaluator_->parameter(k);
    archive(value);
    if (archive.reads()) evaluator_->set_parameter_alone(k, value);
  }
  archive(pasts_);
  evaluator_->follow(&pasts_);
  archive(now_, next_, trial_, at_, adaptive_, step_, cap_, min_step_, instant_, steps_before_growth_, rows_on_grid_,
          clock_, rows_);
  archive(last_leap_, leaps_);
  archive(g_now_, g_next_, g_trial_, g_left_, sides_, lands_on_time_event_, lands_on_crossing_, is_short_, crossed_,
          event_error_);
  archive(last_event_, events_without_progress_, unseen_);
  archive(events_, projection_, recorder_, account_);
  stepper_->visit(archive);
  // a method that repeats its last steps counts them
  archive(result_.statistics, result_.notes, result_.text, result_.status);
}

}  // namespace coenergy::solve
