#include <algorithm>
#include <bit>
#include <string>

#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/symbolic/differentiation.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;
using Mask = std::uint64_t;
constexpr std::size_t block = 64;

// The graph below the outputs with, for 64 inputs (or outputs) at a time, the set each node depends on (or reaches).
class Dependencies {
 public:
  Dependencies(Impl& g, std::span<const Id> outputs, std::span<const Id> inputs)
      : g_(g), outputs_(outputs), inputs_(inputs), order_(reachable(g, outputs)), position_(g) {
    for (std::size_t i = 0; i < order_.size(); ++i) position_.set(order_[i], static_cast<Id>(i));
    // edges along which a derivative can flow, stored once
    Buffer<Id, 16> children;
    first_.push_back(0);
    for (const Id id : order_) {
      g.children(id, children);
      for (std::size_t k = 0; k < children.size(); ++k)
        if (is_differentiable(g, id, k) && !g.is_number(children[k])) edges_.push_back(position_.at(children[k]));
      first_.push_back(static_cast<Id>(edges_.size()));
    }
  }

  // bit k of a node: it depends on input from + k
  std::vector<Mask> inputs_of_nodes(std::size_t from) const {
    std::vector<Mask> mask(order_.size(), 0);
    for (std::size_t k = 0; k < block && from + k < inputs_.size(); ++k)
      if (position_.has(inputs_[from + k])) mask[position_.at(inputs_[from + k])] |= Mask{1} << k;
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (Id e = first_[i]; e < first_[i + 1]; ++e) mask[i] |= mask[edges_[e]];
    return mask;
  }

  // bit k of a node: output from + k depends on it
  std::vector<Mask> outputs_of_nodes(std::size_t from) const {
    std::vector<Mask> mask(order_.size(), 0);
    for (std::size_t k = 0; k < block && from + k < outputs_.size(); ++k)
      mask[position_.at(outputs_[from + k])] |= Mask{1} << k;
    for (std::size_t i = order_.size(); i-- > 0;)
      for (Id e = first_[i]; e < first_[i + 1]; ++e) mask[edges_[e]] |= mask[i];
    return mask;
  }

  // nodes that depend on any input
  std::vector<bool> active() const {
    std::vector<bool> result(order_.size(), false);
    for (const Id s : inputs_)
      if (position_.has(s)) result[position_.at(s)] = true;
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (Id e = first_[i]; e < first_[i + 1] && !result[i]; ++e) result[i] = result[edges_[e]];
    return result;
  }

  const std::vector<Id>& order() const { return order_; }

 private:
  Impl& g_;
  std::span<const Id> outputs_, inputs_;
  std::vector<Id> order_;
  NodeMap position_;
  std::vector<Id> first_, edges_;
};

// nodes of each of the 64 sets, ascending
std::vector<std::vector<Id>> lists_of(const std::vector<Id>& order, const std::vector<Mask>& mask) {
  std::vector<std::vector<Id>> lists(block);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (Mask m = mask[i]; m != 0; m &= m - 1) lists[std::countr_zero(m)].push_back(order[i]);
  return lists;
}

std::vector<JacobianEntry> forward_jacobian(Impl& g, const Dependencies& dependencies, std::span<const Id> outputs,
                                            std::span<const Id> inputs) {
  std::vector<JacobianEntry> entries;
  NodeMap d(g);
  for (std::size_t from = 0; from < inputs.size(); from += block) {
    const auto lists = lists_of(dependencies.order(), dependencies.inputs_of_nodes(from));
    for (std::size_t k = 0; k < block && from + k < inputs.size(); ++k) {
      if (lists[k].empty()) continue;
      const std::size_t column = from + k;
      const std::string suffix = "_d" + std::string(g.name(inputs[column]));
      d.clear();
      d.set(inputs[column], one);
      for (const Id id : lists[k]) {
        const Id differential = forward_step(g, id, d, suffix);
        if (differential != zero) d.set(id, differential);
      }
      for (std::size_t row = 0; row < outputs.size(); ++row)
        if (const Id value = d.get(outputs[row], zero); value != zero)
          entries.push_back({static_cast<int>(row), static_cast<int>(column), g.expr(value)});
    }
  }
  return entries;
}

std::vector<JacobianEntry> reverse_jacobian(Impl& g, const Dependencies& dependencies, std::span<const Id> outputs,
                                            std::span<const Id> inputs) {
  std::vector<JacobianEntry> entries;
  const std::vector<bool> active = dependencies.active();
  NodeMap adjoint(g);
  for (std::size_t from = 0; from < outputs.size(); from += block) {
    std::vector<Mask> mask = dependencies.outputs_of_nodes(from);
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (!active[i]) mask[i] = 0;
    const auto lists = lists_of(dependencies.order(), mask);
    for (std::size_t k = 0; k < block && from + k < outputs.size(); ++k) {
      if (lists[k].empty()) continue;
      adjoint.clear();
      reverse_sweep(g, outputs[from + k], lists[k], adjoint);
      for (std::size_t column = 0; column < inputs.size(); ++column)
        if (const Id value = adjoint.get(inputs[column], zero); value != zero)
          entries.push_back({static_cast<int>(from + k), static_cast<int>(column), g.expr(value)});
    }
  }
  return entries;
}

// node visits of both ways
bool forward_is_cheaper(const Dependencies& dependencies, std::size_t outputs, std::size_t inputs) {
  std::size_t forward = 0, reverse = 0;
  for (std::size_t from = 0; from < inputs; from += block)
    for (const Mask m : dependencies.inputs_of_nodes(from)) forward += static_cast<std::size_t>(std::popcount(m));
  const std::vector<bool> active = dependencies.active();
  for (std::size_t from = 0; from < outputs; from += block) {
    const std::vector<Mask> mask = dependencies.outputs_of_nodes(from);
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (active[i]) reverse += static_cast<std::size_t>(std::popcount(mask[i]));
  }
  return forward <= reverse;
}

}  // namespace

std::vector<JacobianEntry> jacobian(std::span<const Expr> e, std::span<const Expr> symbols) {
  check_symbols(symbols);
  Graph* graph = graph_of({e, symbols});
  if (graph == nullptr || e.empty() || symbols.empty()) return {};
  Impl& g = graph->impl();
  const std::vector<Id> outputs = ids_of(g, e), inputs = ids_of(g, symbols);
  std::vector<JacobianEntry> entries;
  {
    const Dependencies dependencies(g, outputs, inputs);
    entries = forward_is_cheaper(dependencies, outputs.size(), inputs.size())
                  ? forward_jacobian(g, dependencies, outputs, inputs)
                  : reverse_jacobian(g, dependencies, outputs, inputs);
  }
  std::sort(entries.begin(), entries.end(), [](const JacobianEntry& a, const JacobianEntry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  return entries;
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
