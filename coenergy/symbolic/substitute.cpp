#include <algorithm>
#include <cassert>

#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/traverse.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;

// rebuilds every node of `order` over the images of its children; entries already in the map are kept
void rebuild_all(Impl& g, std::span<const Id> order, NodeMap& image) {
  map_nodes(g, order, image,
            [&](Id id, std::span<const Id> children, bool is_same) { return is_same ? id : g.rebuild(id, children); });
}

}  // namespace

std::vector<Expr> substitute(std::span<const Expr> e, std::span<const Expr> from, std::span<const Expr> to) {
  assert(from.size() == to.size());
  Graph* graph = graph_of({e, from, to});
  if (graph == nullptr) return {e.begin(), e.end()};
  Impl& g = graph->impl();
  const std::vector<Id> roots = ids_of(g, e), old = ids_of(g, from), replacement = ids_of(g, to);
  NodeMap image(g);
  for (std::size_t i = 0; i < old.size(); ++i) image.set(old[i], replacement[i]);
  rebuild_all(g, reachable(g, roots, &image), image);
  std::vector<Expr> result;
  for (const Id id : roots) result.push_back(g.expr(image.get(id, id)));
  return result;
}

Expr substitute(const Expr& e, std::span<const Expr> from, std::span<const Expr> to) {
  return substitute(std::span(&e, 1), from, to)[0];
}

std::vector<Expr> find_nodes(std::span<const Expr> e, Op op) {
  Graph* graph = graph_of({e});
  std::vector<Expr> result;
  if (graph == nullptr) return result;
  Impl& g = graph->impl();
  for (const Id id : reachable(g, ids_of(g, e)))
    if (g.op(id) == op) result.push_back(g.expr(id));
  return result;
}

std::vector<Expr> free_symbols(std::span<const Expr> e) { return find_nodes(e, Op::symbol); }

bool depends_on(const Expr& e, const Expr& symbol) {
  if (e.graph() == nullptr || symbol.graph() == nullptr) return false;
  assert(e.graph() == symbol.graph() && "bug: expressions of two graphs are mixed");
  const Id root = e.id();
  const std::vector<Id> nodes = reachable(e.graph()->impl(), {&root, 1});
  return std::binary_search(nodes.begin(), nodes.end(), symbol.id());
}

Expr unbind(const Expr& e) {
  if (e.graph() == nullptr) return e;
  Impl& g = e.graph()->impl();
  const Id root = e.id();
  NodeMap image(g);
  map_nodes(g, reachable(g, {&root, 1}), image, [&](Id id, std::span<const Id> children, bool is_same) {
    return g.op(id) == Op::let ? children[0] : is_same ? id : g.rebuild(id, children);
  });
  return g.expr(image.get(root, root));
}

}  // namespace coenergy::symbolic
