#include <algorithm>
#include <map>

#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/traverse.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;

constexpr std::size_t unlimited = 1u << 30;

// factors of a term with negative exponents
template <class F>
void for_each_divisor(const Impl& g, Id term, F f) {
  if (g.op(term) != Op::product) return;
  const auto a = g.arguments(term);
  for (std::size_t i = 0; i < a.size(); i += 2)
    if (const auto n = static_cast<std::int32_t>(a[i + 1]); n < 0) f(a[i], -n);
}

// Σ cᵢ tᵢ over the least common multiple of the divisors of the tᵢ
Id join_sum(Impl& g, Id id, std::span<const Id> x) {
  const auto a = g.arguments(id);
  const Id whole = g.rebuild(id, x);
  std::map<Id, std::int32_t> divisors;  // base → largest power
  const auto scaled = [&](Id t) { return g.op(t) == Op::sum && g.width(t) == 1 && g.words(t)[0] == zero; };
  for (const Id t : x)
    for_each_divisor(g, scaled(t) ? g.words(t)[2] : t,
                     [&](Id base, std::int32_t n) { divisors[base] = std::max(divisors[base], n); });
  if (divisors.empty()) return whole;
  const auto over = [&](Id t, int sign) {
    Factors factors;
    factors.push_back({t, 1});
    for (const auto& [base, n] : divisors) factors.push_back({base, sign * n});
    return g.product({factors.data(), factors.size()}, unlimited);
  };
  Terms terms;
  terms.push_back({a[0], over(one, 1)});
  for (std::size_t i = 0; i < x.size(); ++i) terms.push_back({a[2 * i + 1], over(x[i], 1)});
  return over(g.linear(zero, {terms.data(), terms.size()}, unlimited), -1);
}

}  // namespace

Fraction together(const Expr& e) {
  if (e.graph() == nullptr) return {e, Expr(1)};
  Impl& g = e.graph()->impl();
  const Id root = e.id();
  NodeMap image(g);
  Buffer<Id, 16> children, mapped;
  for (const Id id : reachable(g, {&root, 1})) {
    if (g.op(id) != Op::sum && g.op(id) != Op::product) continue;
    g.children(id, children);
    mapped.clear();
    for (const Id c : children) mapped.push_back(image.get(c, c));
    const std::span<const Id> x(mapped.data(), mapped.size());
    image.set(id, g.op(id) == Op::sum ? join_sum(g, id, x) : g.rebuild(id, x));
  }
  // split by the sign of the exponents; a rational coefficient gives its denominator too
  Id joined = image.get(root, root), c = one;
  if (g.op(joined) == Op::sum && g.width(joined) == 1 && g.words(joined)[0] == zero)
    c = g.words(joined)[1], joined = g.words(joined)[2];
  Factors above, below;
  if (g.op(joined) == Op::product) {
    const auto a = g.arguments(joined);
    for (std::size_t i = 0; i < a.size(); i += 2) {
      const auto n = static_cast<std::int32_t>(a[i + 1]);
      n > 0 ? above.push_back({a[i], n}) : below.push_back({a[i], -n});
    }
  } else {
    above.push_back({joined, 1});
  }
  const Number k = g.number(c);
  const Id over = k.exact ? g.number(Number::integer(k.n)) : c;
  const Id under = k.exact ? g.number(Number::integer(k.d)) : one;
  return {g.expr(g.multiply(over, g.product({above.data(), above.size()}, unlimited))),
          g.expr(g.multiply(under, g.product({below.data(), below.size()}, unlimited)))};
}

}  // namespace coenergy::symbolic
