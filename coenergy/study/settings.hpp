#pragma once
#include <string>
#include <vector>

#include "coenergy/analyze/direction.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"

namespace coenergy::study {

/// Entries of a compiled model that a study sets again and again, without another compilation: `motor.R`, or a parameter
/// of the model and all that follows it.
class Settings {
 public:
  /// Throws Error for paths that are none, that are no numbers, or that are built into the equations.
  Settings(const model::Model& model, const model::Registry& registry, const equations::System& system,
           const std::vector<std::string>& paths);

  std::size_t size() const { return directions_.size(); }
  const std::string& path(std::size_t k) const { return directions_[k].name; }
  const std::string& unit(std::size_t k) const { return directions_[k].unit; }
  double value(std::size_t k) const { return directions_[k].value; }  ///< of the model, SI

  /// Sets all of them. What follows a parameter of the model follows.
  void apply(equations::Evaluator& evaluator, const std::vector<double>& values) const;
  /// Why the values that an evaluator has now are refused by the components, "motor.R = -1 ohm must be > 0"; "" where
  /// they are not.
  std::string find_refusal(const equations::Evaluator& evaluator) const;
  /// How the system changes with each of them, at the values that the evaluator has now.
  std::vector<analyze::Direction> directions(const equations::Evaluator& evaluator) const;

 private:
  /// A parameter of the system that moves with one of them, and what its component allows.
  struct Bound {
    int parameter;
    double minimum, maximum;
    bool open;
  };
  std::vector<analyze::Direction> directions_;
  std::vector<int> parameters_;
  std::vector<Bound> bounds_;
};

}  // namespace coenergy::study
