#pragma once
#include <complex>
#include <string>
#include <vector>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"

namespace coenergy::analyze {

/// Linear model of a system with samples, about a point: between the ticks of its clocks
///
///   ż = A z + B_d d + B u + E u̇,   w = C z + D_d d + D u + F u̇,   ḋ = 0
///
/// with the held values d, and at each tick d⁺ = L_z z + L_d d + L_u u, by all samples of that instant in the order of
/// the signal flow. Ticks repeat after the common period T of all clocks.
struct SampledModel {
  Linearization linear;  ///< of z, with d held
  std::vector<std::string> held, held_units;
  math::Matrix by_held;       ///< B_d
  math::Matrix outputs_held;  ///< D_d
  struct Tick {
    double time;                    ///< from the start of the common period, 0 < time ≤ T
    math::Matrix by_z, by_d, by_u;  ///< L, rows of all d
  };
  std::vector<Tick> ticks;
  double period = 0;  ///< T, s
  double start = 0;   ///< s: an instant at which a common period begins, just behind its ticks
  std::vector<std::string> notes;
};

/// Whether a clock sets anything that is continuous: then linearize() alone cuts the sampled parts off.
bool has_samples(const equations::System& system);

/// Throws coenergy::Error where the clocks have no common period of at most 10,000 ticks.
/// `linear` is the linear model at the point with the inputs and outputs that are wanted.
SampledModel linearize_sampled(equations::Evaluator& evaluator, const equations::Point& point, Linearization linear);

/// The part of the model that its outputs depend on: a controller whose output was cut off has no part in them, and may
/// integrate without end.
SampledModel keep_observable(SampledModel model);

/// The exact model from one common period to the next, just behind its ticks, with inputs held over it:
/// x_{k+1} = A x_k + B u_k, w_k = C x_k + D u_k, x = (z, d).
StateSpace discretize(const SampledModel& model);

/// A pole z of the discrete model and the s = ln(z)/T that decays and turns alike, the one of lowest frequency.
struct SampledMode {
  std::complex<double> z, s;                ///< s: 1/s; not finite where z = 0
  double frequency = 0, damping = 0;        ///< |s|/2π in Hz, −Re s/|s|
  std::vector<std::complex<double>> shape;  ///< of the states of the discrete model, the largest is 1
};
/// Poles with Im z ≥ 0, the largest |z| first.
std::vector<SampledMode> compute_sampled_modes(const SampledModel& model);

/// Steady response to u = e^{jωt} of one input each: all variables are e^{jωt} times what has the period T,
///
///   w(t) = Σ_m H_m e^{j(ω + mω_s)t},   ω_s = 2π/T.
///
/// H_0 is the frequency response of the sampled loop with its holds, between its samples too, exactly; H_m are what it
/// answers at other frequencies (aliases). Row-major, outputs × inputs.
std::vector<std::complex<double>> compute_sampled_response(const SampledModel& model, double omega, int m = 0);

}  // namespace coenergy::analyze
