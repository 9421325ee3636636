#include "coenergy/model/expression.hpp"

#include <algorithm>

#include "coenergy/model/expression_evaluator.hpp"
#include "coenergy/model/expression_syntax.hpp"

namespace coenergy::model {

/// What a text is, wherever it stands.
struct Expression::Parsed {
  Syntax root;
  std::vector<std::string> names;
};

namespace {

void collect_names(const Syntax& node, std::vector<std::string>& names) {
  if (node.kind == Syntax::Kind::name && !find_constant(node.text) &&
      std::find(names.begin(), names.end(), node.text) == names.end())
    names.push_back(node.text);
  for (const auto& a : node.arguments) collect_names(a, names);
}

}  // namespace

Expression Expression::parse(std::string text, Location where, std::string what, Cache* cache) {
  Expression e;
  e.text_ = std::move(text);
  e.where_ = std::move(where);
  e.what_ = std::move(what);
  if (cache != nullptr)
    if (const auto place = cache->find(e.text_); place != cache->end()) {
      e.parsed_ = place->second;
      return e;
    }
  try {
    auto parsed = std::make_shared<Parsed>(Parsed{parse_syntax(e.text_, e.where_), {}});
    collect_names(parsed->root, parsed->names);
    e.parsed_ = std::move(parsed);
  } catch (const Error& error) {
    if (e.what_.empty()) throw;
    throw add_context(error, e.what_);
  }
  if (cache != nullptr) cache->emplace(e.text_, e.parsed_);
  return e;
}

const std::vector<std::string>& Expression::names() const { return parsed_->names; }

Quantity Expression::evaluate(symbolic::Graph& graph, const Scope& scope, const std::vector<std::string>& known,
                              const UserFunctions& functions, const ConstantOf& constant) const {
  return evaluate_syntax(parsed_->root, {text_, where_, what_, graph, scope, known, functions, constant});
}

const std::string& Expression::as_name() const {
  static const std::string none;
  const Syntax& root = parsed_->root;
  return root.kind == Syntax::Kind::name && !root.grouped && !find_constant(root.text) ? root.text : none;
}

}  // namespace coenergy::model
