#pragma once
#include <functional>
#include <string>
#include <vector>

#include "coenergy/analyze/direction.hpp"
#include "coenergy/analyze/variation.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/math/matrix.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/solve/result.hpp"

namespace coenergy::analyze {

/// Signals over time with their derivatives to parameters.
struct Sensitivity {
  std::vector<std::string> signals, signal_units;
  std::vector<Direction> directions;
  std::vector<double> times;
  std::vector<double> values;       ///< row-major: times × signals
  std::vector<double> derivatives;  ///< row-major: times × signals × directions

  bool good = true;
  std::string text;                ///< how it ended
  std::vector<std::string> notes;  ///< of the run
  double value(std::size_t row, std::size_t signal) const { return values[row * signals.size() + signal]; }
  double derivative(std::size_t row, std::size_t signal, std::size_t direction) const {
    return derivatives[(row * signals.size() + signal) * directions.size() + direction];
  }
};

/// Derivatives of an operating point (or equilibrium): R(t, q, 0, 0, λ, x, 0, y, d; p) = 0 gives
///
///   R_q δq + R_λ δλ + R_x δx + R_y δy = −R_p.
///
/// Coordinates move too unless `hold_coordinates`; those that turn at a constant speed change it (`free`, see
/// SteadyMotion). States that nothing determines (charges of floating nodes,
/// integrals) keep their values. Throws coenergy::Error for names that are no signals; none given means all.
Sensitivity compute_static_sensitivity(equations::Evaluator& evaluator, const equations::Point& point,
                                       const std::vector<Direction>& directions,
                                       const std::vector<std::string>& signals, bool hold_coordinates = false,
                                       const math::Matrix& free = {});

/// Derivatives along a run, by the variational equations (see VariationStep), integrated with the steps of the run: those
/// of its start (see compute_start_variations), carried over every event by MovingEvents, whose instants move with the
/// parameters: located crossings, impacts, drives that jump, samples and known switching times.
///
/// Refused where the derivative does not exist: two events at one instant that move apart, an indicator that only touches
/// zero, a sample that would leave the start of the run. Rows are those of the run; a run that starts at rest
/// ("steady") starts with the derivatives of its operating point.
Sensitivity simulate_sensitivity(equations::Evaluator& evaluator, const solve::Options& options,
                                 const std::vector<Direction>& directions, const std::vector<std::string>& signals);

/// Adds the times in from < t ≤ to, increasing, at which rows are wanted; from is −infinity for the start of the run.
using RowTimes = std::function<void(double from, double to, std::vector<double>& times)>;
/// The same with rows at times that are asked for step by step, instead of those of the run: inside steps by the
/// interpolant of the method, at the time of an event before it.
Sensitivity simulate_sensitivity(equations::Evaluator& evaluator, const solve::Options& options,
                                 const std::vector<Direction>& directions, const std::vector<std::string>& signals,
                                 const RowTimes& rows);

/// The variations of all directions where a run ends, and the run itself.
struct FollowedRun {
  bool good = false;
  std::string text;  ///< how it ended
  equations::Point start, end;
  std::vector<Variation> variations;
};
/// The same without rows. Directions may change start values alone: then they are given along the tangent, nv numbers of
/// q, and satisfy the constraints.
FollowedRun follow_variations(equations::Evaluator& evaluator, const solve::Options& options,
                              const std::vector<Direction>& directions);

}  // namespace coenergy::analyze
