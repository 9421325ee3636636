#include "coenergy/compile/guarded_roots.hpp"

#include <span>
#include <vector>

#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::compile {

using symbolic::Expr;
using symbolic::Graph;
using symbolic::Op;

namespace {

std::vector<Expr> arguments_of(Graph& graph, const Expr& node) {
  std::vector<Expr> result;
  for (const auto id : graph.arguments(node.id())) result.push_back(graph.at(id));
  return result;
}

/// Whether u is `above` times a positive number.
bool is_multiple(const Expr& u, const Expr& above) {
  const Expr ratio = u / above;
  return ratio.is_number() && ratio.number() > 0;
}

/// The branch with the roots that are real where `above` ≥ 0.
Expr keep_roots(Graph& graph, const Expr& branch, const Expr& above) {
  if (branch.is_number()) return branch;
  std::vector<Expr> from, to;
  for (const Expr& root : symbolic::find_nodes(std::span(&branch, 1), Op::sqrt))
    if (const Expr u = arguments_of(graph, root)[0]; is_multiple(u, above))
      from.push_back(root), to.push_back(symbolic::sqrt(symbolic::max(u, 0)));
  return from.empty() ? branch : symbolic::substitute(branch, from, to);
}

/// The same of one conditional, or the conditional itself.
Expr keep_roots_of(Graph& graph, const Expr& node) {
  const std::vector<Expr> parts = arguments_of(graph, node);
  const Expr& condition = parts[0];
  if (condition.is_number() || (condition.op() != Op::less && condition.op() != Op::less_equal)) return node;
  const std::vector<Expr> sides = arguments_of(graph, condition);
  const Expr above = sides[1] - sides[0];
  if (above.is_number()) return node;
  return symbolic::select(condition, keep_roots(graph, parts[1], above), keep_roots(graph, parts[2], -above));
}

}  // namespace

Expr keep_guarded_roots(Graph& graph, Expr e) {
  if (e.is_number() || symbolic::find_nodes(std::span(&e, 1), Op::sqrt).empty()) return e;
  // one conditional at a time: others that hold it are new ones then
  for (bool again = true; again && !e.is_number();) {
    again = false;
    for (const Expr& node : symbolic::find_nodes(std::span(&e, 1), Op::select)) {
      const Expr kept = keep_roots_of(graph, node);
      if (same(kept, node)) continue;
      e = symbolic::substitute(e, std::span(&node, 1), std::span(&kept, 1));
      again = true;
      break;
    }
  }
  return e;
}

}  // namespace coenergy::compile
