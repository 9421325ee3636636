#include "coenergy/analyze/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/analyze/moving_events.hpp"
#include "coenergy/analyze/static_sensitivity.hpp"
#include "coenergy/base/argument.hpp"
#include "coenergy/solve/events.hpp"
#include "coenergy/solve/radau_method.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::analyze {
namespace {

using equations::Evaluator;
using equations::Point;
using equations::System;

/// Names to columns; makes an empty result.
std::vector<int> choose_signals(const System& s, const std::vector<std::string>& names, Sensitivity& result) {
  std::vector<std::string> known;
  std::vector<int> chosen;
  for (std::size_t k = 0; k < s.signals().size(); ++k) {
    known.push_back(s.signals()[k].name);
    if (names.empty()) chosen.push_back(static_cast<int>(k));
  }
  for (const std::string& name : names) {
    if (s.find_signal(name) < 0)
      throw Error(argument("signal ") + name + ": there is no such signal" + did_you_mean(name, known));
    chosen.push_back(s.find_signal(name));
  }
  for (int k : chosen)
    result.signals.push_back(s.signals()[k].name), result.signal_units.push_back(s.signals()[k].unit);
  return chosen;
}

/// Adds a row: signals and their derivatives by the deviations of every direction.
void add_row(Evaluator& evaluator, const Point& point, const std::vector<int>& chosen,
             const std::vector<Deviation>& deviations, const std::vector<std::vector<double>>& d, Sensitivity& result) {
  std::vector<double> all(evaluator.system().signals().size());
  evaluator.signals(point, all);
  result.times.push_back(point.t);
  for (int k : chosen) {
    result.values.push_back(all[k]);
    const Evaluator::Gradient gradient = evaluator.signal_gradient(point, k);
    for (std::size_t j = 0; j < deviations.size(); ++j)
      result.derivatives.push_back(differentiate(gradient, deviations[j], d[j], result.directions[j]));
  }
}

/// Integrates the variations beside a run.
class Follower : public solve::Observer {
 public:
  Follower(Evaluator& evaluator, bool steady, std::vector<int> chosen, Sensitivity& result)
      : evaluator_(evaluator), steady_(steady), chosen_(std::move(chosen)), result_(result), step_(evaluator) {}

  void begin(const Point& start) override {
    // positions at rest change with the parameters too; others are held
    const bool held = std::any_of(start.a.begin(), start.a.end(), [](double a) { return std::abs(a) > 1e-6; });
    const std::vector<Deviation> rest =
        steady_ ? compute_static_deviations(evaluator_, start, result_.directions, held) : std::vector<Deviation>();
    for (std::size_t k = 0; k < result_.directions.size(); ++k) {
      const Direction& direction = result_.directions[k];
      const bool moves = steady_ && !held && evaluator_.system().nv() > 0;
      now_.push_back({moves ? rest[k].q : direction.q, direction.v, steady_ ? rest[k].x : direction.x, direction.d});
    }
    node_ = start.t;
    if (start.d.empty()) return;
    // first samples and modes
    Point before = start;
    before.d = evaluator_.system().start().d;
    bool solved = solve::restart(evaluator_, before).converged;
    for (int k = 0; k < 50 && solved && evaluator_.update_comparisons(before); ++k)
      solved = solve::restart(evaluator_, before).converged;
    if (solved) event(before, start, {});
  }

  void step(const Point& from, const Point& to, const Interpolate& at) override {
    const double* c = solve::radau_method().c;
    begin_ = from.t, node_ = to.t;
    if (!step_.take(to.t - from.t, {at(c[0]), at(c[1]), to}, result_.directions, now_))
      return fail(from.t, "the equations of the derivatives are singular");
    for (std::size_t k = 0; k < now_.size(); ++k) now_[k] = step_.at(k, 1);
  }

  void event(const Point& before, const Point& after, const std::vector<int>& crossed) override {
    std::string why = move_event(evaluator_, before, after, crossed, result_.directions, now_);
    if (!why.empty()) fail(before.t, why);
  }

  void row(const Point& point) override {
    if (!result_.good) return;
    Response response(evaluator_, point);
    std::vector<Deviation> deviations;
    std::vector<std::vector<double>> d;
    for (std::size_t k = 0; k < now_.size(); ++k) {
      const Variation v = point.t < node_ ? step_.at(k, (point.t - begin_) / (node_ - begin_)) : now_[k];
      deviations.push_back(complete_variation(
          response, v,
          compute_parameter_term(evaluator_, point, equations::Level::acceleration, result_.directions[k], v.d)));
      d.push_back(v.d);
    }
    add_row(evaluator_, point, chosen_, deviations, d, result_);
  }

 private:
  void fail(double t, const std::string& why) {
    if (!result_.good) return;
    result_.good = false;
    result_.text = "no derivatives after t = " + std::to_string(t) + " s: " + why;
  }

  Evaluator& evaluator_;
  bool steady_;
  std::vector<int> chosen_;
  Sensitivity& result_;
  VariationStep step_;
  std::vector<Variation> now_;  // at the node reached last, after its event
  double begin_ = 0, node_ = 0;
};

void check_system(const System& s) {
  if (s.nl() > 0)
    throw Error("the model has constraints between its coordinates (" + s.row_name(s.nv()) +
                ", …); derivatives of a run are known for models without them");
  if (s.nq() != s.nv())
    throw Error("the model has bodies that turn freely in space; derivatives of a run are known for coordinates only");
}

}  // namespace

Sensitivity compute_static_sensitivity(Evaluator& evaluator, const Point& point,
                                       const std::vector<Direction>& directions,
                                       const std::vector<std::string>& signals, bool hold_coordinates) {
  Sensitivity result;
  result.directions = directions;
  const std::vector<int> chosen = choose_signals(evaluator.system(), signals, result);
  add_row(evaluator, point, chosen, compute_static_deviations(evaluator, point, directions, hold_coordinates),
          std::vector<std::vector<double>>(directions.size()), result);
  return result;
}

Sensitivity simulate_sensitivity(Evaluator& evaluator, const solve::Options& options,
                                 const std::vector<Direction>& directions, const std::vector<std::string>& signals) {
  check_system(evaluator.system());
  Sensitivity result;
  result.directions = directions;
  std::vector<int> chosen = choose_signals(evaluator.system(), signals, result);
  Follower follower(evaluator, options.start != "given", std::move(chosen), result);
  solve::Hooks hooks;
  hooks.keep_rows = false;
  hooks.observer = &follower;
  hooks.progress = [&](const solve::Progress&) { return result.good; };
  const solve::Result run = solve::simulate(evaluator, options, hooks);
  result.notes = run.notes;
  if (!result.good) return result;
  result.good = run.status == solve::Status::done;
  result.text = run.text;
  return result;
}

}  // namespace coenergy::analyze
