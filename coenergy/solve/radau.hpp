#pragma once
#include <array>
#include <complex>
#include <vector>

#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/solve/explicit_form.hpp"
#include "coenergy/solve/stepper.hpp"

namespace coenergy::solve {

/// Radau IIA with three stages, order 5, L-stable (Hairer & Wanner, Solving ODEs II, IV.8), on the implicit equations
/// themselves.
///
/// Unknowns of stage i are (a, λ, ẋ, y)ᵢ; with the matrix A = (a_ij) of the method
///
///   vᵢ = v₀ + h Σ a_ij aⱼ,   xᵢ = x₀ + h Σ a_ij ẋⱼ,   θᵢ = h Σ a_ij T⁻¹(θⱼ) vⱼ,   qᵢ = q₀ ∘ exp(θᵢ),   R(stage i) = 0.
///
/// With the eigenvalues μ of A the simplified Newton matrix of the 3n unknowns falls apart into
///
///   S(μ) = ∂R/∂(a, λ, ẋ, y) + hμ ∂R/∂(v, x) + (hμ)² ∂R/∂q
///
/// for one real μ and one complex pair: one real and one complex sparse factorisation. The three parts of S are kept,
/// so a new h needs no new derivatives.
///
/// Constraints are imposed at acceleration level (index 1, where every variable has the full order) and q, v are put
/// back on the constraints after the step. Of constraints that are redundant everywhere the stages leave some out, and
/// hold their multipliers: off the constraints, where the stages are, redundant rows at acceleration level contradict
/// each other a little, and the multipliers that would reconcile them are without bound. Which ones are left out is
/// chosen anew where the choice becomes a poor one. Error estimate: embedded formula of order 3, filtered by S(μ) of
/// the real eigenvalue.
class Radau : public Stepper {
 public:
  Radau(system::Evaluator& evaluator, const Options& options, Statistics& statistics);

  void begin(const system::Point& p) override;
  bool continues(const system::Point& p) override;
  StepOutcome step(const system::Point& from, double h, system::Point& to) override;
  void accept(const system::Point& from, const system::Point& to) override;
  void interpolate(const system::Point& from, const system::Point& to, double s, system::Point& at) override;
  bool interpolates_all() const override { return true; }
  int error_order() const override { return 4; }
  /// Makes the stages regular in spite of redundant constraints.
  void hold_multipliers(const Redundancy& redundancy);

 private:
  static constexpr int stages = 3;

  // Newton's iteration over the stages
  void guess(const system::Point& from, double h);
  bool iterate(const system::Point& from, double h, NewtonReport& report);
  bool iterate_anew(const system::Point& from, double h, NewtonReport& report);
  void place_stages(const system::Point& from, double h);
  void place_motion(const system::Point& from, double h);
  void evaluate_stages();
  void solve_for_correction();
  double residual_size();
  void find_scales();
  double apply_correction(const system::Point& from, double h);
  NewtonReport worst_residual(NewtonReport report);

  // matrices
  bool prepare_matrices(const system::Point& from, double h, NewtonReport& report);
  void evaluate_derivatives(const system::Point& p);
  bool factor(double h, NewtonReport& report);
  void hold(std::vector<int> multipliers);
  bool choose_held(const system::Point& p);
  void damp_multipliers();

  double estimate_error(const system::Point& from, const system::Point& to, double h);

  Options options_;
  Statistics* statistics_;
  ErrorNorm norm_;
  ExplicitForm form_;
  system::Level level_ = system::Level::acceleration;
  double newton_limit_;  // corrections below this many tolerances are converged

  std::array<system::Point, stages> stage_;
  std::array<std::vector<double>, stages> theta_, rate_, residual_;
  std::vector<double> real_part_;
  std::vector<std::complex<double>> complex_part_;

  // extrapolation: stage unknowns of the last accepted step
  std::array<system::Point, stages> last_stage_;
  double last_step_ = 0;     // 0: none
  double longest_step_ = 0;  // of those accepted
  static constexpr double smallest_part = 1e-4;

  // S = s0 + hμ s1 + (hμ)² s2; there is no s2 without coordinates
  std::vector<double> s0_, s1_, s2_, real_values_;
  std::vector<std::complex<double>> complex_values_;
  math::SparseLu<double> real_lu_;
  math::SparseLu<std::complex<double>> complex_lu_;
  bool has_derivatives_ = false, derivatives_are_fresh_ = false;
  // one solution of linear equations is exact, with the matrix of the same modes where these matter
  const bool is_linear_, is_linear_in_all_modes_;
  std::vector<double> modes_;       // when the derivatives were evaluated
  double factored_step_ = 0;        // 0: no factors
  std::vector<double> row_scales_;  // of residuals; empty: not found yet
  double rate_of_last_ = 1;
  system::Point scratch_;

  // redundant constraints
  std::vector<int> held_;     // multipliers that the stages do not solve for
  bool is_damped_ = false;    // instead, where the matrix was singular all the same
  double ratio_of_held_ = 0;  // of the pivots, when the choice was made

  // error estimate
  std::vector<double> error_v_, error_q_, error_x_, filtered_;
};

}  // namespace coenergy::solve
