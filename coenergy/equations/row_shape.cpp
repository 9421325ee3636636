#include "coenergy/equations/row_shape.hpp"

#include <algorithm>

namespace coenergy::equations {

using symbolic::Op;

namespace {

bool is_simple(Op op) {
  switch (op) {
    case Op::sqrt:
    case Op::abs:
    case Op::sign:
    case Op::min:
    case Op::max:
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not:
    case Op::select:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool RowShape::read(std::uint32_t node) {
  key_.clear(), symbols_.clear(), visited_.clear(), children_.clear();
  return visit(node) >= 0;
}

/// Number of a node within the shape; −1 where there is none.
int RowShape::visit(std::uint32_t node) {
  const Op op = graph_.op(node);
  const auto arguments = graph_.arguments(node);
  if (op == Op::let) return visit(arguments[0]);
  const auto known = std::find(visited_.begin(), visited_.end(), node);
  if (known != visited_.end()) return static_cast<int>(known - visited_.begin());

  // children first: every second word of a sum or product
  const bool is_sum = op == Op::sum, is_product = op == Op::product;
  if (op != Op::number && op != Op::symbol && !is_sum && !is_product && !is_simple(op)) return -1;
  if (arguments.size() > 2 * most_nodes) return -1;
  const std::size_t first = is_sum ? 2 : 0, stride = is_sum || is_product ? 2 : 1;
  const std::size_t begin = children_.size();
  if (op != Op::number)
    for (std::size_t i = first; i < arguments.size(); i += stride) {
      const int child = visit(arguments[i]);
      if (child < 0) return -1;
      children_.push_back(child);
    }
  if (visited_.size() == most_nodes) return -1;

  // the node itself; equal numbers are one node of the graph
  write(static_cast<std::uint32_t>(op));
  write(static_cast<std::uint32_t>(arguments.size()));
  if (op == Op::number) write(node);
  if (op == Op::symbol) symbols_.push_back(node);
  if (is_sum) write(arguments[0]);
  for (std::size_t k = begin, i = first; k < children_.size(); ++k, i += stride) {
    if (is_sum) write(arguments[i - 1]);
    write(static_cast<std::uint32_t>(children_[k]));
    if (is_product) write(arguments[i + 1]);
  }
  children_.resize(begin);
  visited_.push_back(node);
  return static_cast<int>(visited_.size()) - 1;
}

}  // namespace coenergy::equations
