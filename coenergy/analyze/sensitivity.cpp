#include "coenergy/analyze/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "coenergy/analyze/delays.hpp"
#include "coenergy/analyze/kinks.hpp"
#include "coenergy/analyze/moving_events.hpp"
#include "coenergy/analyze/start_variation.hpp"
#include "coenergy/analyze/static_sensitivity.hpp"
#include "coenergy/base/argument.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"
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
  /// `rows`: times of the rows; none: those of the run.
  Follower(Evaluator& evaluator, const solve::Options& options, std::vector<int> chosen, Sensitivity& result,
           RowTimes rows = {})
      : row_times_(std::move(rows)),
        evaluator_(evaluator),
        options_(options),
        chosen_(std::move(chosen)),
        result_(result),
        events_(evaluator, options),
        kinks_(evaluator) {
    refuse_delays(evaluator.system(), "sensitivity");
  }

  bool wants_traces() const override { return true; }

  void begin(const Point& start, const solve::EventTrace& trace) override {
    start_ = start;
    const Point& before = trace.empty() ? start : trace.front().at;
    if (options_.start == "given")
      now_ = compute_start_variations(evaluator_, options_, before, result_.directions);
    else
      begin_at_rest(before);
    node_ = start.t;
    if (row_times_) add_rows(-std::numeric_limits<double>::infinity(), start, start, [&](double) { return start; });
    if (const std::string why = events_.start(start, trace, result_.directions, now_); !why.empty())
      return fail(start.t, why);
    if (const std::string name = events_.name_switching_at(start, result_.directions, now_); !name.empty())
      result_.notes.push_back("the run starts exactly where " + name +
                              " switches: its derivatives are those of one side, that of the start");
  }

  void step(const Point& from, const Point& to, const Interpolate& at) override {
    if (!result_.good) return;
    constexpr std::size_t most_kinks = 20;  // in a step: more are round-off of what stays at its kink
    parts_.clear(), node_ = to.t;
    fast_ = is_fast(from, to) ? to.t - from.t : 0;
    refuse_fast(from.t);
    Point begin = from;
    std::size_t kinks = 0;
    for (double s = 0; s < 1;) {
      const Kink kink = ++kinks > most_kinks ? Kink{} : find_kink(to, s, at);
      const Point end = kink.before < 1 ? at(kink.before) : to;
      if (!take_accurately(s, kink.before, begin, end, to.t - from.t, at, deepest))
        return fail(from.t, "the equations of the derivatives are singular");
      s = kink.behind, begin = end;
    }
    project_variations(evaluator_, to, result_.directions, now_);
    if (kinks_.rests(from, at(0.5), to)) refuse_corners(to);
    if (row_times_) add_rows(from.t, from, to, at);
  }

  void event(const Point& before, const Point& after, const std::vector<int>& crossed,
             const solve::EventTrace& trace) override {
    if (!result_.good) return;
    const std::string why = events_.pass(before, after, crossed, trace, result_.directions, now_);
    if (!why.empty()) return fail(before.t, why);
    refuse_fast(before.t);
    fast_ = 0;
    if (events_.has_moved() && after.t >= options_.t_end)
      result_.notes.emplace_back(
          "the run ends with an event whose instant moves with a parameter: its last derivatives are those just behind "
          "it");
  }

  const Point& start() const { return start_; }
  const std::vector<Variation>& now() const { return now_; }

  void row(const Point& point) override {
    if (!row_times_) differentiate_row(point);
  }

 private:
  static constexpr int deepest = 10;  // halvings of a step

  void add_rows(double behind, const Point& from, const Point& to, const Interpolate& at) {
    wanted_.clear();
    row_times_(behind, to.t, wanted_);
    for (const double t : wanted_) differentiate_row(t < to.t ? at((t - from.t) / (to.t - from.t)) : to);
  }

  void differentiate_row(const Point& point) {
    if (!result_.good || chosen_.empty()) return;
    Response response(evaluator_, point);
    std::vector<Deviation> deviations;
    std::vector<std::vector<double>> d;
    for (std::size_t k = 0; k < now_.size(); ++k) {
      const Variation v = point.t < node_ ? variation_at(k, point) : now_[k];
      deviations.push_back(complete_variation(
          response, v,
          compute_parameter_term(evaluator_, point, equations::Level::acceleration, result_.directions[k], v.d)));
      d.push_back(v.d);
    }
    add_row(evaluator_, point, chosen_, deviations, d, result_);
  }

  /// The end of a part of a step: just before and just behind a kink, or that of the step.
  struct Kink {
    double before = 1, behind = 1;
  };
  /// The first kink behind s. An event at either end of the step may be one itself, so that both are looked at from
  /// inside.
  Kink find_kink(const Point& end, double s, const Interpolate& at) {
    constexpr double close = 1e-10;  // of the step
    if (kinks_.empty()) return {};
    kinks_.find_sides(at(s + close), sides_);
    kinks_.find_sides(end, other_sides_);
    if (sides_ == other_sides_) return {};
    double left = s + close, right = 1;
    while (right - left > close) {
      const double middle = left + (right - left) / 2;
      kinks_.find_sides(at(middle), other_sides_);
      (sides_ == other_sides_ ? left : right) = middle;
    }
    return {left, right > 1 - 2 * close ? 1 : right};
  }

  /// The variations over the part of a step from s to `end`, in so many parts that halves of them give the same: steps
  /// keep the error of the motion small, which may rest while its derivatives swing.
  bool take_accurately(double s, double end, const Point& from, const Point& to, double h, const Interpolate& at,
                       int depth) {
    const std::vector<Variation> before = now_;
    const std::size_t parts = parts_.size();
    if (!take(s, end, from, to, h, at)) return false;
    const std::vector<Variation> whole = now_;
    const double middle = s + (end - s) / 2;
    const Point half = at(middle);
    if (depth == 0 || !(half.t > from.t && half.t < to.t)) return true;
    const auto undo = [&] { parts_.resize(parts), now_ = before; };
    undo();
    if (!take(s, middle, from, half, h, at) || !take(middle, end, half, to, h, at)) return false;
    if (are_equal(whole, now_)) return true;
    if (depth == 1) note_coarse(from.t, whole);
    undo();
    return take_accurately(s, middle, from, half, h, at, depth - 1) &&
           take_accurately(middle, end, half, to, h, at, depth - 1);
  }

  /// Refuses directions that leave a corner of the equations on which the motion rests: a value exactly at its limit.
  void refuse_corners(const Point& p) {
    Response response(evaluator_, p);
    for (std::size_t k = 0; k < now_.size() && result_.good; ++k) {
      const Direction& direction = result_.directions[k];
      const Deviation all = complete_variation(
          response, now_[k],
          compute_parameter_term(evaluator_, p, equations::Level::acceleration, direction, now_[k].d));
      if (const std::string row = kinks_.find_corner(p, direction, all, now_[k].d); !row.empty())
        fail(p.t, fmt::format("{} has one-sided derivatives only: the equation of {} has a corner exactly where the "
                              "motion rests, a value at its limit for one; take a value beside it",
                              direction.name, row));
    }
  }

  /// Whether rates change in next to no time: within it a ramp may do all that it does in its first billionth, which no
  /// part of a step sees.
  bool is_fast(const Point& from, const Point& to) const {
    constexpr double much = 1e-6;  // of the largest
    if (to.t - from.t > 1e-9 * (options_.t_end - options_.t_start)) return false;
    const auto differ = [&](const std::vector<double>& a, const std::vector<double>& b) {
      double most = 0, size = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, std::abs(a[i] - b[i])), size = std::max({size, std::abs(a[i]), std::abs(b[i])});
      return most > much * size;
    };
    return differ(from.xd, to.xd) || differ(from.a, to.a);
  }
  /// Refuses directions that move the event before or behind such a change.
  void refuse_fast(double t) {
    for (std::size_t k = 0; k < result_.directions.size() && fast_ > 0 && result_.good; ++k)
      if (events_.has_moved(k))
        fail(t,
             fmt::format("{} moves what is over within {:.3g} s, too fast for derivatives; give it a longer time, or "
                         "none at all",
                         result_.directions[k].name, fast_));
  }

  /// Tells once where parts of parts still differ: in a ramp that is over within the round-off of time, for one.
  void note_coarse(double t, const std::vector<Variation>& whole) {
    if (has_noted_) return;
    constexpr double loose = 1e3;  // tolerances: below it is round-off that the tolerance asks too much of
    if (are_equal(whole, now_, loose)) return;
    has_noted_ = true;
    result_.notes.push_back(
        "near t = " + format_short(t) +
        " s the derivatives change faster than steps can follow: they are less accurate than the run");
  }

  /// Whether two results of a step agree within the tolerance, relative to each entry or to a thousandth of the largest,
  /// all in units of their nominal values.
  bool are_equal(const std::vector<Variation>& a, const std::vector<Variation>& b, double factor = 1) const {
    const equations::System& s = evaluator_.system();
    const double tolerance =
        factor * 10 * options_.rtol;  // of a step; the halves, which are kept, are off by a thirtieth
    for (std::size_t k = 0; k < a.size(); ++k) {
      double largest[2] = {}, worst = 0;  // q and x, v: rates are another kind
      const auto each = [&](auto&& visit) {
        for (int i = 0; i < s.nv(); ++i)
          visit(0, a[k].q[i], b[k].q[i], s.unknown(i).nominal), visit(1, a[k].v[i], b[k].v[i], s.unknown(i).nominal);
        for (int i = 0; i < s.nx(); ++i) visit(0, a[k].x[i], b[k].x[i], s.unknown(s.nv() + s.nl() + i).nominal);
      };
      each([&](int kind, double, double y, double nominal) {
        largest[kind] = std::max(largest[kind], std::abs(y) / nominal);
      });
      each([&](int kind, double x, double y, double nominal) {
        const double size = std::max({std::abs(x), std::abs(y), 1e-3 * largest[kind] * nominal});
        if (size > 0) worst = std::max(worst, std::abs(x - y) / size);
      });
      if (worst > tolerance) return false;
    }
    return true;
  }

  /// The variations over the part of a step from s to `end`, at once.
  bool take(double s, double end, const Point& from, const Point& to, double h, const Interpolate& at) {
    const double* c = solve::radau_method().c;
    if (parts_.size() == steps_.size()) steps_.emplace_back(evaluator_);
    VariationStep& step = steps_[parts_.size()];
    const auto inside = [&](double part) { return at(s + part * (end - s)); };
    if (!step.take((end - s) * h, from, {inside(c[0]), inside(c[1]), to}, result_.directions, now_)) return false;
    for (std::size_t k = 0; k < now_.size(); ++k) now_[k] = step.at(k, 1, to);
    parts_.push_back({from.t, to.t});
    return true;
  }

  Variation variation_at(std::size_t direction, const Point& p) const {
    std::size_t k = 0;
    while (k + 1 < parts_.size() && p.t > parts_[k].end) ++k;
    return steps_[k].at(direction, (p.t - parts_[k].begin) / (parts_[k].end - parts_[k].begin), p);
  }

  /// Positions at rest change with the parameters too; others are held.
  void begin_at_rest(const Point& start) {
    // at rest nothing accelerates, but for what iteration and stiff elements leave
    const bool held = options_.start != "static" &&
                      std::any_of(start.a.begin(), start.a.end(), [](double a) { return std::abs(a) > 1e-6; });
    const std::vector<Deviation> rest = compute_static_deviations(evaluator_, start, result_.directions, held);
    for (std::size_t k = 0; k < result_.directions.size(); ++k) {
      const Direction& direction = result_.directions[k];
      const bool moves = !held && evaluator_.system().nv() > 0;
      now_.push_back({moves ? rest[k].q : direction.q, direction.v, rest[k].x, direction.d});
    }
  }

  void fail(double t, const std::string& why) {
    if (!result_.good) return;
    result_.good = false;
    result_.text = "no derivatives after t = " + format_short(t) + " s: " + why;
  }

  RowTimes row_times_;
  std::vector<double> wanted_;
  Evaluator& evaluator_;
  const solve::Options& options_;
  std::vector<int> chosen_;
  Sensitivity& result_;
  MovingEvents events_;
  Kinks kinks_;
  std::vector<char> sides_, other_sides_;
  struct Part {
    double begin, end;  // s
  };
  std::vector<Part> parts_;           // of the step made last, between kinks
  std::vector<VariationStep> steps_;  // of the parts, and more memory
  Point start_;
  std::vector<Variation> now_;  // at the node reached last, after its event
  double node_ = 0;
  double fast_ = 0;  ///< s: length of the step made last, if rates changed too fast in it
  bool has_noted_ = false;
};

}  // namespace

Sensitivity compute_static_sensitivity(Evaluator& evaluator, const Point& point,
                                       const std::vector<Direction>& directions,
                                       const std::vector<std::string>& signals, bool hold_coordinates,
                                       const math::Matrix& free) {
  Sensitivity result;
  result.directions = directions;
  const std::vector<int> chosen = choose_signals(evaluator.system(), signals, result);
  add_row(evaluator, point, chosen, compute_static_deviations(evaluator, point, directions, hold_coordinates, free),
          std::vector<std::vector<double>>(directions.size()), result);
  return result;
}

Sensitivity simulate_sensitivity(Evaluator& evaluator, const solve::Options& options,
                                 const std::vector<Direction>& directions, const std::vector<std::string>& signals) {
  return simulate_sensitivity(evaluator, options, directions, signals, {});
}

Sensitivity simulate_sensitivity(Evaluator& evaluator, const solve::Options& options,
                                 const std::vector<Direction>& directions, const std::vector<std::string>& signals,
                                 const RowTimes& rows) {
  Sensitivity result;
  result.directions = directions;
  std::vector<int> chosen = choose_signals(evaluator.system(), signals, result);
  Follower follower(evaluator, options, std::move(chosen), result, rows);
  solve::Hooks hooks;
  hooks.keep_rows = false;
  hooks.observer = &follower;
  hooks.progress = [&](const solve::Progress&) { return result.good; };
  const solve::Result run = solve::simulate(evaluator, options, hooks);
  result.notes.insert(result.notes.begin(), run.notes.begin(), run.notes.end());
  if (!result.good) return result;
  result.good = run.status == solve::Status::done;
  result.text = run.text;
  return result;
}

FollowedRun follow_variations(Evaluator& evaluator, const solve::Options& options,
                              const std::vector<Direction>& directions) {
  Sensitivity result;
  result.directions = directions;
  Follower follower(evaluator, options, {}, result);
  solve::Hooks hooks;
  hooks.keep_rows = false;
  hooks.observer = &follower;
  hooks.progress = [&](const solve::Progress&) { return result.good; };
  solve::Result run = solve::simulate(evaluator, options, hooks);
  const bool good = result.good && run.status == solve::Status::done;
  return {good, result.good ? run.text : result.text, follower.start(), std::move(run.end), follower.now()};
}

}  // namespace coenergy::analyze
