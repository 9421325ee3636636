#include "coenergy/symbolic/lowering.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace coenergy::symbolic::lowering {

using Code = Program::Code;

namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
  h ^= word + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
  return h * 0xff51afd7ed558ccdu;
}

std::uint64_t hash_of(const Dag::Node& n, std::span<const Ref> children) {
  std::uint64_t h = mix(static_cast<std::uint64_t>(n.kind) << 8 | static_cast<std::uint64_t>(n.code), n.data);
  for (const Ref r : children) h = mix(h, r);
  return h ^ h >> 29;
}

}  // namespace

Ref Dag::intern(Node node, std::span<const Ref> children) {
  const auto hash = static_cast<std::uint32_t>(hash_of(node, children));
  if (table_.size() < 2 * (nodes_.size() + 1)) grow();
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    const std::uint32_t i = table_[at] - 1;
    if (hash_[i] != hash) continue;
    const Node& other = nodes_[i];
    const bool same_head = other.kind == node.kind && other.code == node.code && other.data == node.data;
    if (same_head && std::ranges::equal(this->children(i), children)) return 2 * i;
  }
  node.first = static_cast<std::uint32_t>(links_.size());
  node.count = static_cast<std::uint32_t>(children.size());
  links_.insert(links_.end(), children.begin(), children.end());
  nodes_.push_back(node);
  hash_.push_back(hash);
  table_[at] = size();
  return 2 * (size() - 1);
}

void Dag::grow() {
  table_.assign(std::max<std::size_t>(64, 4 * nodes_.size()), 0);
  table_.resize(std::bit_ceil(table_.size()), 0);
  const std::size_t mask = table_.size() - 1;
  for (std::uint32_t i = 0; i < size(); ++i) {
    std::size_t at = hash_[i] & mask;
    while (table_[at] != 0) at = (at + 1) & mask;
    table_[at] = i + 1;
  }
}

Ref Dag::input(std::uint32_t i) { return intern({.kind = Kind::input, .code = Code::input, .data = i}, {}); }

Ref Dag::constant(double value) {
  const bool negative = value < 0;
  const double magnitude = negative ? -value : value;
  return with_sign(intern({.kind = Kind::constant, .data = std::bit_cast<std::uint64_t>(magnitude)}, {}), negative);
}

Ref Dag::scale(double c, Ref x) {
  if (c < 0) return negate(scale(-c, x));
  if (c == 1) return x;
  const Node& n = nodes_[node_of(x)];
  if (n.kind == Kind::constant) return with_sign(constant(c * n.value()), is_negative(x));
  return product({constant(c), x});
}

Ref Dag::sum(std::vector<Ref> terms) {
  // equal terms are counted, opposite ones cancel
  std::sort(terms.begin(), terms.end());
  std::size_t size = 0;
  for (std::size_t i = 0; i < terms.size();) {
    const std::uint32_t node = node_of(terms[i]);
    int coefficient = 0;
    for (; i < terms.size() && node_of(terms[i]) == node; ++i) coefficient += is_negative(terms[i]) ? -1 : 1;
    if (coefficient == 0 || (nodes_[node].kind == Kind::constant && nodes_[node].value() == 0)) continue;
    terms[size++] = coefficient == 1 ? 2 * node : coefficient == -1 ? 2 * node + 1 : scale(coefficient, 2 * node);
  }
  terms.resize(size);
  if (terms.empty()) return constant(0);
  if (terms.size() == 1) return terms[0];
  // a sum and its negative are the same node: the first term is positive
  std::sort(terms.begin(), terms.end());
  const bool negative = is_negative(terms[0]);
  if (negative)
    for (Ref& t : terms) t = negate(t);
  return with_sign(intern({.kind = Kind::sum, .code = Code::add}, terms), negative);
}

Ref Dag::product(std::vector<Ref> factors) {
  bool negative = false;
  double number = 1;
  std::size_t size = 0;
  std::vector<Ref> divisors;
  for (const Ref f : factors) {
    negative ^= is_negative(f);
    const Node& n = nodes_[node_of(f)];
    if (n.kind == Kind::constant)
      number *= n.value();
    else if (n.kind == Kind::reciprocal)
      divisors.push_back(children(node_of(f))[0]);
    else
      factors[size++] = 2 * node_of(f);
  }
  factors.resize(size);
  // one division at most
  if (divisors.size() == 1) factors.push_back(reciprocal(divisors[0]));
  if (divisors.size() > 1) factors.push_back(reciprocal(product(divisors)));
  if (number == 0) return constant(0);
  if (number != 1 || factors.empty()) factors.push_back(constant(number));
  if (factors.size() == 1) return with_sign(factors[0], negative);
  std::sort(factors.begin(), factors.end());
  return with_sign(intern({.kind = Kind::product, .code = Code::mul}, factors), negative);
}

Ref Dag::reciprocal(Ref x) {
  if (const Node& n = nodes_[node_of(x)]; n.kind == Kind::constant)
    return with_sign(constant(1 / n.value()), is_negative(x));
  const Ref child = 2 * node_of(x);
  return with_sign(intern({.kind = Kind::reciprocal, .code = Code::div}, {&child, 1}), is_negative(x));
}

Ref Dag::power(Ref x, std::uint32_t exponent) {
  const Ref child = 2 * node_of(x);
  const bool negative = is_negative(x) && exponent % 2 == 1;
  return with_sign(intern({.kind = Kind::power, .code = Code::mul, .data = exponent}, {&child, 1}), negative);
}

Ref Dag::function(Code code, std::span<const Ref> arguments) {
  std::vector<Ref> x(arguments.begin(), arguments.end());
  bool negative = false;
  switch (code) {
    case Code::sin:
    case Code::tan:
    case Code::asin:
    case Code::atan:
    case Code::sinh:
    case Code::tanh:
    case Code::sign:
      negative = is_negative(x[0]);
      [[fallthrough]];
    case Code::cos:
    case Code::cosh:
    case Code::abs:
      x[0] = 2 * node_of(x[0]);
      break;
    case Code::select:
      negative = is_negative(x[1]) && is_negative(x[2]);
      if (negative) x[1] = negate(x[1]), x[2] = negate(x[2]);
      break;
    default:
      break;
  }
  return with_sign(intern({.kind = Kind::function, .code = code}, x), negative);
}

Ref Dag::call(std::uint32_t index, std::span<const Ref> arguments) {
  return intern({.kind = Kind::call, .code = Code::external, .data = index}, arguments);
}

void Dag::set_children(std::uint32_t node, std::span<const Ref> children) {
  assert(children.size() <= nodes_[node].count && children.size() >= 1);
  std::copy(children.begin(), children.end(), links_.begin() + nodes_[node].first);
  nodes_[node].count = static_cast<std::uint32_t>(children.size());
}

void Dag::label(Ref r, std::string_view name) {
  Node& n = nodes_[node_of(r)];
  if (n.label != 0) return;
  labels_.push_back(name);
  n.label = static_cast<std::uint32_t>(labels_.size());
}

void Dag::reserve(std::size_t nodes) {
  nodes_.reserve(nodes);
  hash_.reserve(nodes);
  links_.reserve(3 * nodes);
  table_.assign(std::bit_ceil(4 * nodes + 64), 0);
}

std::vector<std::uint32_t> needed_nodes_unordered(const Dag& dag) {
  std::vector<bool> seen(dag.size(), false);
  std::vector<std::uint32_t> found;
  found.reserve(dag.size());
  const auto visit = [&](Ref r) {
    if (seen[node_of(r)]) return;
    seen[node_of(r)] = true;
    found.push_back(node_of(r));
  };
  for (const Ref output : dag.outputs) visit(output);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const Ref r : dag.children(found[i])) visit(r);
  return found;
}

std::vector<std::uint32_t> needed_nodes(const Dag& dag) {
  enum : std::uint8_t { unseen, open, closed };
  std::vector<std::uint8_t> state(dag.size(), unseen);
  std::vector<std::uint32_t> order;
  order.reserve(dag.size());
  struct Frame {
    std::uint32_t node, next;
  };
  std::vector<Frame> stack;
  for (const Ref output : dag.outputs) {
    if (state[node_of(output)] != unseen) continue;
    stack.push_back({node_of(output), 0});
    while (!stack.empty()) {
      Frame& f = stack.back();
      const std::span<const Ref> children = dag.children(f.node);
      while (f.next < children.size() && state[node_of(children[f.next])] == closed) ++f.next;
      if (f.next == children.size()) {
        state[f.node] = closed;
        order.push_back(f.node);
        stack.pop_back();
        continue;
      }
      state[f.node] = open;
      const std::uint32_t child = node_of(children[f.next++]);
      assert(state[child] != open && "bug: a node depends on itself");
      stack.push_back({child, 0});
    }
  }
  return order;
}

std::vector<std::uint32_t> count_uses(const Dag& dag, std::span<const std::uint32_t> needed) {
  std::vector<std::uint32_t> uses(dag.size(), 0);
  for (const std::uint32_t node : needed)
    for (const Ref r : dag.children(node)) ++uses[node_of(r)];
  for (const Ref r : dag.outputs) ++uses[node_of(r)];
  return uses;
}

double cost(const Dag& dag) {
  constexpr double division = 4;
  const std::vector<std::uint32_t> needed = needed_nodes_unordered(dag), uses = count_uses(dag, needed);
  double total = 0;
  for (const std::uint32_t node : needed) {
    const Dag::Node& n = dag[node];
    if (n.kind == Kind::sum || n.kind == Kind::product) total += n.count - 1;
    if (n.kind == Kind::power) total += std::bit_width(n.data) + std::popcount(n.data) - 2;
    // a divisor of one product replaces a multiplication
    if (n.kind == Kind::reciprocal) total += uses[node] == 1 ? division - 1 : division;
  }
  return total;
}

}  // namespace coenergy::symbolic::lowering
