#pragma once
#include <memory>
#include <vector>

#include "coenergy/solve/explicit_form.hpp"
#include "coenergy/solve/stepper.hpp"
#include "coenergy/solve/tableau.hpp"

namespace coenergy::solve {

/// Explicit Runge–Kutta on the explicit form. Positions are advanced in the tangent space of the step's start
/// (Munthe-Kaas): θ̇ = T⁻¹(θ) v, q = q₀ ∘ exp(θ), so that rotations stay rotations.
class RungeKutta : public Stepper {
 public:
  RungeKutta(equations::Evaluator& evaluator, const Options& options, Statistics& statistics, const Tableau& tableau);

  void begin(const equations::Point& p) override { form_.begin(p), is_tried_ = false; }
  StepOutcome step(const equations::Point& from, double h, equations::Point& to) override;
  void accept(const equations::Point&, const equations::Point& to) override { form_.accept(to), is_tried_ = false; }
  void interpolate(const equations::Point& from, const equations::Point& to, double s, equations::Point& at) override;
  /// Where the slope of the continuous extension is far from that of the motion, as beyond the region of stability of the
  /// method (where a small error at the end of a step is an accident), the point is reached by steps of its own.
  bool solve_between(equations::Point& at) override;
  int error_order() const override { return tableau_->error_order; }
  void visit(StateArchive& archive) override;
  ExplicitForm& form() { return form_; }

 private:
  /// Derivatives of one stage.
  struct Slope {
    std::vector<double> theta, v, x;
    void visit(StateArchive& archive) { archive(theta, v, x); }
  };
  void set_slope(Slope& slope, const equations::Point& p);
  /// p's q, v, x = those of `from` + h Σ weight·slope.
  void combine(const equations::Point& from, double h, const double* weights, int count, equations::Point& p);
  bool add_extra_stages(const equations::Point& from, double h);
  /// In units of the tolerance. A second embedded method guards the first, whose error may vanish by chance:
  /// e₅²/√(e₅² + (e₃/10)²), of order 8 where e₅ is of order 6 and e₃ of order 4.
  double estimate_error(const equations::Point& from, const equations::Point& to, double h);
  double measure_defect(const equations::Point& at);
  bool follow(equations::Point& at);
  double embedded_error(const std::vector<double>& b, const equations::Point& from, const equations::Point& to,
                        double h);

  const Tableau* tableau_;
  Options options_;
  Statistics* statistics_;
  ExplicitForm form_;
  ErrorNorm norm_;
  bool estimates_error_;
  std::vector<Slope> slopes_;  // of the stages and of those of the continuous extension
  std::vector<double> weights_, theta_;
  bool is_tried_ = false;  // a step has been made from here that was not accepted
  int has_extra_ = 0;      // of these, how many are known of the last step
  equations::Point stage_;
  equations::Point between_;           // start of the step that was interpolated last …
  double between_step_ = 0;            // … and its size
  std::unique_ptr<RungeKutta> inner_;  // for steps of its own inside one
};

/// The notes' "Trapez": z₁ = z₀ + h(3/2 ż₀ − 1/2 ż₋₁), two-step Adams–Bashforth, order 2; with variable steps
/// z₁ = z₀ + h ż₀ + h²/(2 h₋₁) (ż₀ − ż₋₁). The first step after a start is forward Euler.
class AdamsBashforth2 : public Stepper {
 public:
  AdamsBashforth2(equations::Evaluator& evaluator, const Options& options, Statistics& statistics);

  void begin(const equations::Point&) override;
  StepOutcome step(const equations::Point& from, double h, equations::Point& to) override;
  void accept(const equations::Point& from, const equations::Point& to) override;
  void interpolate(const equations::Point& from, const equations::Point& to, double s, equations::Point& at) override;
  int error_order() const override { return 3; }
  void visit(StateArchive& archive) override { archive(form_, last_v_, last_a_, last_xd_, last_step_); }
  ExplicitForm& form() { return form_; }

 private:
  ExplicitForm form_;
  std::vector<double> last_v_, last_a_, last_xd_, theta_;
  double last_step_ = 0;  // 0: none
};

}  // namespace coenergy::solve
