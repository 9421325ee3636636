#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/symbolic/differentiation.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;
using Mask = std::uint64_t;
constexpr std::size_t block_size = 64;

// Lists of numbers, one behind the other.
struct Lists {
  std::vector<Id> first{0}, items;
  std::span<const Id> operator[](std::size_t i) const { return {items.data() + first[i], items.data() + first[i + 1]}; }
};

// for every item the lists it is in
Lists transpose(const Lists& lists, std::size_t count) {
  Lists result;
  result.first.assign(count + 1, 0);
  for (const Id item : lists.items) ++result.first[item + 1];
  for (std::size_t i = 0; i < count; ++i) result.first[i + 1] += result.first[i];
  result.items.resize(lists.items.size());
  std::vector<Id> next(result.first.begin(), result.first.end() - 1);
  for (std::size_t i = 0; i + 1 < lists.first.size(); ++i)
    for (const Id item : lists[i]) result.items[next[item]++] = static_cast<Id>(i);
  return result;
}

// The graph below the outputs with, for 64 inputs (or outputs) at a time, the set each node depends on (or reaches).
// Only nodes where this set is not empty are visited, so that sparse systems cost what they have, not its square.
class Dependencies {
 public:
  // nodes in ascending order of their positions, with bit k of each for input (or output) from + k
  struct Block {
    std::vector<Id> nodes;
    std::vector<Mask> mask;
  };

  Dependencies(Impl& g, std::span<const Id> outputs, std::span<const Id> inputs)
      : order_(reachable(g, outputs)), mask_(order_.size(), 0), active_(order_.size(), false) {
    NodeMap position(g);
    for (std::size_t i = 0; i < order_.size(); ++i) position.set(order_[i], static_cast<Id>(i));
    // edges along which a derivative can flow, stored once
    Buffer<Id, 16> children;
    for (const Id id : order_) {
      g.children(id, children);
      for (std::size_t k = 0; k < children.size(); ++k)
        if (is_differentiable(g, id, k) && !g.is_number(children[k]))
          children_.items.push_back(position.at(children[k]));
      children_.first.push_back(static_cast<Id>(children_.items.size()));
    }
    parents_ = transpose(children_, order_.size());
    rows_ = places(position, outputs);
    columns_ = places(position, inputs);
    outputs_ = transpose(rows_, order_.size());
    inputs_ = transpose(columns_, order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      active_[i] = !inputs_[i].empty();
      for (const Id child : children_[i]) active_[i] = active_[i] || active_[child];
    }
  }

  // bit k of a node: it depends on input from + k
  Block inputs_of_nodes(std::size_t from) {
    Block block = reach(columns_, from, parents_);
    for (const Id i : block.nodes)
      for (const Id child : children_[i]) mask_[i] |= mask_[child];
    return take(std::move(block));
  }

  // bit k of a node: output from + k depends on it
  Block outputs_of_nodes(std::size_t from) {
    Block block = reach(rows_, from, children_);
    for (auto i = block.nodes.rbegin(); i != block.nodes.rend(); ++i)
      for (const Id child : children_[*i]) mask_[child] |= mask_[*i];
    return take(std::move(block));
  }

  std::size_t size() const { return order_.size(); }
  Id node(Id position) const { return order_[position]; }
  bool is_active(Id position) const { return active_[position]; }  ///< depends on any input
  std::span<const Id> rows_at(Id position) const { return outputs_[position]; }
  std::span<const Id> columns_at(Id position) const { return inputs_[position]; }

 private:
  static Lists places(const NodeMap& position, std::span<const Id> ids) {
    Lists lists;
    for (const Id id : ids) {
      if (position.has(id)) lists.items.push_back(position.at(id));
      lists.first.push_back(static_cast<Id>(lists.items.size()));
    }
    return lists;
  }

  // what is met from the places of one block on; their own bits are set
  Block reach(const Lists& places, std::size_t from, const Lists& next) {
    Block block;
    for (std::size_t k = 0; k < block_size && from + k + 1 < places.first.size(); ++k)
      for (const Id i : places[from + k]) {
        if (mask_[i] == 0) block.nodes.push_back(i);
        mask_[i] |= Mask{1} << k;
      }
    // a node that is met, but no place, is marked until its bits are known
    const std::size_t count = block.nodes.size();
    for (std::size_t n = 0; n < block.nodes.size(); ++n)
      for (const Id i : next[block.nodes[n]])
        if (mask_[i] == 0) mask_[i] = ~Mask{0}, block.nodes.push_back(i);
    for (std::size_t n = count; n < block.nodes.size(); ++n) mask_[block.nodes[n]] = 0;
    std::sort(block.nodes.begin(), block.nodes.end());
    return block;
  }

  Block take(Block block) {
    block.mask.reserve(block.nodes.size());
    for (const Id i : block.nodes) block.mask.push_back(std::exchange(mask_[i], 0));
    return block;
  }

  std::vector<Id> order_;
  Lists children_, parents_;  // by position
  Lists rows_, columns_;      // position of each output and input
  Lists outputs_, inputs_;    // outputs and inputs at each position
  std::vector<Mask> mask_;
  std::vector<bool> active_;
};

// positions of each of the 64 sets, ascending
using BlockLists = std::array<std::vector<Id>, block_size>;
void write_lists(const Dependencies::Block& nodes, BlockLists& lists) {
  for (std::vector<Id>& list : lists) list.clear();
  for (std::size_t i = 0; i < nodes.nodes.size(); ++i)
    for (Mask m = nodes.mask[i]; m != 0; m &= m - 1) lists[std::countr_zero(m)].push_back(nodes.nodes[i]);
}

std::vector<JacobianEntry> forward_jacobian(Impl& g, Dependencies& dependencies, std::span<const Id> inputs) {
  std::vector<JacobianEntry> entries;
  BlockLists lists;
  NodeMap d(g);
  for (std::size_t from = 0; from < inputs.size(); from += block_size) {
    write_lists(dependencies.inputs_of_nodes(from), lists);
    for (std::size_t k = 0; k < block_size && from + k < inputs.size(); ++k) {
      if (lists[k].empty()) continue;
      const std::size_t column = from + k;
      const std::string suffix = "_d" + std::string(g.name(inputs[column]));
      d.clear();
      d.set(inputs[column], one);
      for (const Id i : lists[k]) {
        const Id id = dependencies.node(i);
        const Id differential = forward_step(g, id, d, suffix);
        if (differential != zero) d.set(id, differential);
      }
      for (const Id i : lists[k])
        if (const Id value = d.get(dependencies.node(i), zero); value != zero)
          for (const Id row : dependencies.rows_at(i))
            entries.push_back({static_cast<int>(row), static_cast<int>(column), g.expr(value)});
    }
  }
  return entries;
}

std::vector<JacobianEntry> reverse_jacobian(Impl& g, Dependencies& dependencies, std::span<const Id> outputs) {
  std::vector<JacobianEntry> entries;
  std::vector<Id> order;
  BlockLists lists;
  NodeMap adjoint(g);
  for (std::size_t from = 0; from < outputs.size(); from += block_size) {
    write_lists(dependencies.outputs_of_nodes(from), lists);
    for (std::size_t k = 0; k < block_size && from + k < outputs.size(); ++k) {
      std::erase_if(lists[k], [&](Id i) { return !dependencies.is_active(i); });
      if (lists[k].empty()) continue;
      order.clear();
      for (const Id i : lists[k]) order.push_back(dependencies.node(i));
      adjoint.clear();
      reverse_sweep(g, outputs[from + k], order, adjoint);
      for (const Id i : lists[k]) {
        if (dependencies.columns_at(i).empty()) continue;
        if (const Id value = adjoint.get(dependencies.node(i), zero); value != zero)
          for (const Id column : dependencies.columns_at(i))
            entries.push_back({static_cast<int>(from + k), static_cast<int>(column), g.expr(value)});
      }
    }
  }
  return entries;
}

// node visits of both ways
struct Visits {
  std::size_t forward = 0, reverse = 0;
};
Visits count_visits(Dependencies& dependencies, std::size_t outputs, std::size_t inputs) {
  std::size_t forward = 0, reverse = 0;
  for (std::size_t from = 0; from < inputs; from += block_size)
    for (const Mask m : dependencies.inputs_of_nodes(from).mask) forward += static_cast<std::size_t>(std::popcount(m));
  for (std::size_t from = 0; from < outputs; from += block_size) {
    const Dependencies::Block nodes = dependencies.outputs_of_nodes(from);
    for (std::size_t i = 0; i < nodes.nodes.size(); ++i)
      if (dependencies.is_active(nodes.nodes[i])) reverse += static_cast<std::size_t>(std::popcount(nodes.mask[i]));
  }
  return {forward, reverse};
}

// every entry that can be different from zero
std::vector<JacobianEntry> find_places(Dependencies& dependencies, std::size_t inputs) {
  std::vector<JacobianEntry> entries;
  for (std::size_t from = 0; from < inputs; from += block_size) {
    const Dependencies::Block nodes = dependencies.inputs_of_nodes(from);
    for (std::size_t i = 0; i < nodes.nodes.size(); ++i)
      for (const Id row : dependencies.rows_at(nodes.nodes[i]))
        for (Mask m = nodes.mask[i]; m != 0; m &= m - 1)
          entries.push_back({static_cast<int>(row), static_cast<int>(from) + std::countr_zero(m), Expr(0)});
  }
  return entries;
}

}  // namespace

LimitedJacobian jacobian(std::span<const Expr> e, std::span<const Expr> symbols, const JacobianLimit& limit) {
  check_symbols(symbols);
  Graph* graph = graph_of({e, symbols});
  if (graph == nullptr || e.empty() || symbols.empty()) return {};
  Impl& g = graph->impl();
  const std::vector<Id> outputs = ids_of(g, e), inputs = ids_of(g, symbols);
  LimitedJacobian result;
  {
    Dependencies dependencies(g, outputs, inputs);
    const Visits visits = count_visits(dependencies, outputs.size(), inputs.size());
    const auto fewest = static_cast<double>(std::min(visits.forward, visits.reverse));
    result.has_values = fewest <= static_cast<double>(limit.visits) ||
                        fewest <= limit.visits_per_node * static_cast<double>(dependencies.size());
    result.entries = !result.has_values                 ? find_places(dependencies, inputs.size())
                     : visits.forward <= visits.reverse ? forward_jacobian(g, dependencies, inputs)
                                                        : reverse_jacobian(g, dependencies, outputs);
  }
  std::sort(result.entries.begin(), result.entries.end(), [](const JacobianEntry& a, const JacobianEntry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  return result;
}

std::vector<JacobianEntry> jacobian(std::span<const Expr> e, std::span<const Expr> symbols) {
  return jacobian(e, symbols, {.visits = std::numeric_limits<std::size_t>::max()}).entries;
}

std::vector<Expr> dense_jacobian(std::span<const Expr> e, std::span<const Expr> symbols) {
  std::vector<Expr> dense(e.size() * symbols.size(), Expr(0));
  for (const JacobianEntry& entry : jacobian(e, symbols))
    dense[static_cast<std::size_t>(entry.row) * symbols.size() + static_cast<std::size_t>(entry.column)] = entry.value;
  return dense;
}

std::vector<Expr> hessian(const Expr& e, std::span<const Expr> symbols) {
  const std::size_t n = symbols.size();
  const std::vector<Expr> slope = gradient(e, symbols);
  std::vector<Expr> dense(n * n, Expr(0));
  // both triangles from the lower one, so that the result is symmetric node by node
  for (const JacobianEntry& entry : jacobian(slope, symbols)) {
    const auto i = static_cast<std::size_t>(entry.row), j = static_cast<std::size_t>(entry.column);
    if (j <= i) dense[i * n + j] = dense[j * n + i] = entry.value;
  }
  return dense;
}

}  // namespace coenergy::symbolic
