#include <cmath>
#include <optional>

#include "coenergy/base/error.hpp"
#include "coenergy/symbolic/graph_impl.hpp"
#include "coenergy/symbolic/op_name.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;

// integer powers up to this size are products, larger ones stay pow nodes
constexpr std::int64_t largest_power = 1024;

double apply(Op op, double x) {
  switch (op) {
    case Op::sin:
      return std::sin(x);
    case Op::cos:
      return std::cos(x);
    case Op::tan:
      return std::tan(x);
    case Op::asin:
      return std::asin(x);
    case Op::acos:
      return std::acos(x);
    case Op::atan:
      return std::atan(x);
    case Op::sinh:
      return std::sinh(x);
    case Op::cosh:
      return std::cosh(x);
    case Op::tanh:
      return std::tanh(x);
    case Op::exp:
      return std::exp(x);
    case Op::log:
      return std::log(x);
    case Op::sqrt:
      return std::sqrt(x);
    case Op::abs:
      return std::abs(x);
    case Op::sign:
      return x > 0 ? 1 : x < 0 ? -1 : 0;
    default:
      return std::floor(x);
  }
}

Id fold(Impl& g, const std::string& what, double value) {
  if (std::isfinite(value)) return g.number(Number::real(value));
  throw Error(what + " has no finite real value");
}

// the exact root of a perfect square
std::optional<Number> exact_root(const Number& x) {
  if (!x.exact || x.n < 0) return std::nullopt;
  const auto root = [](std::int64_t v) {
    return static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(v))));
  };
  const std::int64_t n = root(x.n), d = root(x.d);
  if (n > 3000000000 || d > 3000000000 || n * n != x.n || d * d != x.d) return std::nullopt;
  return Number::rational(n, d);
}

Id fold_function(Impl& g, Op op, Id x) {
  const Number n = g.number(x);
  if (op == Op::abs) return n.is_negative() ? g.number(-n) : x;
  if (op == Op::sqrt)
    if (const auto root = exact_root(n)) return g.number(*root);
  if (op == Op::floor && n.is_integer()) return x;
  return fold(g, std::string(op_name(op)) + "(" + to_string(n) + ")", apply(op, n.value()));
}

bool is_odd(Op op) {
  switch (op) {
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
    case Op::sign:
      return true;
    default:
      return false;
  }
}

bool is_even(Op op) { return op == Op::cos || op == Op::cosh || op == Op::abs; }

// f(x) where x is itself f's inverse of something
std::optional<Id> undo(const Impl& g, Op op, Id x) {
  const Op inner = g.op(x);
  if ((op == Op::sin && inner == Op::asin) || (op == Op::cos && inner == Op::acos) ||
      (op == Op::tan && inner == Op::atan) || (op == Op::exp && inner == Op::log) ||
      (op == Op::log && inner == Op::exp))
    return g.words(x)[0];
  // functions that leave the values of others as they are
  const bool non_negative = inner == Op::abs || inner == Op::exp || inner == Op::sqrt || inner == Op::cosh;
  if (op == Op::abs && (non_negative || g.has(x, flag_boolean))) return x;
  if (op == Op::floor && (inner == Op::floor || inner == Op::sign || g.has(x, flag_boolean))) return x;
  if (op == Op::sign && (inner == Op::sign || g.has(x, flag_boolean))) return x;
  return std::nullopt;
}

bool is_even_power(const Impl& g, Id x) {
  if (g.op(x) != Op::product) return false;
  const auto a = g.arguments(x);
  for (std::size_t i = 1; i < a.size(); i += 2)
    if (static_cast<std::int32_t>(a[i]) % 2 != 0) return false;
  return true;
}

// √(x²) = |x|, √(c² x) = c √x
std::optional<Id> simplify_root(Impl& g, Id x) {
  if (is_even_power(g, x)) {
    Factors half;
    const auto a = g.arguments(x);
    for (std::size_t i = 0; i < a.size(); i += 2) half.push_back({a[i], static_cast<std::int32_t>(a[i + 1]) / 2});
    return g.function(Op::abs, g.product({half.data(), half.size()}));
  }
  if (g.op(x) == Op::sum && g.width(x) == 1 && g.words(x)[0] == zero) {
    const Id c = g.words(x)[1], t = g.words(x)[2];
    if (const auto root = exact_root(g.number(c))) return g.scale(g.number(*root), g.function(Op::sqrt, t));
  }
  return std::nullopt;
}

}  // namespace

Id Graph::Impl::function(Op op, Id x) {
  if (is_number(x)) return fold_function(*this, op, x);
  if (has_minus_sign(x)) {
    if (is_odd(op)) return negate(function(op, negate(x)));
    if (is_even(op)) return function(op, negate(x));
  }
  if (const auto inner = undo(*this, op, x)) return *inner;
  if (op == Op::sqrt)
    if (const auto root = simplify_root(*this, x)) return *root;
  if (op == Op::abs && is_even_power(*this, x)) return x;
  const bool circular = op == Op::sin || op == Op::cos, power = op == Op::sqrt || op == Op::exp || op == Op::abs;
  return intern(op, std::span(&x, 1), 0, circular ? flag_circular : power ? flag_power : 0);
}

Id Graph::Impl::power(Id base, Id exponent) {
  if (base == one || exponent == zero) return one;
  if (is_number(exponent)) {
    const Number n = number(exponent);
    if (n.is_integer() && std::abs(n.n) <= largest_power) return power(base, static_cast<int>(n.n));
    // half-integer powers are powers of the root
    if (n.exact && n.d == 2 && std::abs(n.n) <= largest_power)
      return power(function(Op::sqrt, base), static_cast<int>(n.n));
    if (is_number(base)) {
      const Number b = number(base);
      return fold(*this, "pow(" + to_string(b) + ", " + to_string(n) + ")", std::pow(b.value(), n.value()));
    }
  }
  const Id arguments[] = {base, exponent};
  return intern(Op::pow, arguments, 0, flag_power);
}

Id Graph::Impl::atan2(Id y, Id x) {
  if (is_number(y) && is_number(x)) return number(Number::real(std::atan2(number(y).value(), number(x).value())));
  const Id arguments[] = {y, x};
  return intern(Op::atan2, arguments);
}

}  // namespace coenergy::symbolic
