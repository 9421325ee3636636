#pragma once
#include <string>
#include <vector>

#include "coenergy/analyze/direction.hpp"
#include "coenergy/equations/system.hpp"
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
/// Coordinates move too unless `hold_coordinates`. States that nothing determines (charges of floating nodes,
/// integrals) keep their values. Throws coenergy::Error for names that are no signals; none given means all.
Sensitivity compute_static_sensitivity(equations::Evaluator& evaluator, const equations::Point& point,
                                       const std::vector<Direction>& directions,
                                       const std::vector<std::string>& signals, bool hold_coordinates = false);

/// Derivatives along a run, by the variational equations (see variation.hpp), integrated with the steps of the run.
///
/// At an event g(t, z, p) = 0 the instant itself moves: t' = −(g_p + g_z δz)/(dg/dt). States are continuous, their
/// rates are not, so that δx⁺ = δx⁻ + (ẋ⁻ − ẋ⁺) t'. Discrete variables follow from their updates by the chain rule.
/// Sampling instants do not move. Refused where the derivative does not exist: two events at one instant that move
/// apart, an indicator that only touches zero. Models with constraints between coordinates or with rotations of free
/// bodies are refused by coenergy::Error. Rows are those of the run; a run that starts at rest ("steady") starts with
/// the derivatives of its operating point.
Sensitivity simulate_sensitivity(equations::Evaluator& evaluator, const solve::Options& options,
                                 const std::vector<Direction>& directions, const std::vector<std::string>& signals);

}  // namespace coenergy::analyze
