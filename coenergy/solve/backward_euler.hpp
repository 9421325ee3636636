#pragma once
#include "coenergy/solve/stepper.hpp"

namespace coenergy::solve {

/// Backward Euler on the implicit equations, constraints at position level:
/// v₁ = v₀ + h q̈₁, q₁ = q₀ ∘ exp(h v₁), x₁ = x₀ + h ẋ₁. Order 1, damps everything.
class BackwardEuler : public Stepper {
 public:
  BackwardEuler(system::Evaluator& evaluator, const Options& options, Statistics& statistics);

  void begin(const system::Point&) override { newton_.forget_matrix(); }
  StepOutcome step(const system::Point& from, double h, system::Point& to) override;
  void accept(const system::Point&, const system::Point&) override {}
  int error_order() const override { return 2; }
  Newton& newton() { return newton_; }

 private:
  Newton newton_;
  Rule rule_;
};

}  // namespace coenergy::solve
