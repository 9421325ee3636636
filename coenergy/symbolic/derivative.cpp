#include "coenergy/symbolic/derivative.hpp"

#include <cassert>
#include <string>

#include "coenergy/base/error.hpp"
#include "coenergy/symbolic/differentiation.hpp"

namespace coenergy::symbolic {

using Impl = Graph::Impl;

void check_symbols(std::span<const Expr> symbols) {
  for (const Expr& s : symbols)
    if (s.op() != Op::symbol)
      throw Error("derivative with respect to " + to_string(s) + ": only symbols can be differentiated by");
}

Id forward_step(Impl& g, Id id, const NodeMap& differential, std::string_view suffix) {
  Buffer<Id, 16> children, d;
  g.children(id, children);
  bool any = false;
  for (std::size_t k = 0; k < children.size(); ++k) {
    d.push_back(is_differentiable(g, id, k) ? differential.get(children[k], zero) : zero);
    any = any || d[k] != zero;
  }
  if (!any) return zero;
  if (g.op(id) != Op::let) return total_differential(g, id, {d.data(), d.size()});
  return g.let("d" + std::string(g.name(id)) + std::string(suffix), d[0]);
}

void reverse_sweep(Impl& g, Id output, std::span<const Id> order, NodeMap& adjoint) {
  // contributions to a node wait in a linked list until all its users are done
  struct Contribution {
    Term term;
    Id next;
  };
  std::vector<Contribution> contributions(1);
  NodeMap head(g);
  for (const Id id : order) head.set(id, 0);
  const auto contribute = [&](Id id, Term t) {
    contributions.push_back({t, head.at(id)});
    head.set(id, static_cast<Id>(contributions.size() - 1));
  };
  contribute(output, {one, one});
  Buffer<Id, 16> children;
  for (std::size_t i = order.size(); i-- > 0;) {
    const Id id = order[i];
    Terms terms;
    for (Id c = head.at(id); c != 0; c = contributions[c].next) terms.push_back(contributions[c].term);
    Id a = g.linear(zero, {terms.data(), terms.size()}, terms.size());
    if (a == zero) continue;
    if (g.op(id) == Op::let) a = g.let("adj_" + std::string(g.name(id)), a);
    adjoint.set(id, a);
    g.children(id, children);
    for (std::size_t k = 0; k < children.size(); ++k) {
      if (!head.has(children[k])) continue;
      if (g.op(id) == Op::sum)
        contribute(children[k], {g.arguments(id)[2 * k + 1], a});
      else
        contribute(children[k], {one, chain(g, id, k, a)});
    }
  }
}

std::vector<Expr> directional_derivative(std::span<const Expr> e, std::span<const Expr> symbols,
                                         std::span<const Expr> seeds) {
  assert(symbols.size() == seeds.size());
  check_symbols(symbols);
  Graph* graph = graph_of({e, symbols, seeds});
  if (graph == nullptr) return std::vector<Expr>(e.size(), Expr(0));
  Impl& g = graph->impl();
  const std::vector<Id> outputs = ids_of(g, e), inputs = ids_of(g, symbols), rates = ids_of(g, seeds);
  NodeMap d(g);
  for (std::size_t i = 0; i < inputs.size(); ++i) d.set(inputs[i], rates[i]);
  // with one symbol and unit seed the bindings say by what was differentiated
  const bool single = inputs.size() == 1 && rates[0] == one;
  const std::string suffix = single ? "_d" + std::string(g.name(inputs[0])) : std::string();
  for (const Id id : reachable(g, outputs)) {
    const Id differential = forward_step(g, id, d, suffix);
    if (differential != zero) d.set(id, differential);
  }
  std::vector<Expr> result;
  for (const Id id : outputs) result.push_back(g.expr(d.get(id, zero)));
  return result;
}

Expr derivative(const Expr& e, const Expr& symbol) {
  const Expr seed = 1;
  return directional_derivative({&e, 1}, {&symbol, 1}, {&seed, 1})[0];
}

Expr time_derivative(const Expr& e, std::span<const Expr> symbols, std::span<const Expr> rates) {
  return directional_derivative({&e, 1}, symbols, rates)[0];
}

std::vector<Expr> gradient(const Expr& e, std::span<const Expr> symbols) {
  check_symbols(symbols);
  std::vector<Expr> result(symbols.size(), Expr(0));
  if (e.graph() == nullptr) return result;
  Impl& g = e.graph()->impl();
  // the part of the graph that depends on the symbols
  NodeMap depends(g);
  for (const Expr& s : symbols) depends.set(g.id_of(s), 0);
  const Id output = e.id();
  std::vector<Id> order;
  Buffer<Id, 16> children;
  for (const Id id : reachable(g, {&output, 1})) {
    g.children(id, children);
    for (std::size_t k = 0; k < children.size() && !depends.has(id); ++k)
      if (depends.has(children[k]) && is_differentiable(g, id, k)) depends.set(id, 0);
    if (depends.has(id)) order.push_back(id);
  }
  NodeMap adjoint(g);
  if (depends.has(output)) reverse_sweep(g, output, order, adjoint);
  for (std::size_t i = 0; i < symbols.size(); ++i) result[i] = g.expr(adjoint.get(g.id_of(symbols[i]), zero));
  return result;
}

}  // namespace coenergy::symbolic
