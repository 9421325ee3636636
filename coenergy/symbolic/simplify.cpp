#include <algorithm>
#include <map>

#include "coenergy/base/error.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/cost.hpp"
#include "coenergy/symbolic/traverse.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;

// expressions costlier than this are not expanded as a trial
constexpr std::size_t largest_trial = 2000;

// products of more factors than this are not divided
constexpr std::size_t widest_product = 1000;

// powers of a base that a term offers for factoring, by the sign of its exponent
struct Occurrence {
  std::size_t terms = 0;
  std::int32_t least = 0;  // exponent nearest to zero
};

std::map<std::pair<Id, bool>, Occurrence> count_factors(const Impl& g, std::span<const Term> terms) {
  std::map<std::pair<Id, bool>, Occurrence> found;
  const auto add = [&](Id base, std::int32_t n) {
    Occurrence& o = found[{base, n > 0}];
    if (o.terms++ == 0 || std::abs(n) < std::abs(o.least)) o.least = n;
  };
  for (const Term& t : terms) {
    if (g.op(t.node) != Op::product) {
      add(t.node, 1);
      continue;
    }
    const auto a = g.arguments(t.node);
    for (std::size_t i = 0; i < a.size(); i += 2) add(a[i], static_cast<std::int32_t>(a[i + 1]));
  }
  return found;
}

bool has_factor(const Impl& g, Id term, Id base, std::int32_t n) {
  if (g.op(term) != Op::product) return term == base && n > 0;
  const auto a = g.arguments(term);
  for (std::size_t i = 0; i < a.size(); i += 2)
    if (a[i] == base) return (static_cast<std::int32_t>(a[i + 1]) > 0) == (n > 0);
  return false;
}

// c0 + Σ cᵢ tᵢ with the factor that most terms share taken out, again and again
Id factor_terms(Impl& g, Id c0, std::vector<Term> terms) {
  Id result = c0;
  for (;;) {
    Id base = zero;
    Occurrence best{1, 0};
    for (const auto& [key, o] : count_factors(g, terms))
      if (o.terms > best.terms) base = key.first, best = o;
    if (best.terms < 2) break;
    // Σ = f·(inside) + outside
    std::vector<Term> inside, outside;
    for (const Term& t : terms) {
      const Factor quotient[] = {{t.node, 1}, {base, -best.least}};
      if (has_factor(g, t.node, base, best.least))
        inside.push_back({t.coefficient, g.product(quotient, widest_product)});
      else
        outside.push_back(t);
    }
    Id constant = zero;
    std::vector<Term> inner;
    for (const Term& t : inside) {
      if (t.node == one)
        constant = g.add_numbers(constant, t.coefficient);
      else
        inner.push_back(t);
    }
    result = g.add(result, g.multiply(g.power(base, best.least), factor_terms(g, constant, std::move(inner))));
    terms = std::move(outside);
  }
  return g.add(result, g.linear(zero, terms, terms.size()));
}

Id factor_once(Impl& g, Id id) {
  Id c = one, x = id;
  if (g.op(x) == Op::sum && g.width(x) == 1 && g.words(x)[0] == zero) c = g.words(x)[1], x = g.words(x)[2];
  if (g.op(x) != Op::sum) return id;
  const auto a = g.arguments(x);
  std::vector<Term> terms;
  for (std::size_t i = 1; i < a.size(); i += 2) terms.push_back({a[i], a[i + 1]});
  return g.scale(c, factor_terms(g, a[0], std::move(terms)));
}

// what was taken out may share factors again: a·(b + c) + d·(b + c)
Id factor_sum(Impl& g, Id id) {
  constexpr int most_rounds = 8;
  for (int round = 0; round < most_rounds; ++round) {
    const Id factored = factor_once(g, id);
    if (factored == id) break;
    id = factored;
  }
  return id;
}

// c·R − c·R·sin²a = c·R·cos²a and the same for cos²
Id apply_pythagoras(Impl& g, Id id) {
  if (g.op(id) != Op::sum || !g.has(id, flag_trig)) return id;
  const auto a = g.arguments(id);
  for (std::size_t i = 1; i < a.size(); i += 2) {
    if (g.op(a[i + 1]) != Op::product || !g.has(a[i + 1], flag_trig)) continue;
    const auto f = g.arguments(a[i + 1]);
    for (std::size_t k = 0; k < f.size(); k += 2) {
      const Op op = g.op(f[k]);
      if ((op != Op::sin && op != Op::cos) || static_cast<std::int32_t>(f[k + 1]) < 2) continue;
      // c·R·f² + (1 − f²)·(−c·R): subtract what vanishes
      const Id other = g.function(op == Op::sin ? Op::cos : Op::sin, g.words(f[k])[0]);
      const Id rest = g.divide(a[i + 1], g.power(f[k], 2));
      const Id change = g.subtract(rest, g.multiply(rest, g.power(other, 2)));
      const Id trial = g.add(g.subtract(id, g.scale(a[i], a[i + 1])), g.scale(a[i], change));
      if (compute_cost(g, trial) < compute_cost(g, id)) return apply_pythagoras(g, trial);
    }
  }
  return id;
}

// the cheapest of several forms of one node
Id best_form(Impl& g, Id id) {
  Id best = id;
  std::size_t least = compute_cost(g, id, largest_trial);
  if (least > largest_trial) return factor_sum(g, id);
  const auto consider = [&](Id trial) {
    const std::size_t cost = compute_cost(g, trial, largest_trial);
    if (cost < least) best = trial, least = cost;
  };
  consider(factor_sum(g, id));
  const Id expanded = expand(g.expr(id)).id();
  consider(expanded);
  consider(factor_sum(g, expanded));
  consider(factor_sum(g, apply_pythagoras(g, expanded)));
  return best;
}

}  // namespace

Expr simplify(const Expr& e) {
  if (e.graph() == nullptr) return e;
  Impl& g = e.graph()->impl();
  const Id root = e.id();
  NodeMap image(g);
  map_nodes(g, reachable(g, {&root, 1}), image, [&](Id id, std::span<const Id> children, bool is_same) {
    const Id simplified = is_same ? id : g.rebuild(id, children);
    return g.op(id) == Op::sum || g.op(id) == Op::product ? best_form(g, simplified) : simplified;
  });
  const Id result = image.get(root, root);
  return g.expr(compute_cost(g, result) <= compute_cost(g, root) ? result : root);
}

}  // namespace coenergy::symbolic
