#include "coenergy/symbolic/traverse.hpp"

#include <algorithm>
#include <cassert>

namespace coenergy::symbolic {

NodeMap::NodeMap(Graph::Impl& g) : g_(g) {
  if (g.scratch.empty()) {
    s_ = std::make_unique<Scratch>();
  } else {
    s_ = std::move(g.scratch.back());
    g.scratch.pop_back();
  }
  clear();
}

NodeMap::~NodeMap() { g_.scratch.push_back(std::move(s_)); }

void NodeMap::clear() {
  // on wrap-around old marks could look new
  if (++s_->epoch == 0) {
    std::fill(s_->mark.begin(), s_->mark.end(), 0);
    s_->epoch = 1;
  }
}

void NodeMap::grow(Id id) {
  const std::size_t size = std::max<std::size_t>({g_.size(), id + std::size_t{1}, s_->mark.size() * 3 / 2});
  s_->mark.resize(size, 0);
  s_->value.resize(size);
}

std::vector<Id> reachable(Graph::Impl& g, std::span<const Id> roots, const NodeMap* stop) {
  NodeMap seen(g);
  std::vector<Id> found, stack;
  const auto visit = [&](Id id) {
    if (seen.has(id)) return;
    seen.set(id, 0);
    found.push_back(id);
    stack.push_back(id);
  };
  Buffer<Id, 16> children;
  for (const Id root : roots) {
    visit(root);
    while (!stack.empty()) {
      const Id id = stack.back();
      stack.pop_back();
      if (stop != nullptr && stop->has(id)) continue;
      g.children(id, children);
      for (const Id c : children) visit(c);
    }
  }
  if (found.empty()) return found;
  // a dense set is listed faster by scanning than by sorting
  const auto [low, high] = std::minmax_element(found.begin(), found.end());
  const Id first = *low, last = *high;
  if ((last - first) / 16 > found.size()) {
    std::sort(found.begin(), found.end());
    return found;
  }
  found.clear();
  for (Id id = first; id <= last; ++id)
    if (seen.has(id)) found.push_back(id);
  return found;
}

Graph* graph_of(std::initializer_list<std::span<const Expr>> lists) {
  Graph* g = nullptr;
  for (const auto list : lists)
    for (const Expr& e : list) {
      assert((g == nullptr || e.graph() == nullptr || g == e.graph()) && "bug: expressions of two graphs are mixed");
      if (e.graph() != nullptr) g = e.graph();
    }
  return g;
}

std::vector<Id> ids_of(Graph::Impl& g, std::span<const Expr> e) {
  std::vector<Id> ids;
  ids.reserve(e.size());
  for (const Expr& x : e) ids.push_back(g.id_of(x));
  return ids;
}

std::vector<Expr> exprs_of(Graph::Impl& g, std::span<const Id> ids) {
  std::vector<Expr> result;
  result.reserve(ids.size());
  for (const Id id : ids) result.push_back(g.expr(id));
  return result;
}

}  // namespace coenergy::symbolic
