#include "coenergy/symbolic/cost.hpp"

#include <bit>

#include "coenergy/symbolic/traverse.hpp"

namespace coenergy::symbolic {

namespace {

constexpr std::size_t division = 4, function_call = 12, selection = 1;

std::size_t cost_of_sum(std::span<const std::uint32_t> a) {
  std::size_t cost = (a.size() - 1) / 2 - 1 + (a[0] != zero ? 1 : 0);
  bool positive = a[0] != zero;
  for (std::size_t i = 1; i < a.size(); i += 2) {
    if (a[i] != one && a[i] != minus_one) ++cost;
    positive = positive || a[i] != minus_one;
  }
  // without any term to subtract from, a negation is needed
  return cost + (positive ? 0 : 1);
}

std::size_t cost_of_product(std::span<const std::uint32_t> a) {
  std::size_t cost = 0, above = 0, below = 0;
  for (std::size_t i = 1; i < a.size(); i += 2) {
    const auto n = static_cast<std::int32_t>(a[i]);
    const auto power = static_cast<unsigned>(std::abs(n));
    // squarings and multiplications of binary powering
    cost += static_cast<std::size_t>(std::bit_width(power) - 1 + std::popcount(power) - 1);
    ++(n > 0 ? above : below);
  }
  return cost + (above > 1 ? above - 1 : 0) + (below > 0 ? below - 1 + division : 0);
}

}  // namespace

std::size_t compute_cost(Graph::Impl& g, Id root, std::size_t limit) {
  NodeMap seen(g);
  std::vector<Id> stack{root};
  seen.set(root, 0);
  Buffer<Id, 16> children;
  std::size_t cost = 0;
  while (!stack.empty() && cost <= limit) {
    const Id id = stack.back();
    stack.pop_back();
    switch (g.op(id)) {
      case Op::number:
      case Op::symbol:
      case Op::let:
        break;
      case Op::sum:
        cost += cost_of_sum(g.arguments(id));
        break;
      case Op::product:
        cost += cost_of_product(g.arguments(id));
        break;
      case Op::abs:
      case Op::sign:
      case Op::floor:
      case Op::min:
      case Op::max:
      case Op::less:
      case Op::less_equal:
      case Op::equal:
      case Op::logical_and:
      case Op::logical_or:
      case Op::logical_not:
      case Op::select:
        cost += selection;
        break;
      default:
        cost += function_call;
    }
    g.children(id, children);
    for (const Id c : children)
      if (!seen.has(c)) seen.set(c, 0), stack.push_back(c);
  }
  return cost;
}

}  // namespace coenergy::symbolic
