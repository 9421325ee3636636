#pragma once
#include <complex>
#include <utility>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/sparse_lu.hpp"

namespace coenergy::analyze {

/// Small sinusoidal deviations about a point at rest: z(t) = z₀ + Re(Z e^{jωt}).
///
///   (R_q + jω R_v − ω² R_a) Q + R_λ Λ + (R_x + jω R_ẋ) X + R_y Y = −Σ R_p P
///
/// with the phasors P of parameters, and jω P of their rates where the equations hold them. The matrix stays sparse, so
/// that large circuits cost little more than a real solve per frequency. Delays z_k = u_k(t − T_k) stand as u_k + p_k in
/// it, which p_k = (e^{−jωT_k} − 1) u_k closes (see DelayedModel).
class Phasors {
 public:
  using Complex = std::complex<double>;
  using Inputs = std::vector<std::pair<int, Complex>>;

  /// `signals` are indices of System::signals().
  Phasors(equations::Evaluator& evaluator, const equations::Point& point, const std::vector<int>& signals);
  /// Phasors of the signals at an angular frequency (rad/s) for those of some parameters (by index). Throws
  /// coenergy::Error where there is no steady state.
  std::vector<Complex> solve(double omega, const Inputs& inputs) { return solve_each(omega, {inputs})[0]; }
  /// The same for several inputs, each alone: they share the factors of the matrix.
  std::vector<std::vector<Complex>> solve_each(double omega, const std::vector<Inputs>& inputs);

 private:
  std::vector<Complex> solve_one(double omega, const Inputs& inputs);
  void close_delays(double omega, std::vector<std::vector<Complex>>& answers);
  equations::Evaluator& evaluator_;
  equations::Point point_;
  const equations::System& s_;
  // at position level, by (q, λ, x, y), by (v, ẋ) and by a
  std::vector<double> by_value_, by_rate_, by_acceleration_;
  std::vector<equations::Evaluator::Gradient> gradients_;
  math::SparseLu<Complex> lu_;
  std::vector<double> delays_;  ///< s; the signals that are delayed come last in gradients_
};

}  // namespace coenergy::analyze
