#pragma once
#include <memory>
#include <string>
#include <vector>

#include "coenergy/solve/events.hpp"
#include "coenergy/solve/projection.hpp"
#include "coenergy/solve/recorder.hpp"
#include "coenergy/solve/simulate.hpp"
#include "coenergy/solve/stepper.hpp"

namespace coenergy::solve {

/// One run: steps, events, rows. Used by simulate().
class Simulation {
 public:
  Simulation(system::Evaluator& evaluator, const Options& options, const Hooks& hooks, Result& result);
  void run();
  const system::Point& now() const { return now_; }

 private:
  // steps
  bool start();
  double next_stop() const;
  double choose_step(double stop);
  bool advance(double stop);
  bool shrink(double h, double factor);
  void adapt(double h, double error);
  bool constraints_agree();
  std::string redundant_names() const;
  std::string reason(const NewtonReport& report);
  std::string describe_singularity();
  double first_step() const;

  // events
  bool has_event(const std::vector<double>& g, bool time_only) const;
  double limit_to_time_event(double h);
  bool locate_event();
  double guess_crossing(double left, double right, double weight_left, double weight_right) const;
  bool pass_event();
  std::vector<int> crossed_indicators() const;
  bool is_chattering();

  // rows
  bool interpolates_all() const;
  void interpolate(double s);
  void record(const system::Point& p);
  void record_inside();
  void project_row();
  bool is_on_grid(double t) const;
  void record_node();
  bool report_progress();

  void fail(const std::string& text);

  system::Evaluator* evaluator_;
  Options options_;
  const Hooks* hooks_;
  Result* result_;
  Statistics* statistics_;
  EventHandler events_;
  ConstraintProjection projection_;
  bool projects_rows_;
  Redundancy redundancy_;
  Recorder recorder_;
  std::unique_ptr<Stepper> stepper_;

  system::Point now_, next_, trial_, at_;
  bool adaptive_ = false;
  double step_ = 0;  // fixed step, or what the error control suggests
  double cap_ = 0;   // limit after Newton failures
  double min_step_ = 0;
  double instant_ = 0;  // times closer than this are one
  int steps_before_growth_ = 0;
  long rows_on_grid_ = 0;  // index of the next output time
  double clock_ = 0;       // next clock instant

  std::vector<double> g_now_, g_next_, g_trial_;  // indicators
  std::vector<char> sides_;                       // of now_
  bool lands_on_time_event_ = false;
  int crossed_ = -1;  // indicator of the last located event
  double last_event_ = 0;
  int events_without_progress_ = 0;
};

}  // namespace coenergy::solve
