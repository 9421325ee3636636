#include <algorithm>
#include <cassert>

#include "coenergy/symbolic/graph_impl.hpp"

namespace coenergy::symbolic {

namespace {

bool holds(Op op, double a, double b) { return op == Op::less ? a < b : op == Op::less_equal ? a <= b : a == b; }

Id intern_pair(Graph::Impl& g, Op op, Id a, Id b, std::uint8_t flags) {
  const Id arguments[] = {a, b};
  return g.intern(op, arguments, 0, flags);
}

}  // namespace

Id Graph::Impl::minimum(Op op, Id a, Id b) {
  if (a == b) return a;
  if (is_number(a) && is_number(b)) {
    const bool below = number(a).value() < number(b).value();
    return below == (op == Op::min) ? a : b;
  }
  return intern_pair(*this, op, std::min(a, b), std::max(a, b), 0);
}

Id Graph::Impl::compare(Op op, Id a, Id b) {
  if (a == b) return op == Op::less ? zero : one;
  if (is_number(a) && is_number(b)) return holds(op, number(a).value(), number(b).value()) ? one : zero;
  if (op == Op::equal && b < a) std::swap(a, b);
  return intern_pair(*this, op, a, b, flag_boolean);
}

Id Graph::Impl::logical(Op op, Id a, Id b) {
  if (b < a) std::swap(a, b);
  const Id neutral = op == Op::logical_and ? one : zero, absorbing = one - neutral;
  for (const auto& [x, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (!is_number(x)) continue;
    const Id truth = x == zero ? zero : one;
    if (truth == absorbing) return absorbing;
    if (is_number(other)) return other == zero ? zero : one;
    if (has(other, flag_boolean)) return other;
    // the truth of a value that is not 0 or 1
    return logical_not(logical_not(other));
  }
  if (a == b) return has(a, flag_boolean) ? a : logical_not(logical_not(a));
  return intern_pair(*this, op, a, b, flag_boolean);
}

Id Graph::Impl::logical_not(Id a) {
  if (is_number(a)) return a == zero ? one : zero;
  if (op(a) == Op::logical_not && has(words(a)[0], flag_boolean)) return words(a)[0];
  return intern(Op::logical_not, std::span(&a, 1), 0, flag_boolean);
}

Id Graph::Impl::select(Id condition, Id if_true, Id if_false) {
  if (if_true == if_false) return if_true;
  if (is_number(condition)) return condition == zero ? if_false : if_true;
  if (op(condition) == Op::logical_not) return select(words(condition)[0], if_false, if_true);
  if (if_true == one && if_false == zero && has(condition, flag_boolean)) return condition;
  const Id arguments[] = {condition, if_true, if_false};
  const bool boolean = has(if_true, flag_boolean) && has(if_false, flag_boolean);
  return intern(Op::select, arguments, 0, boolean ? flag_boolean : 0);
}

void Graph::Impl::children(Id id, Buffer<Id, 16>& out) const {
  out.clear();
  const auto a = arguments(id);
  switch (op(id)) {
    case Op::number:
    case Op::symbol:
      break;
    case Op::sum:
      for (std::size_t i = 2; i < a.size(); i += 2) out.push_back(a[i]);
      break;
    case Op::product:
      for (std::size_t i = 0; i < a.size(); i += 2) out.push_back(a[i]);
      break;
    default:
      for (const Id x : a) out.push_back(x);
  }
}

Id Graph::Impl::rebuild(Id id, std::span<const Id> x) {
  const auto old = arguments(id);
  const std::uint32_t* extra = words(id) + old.size();
  switch (op(id)) {
    case Op::number:
    case Op::symbol:
      return id;
    case Op::sum: {
      Terms terms;
      for (std::size_t i = 0; i < x.size(); ++i) terms.push_back({old[2 * i + 1], x[i]});
      return linear(old[0], {terms.data(), terms.size()}, terms.size());
    }
    case Op::product: {
      Factors factors;
      for (std::size_t i = 0; i < x.size(); ++i) factors.push_back({x[i], static_cast<std::int32_t>(old[2 * i + 1])});
      return product({factors.data(), factors.size()}, factors.size());
    }
    case Op::let:
      return let(std::string(name(id)), x[0]);
    case Op::atan2:
      return atan2(x[0], x[1]);
    case Op::pow:
      return power(x[0], x[1]);
    case Op::min:
    case Op::max:
      return minimum(op(id), x[0], x[1]);
    case Op::less:
    case Op::less_equal:
    case Op::equal:
      return compare(op(id), x[0], x[1]);
    case Op::logical_and:
    case Op::logical_or:
      return logical(op(id), x[0], x[1]);
    case Op::logical_not:
      return logical_not(x[0]);
    case Op::select:
      return select(x[0], x[1], x[2]);
    case Op::table:
      return table(extra[0], x, static_cast<int>(extra[1]), static_cast<int>(extra[2]));
    case Op::external:
      return external(extra[0], x, static_cast<int>(extra[1]));
    default:
      return function(op(id), x[0]);
  }
}

}  // namespace coenergy::symbolic
