#pragma once
#include <optional>
#include <vector>

#include "coenergy/control/linear_system.hpp"

namespace coenergy::control {

/// How much a loop 1 + L may change before it is on the border of stability.
struct Margins {
  struct Crossing {
    double omega = 0;   ///< rad/s
    double margin = 0;  ///< a gain factor, or an angle in rad
  };
  std::vector<Crossing> gain;   ///< where L is real and negative: the factor −1/L
  std::vector<Crossing> phase;  ///< where |L| = 1: π + arg L, −π … π
  bool stable = false;          ///< the closed loop
  double modulus = 0;           ///< 1/max|1/(1 + L)|: the least distance from −1
  double disk = 0;  ///< α = 1/max|½ (1 − L)/(1 + L)|: gains (2 − α)/(2 + α) … its inverse, phases ±2 atan(α/2)

  std::optional<Crossing> smallest_gain() const;   ///< nearest to one
  std::optional<Crossing> smallest_phase() const;  ///< nearest to zero
  /// The shortest delay that brings it to the border: φ/ω.
  std::optional<double> delay() const;
};
Margins find_margins(const LinearSystem& loop);

/// What a step does: the answer of a stable system with one input and one output.
struct StepMeasures {
  double final_value = 0, rise_time = 0, settling_time = 0, overshoot = 0, peak = 0, peak_time = 0, undershoot = 0;
};
/// Rise from 10 to 90 %, settled within `band` of the final value; times are located to round-off.
StepMeasures measure_step(const LinearSystem& system, double band = 0.02);

/// When the step answer first reaches these parts of its final value, s.
struct LevelTimes {
  double final_value = 0;
  std::vector<double> times;  ///< −1: never
};
LevelTimes find_level_times(const LinearSystem& system, const std::vector<double>& parts);

/// The poles of the loop with the gain k in it, branch by branch: row i of the result belongs to gains[i].
std::vector<std::vector<Complex>> find_root_locus(const LinearSystem& loop, const std::vector<double>& gains);

}  // namespace coenergy::control
