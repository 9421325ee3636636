#pragma once
#include <string>
#include <vector>

#include "coenergy/analyze/measure.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/solve/observer.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::study {

/// One number of a run, by its text:
///
///   wheel.w  or  end(wheel.w)       where the run ends
///   wheel.w at 0.2 s                at a time
///   max min mean rms integral range (wheel.w)
///   time_of_max time_of_min (wheel.w)
///   rise(wheel.w, 3 rad/s)  fall(wheel.w, 3 rad/s)   first time at which it rises or falls through a level
struct RunMeasure {
  enum class Place { end, at, course };
  std::string text, unit;
  int signal = 0;
  Place place = Place::end;
  double time = 0;             ///< of a value at a time
  analyze::Measure what = {};  ///< of the whole course; its column is the signal's among those of the courses
};

/// Reads the texts of measures. Throws Error for what is none of them, for signals and units that do not fit, and for
/// times outside of the run.
std::vector<RunMeasure> read_measures(const std::vector<std::string>& texts, const equations::System& system,
                                      const solve::Options& options);

/// Takes measures while a run goes on. Each step is looked at in quarters, by the interpolant of the method.
class MeasureObserver : public solve::Observer {
 public:
  MeasureObserver(const std::vector<RunMeasure>& measures, equations::Evaluator& evaluator);
  void begin(const equations::Point& p, const solve::EventTrace& trace) override;
  void step(const equations::Point& from, const equations::Point& to, const Interpolate& at) override;
  void event(const equations::Point& before, const equations::Point& after, const std::vector<int>& crossed,
             const solve::EventTrace& trace) override;

  /// Of a run that has ended at a point.
  std::vector<analyze::MeasureResult> results(const equations::Point& end);

 private:
  void read(const equations::Point& p);                             ///< all_ at p
  void pick(const equations::Point& p, std::span<double> columns);  ///< of the courses
  const std::vector<RunMeasure>& measures_;
  equations::Evaluator& evaluator_;
  std::vector<int> columns_;  ///< signals of the courses
  analyze::MeasureTaker taker_;
  std::vector<double> all_, last_, next_;
  std::vector<analyze::MeasureResult> values_;  ///< of those at a time
};

}  // namespace coenergy::study
