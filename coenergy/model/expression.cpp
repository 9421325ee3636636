#include "coenergy/model/expression.hpp"

#include <algorithm>

#include "coenergy/model/expression_evaluator.hpp"
#include "coenergy/model/expression_syntax.hpp"

namespace coenergy::model {
namespace {

void collect_names(const Syntax& node, std::vector<std::string>& names) {
  if (node.kind == Syntax::Kind::name && !find_constant(node.text) &&
      std::find(names.begin(), names.end(), node.text) == names.end())
    names.push_back(node.text);
  for (const auto& a : node.arguments) collect_names(a, names);
}

}  // namespace

Expression Expression::parse(std::string text, Location where, std::string what) {
  Expression e;
  e.text_ = std::move(text);
  e.where_ = std::move(where);
  e.what_ = std::move(what);
  try {
    e.root_ = std::make_shared<const Syntax>(parse_syntax(e.text_, e.where_));
  } catch (const Error& error) {
    if (e.what_.empty()) throw;
    throw add_context(error, e.what_);
  }
  collect_names(*e.root_, e.names_);
  return e;
}

Quantity Expression::evaluate(symbolic::Graph& graph, const Scope& scope, const std::vector<std::string>& known,
                              const UserFunctions& functions) const {
  return evaluate_syntax(*root_, {text_, where_, what_, graph, scope, known, functions});
}

const std::string& Expression::as_name() const {
  static const std::string none;
  return root_->kind == Syntax::Kind::name && !root_->grouped && !find_constant(root_->text) ? root_->text : none;
}

}  // namespace coenergy::model
