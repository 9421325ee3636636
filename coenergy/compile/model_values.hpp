#pragma once
#include <memory>

#include "coenergy/equations/system.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"

namespace coenergy::compile {

/// All numbers and words of a model, read and checked as compile() does it, without any equations: what tells whether a
/// model that differs from a compiled one in values has the same equations.
class ModelValues {
 public:
  /// Expands the model where it has parts. Throws Error with every mistake of the values.
  ModelValues(const model::Model& model, const model::Registry& registry);
  ~ModelValues();

  /// Gives an evaluator of the system that was compiled from `compiled` the values of this model. Returns false, and
  /// changes nothing, where the equations would be others: other components, words, connections or expressions of
  /// signals, or another number where the equations were made by looking at it.
  bool set(equations::Evaluator& evaluator, const ModelValues& compiled) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coenergy::compile
