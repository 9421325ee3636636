#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/study/formulas.hpp"
#include "coenergy/study/minimum.hpp"

namespace coenergy::study {

/// The best values of design variables, as a section of the model file asks for them:
///
///   optimize:
///     variables: {motor.R: {min: 0.5 ohm, max: 3 ohm}, x: 2}    entries and parameters of the model, or names of their own
///     measures: {peak: max(motor.i), final: wheel.w}            numbers of a run, see RunMeasure
///     minimize: peak^2 + x                                      or maximize
///     constraints: [final >= 300 rad/s, x + peak <= 9]          or {names: texts}; = is an equation
///
/// Formulas use variables, measures and parameters of the model. Derivatives are exact: of formulas by symbols, of measures
/// by the variational equations of the run. Without measures nothing is run.
class BestDesign {
 public:
  struct Request {
    std::function<equations::System(const model::Model&)> compile;
    std::function<solve::Options(const model::Model&)> options;
  };
  /// Throws Error with every mistake of the section.
  BestDesign(const model::Model& model, const model::Registry& registry, const Request& request);
  ~BestDesign();

  const std::vector<Variable>& variables() const;  ///< those that are sought
  bool maximizes() const;
  struct Constraint {
    std::string name, text, sign;
    std::string unit;  ///< of left − right
  };
  const std::vector<Constraint>& constraints() const;
  std::string objective_unit() const;

  Minimisation problem();
  /// Values of the measures at a design.
  std::vector<std::pair<std::string, double>> measures(std::span<const double> x);
  /// Why the last point that had no value had none.
  const std::string& last_failure() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coenergy::study
