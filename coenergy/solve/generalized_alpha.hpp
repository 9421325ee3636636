#pragma once
#include <string>
#include <vector>

#include "coenergy/solve/explicit_form.hpp"
#include "coenergy/solve/stepper.hpp"

namespace coenergy::solve {

/// Parameters of the generalised-α family: γ = ½ + α_f − α_m, β = ¼(γ + ½)² make it second order and stable. Others can be
/// chosen: γ larger by δ damps at order 1 (damped Newmark).
struct AlphaParameters {
  double alpha_m = 0, alpha_f = 0, beta = 0.25, gamma = 0.5;

  static AlphaParameters from_alphas(double alpha_m, double alpha_f);
  static AlphaParameters chung_hulbert(double rho_inf);  ///< best for second-order systems
  static AlphaParameters jansen(double rho_inf);         ///< best for first-order states
  static AlphaParameters from_options(const Options& options);
  /// Spectral radius at infinite frequency of a second-order system and of a first-order state.
  double rho_mechanical() const;
  double rho_state() const;
  /// What the user should know: order 1, or steps beyond which it is unstable. Unconditionally stable for α_m ≤ α_f ≤ ½,
  /// γ ≥ ½ + α_f − α_m and β ≥ ¼ + ½(α_f − α_m) of what is linear (J. Chung, G. M. Hulbert 1993), β ≥ ½γ for all (T. J. R.
  /// Hughes 1987).
  std::vector<std::string> warnings() const;
};

/// Generalised-α in the auxiliary-acceleration form: with the true acceleration q̈ and an algorithmic one a,
///
///   (1−α_m) a₁ + α_m a₀ = (1−α_f) q̈₁ + α_f q̈₀
///   q₁ = q₀ ∘ exp(h v₀ + h²(½−β) a₀ + h²β a₁),   v₁ = v₀ + h(1−γ) a₀ + hγ a₁
///
/// and the equations of motion hold exactly at t₁. States likewise:
///   (1−α_m) w₁ + α_m w₀ = (1−α_f) ẋ₁ + α_f ẋ₀,   x₁ = x₀ + h(1−γ) w₀ + hγ w₁
/// Second order for q, v, x, λ and y also where the mass matrix varies (M. Arnold, O. Brüls: Convergence of the
/// generalized-α scheme for constrained mechanical systems, 2007). When the step changes, a₀ − q̈₀, which is
/// proportional to h, is rescaled.
///
/// Error estimate: with κ = α_f − α_m the definition of a gives a = q̈ − κh q⃛ − κ(α_m − ½)h² q⁗ + …, so the first
/// neglected term of q is h³ q⃛ (1/6 − β + κ/2), of v it is h³ q⁗ (1/6 − γ/2 + γκ + κ(α_m − ½)), and of x as of v.
class GeneralizedAlpha : public Stepper {
 public:
  GeneralizedAlpha(equations::Evaluator& evaluator, const Options& options, Statistics& statistics);

  void begin(const equations::Point& p) override;
  StepOutcome step(const equations::Point& from, double h, equations::Point& to) override;
  void accept(const equations::Point& from, const equations::Point& to) override;
  int error_order() const override { return 3; }
  void visit(StateArchive& archive) override {
    archive(newton_, form_, consistent_, has_consistent_, a_, w_, a0_, w0_, last_step_);
  }
  void damp_multipliers(const std::vector<int>& spare);

 private:
  /// Memory of one kind of variable: algorithmic values and how they changed in the last step.
  struct Memory {
    std::vector<double> now, next, last_slope;
    void begin(const std::vector<double>& values);
    void visit(StateArchive& archive) { archive(now, next, last_slope); }
  };
  /// The point to start a step of size h from: `from` itself, or made consistent because the step changed.
  const equations::Point& start_of_step(const equations::Point& from, double h);
  void set_rule(const equations::Point& from, double h);
  double estimate_error(const equations::Point& from, const equations::Point& to, double h);

  AlphaParameters parameters_;
  Newton newton_;
  ExplicitForm form_;
  ErrorNorm norm_;
  double usual_step_;  // fixed
  bool is_adaptive_, is_constrained_;
  Rule rule_;
  equations::Point consistent_;  // the start of the step with projected velocities …
  bool has_consistent_ = false;  // … once it was needed
  Memory a_, w_;
  std::vector<double> a0_, w0_;  // algorithmic values at the start of the step, for its size
  double last_step_ = 0;         // 0: no step since begin()
};

}  // namespace coenergy::solve
