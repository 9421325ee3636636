#include "coenergy/generate/constants.hpp"

#include <unordered_map>

#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::generate {

using symbolic::Expr;
using symbolic::Graph;
using symbolic::Op;

namespace {

/// Finds the largest sub-expressions of parameters alone.
class Search {
 public:
  Search(Graph& graph, std::span<const Expr> parameters) : graph_(graph) {
    for (const Expr& p : parameters) kind_[p.id()] = Kind::constant;
  }

  void visit(std::uint32_t root) {
    if (classify(root) == Kind::constant) add(root);
  }
  std::vector<Expr> found;

 private:
  enum class Kind { number, constant, variable };

  std::vector<std::uint32_t> children(std::uint32_t id) const {
    const auto arguments = graph_.arguments(id);
    std::vector<std::uint32_t> result;
    const Op op = graph_.op(id);
    if (op == Op::sum)
      for (std::size_t i = 2; i < arguments.size(); i += 2) result.push_back(arguments[i]);
    else if (op == Op::product)
      for (std::size_t i = 0; i < arguments.size(); i += 2) result.push_back(arguments[i]);
    else
      result.assign(arguments.begin(), arguments.end());
    return result;
  }

  /// Kind of a node; constants below a variable node are collected. Depth first with a stack of its own, since trees
  /// are deep.
  Kind classify(std::uint32_t root) {
    std::vector<std::uint32_t> stack{root};
    while (!stack.empty()) {
      const std::uint32_t id = stack.back();
      if (kind_.contains(id)) {
        stack.pop_back();
        continue;
      }
      const Op op = graph_.op(id);
      if (op == Op::number || op == Op::symbol) {
        kind_[id] = op == Op::number ? Kind::number : Kind::variable;
        continue;
      }
      bool ready = true;
      const std::vector<std::uint32_t> below = children(id);
      for (const std::uint32_t c : below)
        if (!kind_.contains(c)) stack.push_back(c), ready = false;
      if (!ready) continue;
      Kind kind = Kind::number;
      for (const std::uint32_t c : below) kind = std::max(kind, kind_[c]);
      kind_[id] = kind;
      if (kind == Kind::variable)
        for (const std::uint32_t c : below)
          if (kind_[c] == Kind::constant) add(c);
    }
    return kind_[root];
  }

  void add(std::uint32_t id) {
    if (graph_.op(id) == Op::symbol || !taken_.emplace(id, true).second) return;
    found.push_back(graph_.at(id));
  }

  Graph& graph_;
  std::unordered_map<std::uint32_t, Kind> kind_;
  std::unordered_map<std::uint32_t, bool> taken_;
};

}  // namespace

Split split_constants(Graph& graph, std::span<const Expr> values, std::span<const Expr> parameters) {
  Search search(graph, parameters);
  for (const Expr& e : values)
    if (!e.is_number()) search.visit(e.id());
  Split split;
  for (const Expr& e : search.found) {
    const bool is_bound = e.op() == Op::let;
    const std::string name =
        is_bound ? std::string(graph.name(e.id())) : "k" + std::to_string(split.constants.size() + 1);
    split.symbols.push_back(graph.symbol("constant " + name));
    split.constants.push_back({name, e});
  }
  split.values = symbolic::substitute(values, search.found, split.symbols);
  // parameters that stand by themselves are passed on
  const std::vector<Expr> free = symbolic::free_symbols(split.values);
  for (const Expr& p : parameters)
    for (const Expr& f : free)
      if (same(p, f)) {
        split.symbols.push_back(p);
        split.constants.push_back({std::string(graph.name(p.id())), p});
      }
  return split;
}

}  // namespace coenergy::generate
