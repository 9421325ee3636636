#include <algorithm>
#include <string>

#include "coenergy/base/error.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/traverse.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;
using TermList = std::vector<Term>;  // a constant is a coefficient of the node `one`

constexpr std::size_t most_terms = 1000000;
constexpr std::size_t unlimited = 1u << 30;

Id multiply_flat(Impl& g, Id a, Id b) {
  const Factor factors[] = {{a, 1}, {b, 1}};
  return g.product(factors, unlimited);
}

// the terms of an expanded node: a sum, a scaled sum, or one term
void append_terms(Impl& g, Id c, Id x, TermList& out) {
  if (g.is_number(x)) {
    const Id value = g.multiply_numbers(c, x);
    if (value != zero) out.push_back({value, one});
    return;
  }
  if (g.op(x) != Op::sum) {
    out.push_back({c, x});
    return;
  }
  const auto a = g.arguments(x);
  if (a[0] != zero) out.push_back({g.multiply_numbers(c, a[0]), one});
  for (std::size_t i = 1; i < a.size(); i += 2) {
    const Id scaled = g.multiply_numbers(c, a[i]);
    if (g.op(a[i + 1]) == Op::sum)
      append_terms(g, scaled, a[i + 1], out);
    else
      out.push_back({scaled, a[i + 1]});
  }
}

void combine(Impl& g, TermList& terms) {
  std::stable_sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.node < b.node; });
  std::size_t size = 0;
  for (std::size_t i = 0; i < terms.size();) {
    Term t = terms[i++];
    while (i < terms.size() && terms[i].node == t.node)
      t.coefficient = g.add_numbers(t.coefficient, terms[i++].coefficient);
    if (t.coefficient != zero) terms[size++] = t;
  }
  terms.resize(size);
}

TermList multiply(Impl& g, const TermList& a, const TermList& b) {
  if (a.size() * b.size() > most_terms)
    throw Error("expand: the product has more than " + std::to_string(most_terms) + " terms; keep it factored");
  TermList result;
  result.reserve(a.size() * b.size());
  for (const Term& x : a)
    for (const Term& y : b)
      append_terms(g, g.multiply_numbers(x.coefficient, y.coefficient), multiply_flat(g, x.node, y.node), result);
  combine(g, result);
  return result;
}

// Π baseᵢ^nᵢ with expanded bases: positive powers of sums are multiplied out, the rest is one factor
Id expand_product(Impl& g, Id id, std::span<const Id> bases) {
  const auto old = g.arguments(id);
  Factors rest;
  TermList terms{{one, one}};
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const auto n = static_cast<std::int32_t>(old[2 * i + 1]);
    if (n < 0 || g.op(bases[i]) != Op::sum) {
      rest.push_back({bases[i], n});
      continue;
    }
    TermList base;
    append_terms(g, one, bases[i], base);
    for (std::int32_t k = 0; k < n; ++k) terms = multiply(g, terms, base);
  }
  const Id factor = g.product({rest.data(), rest.size()}, unlimited);
  TermList all;
  for (const Term& t : terms) append_terms(g, t.coefficient, multiply_flat(g, t.node, factor), all);
  return g.linear(zero, all, unlimited);
}

Id expand_sum(Impl& g, Id id, std::span<const Id> x) {
  const auto old = g.arguments(id);
  TermList terms;
  for (std::size_t i = 0; i < x.size(); ++i) append_terms(g, old[2 * i + 1], x[i], terms);
  combine(g, terms);
  return g.linear(old[0], terms, unlimited);
}

}  // namespace

Expr expand(const Expr& e, bool through_let) {
  if (e.graph() == nullptr) return e;
  Impl& g = e.graph()->impl();
  const Expr start = through_let ? unbind(e) : e;
  const Id root = start.id();
  // what lies behind a let is not touched
  NodeMap image(g);
  Buffer<Id, 16> children, mapped;
  for (const Id id : reachable(g, {&root, 1})) {
    if (g.op(id) == Op::let) continue;
    g.children(id, children);
    mapped.clear();
    for (const Id c : children) mapped.push_back(image.get(c, c));
    const std::span<const Id> x(mapped.data(), mapped.size());
    Id expanded = id;
    if (g.op(id) == Op::product)
      expanded = expand_product(g, id, x);
    else if (g.op(id) == Op::sum)
      expanded = expand_sum(g, id, x);
    else if (!std::equal(children.begin(), children.end(), x.begin()))
      expanded = g.rebuild(id, x);
    if (expanded != id) image.set(id, expanded);
  }
  return g.expr(image.get(root, root));
}

namespace {

using Polynomial = std::vector<Id>;  // coefficient of xᵏ at k

void add_scaled(Impl& g, Polynomial& sum, Id c, const Polynomial& p) {
  if (sum.size() < p.size()) sum.resize(p.size(), zero);
  for (std::size_t k = 0; k < p.size(); ++k) sum[k] = g.add(sum[k], g.multiply(c, p[k]));
}

Polynomial multiply(Impl& g, const Polynomial& a, const Polynomial& b) {
  Polynomial result(a.size() + b.size() - 1, zero);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) result[i + j] = g.add(result[i + j], g.multiply(a[i], b[j]));
  return result;
}

// the node as a polynomial, from those of its children; nothing for a division by, or a function of, x
std::optional<Polynomial> polynomial_of(Impl& g, Id id, std::span<const Polynomial> children) {
  const auto a = g.arguments(id);
  if (g.op(id) == Op::let) return children[0];
  if (g.op(id) == Op::sum) {
    Polynomial result{a[0]};
    for (std::size_t i = 0; i < children.size(); ++i) add_scaled(g, result, a[2 * i + 1], children[i]);
    return result;
  }
  if (g.op(id) != Op::product) return std::nullopt;
  Polynomial result{one};
  for (std::size_t i = 0; i < children.size(); ++i) {
    const auto n = static_cast<std::int32_t>(a[2 * i + 1]);
    if (children[i].size() == 1) {
      result = multiply(g, result, {g.power(children[i][0], n)});
      continue;
    }
    if (n < 0) return std::nullopt;
    for (std::int32_t k = 0; k < n; ++k) result = multiply(g, result, children[i]);
  }
  return result;
}

}  // namespace

std::optional<std::vector<Expr>> collect(const Expr& e, const Expr& x) {
  if (e.graph() == nullptr) return std::vector<Expr>{e};
  Impl& g = e.graph()->impl();
  const Id root = e.id(), variable = g.id_of(x);
  // polynomials of the nodes that depend on x; the others are constants
  NodeMap index(g);
  std::vector<Polynomial> polynomials{{zero, one}};
  index.set(variable, 0);
  Buffer<Id, 16> children;
  for (const Id id : reachable(g, {&root, 1})) {
    if (index.has(id)) continue;
    g.children(id, children);
    if (std::none_of(children.begin(), children.end(), [&](Id c) { return index.has(c); })) continue;
    std::vector<Polynomial> parts;
    for (const Id c : children) parts.push_back(index.has(c) ? polynomials[index.at(c)] : Polynomial{c});
    auto p = polynomial_of(g, id, parts);
    if (!p) return std::nullopt;
    index.set(id, static_cast<Id>(polynomials.size()));
    polynomials.push_back(std::move(*p));
  }
  Polynomial result = index.has(root) ? polynomials[index.at(root)] : Polynomial{root};
  while (result.size() > 1 && result.back() == zero) result.pop_back();
  return exprs_of(g, result);
}

}  // namespace coenergy::symbolic
