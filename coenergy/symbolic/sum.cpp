#include <algorithm>
#include <cstring>

#include "coenergy/symbolic/graph_impl.hpp"
#include "coenergy/symbolic/merge.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;

// orders terms by node, adds the coefficients of equal ones and drops those that cancel; true where some were equal
bool combine(Impl& g, Terms& terms) {
  const auto by_node = [](const Term& a, const Term& b) { return a.node < b.node; };
  if (terms.size() > 24) {
    std::stable_sort(terms.begin(), terms.end(), by_node);
  } else {
    for (std::size_t i = 1; i < terms.size(); ++i) {
      const Term t = terms[i];
      std::size_t j = i;
      for (; j > 0 && t.node < terms[j - 1].node; --j) terms[j] = terms[j - 1];
      terms[j] = t;
    }
  }
  std::size_t size = 0;
  for (std::size_t i = 0; i < terms.size();) {
    Term t = terms[i++];
    while (i < terms.size() && terms[i].node == t.node)
      t.coefficient = g.add_numbers(t.coefficient, terms[i++].coefficient);
    if (t.coefficient != zero) terms[size++] = t;
  }
  const bool any_equal = size != terms.size();
  terms.resize(size);
  return any_equal;
}

bool is_unit(Id number) { return number == one || number == minus_one; }

// an operand that stands as a term inside another operand must stay whole, so that the two can meet
bool occurs_in(const Impl& g, Id x, std::span<const Term> operands) {
  for (const Term& other : operands) {
    if (other.node == x || g.op(other.node) != Op::sum || !g.has(other.node, flag_nested)) continue;
    const auto a = g.arguments(other.node);
    for (std::size_t i = 2; i < a.size() && i < 2 * Graph::flatten_width + 2; i += 2)
      if (a[i] == x) return true;
  }
  return false;
}

// the operand must not be merged: it (or its negative) is a term of another one
bool must_stay_whole(Impl& g, Term operand, std::span<const Term> operands) {
  if (operands.size() < 2 || operands.size() > 4 || g.op(operand.node) != Op::sum) return false;
  return occurs_in(g, operand.node, operands) ||
         (g.has_minus_sign(operand.node) && occurs_in(g, g.negate(operand.node), operands));
}

// two sums with so few common terms that their merger exceeds the limit for sure
bool is_too_wide(const Impl& g, std::span<const Term> operands, std::size_t limit) {
  if (operands.size() != 2) return false;
  const Id x = operands[0].node, y = operands[1].node;
  const std::size_t wx = g.width(x), wy = g.width(y);
  if (wx + wy <= limit) return false;
  if (g.op(x) != Op::sum || g.op(y) != Op::sum) return wx > limit || wy > limit;
  const auto a = g.arguments(x), b = g.arguments(y);
  std::size_t common = 0;
  for (std::size_t i = 2, j = 2; i < a.size() && j < b.size();) {
    common += a[i] == b[j];
    const bool step_a = a[i] <= b[j], step_b = b[j] <= a[i];
    i += step_a ? 2 : 0;
    j += step_b ? 2 : 0;
  }
  return wx + wy - 2 * common > limit;
}

// flags a sum with this operand can have
std::uint8_t inherited_flags(const Impl& g, Id x) {
  if (g.op(x) == Op::sum) return g.flags(x) & (flag_trig | flag_nested);
  return g.op(x) == Op::product ? g.flags(x) & flag_trig : 0;
}

// flags of a sum of these terms
std::uint8_t flags_of(const Impl& g, const Terms& terms) {
  std::uint8_t flags = 0;
  for (const Term& t : terms) flags |= g.op(t.node) == Op::sum ? std::uint8_t{flag_nested} : inherited_flags(g, t.node);
  return flags;
}

// terms that are unscaled sums are merged when all of them fit
bool merge_nested(Impl& g, Terms& terms, Id& c0, std::size_t limit) {
  std::size_t total = 0;
  bool any = false;
  for (const Term& t : terms) {
    const std::size_t w = is_unit(t.coefficient) ? g.width(t.node) : 1;
    any = any || (w > 1 && w <= limit);
    total += w;
  }
  if (!any || total > limit) return false;
  Terms merged;
  for (const Term& t : terms) g.append(merged, c0, t, limit);
  terms.clear();
  for (const Term& t : merged) terms.push_back(t);
  return true;
}

// |cᵢ| = |c| for all coefficients, and c0 = 0 or ±c
bool has_common_coefficient(Impl& g, Id c0, const Terms& terms) {
  const Id c = terms[0].coefficient;
  if (is_unit(c)) return false;
  Id opposite = zero;
  const auto fits = [&](Id other) {
    if (other == c) return true;
    if (opposite == zero) opposite = g.negate_number(c);
    return other == opposite;
  };
  return (c0 == zero || fits(c0)) &&
         std::all_of(terms.begin(), terms.end(), [&](const Term& t) { return fits(t.coefficient); });
}

Id intern_sum(Impl& g, Id c0, const Terms& terms, std::uint8_t flags) {
  // terms are stored as they are, after the constant
  static_assert(sizeof(Term) == 2 * sizeof(std::uint32_t));
  Buffer<std::uint32_t, 40> w;
  w.resize(1 + 2 * terms.size());
  w[0] = c0;
  std::memcpy(&w[1], terms.data(), terms.size() * sizeof(Term));
  if (terms.size() <= Graph::flatten_width && g.is_negative(terms[0].coefficient)) flags |= flag_negative;
  return g.intern(Op::sum, {w.data(), w.size()}, 0, flags);
}

// c0 + Σ cᵢ tᵢ of ordered distinct terms: pulls a common coefficient out, makes the node
Id finish(Impl& g, Id c0, const Terms& terms, std::size_t limit, std::uint8_t possible) {
  if (terms.empty()) return c0;
  const Id c = terms[0].coefficient;
  if (terms.size() == 1 && c0 == zero) return c == one ? terms[0].node : intern_sum(g, c0, terms, possible);
  if (!has_common_coefficient(g, c0, terms)) return intern_sum(g, c0, terms, possible);
  Terms inner;
  for (const Term& t : terms) inner.push_back({t.coefficient == c ? one : minus_one, t.node});
  const Id c0_inner = c0 == zero ? zero : c0 == c ? one : minus_one;
  return g.scale(c, g.linear(c0_inner, {inner.data(), inner.size()}, limit));
}

// an operand of a sum as a constant and terms: those of a sum, any other node once
struct Operand {
  Operand(const Impl& g, Id x) : node(x), is_sum(g.op(x) == Op::sum), flags(inherited_flags(g, x)) {
    if (!is_sum) return;
    static_assert(sizeof(Term) == 2 * sizeof(std::uint32_t));
    constant = g.words(x)[0];
    first = reinterpret_cast<const Term*>(g.words(x) + 1);
    size = g.width(x);
    is_negative = g.has_minus_sign(x);
  }
  Operand(const Operand&) = delete;
  bool is_single() const { return size == 1 && constant == zero; }
  bool contains(Id x) const {
    return std::any_of(first, first + size, [x](const Term& t) { return t.node == x; });
  }
  Id node, constant = zero;
  Term self{one, node};
  const Term* first = &self;
  std::size_t size = 1;
  bool is_sum, is_negative = false;
  std::uint8_t flags;
};

// x + y where no rule applies but the order of terms, straight into the next node; `none` where one may
Id add_plainly(Impl& g, const Operand& x, const Operand& y) {
  if (x.constant != zero && y.constant != zero) return NodeIndex::none;
  std::uint8_t flags = x.flags | y.flags;
  if ((flags & flag_trig) != 0) return NodeIndex::none;
  if ((flags & flag_nested) != 0) {
    // an operand that is a term of the other one is the older of the two
    const Operand &older = x.node < y.node ? x : y, &newer = x.node < y.node ? y : x;
    if (x.is_negative || y.is_negative || newer.contains(older.node)) return NodeIndex::none;
  }
  std::uint32_t* const words = g.next_words();
  std::size_t size = x.size + y.size;
  words[0] = x.constant != zero ? x.constant : y.constant;
  if (size <= Graph::flatten_width) {
    if (!merge_distinct<&Term::node>(x.first, x.size, y.first, y.size, words + 1)) return NodeIndex::none;
  } else {
    if (x.is_negative || y.is_negative) return NodeIndex::none;
    if (!are_distinct<&Term::node>(x.first, x.size, y.first, y.size)) return NodeIndex::none;
    const Term a = x.is_single() ? *x.first : x.self, b = y.is_single() ? *y.first : y.self;
    if (!merge_distinct<&Term::node>(&a, 1, &b, 1, words + 1)) return NodeIndex::none;
    size = 2;
    words[0] = zero;
    flags = flag_nested;
  }
  if (!is_unit(words[1])) return NodeIndex::none;
  if (words[1] == minus_one) flags |= flag_negative;
  return g.intern_next(Op::sum, 2 * size + 1, flags);
}

}  // namespace

void Graph::Impl::append(Terms& terms, Id& c0, Term operand, std::size_t widest) {
  const auto [c, x] = operand;
  if (c == zero || x == zero) return;
  if (is_number(x)) {
    c0 = add_numbers(c0, multiply_numbers(c, x));
    return;
  }
  if (op(x) != Op::sum) {
    terms.push_back(operand);
    return;
  }
  const auto a = arguments(x);
  if (a.size() == 3 && a[0] == zero) {
    // a scaled term
    terms.push_back({multiply_numbers(c, a[1]), a[2]});
  } else if (is_unit(c) && width(x) <= widest) {
    c0 = add_numbers(c0, multiply_numbers(c, a[0]));
    const std::size_t first = terms.size();
    terms.resize(first + width(x));
    std::memcpy(&terms[first], &a[1], (a.size() - 1) * sizeof(std::uint32_t));
    if (c == minus_one)
      for (std::size_t i = first; i < terms.size(); ++i) terms[i].coefficient = negate_number(terms[i].coefficient);
  } else if (has_minus_sign(x)) {
    terms.push_back({negate_number(c), negate(x)});
  } else {
    terms.push_back(operand);
  }
}

Id Graph::Impl::linear(Id c0, std::span<const Term> operands, std::size_t limit) {
  limit = std::max<std::size_t>(limit, flatten_width);
  std::uint8_t possible = 0;
  for (const Term& o : operands) {
    if (op(o.node) == Op::sum) prefetch(o.node);
    possible |= inherited_flags(*this, o.node);
  }
  // merge operands that are sums; if that gets too wide, keep them as shared nodes
  Terms terms;
  Id constant = c0;
  bool whole = is_too_wide(*this, operands, limit), any_equal = false;
  if (!whole) {
    for (const Term& o : operands) {
      const bool whole_operand = (possible & flag_nested) != 0 && must_stay_whole(*this, o, operands);
      append(terms, constant, o, whole_operand ? 0 : limit);
    }
    any_equal = combine(*this, terms);
    whole = terms.size() > limit && terms.size() > operands.size();
  }
  if (whole) {
    terms.clear();
    constant = c0;
    for (const Term& o : operands) append(terms, constant, o, 0);
    any_equal = combine(*this, terms);
    possible = flags_of(*this, terms);
  }
  // apply rules until none fits; nested sums that did not fit before can fit only where terms were equal
  bool may_fit = any_equal || limit > flatten_width;
  for (;;) {
    const bool changed = (may_fit && (possible & flag_nested) != 0 && merge_nested(*this, terms, constant, limit)) ||
                         ((possible & flag_trig) != 0 && rewrite_trigonometry(*this, terms, constant));
    if (!changed) return finish(*this, constant, terms, limit, possible);
    combine(*this, terms);
    possible = flags_of(*this, terms);
    may_fit = true;
  }
}

Id Graph::Impl::add(Id a, Id b) {
  if (a == zero) return b;
  if (b == zero) return a;
  if (!is_number(a) && !is_number(b))
    if (const Id plain = add_plainly(*this, Operand(*this, a), Operand(*this, b)); plain != NodeIndex::none)
      return plain;
  const Term operands[] = {{one, a}, {one, b}};
  return linear(zero, operands);
}

Id Graph::Impl::subtract(Id a, Id b) {
  if (b == zero) return a;
  if (a == b) return zero;
  const Term operands[] = {{one, a}, {minus_one, b}};
  return linear(zero, operands);
}

Id Graph::Impl::negate(Id a) { return scale(minus_one, a); }

Id Graph::Impl::scale(Id c, Id a) {
  if (c == one || a == zero) return a;
  if (c == zero) return zero;
  // −(Σ cᵢ tᵢ) is distributed as it is: its terms are canonical already
  if (c == minus_one && op(a) == Op::sum && width(a) > 1 && width(a) <= flatten_width) {
    const auto old = arguments(a);
    std::uint32_t w[2 * flatten_width + 1];
    w[0] = negate_number(old[0]);
    for (std::size_t i = 1; i < old.size(); i += 2) w[i] = negate_number(old[i]), w[i + 1] = old[i + 1];
    return intern(Op::sum, std::span(w, old.size()), 0, flags(a) ^ flag_negative);
  }
  const Term operand[] = {{c, a}};
  return linear(zero, operand);
}

}  // namespace coenergy::symbolic
