#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/base/state_archive.hpp"
#include "coenergy/equations/history.hpp"
#include "coenergy/solve/energy_account.hpp"
#include "coenergy/solve/events.hpp"
#include "coenergy/solve/projection.hpp"
#include "coenergy/solve/recorder.hpp"
#include "coenergy/solve/saved_state.hpp"
#include "coenergy/solve/simulate.hpp"
#include "coenergy/solve/stepper.hpp"

namespace coenergy::solve {

/// One run as an object: it can be stepped, driven from outside, saved and loaded. simulate() is a loop over step().
///
///   Simulation s(evaluator, options);
///   while (s.now().t < 1) s.step();       // steps of the method, cut at events
///   s.advance_to(2);                      // ends a step exactly there
///   s.set_input("U1.v", 12);              // from here on
///   s.advance_to(3);
///   const double speed = s.signal("motor.w");
///   const std::string state = s.save();   // of everything; s.load(state) goes on to the same bits
///
/// The start is made consistent when it is first needed. How the run went is in result(); once it has failed or reached
/// options.t_end, step() and advance_to() do nothing and return false.
class Simulation {
 public:
  /// Throws coenergy::Error for options that are wrong. The evaluator must outlive the run and belongs to it meanwhile.
  Simulation(equations::Evaluator& evaluator, const Options& options, Hooks hooks = {});
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation() { evaluator_->follow(nullptr); }

  /// One step of the method, cut short at the first event inside it, with what happens there. False where the run has
  /// ended: at t_end, by a failure, or because the progress hook said so.
  bool step();
  /// Steps until now().t == t exactly (at most t_end). The step that ends there is shortened, so that the run differs
  /// within its tolerance from one that is not interrupted. False where the run ended before.
  bool advance_to(double t);
  /// A parameter by its full name ("U1.v", "motor.k") from now on. Inputs set at one instant take effect together,
  /// as an event, with the next call of step(), advance_to(), signals() or save(). Throws Error for unknown names.
  void set_input(const std::string& name, double value);
  double input(const std::string& name) const;

  /// All variables at the present instant.
  const equations::Point& now();
  /// Values of all signals at the present instant, in the order of system().signals(); or of one.
  std::vector<double> signals();
  double signal(const std::string& name);

  bool has_ended() const { return has_ended_; }
  /// Names, statistics, notes, how it ended; rows since the start or load(), where the hooks keep them.
  const Result& result() const { return result_; }
  /// The same, moved out: the last thing to do with a run.
  Result take_result();
  /// Rows recorded since the start of the run, also by those whose state was loaded.
  long rows() const { return rows_; }

  /// Everything that the rest of the run depends on, as bytes with a version, the model's identity and a check sum (see
  /// SavedState). Rows and hooks are not part of it; `besides` is what the caller wants to keep with it.
  std::string save(const std::string& besides = {});
  /// Takes up where a run of the same model and options was saved, with the same bits from there on. Throws Error,
  /// and changes nothing, where the bytes are damaged or belong to another model, build or other options; only t_end
  /// may differ.
  void load(std::string_view bytes);

 private:
  // steps
  bool prepare();
  bool make_step();
  bool start();
  void make_method();
  double next_stop() const;
  double choose_step(double stop);
  bool advance(double stop);
  bool shrink(double h, double factor);
  void adapt(double h, const StepOutcome& outcome);
  bool reject(double h, double error);
  bool leap();
  bool fail_by_error(double h);
  bool constraints_agree();
  void note_unstable_method();
  std::string redundant_names() const;
  std::string reason(const NewtonReport& report, double t);
  std::string name_fastest() const;
  std::string name_bad_signals(const equations::Point& p);
  double find_inner_event();
  double find_dip();
  void add_node(double s, const std::vector<double>& g);
  double distance(const std::vector<double>& g, std::size_t k) const { return sides_[k] ? g[k] : -g[k]; }
  bool is_crossed_near(std::size_t k, double& s);
  std::string describe_singularity();
  double first_step() const;
  double longest_step() const;
  Options options_of_method() const;

  // inputs and state
  bool settle_inputs();
  int find_input(const std::string& name) const;
  void visit(StateArchive& archive);

  // events
  bool has_event(const std::vector<double>& g, bool time_only) const;
  double limit_to_time_event(double h);
  double find_pulse(double h);
  double find_low_point(std::size_t k, std::size_t i);
  void find_time_indicators(double s);
  double short_step() const;
  StepOutcome try_step(double h, equations::Point& to);
  bool have_indicators_unknowns();
  bool are_indicators_resolved() const;
  double continue_indicator(std::size_t k, double s, std::size_t without) const;
  bool end_at_first_event();
  bool locate_event();
  bool cut_before_event(double left, double failed);
  bool crosses_straight(double left, double s, double right) const;
  double guess_crossing(double left, double right, double weight_left, double weight_right) const;
  bool pass_event();
  std::vector<int> crossed_indicators() const;
  bool is_chattering();
  void note_unseen_switching();

  // the past of delayed signals
  void begin_pasts();
  void take_steady_pasts();
  double limit_to_pasts(double h);
  int find_reading_ahead();
  bool record_pasts();
  int order_of_break() const;
  void break_pasts(int order);

  // rows
  void accept_step();
  bool interpolates_all() const;
  bool shows_only_states() const;
  void interpolate(double s);
  void blend_solved(double s);
  NewtonReport solve_row();
  void record(const equations::Point& p, double t);
  bool record_inside();
  void project_row();
  double row_time() const;
  bool is_on_grid(double t) const;
  double time_of_row(double t) const;
  void record_node();
  bool report_progress();

  void fail(const std::string& text);

  equations::Evaluator* evaluator_;
  Options options_;
  Hooks hooks_;
  Result result_;
  Statistics* statistics_;
  EventHandler events_;
  ConstraintProjection projection_;
  bool projects_rows_;
  Redundancy redundancy_;
  Recorder recorder_;
  std::unique_ptr<Stepper> stepper_;
  std::optional<ModelIdentity> identity_;  // of what is saved
  EnergyAccount account_;

  bool has_started_ = false, has_ended_ = false;
  bool inputs_changed_ = false;
  double until_ = 0;  // of advance_to()
  double span_ = 0;   // length of the run as it was begun, which limits of steps follow from
  long rows_ = 0;
  equations::Point now_, next_, trial_, at_;
  bool adaptive_ = false;
  double step_ = 0;  // fixed step, or what the error control suggests
  double cap_ = 0;   // limit after Newton failures
  double min_step_ = 0;
  double instant_ = 0;  // times closer than this are one
  int steps_before_growth_ = 0;
  double last_leap_ = 0;
  int leaps_ = 0;
  long rows_on_grid_ = 0;  // index of the next output time
  double clock_ = 0;       // next clock instant

  std::vector<double> g_now_, g_next_, g_trial_, g_left_;  // indicators
  std::vector<std::vector<double>> samples_;               // of indicators within a step …
  std::vector<double> nodes_;                              // … at these parts of it
  std::vector<char> sides_;                                // of now_
  bool lands_on_time_event_ = false, lands_on_crossing_ = false;
  bool is_short_ = false;   // the last step was not one of the method
  int crossed_ = -1;        // indicator of the last located event
  double event_error_ = 0;  // of the step that ends there
  double last_event_ = 0;
  int events_without_progress_ = 0;
  std::vector<int> unseen_;  // switchings inside steps, by indicator

  equations::Histories pasts_;                       // of all delays
  std::vector<equations::Evaluator::Delayed> read_;  // scratch
};

}  // namespace coenergy::solve
