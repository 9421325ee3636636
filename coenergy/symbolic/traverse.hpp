#pragma once
#include <span>
#include <vector>

#include "coenergy/symbolic/graph_impl.hpp"

namespace coenergy::symbolic {

/// A map from nodes to words (usually nodes), empty at first. Its memory is lent by the graph and cleared in constant
/// time, so a traversal costs what it visits, not the size of the graph. Nodes made after an entry are no trouble.
class NodeMap {
 public:
  explicit NodeMap(Graph::Impl& g);
  ~NodeMap();
  NodeMap(const NodeMap&) = delete;
  NodeMap& operator=(const NodeMap&) = delete;

  bool has(Id id) const { return id < s_->mark.size() && s_->mark[id] == s_->epoch; }
  Id at(Id id) const { return s_->value[id]; }
  Id get(Id id, Id otherwise) const { return has(id) ? at(id) : otherwise; }
  void set(Id id, Id value) {
    if (id >= s_->mark.size()) grow(id);
    s_->mark[id] = s_->epoch;
    s_->value[id] = value;
  }
  void clear();

 private:
  void grow(Id id);
  Graph::Impl& g_;
  std::unique_ptr<Scratch> s_;
};

/// All nodes reachable from the roots (through let), ascending, hence in topological order. The children of nodes in
/// `stop` are not visited.
std::vector<Id> reachable(Graph::Impl& g, std::span<const Id> roots, const NodeMap* stop = nullptr);

/// Gives every node of a topological order its image, if it has none yet: `make(id, children, is_same)` of the images of
/// its children, which are its children where is_same. A node that is its own image gets no entry.
template <class Make>
void map_nodes(Graph::Impl& g, std::span<const Id> order, NodeMap& image, Make&& make) {
  Buffer<Id, 16> children, mapped;
  for (const Id id : order) {
    if (image.has(id)) continue;
    g.children(id, children);
    mapped.clear();
    bool is_same = true;
    for (const Id c : children) {
      mapped.push_back(image.get(c, c));
      is_same = is_same && mapped[mapped.size() - 1] == c;
    }
    if (const Id made = make(id, std::span<const Id>(mapped.data(), mapped.size()), is_same); made != id)
      image.set(id, made);
  }
}

/// The graph shared by expressions, or nullptr if all are plain numbers; and their nodes in it.
Graph* graph_of(std::initializer_list<std::span<const Expr>> lists);
std::vector<Id> ids_of(Graph::Impl& g, std::span<const Expr> e);
std::vector<Expr> exprs_of(Graph::Impl& g, std::span<const Id> ids);

}  // namespace coenergy::symbolic
