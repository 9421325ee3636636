#pragma once
#include <array>
#include <vector>

#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/solve/esdirk_method.hpp"
#include "coenergy/solve/explicit_form.hpp"
#include "coenergy/solve/stage_matrices.hpp"
#include "coenergy/solve/stepper.hpp"

namespace coenergy::solve {

/// Diagonally implicit Runge–Kutta method of order 3, L-stable, on the implicit equations themselves: for stiff systems
/// at moderate accuracy, and where events are frequent.
///
/// Unknowns of a stage are (a, λ, ẋ, y); with the coefficients of EsdirkMethod
///
///   vᵢ = v₀ + h Σ a_ij aⱼ,   xᵢ = x₀ + h Σ a_ij ẋⱼ,   θᵢ = h Σ a_ij T⁻¹(θⱼ) vⱼ,   qᵢ = q₀ ∘ exp(θᵢ),   R(stage i) = 0.
///
/// All implicit stages share one real matrix S = ∂R/∂(a, λ, ẋ, y) + hγ ∂R/∂(v, x) + (hγ)² ∂R/∂q. It is kept while
/// Newton's iteration converges well and made anew at the iterate where it does not, so that at the end of a step over
/// a sharp bend (a diode that begins to conduct) it belongs to the end. A linear system with a constant step needs one
/// factorisation and one solve for each stage.
///
/// The first step behind an event takes the tableau whose first stage is implicit too: the slope at the start may
/// belong to a transient that is over after a small part of the step.
///
/// Constraints are imposed at acceleration level and q, v are put back on them after the step. Error estimate: embedded
/// formula of order 2, filtered by S: (1 − hγ ∂ż/∂z) δ = e, which damps what is stiff.
class Esdirk : public Stepper {
 public:
  Esdirk(equations::Evaluator& evaluator, const Options& options, Statistics& statistics);

  void begin(const equations::Point& p) override;
  bool continues(const equations::Point& p) override;
  StepOutcome step(const equations::Point& from, double h, equations::Point& to) override;
  void accept(const equations::Point& from, const equations::Point& to) override;
  void interpolate(const equations::Point& from, const equations::Point& to, double s, equations::Point& at) override;
  bool interpolates_all() const override { return true; }
  bool solve_between(equations::Point& at) override;
  int inner_points() const override { return method_->stages - (method_->explicit_first ? 2 : 1); }
  const equations::Point& inner_point(int i) const override { return stage_[i + (method_->explicit_first ? 1 : 0)]; }
  int error_order() const override { return 3; }
  void visit(StateArchive& archive) override;
  void damp_multipliers();

 private:
  static constexpr int most_stages = EsdirkMethod::most_stages;

  // stages
  void guess_stage(int i, const equations::Point& from, double h);
  void place_base(int i, const equations::Point& from, double h);
  void place_stage(int i, const equations::Point& from, double h);
  bool solve_stage(int i, const equations::Point& from, double h, NewtonReport& report);
  void search_line(int i, const equations::Point& from, double h, double before);
  void shift_stage(int i, const equations::Point& from, double h, double factor);
  double residual_size() const;
  double apply_correction(int i, const equations::Point& from, double h);

  // matrix
  bool prepare_matrix(const equations::Point& p, double h, NewtonReport& report);
  void evaluate_derivatives(const equations::Point& p);
  bool factor(double h, NewtonReport& report);

  double estimate_error(const equations::Point& from, const equations::Point& to, double h);
  void interpolate_unknowns(const equations::Point& from, const std::array<double, 4>& w, double at_start,
                            equations::Point& at) const;

  Options options_;
  Statistics* statistics_;
  ErrorNorm norm_;
  ExplicitForm form_;
  equations::Level level_ = equations::Level::acceleration;
  double newton_limit_;  // remaining error of a stage in units of the tolerance

  const EsdirkMethod* method_;
  bool is_first_ = true;  // of the steps behind an event
  std::array<equations::Point, most_stages> stage_;
  std::array<std::vector<double>, most_stages> theta_, rate_;
  std::vector<double> base_v_, base_x_, base_theta_, residual_;

  // extrapolation: the last accepted step
  std::array<equations::Point, most_stages> last_stage_;
  equations::Point scratch_;
  const EsdirkMethod* last_method_ = nullptr;
  double last_step_ = 0;  // 0: none

  StageMatrices matrices_;
  std::vector<double> values_;
  math::SparseLu<double> lu_;
  bool has_derivatives_ = false;
  // one solution of linear equations is exact, with the matrix of the same modes where these matter
  LinearMatrix linear_;
  double factored_step_ = 0;  // 0: no factors
  std::vector<double> row_scales_;
  double rate_of_newton_ = -1;  // with these factors; below 0: not known
  std::vector<double> error_v_, error_q_, error_x_, filtered_, delta_;
};

}  // namespace coenergy::solve
