#pragma once
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/symbolic/program.hpp"

namespace coenergy::symbolic {

/// For tests: random expressions over a few symbols, with every operation, shared nodes, products of sums, powers,
/// quotients, let, tables of all kinds and their derivatives. Values stay of moderate size and functions inside their
/// ranges, so that rounding stays small.
struct RandomGraph {
  /// `parts` independent expression pools of so many nodes over the same symbols, with calls of an external function or
  /// without (printed text only declares those).
  explicit RandomGraph(std::uint64_t seed, int nodes = 60, int parts = 1, bool with_external = true)
      : with_external(with_external), random(seed) {
    for (int i = 0; i < 6; ++i) symbols.push_back(graph.symbol("x" + std::to_string(i)));
    make_tables();
    for (int part = 0; part < parts; ++part) {
      pool = symbols;
      pool.push_back(graph.rational(3, 7));
      while (static_cast<int>(pool.size()) < nodes) pool.push_back(make());
      for (std::size_t j = 1; j <= 4; ++j) outputs.push_back({"y" + std::to_string(j), pool[pool.size() - j]});
      outputs.push_back({"negative", -(pool[pool.size() / 2] * pool.back())});
      const Expr x = symbols[below(3)], y = symbols[3 + below(3)];
      outputs.push_back({"slope", derivative(call(tanh(x), tanh(x * y)), x) * tanh(pool.back())});
    }
  }

  std::vector<double> inputs() {
    std::uniform_real_distribution<double> uniform(-1.5, 1.5);
    std::vector<double> x(symbols.size());
    for (double& v : x) v = uniform(random);
    return x;
  }

  Graph graph;
  std::vector<Expr> symbols, pool;
  std::vector<NamedExpr> outputs;

 private:
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random() % n); }
  Expr pick() {
    return pool[below(3) == 0 ? below(pool.size()) : pool.size() - 1 - below(std::min<std::size_t>(pool.size(), 15))];
  }
  Expr bounded() {
    // in (−1, 1)
    return below(2) == 0 ? sin(pick()) : tanh(pick());
  }

  Expr make() {
    switch (below(36)) {
      case 0:
        return pick() + pick();
      case 1:
        return pick() - pick();
      case 2:
        return pick() + 2 * pick() - bounded();
      case 3:
        return bounded() * pick();
      case 4:
        return bounded() * (pick() - pick()) + bounded();
      case 5:
        return -pick();
      case 6:
        return bounded() / (2 + bounded());
      case 7:
        return pow(bounded(), 2 + static_cast<int>(below(7)));
      case 8:
        return pow(2 + bounded(), -1 - static_cast<int>(below(4)));
      case 9:
        return cos(pick());
      case 10:
        return sin(pick());
      case 11:
        return tan(bounded());
      case 12:
        return asin(0.9 * bounded());
      case 13:
        return acos(0.9 * bounded());
      case 14:
        return atan(pick());
      case 15:
        return sinh(bounded());
      case 16:
        return cosh(bounded());
      case 17:
        return exp(bounded());
      case 18:
        return log(3 + bounded());
      case 19:
        return sqrt(2 + bounded());
      case 20:
        return abs(pick());
      case 21:
        return sign(pick());
      case 22:
        return floor(3 * bounded());
      case 23:
        return atan2(bounded(), 2 + bounded());
      case 24:
        return pow(2 + bounded(), bounded());
      case 25:
        return min(pick(), pick());
      case 26:
        return max(pick(), pick());
      case 27:
        return select(less(pick(), pick()), pick(), pick());
      case 28:
        return select(logical_or(less_equal(pick(), bounded()), logical_not(less(bounded(), pick()))), pick(), -pick());
      case 29:
        return select(logical_and(less(pick(), 1), equal(floor(bounded()), -1)), bounded(), pick());
      case 30:
        return graph.let("b" + std::to_string(pool.size()), pick() - pick() * bounded());
      case 31:
        return graph.let("c" + std::to_string(pool.size()), -bounded() - bounded());
      default:
        return call(bounded(), bounded());
    }
  }

  /// A table of one or two arguments, or the external function.
  Expr call(const Expr& x, const Expr& y) {
    const std::size_t kind = below(with_external ? 5 : 4);
    if (kind < 2) return graph.table(curve[kind], x);
    if (kind < 4) return graph.table(surface[kind - 2], x, y);
    const Expr arguments[] = {x, y};
    return graph.external(external, arguments);
  }

  void make_tables() {
    for (const auto method : {Table::Method::linear, Table::Method::cubic}) {
      const std::string suffix = method == Table::Method::linear ? "_linear" : "_cubic";
      auto t = std::make_shared<Table>();
      t->name = "curve" + suffix, t->method = method;
      t->x = {-0.8, 0, 0.5, 2}, t->values = {0.3, -1, 0.25, 0.5};
      t->prepare();
      curve.push_back(t);
      auto s = std::make_shared<Table>();
      s->name = "surface" + suffix, s->method = method;
      s->x = {-0.9, 0.1, 0.7}, s->y = {-0.5, 0.5, 0.6};
      s->values = {0, 1, 0.5, -1, 0.5, 0, 0.25, 1, 0.125};
      s->prepare();
      surface.push_back(s);
    }
    external =
        std::make_shared<External>(External{"wave", 2, [](const double* x) { return x[0] * x[0] - x[0] * x[1]; },
                                            [](const double* x, int k) { return k == 0 ? 2 * x[0] - x[1] : -x[0]; }});
  }

  bool with_external;
  std::mt19937_64 random;
  std::vector<std::shared_ptr<const Table>> curve, surface;
  std::shared_ptr<const External> external;
};

/// For tests: values of expressions by plain recursion over the graph in extended precision, without any lowering.
inline std::vector<long double> evaluate_graph(Graph& g, const std::vector<Expr>& symbols, const std::vector<double>& x,
                                               std::span<const NamedExpr> outputs) {
  std::vector<long double> v(g.size(), 0);
  for (std::size_t i = 0; i < symbols.size(); ++i) v[symbols[i].id()] = x[i];
  for (std::uint32_t id = 0; id < g.size(); ++id) {
    const auto a = g.arguments(id);
    const auto arg = [&](std::size_t i) { return v[a[i]]; };
    switch (g.op(id)) {
      case Op::symbol:
        break;
      case Op::number:
        v[id] = g.number(id);
        break;
      case Op::sum:
        v[id] = v[a[0]];
        for (std::size_t i = 1; i < a.size(); i += 2) v[id] += v[a[i]] * v[a[i + 1]];
        break;
      case Op::product:
        v[id] = 1;
        for (std::size_t i = 0; i < a.size(); i += 2) v[id] *= std::pow(v[a[i]], static_cast<int>(a[i + 1]));
        break;
      case Op::let:
        v[id] = arg(0);
        break;
      case Op::sin:
        v[id] = std::sin(arg(0));
        break;
      case Op::cos:
        v[id] = std::cos(arg(0));
        break;
      case Op::tan:
        v[id] = std::tan(arg(0));
        break;
      case Op::asin:
        v[id] = std::asin(arg(0));
        break;
      case Op::acos:
        v[id] = std::acos(arg(0));
        break;
      case Op::atan:
        v[id] = std::atan(arg(0));
        break;
      case Op::sinh:
        v[id] = std::sinh(arg(0));
        break;
      case Op::cosh:
        v[id] = std::cosh(arg(0));
        break;
      case Op::tanh:
        v[id] = std::tanh(arg(0));
        break;
      case Op::exp:
        v[id] = std::exp(arg(0));
        break;
      case Op::log:
        v[id] = std::log(arg(0));
        break;
      case Op::sqrt:
        v[id] = std::sqrt(arg(0));
        break;
      case Op::abs:
        v[id] = std::fabs(arg(0));
        break;
      case Op::sign:
        v[id] = (arg(0) > 0) - (arg(0) < 0);
        break;
      case Op::floor:
        v[id] = std::floor(arg(0));
        break;
      case Op::atan2:
        v[id] = std::atan2(arg(0), arg(1));
        break;
      case Op::pow:
        v[id] = std::pow(arg(0), arg(1));
        break;
      case Op::min:
        v[id] = std::min(arg(0), arg(1));
        break;
      case Op::max:
        v[id] = std::max(arg(0), arg(1));
        break;
      case Op::less:
        v[id] = arg(0) < arg(1);
        break;
      case Op::less_equal:
        v[id] = arg(0) <= arg(1);
        break;
      case Op::equal:
        v[id] = arg(0) == arg(1);
        break;
      case Op::logical_and:
        v[id] = arg(0) != 0 && arg(1) != 0;
        break;
      case Op::logical_or:
        v[id] = arg(0) != 0 || arg(1) != 0;
        break;
      case Op::logical_not:
        v[id] = arg(0) == 0;
        break;
      case Op::select:
        v[id] = arg(0) != 0 ? arg(1) : arg(2);
        break;
      case Op::table:
        v[id] = g.table_of(id)->evaluate(static_cast<double>(arg(0)), a.size() > 1 ? static_cast<double>(arg(1)) : 0,
                                         g.table_derivative(id, 0), g.table_derivative(id, 1));
        break;
      case Op::external: {
        std::vector<double> x;
        for (const std::uint32_t c : a) x.push_back(static_cast<double>(v[c]));
        const External& f = *g.external_of(id);
        const int k = g.external_derivative(id);
        v[id] = k < 0 ? f.value(x.data()) : f.derivative(x.data(), k);
        break;
      }
    }
  }
  std::vector<long double> y;
  for (const NamedExpr& o : outputs)
    y.push_back(o.value.graph() != nullptr ? v[o.value.id()] : static_cast<long double>(o.value.number()));
  return y;
}

}  // namespace coenergy::symbolic
