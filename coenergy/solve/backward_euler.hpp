#pragma once
#include "coenergy/solve/explicit_form.hpp"
#include "coenergy/solve/stepper.hpp"

namespace coenergy::solve {

/// Backward Euler on the implicit equations, constraints at position level:
/// v₁ = v₀ + h q̈₁, q₁ = q₀ ∘ exp(h v₁), x₁ = x₀ + h ẋ₁. Order 1, damps everything.
class BackwardEuler : public Stepper {
 public:
  BackwardEuler(equations::Evaluator& evaluator, const Options& options, Statistics& statistics);

  void begin(const equations::Point&) override { newton_.forget_matrix(), form_.forget_matrix(); }
  StepOutcome step(const equations::Point& from, double h, equations::Point& to) override;
  void accept(const equations::Point&, const equations::Point&) override {}
  int error_order() const override { return 2; }
  void visit(StateArchive& archive) override { archive(newton_, form_); }
  void damp_multipliers(const std::vector<int>& spare) {
    newton_.damp_multipliers(spare), form_.damp_multipliers(spare);
  }

 private:
  Newton newton_;
  ExplicitForm form_;
  double usual_step_;
  Rule rule_;
};

}  // namespace coenergy::solve
