#pragma once
#include <array>
#include <complex>
#include <limits>
#include <vector>

#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/solve/explicit_form.hpp"
#include "coenergy/solve/stage_matrices.hpp"
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
/// the real eigenvalue, of q, v and x, and of y as it follows from them.
///
/// Where constraints become dependent in passing (a four-bar whose bars lie on each other), stages off the constraints
/// go astray. Steps that have become tiny beside a singular position are refused: there every branch is near, and the
/// next one would be left to round-off.
class Radau : public Stepper {
 public:
  Radau(equations::Evaluator& evaluator, const Options& options, Statistics& statistics);

  void begin(const equations::Point& p) override;
  bool continues(const equations::Point& p) override;
  StepOutcome step(const equations::Point& from, double h, equations::Point& to) override;
  void accept(const equations::Point& from, const equations::Point& to) override;
  void interpolate(const equations::Point& from, const equations::Point& to, double s, equations::Point& at) override;
  bool interpolates_all() const override { return true; }
  bool solve_between(equations::Point& at) override;
  int inner_points() const override { return stages - 1; }
  const equations::Point& inner_point(int i) const override { return stage_[i]; }
  int error_order() const override { return 4; }
  void visit(StateArchive& archive) override;
  /// Makes the stages regular in spite of redundant constraints.
  void hold_multipliers(const Redundancy& redundancy);

 private:
  static constexpr int stages = 3;

  // Newton's iteration over the stages
  bool guess(const equations::Point& from, double h);
  bool iterate(const equations::Point& from, double h, NewtonReport& report);
  bool iterate_anew(const equations::Point& from, double h, NewtonReport& report);
  void place_stages(const equations::Point& from, double h);
  void place_motion(const equations::Point& from, double h);
  void evaluate_stages();
  void solve_for_correction();
  void find_weights(const equations::Point& from, double h);
  double residual_size();
  void find_scales();
  double apply_correction(const equations::Point& from, double h);
  NewtonReport worst_residual(NewtonReport report);

  // matrices
  bool prepare_matrices(const equations::Point& at, double h, NewtonReport& report);
  void evaluate_derivatives(const equations::Point& p);
  bool factor(double h, NewtonReport& report);
  void hold(std::vector<int> multipliers);
  bool choose_held(const equations::Point& p);
  void damp_multipliers();

  double estimate_error(const equations::Point& from, const equations::Point& to, double h);
  void filter_error(double g);
  double measure_error(const equations::Point& from, const equations::Point& to);
  // steps over singular positions
  bool is_stuck_at_singularity(const equations::Point& from, double h);

  Options options_;
  Statistics* statistics_;
  ErrorNorm norm_;
  ExplicitForm form_;
  equations::Level level_ = equations::Level::acceleration;
  double round_off_;     // corrections up to this many tolerances may be
  double newton_limit_;  // corrections below this many tolerances are converged

  std::array<equations::Point, stages> stage_;
  std::array<std::vector<double>, stages> theta_, rate_, residual_;
  std::vector<double> weights_, delta_;  // of corrections; of one stage
  std::vector<double> real_part_;
  std::vector<std::complex<double>> complex_part_;

  // extrapolation: stage unknowns of the last accepted step
  std::array<equations::Point, stages> last_stage_;
  std::vector<double> last_start_y_;
  double last_step_ = 0;     // 0: none
  double longest_step_ = 0;  // of those accepted
  static constexpr double smallest_part = 1e-4;

  const equations::SparsePattern* pattern_;  // of all matrices
  StageMatrices matrices_;
  std::vector<double> real_values_;
  std::vector<std::complex<double>> complex_values_;
  math::SparseLu<double> real_lu_;
  math::SparseLu<std::complex<double>> complex_lu_;
  bool has_derivatives_ = false, derivatives_are_fresh_ = false;
  // one solution of linear equations is exact, with the matrix of the same modes where these matter
  LinearMatrix linear_;
  double factored_step_ = 0;        // 0: no factors
  std::vector<double> row_scales_;  // of residuals; empty: not found yet
  double rate_of_last_ = 1;
  double slowest_rate_ = 0;  // of the iterations with derivatives of the start of the step; 0: not measured
  equations::Point scratch_;

  // redundant constraints
  std::size_t redundant_ = 0;  // constraints that follow from the others everywhere
  std::vector<int> held_;      // multipliers that the stages do not solve for
  bool is_damped_ = false;     // instead, where the matrix was singular all the same
  double ratio_of_held_ = 0;   // of the pivots, when the choice was made

  // error estimate
  std::vector<double> error_v_, error_q_, error_x_, filtered_;
  bool has_estimate_ = false, was_rejected_ = false;
};

}  // namespace coenergy::solve
