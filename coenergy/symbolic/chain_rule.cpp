#include "coenergy/symbolic/chain_rule.hpp"

#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

#include "coenergy/symbolic/integral.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;

Id ratio(Impl& g, Id numerator, Id denominator) { return g.divide(numerator, denominator); }

// ∂/∂bₖ Π bᵢ^nᵢ = nₖ bₖ^(nₖ−1) Π' bᵢ^nᵢ
Id product_partial(Impl& g, Id id, std::size_t k) {
  const auto a = g.arguments(id);
  Factors factors;
  for (std::size_t i = 0; i < a.size(); i += 2)
    factors.push_back({a[i], static_cast<std::int32_t>(a[i + 1]) - (i == 2 * k ? 1 : 0)});
  const Id rest = g.product({factors.data(), factors.size()}, factors.size());
  return g.scale(g.number(Number::integer(static_cast<std::int32_t>(a[2 * k + 1]))), rest);
}

Id function_partial(Impl& g, Id id, Id x) {
  const auto square = [&](Id a) { return g.power(a, 2); };
  const auto root_of = [&](Id a) { return g.function(Op::sqrt, a); };
  switch (g.op(id)) {
    case Op::sin:
      return g.function(Op::cos, x);
    case Op::cos:
      return g.negate(g.function(Op::sin, x));
    case Op::tan:
      return g.add(one, square(id));
    case Op::asin:
      return ratio(g, one, root_of(g.subtract(one, square(x))));
    case Op::acos:
      return ratio(g, minus_one, root_of(g.subtract(one, square(x))));
    case Op::atan:
      return ratio(g, one, g.add(one, square(x)));
    case Op::sinh:
      return g.function(Op::cosh, x);
    case Op::cosh:
      return g.function(Op::sinh, x);
    case Op::tanh:
      return g.subtract(one, square(id));
    case Op::exp:
      return id;
    case Op::log:
      return ratio(g, one, x);
    case Op::sqrt:
      return g.scale(g.number(Number::rational(1, 2)), ratio(g, one, id));
    case Op::abs:
      return g.function(Op::sign, x);
    default:
      return zero;
  }
}

// ∂/∂y = x/(x² + y²), ∂/∂x = −y/(x² + y²)
Id atan2_partial(Impl& g, Id y, Id x, std::size_t k) {
  const Id r2 = g.add(g.power(x, 2), g.power(y, 2));
  return k == 0 ? ratio(g, x, r2) : ratio(g, g.negate(y), r2);
}

Id pow_partial(Impl& g, Id id, Id base, Id exponent, std::size_t k) {
  if (k == 1) return g.multiply(id, g.function(Op::log, base));
  return g.multiply(exponent, g.power(base, g.subtract(exponent, one)));
}

// the condition under which min or max takes its first argument (also where both are equal)
Id takes_first(Impl& g, Id id) {
  const auto a = g.arguments(id);
  return g.op(id) == Op::min ? g.compare(Op::less_equal, a[0], a[1]) : g.compare(Op::less_equal, a[1], a[0]);
}

// ∂f/∂xₖ is a call by itself, but of an integral; a second derivative is the central difference of the first, step ∛ε·max(1, |x|)
Id external_partial(Impl& g, Id id, std::size_t k) {
  const auto x = g.arguments(id);
  const std::uint32_t function = g.words(id)[x.size()];
  if (is_integral(*g.externals[function])) {
    std::vector<Expr> arguments;
    for (const Id a : x) arguments.push_back(g.expr(a));
    return g.id_of(differentiate_integral(*g.externals[function], arguments, k));
  }
  const int derivative = static_cast<int>(g.words(id)[x.size() + 1]);
  if (derivative < 0) return g.external(function, x, static_cast<int>(k));
  const Id relative = g.number(Number::real(std::cbrt(std::numeric_limits<double>::epsilon())));
  const Id step = g.multiply(relative, g.minimum(Op::max, one, g.function(Op::abs, x[k])));
  std::vector<Id> moved(x.begin(), x.end());
  moved[k] = g.add(x[k], step);
  const Id above = g.external(function, moved, derivative);
  moved[k] = g.subtract(x[k], step);
  const Id below = g.external(function, moved, derivative);
  return ratio(g, g.subtract(above, below), g.scale(g.number(Number::integer(2)), step));
}

}  // namespace

bool is_differentiable(const Graph::Impl& g, Id id, std::size_t k) {
  switch (g.op(id)) {
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not:
    case Op::sign:
    case Op::floor:
      return false;
    case Op::select:
      return k > 0;
    default:
      return true;
  }
}

namespace {

// ∂(node)/∂(k-th child) of all kinds but those that choose between children
Id partial(Impl& g, Id id, std::size_t k) {
  const auto a = g.arguments(id);
  const std::uint32_t* extra = g.words(id) + a.size();
  switch (g.op(id)) {
    case Op::sum:
      return a[2 * k + 1];
    case Op::product:
      return product_partial(g, id, k);
    case Op::let:
      return one;
    case Op::atan2:
      return atan2_partial(g, a[0], a[1], k);
    case Op::pow:
      return pow_partial(g, id, a[0], a[1], k);
    case Op::table:
      return g.table(extra[0], a, static_cast<int>(extra[1]) + (k == 0), static_cast<int>(extra[2]) + (k == 1));
    case Op::external:
      return external_partial(g, id, k);
    default:
      return function_partial(g, id, a[0]);
  }
}

bool is_choice(Op op) { return op == Op::select || op == Op::min || op == Op::max; }

// what a choice gives when it chooses between x and y instead
Id choose(Impl& g, Id id, Id x, Id y) {
  return g.select(g.op(id) == Op::select ? g.words(id)[0] : takes_first(g, id), x, y);
}

// d is zero wherever `condition` fails (or holds), and `inside` elsewhere
struct Mask {
  Id condition, inside;
  bool holds;
};

std::optional<Mask> mask_of(Impl& g, Id d) {
  if (g.op(d) == Op::select) {
    const auto a = g.arguments(d);
    if (a[2] == zero) return Mask{a[0], a[1], true};
    if (a[1] == zero) return Mask{a[0], a[2], false};
    return std::nullopt;
  }
  if (g.op(d) == Op::let) {
    const auto inner = mask_of(g, g.words(d)[0]);
    return inner ? std::optional(Mask{inner->condition, d, inner->holds}) : std::nullopt;
  }
  if (g.op(d) == Op::sum && g.width(d) == 1 && g.words(d)[0] == zero) {
    const auto inner = mask_of(g, g.words(d)[2]);
    if (!inner) return std::nullopt;
    return Mask{inner->condition, g.scale(g.words(d)[1], inner->inside), inner->holds};
  }
  if (g.has(d, flag_boolean) && !g.is_number(d)) return Mask{d, one, true};
  return std::nullopt;
}

// slope·d; where d is the exact zero of a side not taken, so is the product, even if the slope is not finite there
Id multiply_masked(Impl& g, Id slope, Id d) {
  if (g.is_number(slope)) return g.multiply(slope, d);
  const auto mask = mask_of(g, d);
  if (!mask) return g.multiply(slope, d);
  const Id product = g.multiply(slope, mask->inside);
  return mask->holds ? g.select(mask->condition, product, zero) : g.select(mask->condition, zero, product);
}

}  // namespace

Id chain(Graph::Impl& g, Id id, std::size_t k, Id d) {
  if (d == zero || !is_differentiable(g, id, k)) return zero;
  if (!is_choice(g.op(id))) return multiply_masked(g, partial(g, id, k), d);
  const bool first = k == (g.op(id) == Op::select ? 1u : 0u);
  return first ? choose(g, id, d, zero) : choose(g, id, zero, d);
}

Id total_differential(Graph::Impl& g, Id id, std::span<const Id> d) {
  if (is_choice(g.op(id))) {
    const std::size_t first = g.op(id) == Op::select ? 1 : 0;
    return choose(g, id, d[first], d[first + 1]);
  }
  Terms terms;
  for (std::size_t k = 0; k < d.size(); ++k) {
    if (d[k] == zero) continue;
    if (g.op(id) == Op::sum)
      terms.push_back({g.arguments(id)[2 * k + 1], d[k]});
    else
      terms.push_back({one, chain(g, id, k, d[k])});
  }
  if (terms.empty()) return zero;
  if (terms.size() == 1) return g.scale(terms[0].coefficient, terms[0].node);
  return g.linear(zero, {terms.data(), terms.size()}, terms.size());
}

}  // namespace coenergy::symbolic
