#include "coenergy/symbolic/expr.hpp"

#include <cassert>

#include "coenergy/symbolic/graph_impl.hpp"

namespace coenergy::symbolic {

namespace {

using Impl = Graph::Impl;

// the graph of the operands; numbers of no graph are computed in a graph of constants and come back as numbers
Graph* common_graph(std::initializer_list<const Expr*> operands) {
  Graph* g = nullptr;
  for (const Expr* e : operands) {
    assert((g == nullptr || e->graph() == nullptr || g == e->graph()) && "bug: expressions of two graphs are mixed");
    if (e->graph() != nullptr) g = e->graph();
  }
  return g;
}

template <class F>
Expr apply(std::initializer_list<const Expr*> operands, F f) {
  if (Graph* g = common_graph(operands)) return g->at(f(g->impl()));
  Graph constants;
  return constants.number(f(constants.impl()));
}

template <class F>
Expr unary(const Expr& a, F f) {
  return apply({&a}, [&](Impl& g) { return f(g, g.id_of(a)); });
}

template <class F>
Expr binary(const Expr& a, const Expr& b, F f) {
  if (a.graph() != nullptr && a.graph() == b.graph()) {
    // most operands of a large graph are far away: both are called at once
    Impl& g = a.graph()->impl();
    g.prefetch(a.id());
    g.prefetch(b.id());
    return a.graph()->at(f(g, a.id(), b.id()));
  }
  return apply({&a, &b}, [&](Impl& g) { return f(g, g.id_of(a), g.id_of(b)); });
}

Expr function(Op op, const Expr& x) {
  return unary(x, [op](Impl& g, Id a) { return g.function(op, a); });
}

}  // namespace

bool Expr::is_number() const { return !is_node() || graph()->op(id()) == Op::number; }
bool Expr::is_zero() const { return is_node() ? id() == zero : value() == 0; }
bool Expr::is_one() const { return is_node() ? id() == one : value() == 1; }
Op Expr::op() const { return is_node() ? graph()->op(id()) : Op::number; }

double Expr::number() const {
  assert(is_number());
  return is_node() ? graph()->number(id()) : value();
}

bool same(const Expr& a, const Expr& b) {
  if (a.is_node() && b.is_node() && a.graph() == b.graph()) return a.bits_ == b.bits_;
  return a.is_number() && b.is_number() && a.number() == b.number();
}

Expr operator+(const Expr& a, const Expr& b) {
  if (a.graph() == nullptr && b.graph() == nullptr) return a.number() + b.number();
  return binary(a, b, [](Impl& g, Id x, Id y) { return g.add(x, y); });
}

Expr operator-(const Expr& a, const Expr& b) {
  if (a.graph() == nullptr && b.graph() == nullptr) return a.number() - b.number();
  return binary(a, b, [](Impl& g, Id x, Id y) { return g.subtract(x, y); });
}

Expr operator*(const Expr& a, const Expr& b) {
  if (a.graph() == nullptr && b.graph() == nullptr) return a.number() * b.number();
  return binary(a, b, [](Impl& g, Id x, Id y) { return g.multiply(x, y); });
}

Expr operator/(const Expr& a, const Expr& b) {
  if (a.graph() == nullptr && b.graph() == nullptr && b.number() != 0) return a.number() / b.number();
  return binary(a, b, [](Impl& g, Id x, Id y) { return g.divide(x, y); });
}

Expr operator-(const Expr& a) {
  if (a.graph() == nullptr) return a.is_zero() ? Expr(0) : Expr(-a.number());
  return unary(a, [](Impl& g, Id x) { return g.negate(x); });
}

Expr pow(const Expr& base, int exponent) {
  return unary(base, [exponent](Impl& g, Id x) { return g.power(x, exponent); });
}

Expr pow(const Expr& base, const Expr& exponent) {
  return binary(base, exponent, [](Impl& g, Id x, Id y) { return g.power(x, y); });
}

Expr sin(const Expr& x) { return function(Op::sin, x); }
Expr cos(const Expr& x) { return function(Op::cos, x); }
Expr tan(const Expr& x) { return function(Op::tan, x); }
Expr asin(const Expr& x) { return function(Op::asin, x); }
Expr acos(const Expr& x) { return function(Op::acos, x); }
Expr atan(const Expr& x) { return function(Op::atan, x); }
Expr sinh(const Expr& x) { return function(Op::sinh, x); }
Expr cosh(const Expr& x) { return function(Op::cosh, x); }
Expr tanh(const Expr& x) { return function(Op::tanh, x); }
Expr exp(const Expr& x) { return function(Op::exp, x); }
Expr log(const Expr& x) { return function(Op::log, x); }
Expr sqrt(const Expr& x) { return function(Op::sqrt, x); }
Expr abs(const Expr& x) { return function(Op::abs, x); }
Expr sign(const Expr& x) { return function(Op::sign, x); }
Expr floor(const Expr& x) { return function(Op::floor, x); }

Expr atan2(const Expr& y, const Expr& x) {
  return binary(y, x, [](Impl& g, Id a, Id b) { return g.atan2(a, b); });
}
Expr min(const Expr& a, const Expr& b) {
  return binary(a, b, [](Impl& g, Id x, Id y) { return g.minimum(Op::min, x, y); });
}
Expr max(const Expr& a, const Expr& b) {
  return binary(a, b, [](Impl& g, Id x, Id y) { return g.minimum(Op::max, x, y); });
}
Expr less(const Expr& a, const Expr& b) {
  return binary(a, b, [](Impl& g, Id x, Id y) { return g.compare(Op::less, x, y); });
}
Expr less_equal(const Expr& a, const Expr& b) {
  return binary(a, b, [](Impl& g, Id x, Id y) { return g.compare(Op::less_equal, x, y); });
}
Expr equal(const Expr& a, const Expr& b) {
  return binary(a, b, [](Impl& g, Id x, Id y) { return g.compare(Op::equal, x, y); });
}
Expr logical_and(const Expr& a, const Expr& b) {
  return binary(a, b, [](Impl& g, Id x, Id y) { return g.logical(Op::logical_and, x, y); });
}
Expr logical_or(const Expr& a, const Expr& b) {
  return binary(a, b, [](Impl& g, Id x, Id y) { return g.logical(Op::logical_or, x, y); });
}
Expr logical_not(const Expr& a) {
  return unary(a, [](Impl& g, Id x) { return g.logical_not(x); });
}

Expr select(const Expr& condition, const Expr& if_true, const Expr& if_false) {
  return apply({&condition, &if_true, &if_false}, [&](Impl& g) {
    const Id c = g.id_of(condition), a = g.id_of(if_true), b = g.id_of(if_false);
    return g.select(c, a, b);
  });
}

Expr sum(std::span<const Expr> terms) {
  Graph* graph = nullptr;
  double constant = 0;
  for (const Expr& t : terms) {
    if (t.graph() != nullptr)
      graph = t.graph();
    else
      constant += t.number();
  }
  if (graph == nullptr) return constant;
  Impl& g = graph->impl();
  std::vector<Term> operands;
  std::size_t limit = 0;
  for (const Expr& t : terms) {
    operands.push_back({one, g.id_of(t)});
    limit += g.width(operands.back().node);
  }
  return g.expr(g.linear(zero, operands, limit));
}

}  // namespace coenergy::symbolic
