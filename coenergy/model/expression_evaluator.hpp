#pragma once
#include <optional>
#include <string>
#include <vector>

#include "coenergy/model/expression.hpp"
#include "coenergy/model/expression_syntax.hpp"
#include "coenergy/model/quantity.hpp"
#include "coenergy/model/user_function.hpp"

namespace coenergy::model {

/// The value of a name that needs no scope: pi, true, false.
std::optional<double> find_constant(const std::string& name);

/// What an expression is evaluated with.
struct EvaluationContext {
  const std::string& text;
  const Location& where;
  const std::string& what;  ///< the entry it is the value of, for messages
  symbolic::Graph& graph;
  const Scope& scope;
  const std::vector<std::string>& known;
  const UserFunctions& functions;
  const ConstantOf& constant;
};

/// The value and dimension of a parsed expression; throws located errors.
Quantity evaluate_syntax(const Syntax& root, const EvaluationContext& context);

}  // namespace coenergy::model
