#include "coenergy/study/measure_slopes.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/analyze/sensitivity.hpp"
#include "coenergy/base/argument.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::study {

namespace {

using Kind = analyze::Measure::Kind;
using Place = RunMeasure::Place;

/// What one row of derivatives gives to one measure: a factor times the derivative of its signal.
struct Share {
  std::size_t measure;
  double factor;
  bool times_value = false;  ///< of a square: times the signal itself
};

class Slopes {
 public:
  Slopes(equations::Evaluator& evaluator, solve::Options options, const std::vector<analyze::Direction>& directions,
         const std::vector<RunMeasure>& measures)
      : evaluator_(evaluator), options_(std::move(options)), directions_(directions), measures_(measures) {
    options_.signals.clear(), options_.record_events = false;
    options_.output_step = options_.t_end - options_.t_start;
  }

  MeasureSlopes run() {
    MeasureSlopes result;
    MeasureObserver observer(measures_, evaluator_);
    solve::Hooks hooks;
    hooks.keep_rows = false, hooks.observer = &observer;
    const solve::Result course = solve::simulate(evaluator_, options_, hooks);
    if (course.status != solve::Status::done) {
      result.text = course.text;
      return result;
    }
    found_ = observer.results(course.end);
    for (std::size_t k = 0; k < measures_.size(); ++k) {
      if (!found_[k].value) {
        result.text = measures_[k].text + ": " + found_[k].failure;
        return result;
      }
      result.values.push_back(*found_[k].value);
    }
    find_instants();
    std::vector<std::string> names;
    for (const RunMeasure& m : measures_)
      names.push_back(evaluator_.system().signals()[static_cast<std::size_t>(m.signal)].name);
    const analyze::Sensitivity s = analyze::simulate_sensitivity(
        evaluator_, options_, directions_, names,
        [&](double from, double to, std::vector<double>& times) { ask(from, to, times); });
    if (!s.good) {
      result.text = s.text;
      return result;
    }
    add_up(s, result);
    result.good = true;
    return result;
  }

 private:
  bool sums(std::size_t k) const {
    const Kind kind = measures_[k].what.kind;
    return measures_[k].place == Place::course && (kind == Kind::integral || kind == Kind::mean || kind == Kind::rms);
  }

  void find_instants() {
    const double length = options_.t_end - options_.t_start;
    for (std::size_t k = 0; k < measures_.size(); ++k) {
      const RunMeasure& m = measures_[k];
      if (m.place == Place::end) instants_.push_back({options_.t_end, {k, 1}});
      if (m.place == Place::at) instants_.push_back({m.time, {k, 1}});
      if (m.place != Place::course || sums(k)) continue;
      switch (m.what.kind) {
        case Kind::max:
        case Kind::min:
          instants_.push_back({*found_[k].target, {k, 1}});
          break;
        case Kind::when: {
          // the slope of the course itself by neighbouring values, which rows give too
          const double t = *found_[k].target, d = 1e-6 * length;
          instants_.push_back({t, {k, 1}});
          neighbours_.push_back({k, std::max(t - d, options_.t_start), std::min(t + d, options_.t_end), 0, 0});
          break;
        }
        default:
          throw Error(argument("measure") + " \"" + m.text +
                      "\" has no derivative; measure a value or a crossing instead");
      }
    }
    for (const Neighbours& n : neighbours_)
      for (const double t : {n.before, n.behind}) instants_.push_back({t, {n.measure, 0}});
    std::stable_sort(instants_.begin(), instants_.end(),
                     [](const Instant& a, const Instant& b) { return a.time < b.time; });
  }

  /// Rows at the instants of this step, and at the nodes of Gauss's rule in its quarters.
  void ask(double from, double to, std::vector<double>& times) {
    std::vector<std::pair<double, Share>> wanted;
    // the last step may end short of the end by round-off
    const bool is_last = to >= options_.t_end;
    for (; next_ < instants_.size() && (instants_[next_].time <= to || is_last); ++next_)
      wanted.emplace_back(std::min(instants_[next_].time, to), instants_[next_].share);
    const double h = to - from, outer = std::sqrt(0.6);
    constexpr int parts = 4;
    for (std::size_t k = 0; k < measures_.size() && std::isfinite(from); ++k)
      for (int part = 0; part < parts && sums(k); ++part)
        for (const auto& [u, weight] :
             {std::pair(-outer, 5.0 / 18), std::pair(0.0, 8.0 / 18), std::pair(outer, 5.0 / 18)}) {
          const double s = (part + 0.5 + u / 2) / parts;
          wanted.emplace_back(from + s * h, Share{k, weight * h / parts, measures_[k].what.kind == Kind::rms});
        }
    std::stable_sort(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [time, share] : wanted) times.push_back(time), shares_.push_back(share);
  }

  void add_up(const analyze::Sensitivity& s, MeasureSlopes& result) {
    const std::size_t n = directions_.size();
    result.slopes = math::Matrix(static_cast<int>(measures_.size()), static_cast<int>(n));
    for (std::size_t row = 0; row < s.times.size() && row < shares_.size(); ++row) {
      const auto [k, factor, times_value] = shares_[row];
      const double y = s.value(row, k);
      for (Neighbours& other : neighbours_)
        if (other.measure == k && factor == 0) (s.times[row] <= other.before ? other.low : other.high) = y;
      for (std::size_t j = 0; j < n; ++j)
        result.slopes(static_cast<int>(k), static_cast<int>(j)) +=
            factor * (times_value ? y : 1) * s.derivative(row, k, j);
    }
    const double length = options_.t_end - options_.t_start;
    for (std::size_t k = 0; k < measures_.size(); ++k) {
      if (!sums(k) || measures_[k].what.kind == Kind::integral) continue;
      // mean: 1/T; rms: d√(∫y²/T) = ∫ y δy / (T rms)
      const double size = measures_[k].what.kind == Kind::mean ? length : length * result.values[k];
      for (std::size_t j = 0; j < n; ++j)
        result.slopes(static_cast<int>(k), static_cast<int>(j)) /= size > 0 ? size : 1;
    }
    for (const Neighbours& other : neighbours_) {
      const double rate = (other.high - other.low) / (other.behind - other.before);
      for (std::size_t j = 0; j < n; ++j) result.slopes(static_cast<int>(other.measure), static_cast<int>(j)) /= -rate;
    }
  }

  struct Instant {
    double time;
    Share share;
  };
  struct Neighbours {
    std::size_t measure;
    double before, behind, low, high;
  };
  equations::Evaluator& evaluator_;
  solve::Options options_;
  const std::vector<analyze::Direction>& directions_;
  const std::vector<RunMeasure>& measures_;
  std::vector<analyze::MeasureResult> found_;
  std::vector<Instant> instants_;
  std::vector<Neighbours> neighbours_;
  std::vector<Share> shares_;  ///< of each row
  std::size_t next_ = 0;
};

}  // namespace

MeasureSlopes differentiate_measures(equations::Evaluator& evaluator, const solve::Options& options,
                                     const std::vector<analyze::Direction>& directions,
                                     const std::vector<RunMeasure>& measures) {
  return Slopes(evaluator, options, directions, measures).run();
}

}  // namespace coenergy::study
