#include <algorithm>

#include "coenergy/base/error.hpp"
#include "coenergy/symbolic/graph_impl.hpp"
#include "coenergy/symbolic/merge.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;

std::int32_t checked(bool overflow, std::int32_t value) {
  if (overflow) throw Error("an integer exponent exceeds 32 bits; use pow with a real exponent");
  return value;
}

std::int32_t add_exponents(std::int32_t a, std::int32_t b) {
  std::int32_t r;
  const bool overflow = __builtin_add_overflow(a, b, &r);
  return checked(overflow, r);
}

std::int32_t multiply_exponents(std::int32_t a, std::int32_t b) {
  std::int32_t r;
  const bool overflow = __builtin_mul_overflow(a, b, &r);
  return checked(overflow, r);
}

// orders factors by base, adds the exponents of equal ones and drops those that cancel; true where some were equal
bool combine(Factors& factors) {
  const auto by_base = [](const Factor& a, const Factor& b) { return a.base < b.base; };
  if (factors.size() > 24) {
    std::stable_sort(factors.begin(), factors.end(), by_base);
  } else {
    for (std::size_t i = 1; i < factors.size(); ++i) {
      const Factor f = factors[i];
      std::size_t j = i;
      for (; j > 0 && f.base < factors[j - 1].base; --j) factors[j] = factors[j - 1];
      factors[j] = f;
    }
  }
  std::size_t size = 0;
  for (std::size_t i = 0; i < factors.size();) {
    Factor f = factors[i++];
    while (i < factors.size() && factors[i].base == f.base)
      f.exponent = add_exponents(f.exponent, factors[i++].exponent);
    if (f.exponent != 0) factors[size++] = f;
  }
  const bool any_equal = size != factors.size();
  factors.resize(size);
  return any_equal;
}

std::size_t factor_count(const Impl& g, Id x) { return g.op(x) == Op::product ? g.count(x) / 2 : 1; }

// puts x^n on a list of factors: numbers and signs go into c, a product of at most `widest` factors is merged
void append(Impl& g, Factors& factors, Id& c, Factor operand, std::size_t widest = Graph::flatten_width) {
  auto [x, n] = operand;
  if (n == 0 || x == one) return;
  if (g.op(x) == Op::sum && g.width(x) == 1 && g.words(x)[0] == zero) {
    // a scaled term: its coefficient joins c
    c = g.multiply_numbers(c, g.number(power(g.number(g.words(x)[1]), n)));
    x = g.words(x)[2];
  }
  if (g.is_number(x)) {
    c = g.multiply_numbers(c, g.number(power(g.number(x), n)));
  } else if (g.op(x) == Op::sum && g.has_minus_sign(x)) {
    if (n % 2 != 0) c = g.negate_number(c);
    factors.push_back({g.negate(x), n});
  } else if (g.op(x) == Op::product && factor_count(g, x) <= widest) {
    const auto a = g.arguments(x);
    for (std::size_t i = 0; i < a.size(); i += 2)
      factors.push_back({a[i], multiply_exponents(static_cast<std::int32_t>(a[i + 1]), n)});
  } else {
    factors.push_back({x, n});
  }
}

// an operand that stands as a base inside another operand must stay whole, so that the two can meet
bool must_stay_whole(const Impl& g, Id x, std::span<const Factor> operands) {
  if (operands.size() > 4 || g.op(x) != Op::product) return false;
  for (const Factor& other : operands) {
    if (other.base == x || g.op(other.base) != Op::product) continue;
    const auto a = g.arguments(other.base);
    for (std::size_t i = 0; i < a.size() && i < 2 * Graph::flatten_width; i += 2)
      if (a[i] == x) return true;
  }
  return false;
}

// bases that are products are merged when all of them fit
bool merge_nested(Impl& g, Factors& factors, Id& c, std::size_t limit) {
  std::size_t total = 0;
  bool any = false;
  for (const Factor& f : factors) {
    const std::size_t w = factor_count(g, f.base);
    any = any || (w > 1 && w <= limit);
    total += w;
  }
  if (!any || total > limit) return false;
  Factors merged;
  for (const Factor& f : factors) append(g, merged, c, f, limit);
  factors.clear();
  for (const Factor& f : merged) factors.push_back(f);
  return true;
}

// x^m · √x^n with half = 2m + n: the whole part goes to x, the sign of a remaining half to √x
bool rewrite_root(Impl& g, Factors& factors, Id& c, std::size_t i) {
  const Id x = g.words(factors[i].base)[0];
  const auto same_base = [&](const Factor& f) { return f.base == x; };
  Factor* const whole = std::find_if(factors.begin(), factors.end(), same_base);
  const std::int32_t n = factors[i].exponent;
  const std::int32_t m = whole == factors.end() ? 0 : whole->exponent;
  const std::int32_t half = add_exponents(multiply_exponents(2, m), n);
  if (half / 2 == m && half % 2 == n) return false;
  factors[i].exponent = half % 2;
  append(g, factors, c, {x, half / 2 - m});
  return true;
}

// Π exp(aᵢ)^nᵢ = exp(Σ nᵢ aᵢ)
bool rewrite_exponentials(Impl& g, Factors& factors, Id& c, std::size_t first) {
  Terms exponent;
  for (std::size_t i = first; i < factors.size(); ++i)
    if (g.op(factors[i].base) == Op::exp)
      exponent.push_back({g.number(Number::integer(factors[i].exponent)), g.words(factors[i].base)[0]});
  if (exponent.size() == 1 && exponent[0].coefficient == one) return false;
  for (std::size_t i = first; i < factors.size(); ++i)
    if (g.op(factors[i].base) == Op::exp) factors[i].exponent = 0;
  append(g, factors, c, {g.function(Op::exp, g.linear(zero, {exponent.data(), exponent.size()})), 1});
  return true;
}

// rules for powers of functions; true where one applied (the factors are then unordered)
bool rewrite_powers(Impl& g, Factors& factors, Id& c) {
  bool exponentials_done = false;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const auto [base, n] = factors[i];
    switch (g.op(base)) {
      case Op::sqrt:
        if (rewrite_root(g, factors, c, i)) return true;
        break;
      case Op::exp:
        if (!exponentials_done && rewrite_exponentials(g, factors, c, i)) return true;
        exponentials_done = true;
        break;
      case Op::abs:
        if (n % 2 == 0) {
          factors[i].exponent = 0;
          append(g, factors, c, {g.words(base)[0], n});
          return true;
        }
        break;
      case Op::pow:
        if (n != 1) {
          factors[i].exponent = 0;
          const auto a = g.arguments(base);
          append(g, factors, c, {g.power(a[0], g.scale(g.number(Number::integer(n)), a[1])), 1});
          return true;
        }
        break;
      default:
        break;
    }
  }
  return false;
}

// flags a product with this operand can have
std::uint8_t inherited_flags(const Impl& g, Id x) {
  // of a scaled term, those of the term
  if (g.op(x) == Op::sum && g.width(x) == 1 && g.words(x)[0] == zero) x = g.words(x)[2];
  if (g.op(x) == Op::sum) return 0;
  return g.flags(x) & (flag_circular | flag_power | (g.op(x) == Op::product ? flag_nested : 0));
}

// flags of a product of these factors, but for flag_trig
std::uint8_t flags_of(const Impl& g, const Factors& factors) {
  std::uint8_t flags = 0;
  for (const Factor& f : factors)
    flags |= g.op(f.base) == Op::product ? std::uint8_t{flag_nested} : inherited_flags(g, f.base);
  return flags;
}

Id intern_product(Impl& g, const Factors& factors, std::uint8_t possible) {
  // factors are stored as they are
  static_assert(sizeof(Factor) == 2 * sizeof(std::uint32_t));
  const std::span<const std::uint32_t> words(reinterpret_cast<const std::uint32_t*>(factors.data()),
                                             2 * factors.size());
  if ((possible & flag_circular) == 0) return g.intern(Op::product, words, 0, possible);
  long circular = 0;
  for (const auto& [base, n] : factors)
    if (g.op(base) == Op::sin || g.op(base) == Op::cos) circular += std::abs(static_cast<long>(n));
  return g.intern(Op::product, words, 0, possible | (circular >= 2 ? flag_trig : 0));
}

// true for a zero factor; throws where the zero is a divisor
bool is_zero_product(const Impl& g, std::span<const Factor> operands) {
  bool result = false;
  for (const Factor& f : operands) {
    if (f.base != zero || f.exponent == 0) continue;
    if (f.exponent < 0) {
      const std::string numerator =
          operands.size() == 2 && operands[0].exponent == 1 ? g.text(operands[0].base, 60) : "1";
      throw Error("division by zero: (" + numerator + ")/0; the divisor is structurally zero");
    }
    result = true;
  }
  return result;
}

// an operand of a product as factors: those of a product, any other node once
struct Operand {
  Operand(const Impl& g, Id x) : self{x, 1}, flags(inherited_flags(g, x)) {
    const Op op = g.op(x);
    if (op == Op::product) {
      first = reinterpret_cast<const Factor*>(g.words(x));
      size = g.count(x) / 2;
    }
    is_signed =
        op == Op::number || (op == Op::sum && (g.has_minus_sign(x) || (g.width(x) == 1 && g.words(x)[0] == zero)));
  }
  Operand(const Operand&) = delete;
  bool contains(Id x) const {
    return std::any_of(first, first + size, [x](const Factor& f) { return f.base == x; });
  }
  Factor self;
  const Factor* first = &self;
  std::size_t size = 1;
  bool is_signed;  ///< has a number, or gives its sign away
  std::uint8_t flags;
};

// x·y where no rule applies but the order of factors, straight into the next node; `none` where one may
Id multiply_plainly(Impl& g, const Operand& x, const Operand& y) {
  std::uint8_t flags = x.flags | y.flags;
  if (x.is_signed || y.is_signed || (flags & (flag_circular | flag_power)) != 0) return NodeIndex::none;
  if ((flags & flag_nested) != 0) {
    // an operand that is a base of the other one is the older of the two
    const bool in_order = x.self.base < y.self.base;
    if (in_order ? y.contains(x.self.base) : x.contains(y.self.base)) return NodeIndex::none;
  }
  std::uint32_t* const words = g.next_words();
  std::size_t size = x.size + y.size;
  if (size <= Graph::flatten_width) {
    if (!merge_distinct<&Factor::base>(x.first, x.size, y.first, y.size, words)) return NodeIndex::none;
  } else {
    if (!are_distinct<&Factor::base>(x.first, x.size, y.first, y.size)) return NodeIndex::none;
    if (!merge_distinct<&Factor::base>(&x.self, 1, &y.self, 1, words)) return NodeIndex::none;
    size = 2;
    flags = flag_nested;
  }
  return g.intern_next(Op::product, 2 * size, flags);
}

}  // namespace

Id Graph::Impl::product(std::span<const Factor> operands, std::size_t limit) {
  for (const Factor& o : operands)
    if (op(o.base) == Op::product) prefetch(o.base);
  if (is_zero_product(*this, operands)) return zero;
  limit = std::max<std::size_t>(limit, flatten_width);
  std::uint8_t possible = 0;
  for (const Factor& o : operands) possible |= inherited_flags(*this, o.base);
  // merge operands that are products; if that gets too wide, keep them as shared nodes
  Factors factors;
  Id c = one;
  for (const Factor& o : operands) {
    const bool whole = (possible & flag_nested) != 0 && must_stay_whole(*this, o.base, operands);
    symbolic::append(*this, factors, c, o, whole ? 0 : limit);
  }
  bool may_fit = combine(factors) || limit > flatten_width;
  if (factors.size() > limit && factors.size() > operands.size()) {
    factors.clear();
    c = one;
    for (const Factor& o : operands) symbolic::append(*this, factors, c, o, 0);
    may_fit = combine(factors) || limit > flatten_width;
    possible = flags_of(*this, factors);
  }
  // apply rules until none fits; nested products that did not fit before can fit only where bases were equal
  while ((may_fit && (possible & flag_nested) != 0 && merge_nested(*this, factors, c, limit)) ||
         ((possible & flag_power) != 0 && rewrite_powers(*this, factors, c))) {
    combine(factors);
    possible = flags_of(*this, factors);
    may_fit = true;
  }
  if (factors.empty()) return c;
  const bool single = factors.size() == 1 && factors[0].exponent == 1;
  return scale(c, single ? factors[0].base : intern_product(*this, factors, possible));
}

Id Graph::Impl::multiply(Id a, Id b) {
  if (a == zero || b == zero) return zero;
  if (is_number(a)) return scale(a, b);
  if (is_number(b)) return scale(b, a);
  if (const Id plain = multiply_plainly(*this, Operand(*this, a), Operand(*this, b)); plain != NodeIndex::none)
    return plain;
  const Factor operands[] = {{a, 1}, {b, 1}};
  return product(operands);
}

Id Graph::Impl::divide(Id a, Id b) {
  if (b == one) return a;
  const Factor operands[] = {{a, 1}, {b, -1}};
  return product(operands);
}

Id Graph::Impl::power(Id base, int exponent) {
  if (exponent == 1) return base;
  const Factor operand[] = {{base, exponent}};
  return product(operand);
}

}  // namespace coenergy::symbolic
