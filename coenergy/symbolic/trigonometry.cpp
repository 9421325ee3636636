#include <optional>

#include "coenergy/symbolic/graph_impl.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;

bool is_circular(const Impl& g, Id x) { return g.op(x) == Op::sin || g.op(x) == Op::cos; }

// Equal for two terms that differ only by sines against cosines of the same arguments: every rule for two terms keeps
// the sum of exponents of each argument.
std::uint64_t skeleton(const Impl& g, Id product) {
  std::uint64_t h = 0;
  const auto a = g.arguments(product);
  for (std::size_t i = 0; i < a.size(); i += 2) {
    std::uint64_t key = is_circular(g, a[i]) ? (std::uint64_t{1} << 32) + g.words(a[i])[0] : a[i];
    key = (key + 1) * 0x9E3779B97F4A7C15u;
    key ^= key >> 31;
    h += key * static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(a[i + 1])));
  }
  return h;
}

// u/v as factors, or nothing if more than four differ
struct Quotient {
  Factor factor[4];
  int size = 0;
};

std::optional<Quotient> quotient(const Impl& g, Id u, Id v) {
  Quotient q;
  const auto a = g.arguments(u), b = g.arguments(v);
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    Factor f;
    if (j == b.size() || (i < a.size() && a[i] < b[j])) {
      f = {a[i], static_cast<std::int32_t>(a[i + 1])}, i += 2;
    } else if (i == a.size() || b[j] < a[i]) {
      f = {b[j], -static_cast<std::int32_t>(b[j + 1])}, j += 2;
    } else {
      f = {a[i], static_cast<std::int32_t>(a[i + 1]) - static_cast<std::int32_t>(b[j + 1])}, i += 2, j += 2;
    }
    if (f.exponent == 0) continue;
    if (q.size == 4 || !is_circular(g, f.base)) return std::nullopt;
    q.factor[q.size++] = f;
  }
  return q;
}

// u with the factors sin a^m · … divided out, times f
Id replace(Impl& g, Id u, std::span<const Factor> divided, Id f) {
  Factors factors;
  factors.push_back({u, 1});
  for (const Factor& d : divided) factors.push_back({d.base, -d.exponent});
  factors.push_back({f, 1});
  return g.product({factors.data(), factors.size()});
}

// c·R·sin²a with c·R·cos²a or −c·R·cos²a
std::optional<Term> merge_squares(Impl& g, const Quotient& q, Term u, bool equal) {
  const auto [f0, f1] = std::pair(q.factor[0], q.factor[1]);
  if (g.op(f0.base) == g.op(f1.base) || g.words(f0.base)[0] != g.words(f1.base)[0]) return std::nullopt;
  if (f0.exponent + f1.exponent != 0 || std::abs(f0.exponent) != 2) return std::nullopt;
  const Factor& in_u = f0.exponent > 0 ? f0 : f1;
  if (equal) return Term{u.coefficient, replace(g, u.node, std::span(&in_u, 1), one)};
  // u holds the cosine: c (cos² − sin²), else −c (cos² − sin²)
  const Id twice = g.scale(g.number(Number::integer(2)), g.words(in_u.base)[0]);
  const Id c = g.op(in_u.base) == Op::cos ? u.coefficient : g.negate_number(u.coefficient);
  return Term{c, replace(g, u.node, std::span(&in_u, 1), g.function(Op::cos, twice))};
}

// two factors of u against the complementary two of v: angle sums and differences
std::optional<Term> merge_angles(Impl& g, const Quotient& q, Term u, bool equal) {
  Factor in_u[2];
  int size = 0;
  for (const Factor& f : q.factor) {
    if (std::abs(f.exponent) != 1) return std::nullopt;
    if (f.exponent > 0 && size == 2) return std::nullopt;
    if (f.exponent > 0) in_u[size++] = f;
  }
  if (size != 2) return std::nullopt;
  // each factor of u must have its complement in v
  for (const Factor& f : in_u) {
    bool found = false;
    for (const Factor& o : q.factor)
      found = found || (o.exponent < 0 && g.op(o.base) != g.op(f.base) && g.words(o.base)[0] == g.words(f.base)[0]);
    if (!found) return std::nullopt;
  }
  const Op op0 = g.op(in_u[0].base), op1 = g.op(in_u[1].base);
  const Id a = g.words(in_u[0].base)[0], b = g.words(in_u[1].base)[0];
  if (a == b) return std::nullopt;
  Id c = u.coefficient, f;
  if (op0 == op1) {
    // cos a cos b ∓ sin a sin b = cos(a ± b)
    f = g.function(Op::cos, equal ? g.subtract(a, b) : g.add(a, b));
    if (!equal && op0 == Op::sin) c = g.negate_number(c);
  } else {
    // sin a cos b ± cos a sin b = sin(a ± b)
    const Id sine = op0 == Op::sin ? a : b, cosine = op0 == Op::sin ? b : a;
    f = g.function(Op::sin, equal ? g.add(sine, cosine) : g.subtract(sine, cosine));
  }
  return Term{c, replace(g, u.node, in_u, f)};
}

std::optional<Term> merge_pair(Impl& g, Term u, Term v) {
  const bool equal = u.coefficient == v.coefficient;
  if (!equal && g.negate_number(u.coefficient) != v.coefficient) return std::nullopt;
  const auto q = quotient(g, u.node, v.node);
  if (!q) return std::nullopt;
  if (q->size == 2) return merge_squares(g, *q, u, equal);
  if (q->size == 4) return merge_angles(g, *q, u, equal);
  return std::nullopt;
}

// 2 R sin a cos a = R sin 2a
std::optional<Term> merge_double_angle(Impl& g, Term u) {
  const Number c = g.number(u.coefficient);
  if (!c.is_integer() || (c.n != 2 && c.n != -2)) return std::nullopt;
  const auto a = g.arguments(u.node);
  for (std::size_t i = 0; i < a.size(); i += 2) {
    if (g.op(a[i]) != Op::sin || static_cast<std::int32_t>(a[i + 1]) < 1) continue;
    for (std::size_t j = 0; j < a.size(); j += 2) {
      if (g.op(a[j]) != Op::cos || static_cast<std::int32_t>(a[j + 1]) < 1 || g.words(a[i])[0] != g.words(a[j])[0])
        continue;
      const Factor divided[] = {{a[i], 1}, {a[j], 1}};
      const Id twice = g.scale(g.number(Number::integer(2)), g.words(a[i])[0]);
      return Term{c.n > 0 ? one : minus_one, replace(g, u.node, divided, g.function(Op::sin, twice))};
    }
  }
  return std::nullopt;
}

void remove(Terms& terms, std::size_t i) {
  for (; i + 1 < terms.size(); ++i) terms[i] = terms[i + 1];
  terms.resize(terms.size() - 1);
}

}  // namespace

bool rewrite_trigonometry(Graph::Impl& g, Terms& terms, Id& c0) {
  struct Candidate {
    std::uint64_t skeleton;
    std::size_t index;
  };
  Buffer<Candidate, 32> candidates;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    // a sum that holds such products is a factor here, its words are none
    if (g.op(terms[i].node) != Op::product || !g.has(terms[i].node, flag_trig)) continue;
    if (const auto merged = merge_double_angle(g, terms[i])) {
      remove(terms, i);
      g.append(terms, c0, *merged, Graph::flatten_width);
      return true;
    }
    candidates.push_back({skeleton(g, terms[i].node), i});
  }
  if (candidates.size() > 16)
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.skeleton < b.skeleton; });
  // only terms of one skeleton can pair
  for (std::size_t k = 0; k < candidates.size(); ++k)
    for (std::size_t l = k + 1; l < candidates.size(); ++l) {
      if (candidates[k].skeleton != candidates[l].skeleton) {
        if (candidates.size() > 16) break;
        continue;
      }
      const std::size_t i = std::min(candidates[k].index, candidates[l].index);
      const std::size_t j = std::max(candidates[k].index, candidates[l].index);
      if (const auto merged = merge_pair(g, terms[i], terms[j])) {
        remove(terms, j);
        remove(terms, i);
        g.append(terms, c0, *merged, Graph::flatten_width);
        return true;
      }
    }
  return false;
}

}  // namespace coenergy::symbolic
