#include "coenergy/equations/partial_derivatives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <thread>

namespace coenergy::equations {
namespace {

using symbolic::Expr;

constexpr symbolic::JacobianLimit always{.visits = std::numeric_limits<std::size_t>::max()}, never{};

/// Rows in variables of every kind; some unknowns meet in no row.
struct Equations {
  std::shared_ptr<EquationSet> set = std::make_shared<EquationSet>();
  std::vector<Expr> e;
  std::vector<int> rows;
  Layout layout;

  Equations() {
    Variables& v = set->variables;
    const Expr t = v.time();
    for (const char* name : {"u", "s", "z"}) v.add_coordinate(name);
    v.add_rotation("ball");
    v.add_multiplier("l");
    for (const char* name : {"i", "w"}) v.add_state(name);
    v.add_algebraic("y");
    v.add_parameter("k");
    const auto [u, ud, udd] = v.coordinate(0);
    const auto [s, sd, sdd] = v.coordinate(1);
    const Variables::Rotation& r = v.rotation(0);
    const symbolic::Mat3 R = symbolic::rotation_of_quaternion(r.p);
    const Expr bound = set->graph.let("bound", sin(u) * R(0, 1) + ud * s);
    e = {udd * cos(u) + bound * bound + v.multiplier(0) * u + v.parameter(0) * v.state(0).x,
         sdd * (1 + s * s) + R(2, 2) * sd * t + v.algebraic(0) + v.state(0).x * v.state(0).x,
         v.coordinate(2).a + v.coordinate(2).q * v.coordinate(2).v,
         r.alpha[0] * R(0, 0) + r.w[1] * r.w[2] + bound,
         r.alpha[1] * (1 + r.w[0] * R(1, 2)),
         r.alpha[2] + sin(R(2, 0)),
         u * s - R(0, 2),
         v.state(0).xd * exp(v.state(0).x) + v.algebraic(0),
         v.state(1).xd - v.state(1).x * v.state(1).x,
         v.algebraic(0) * v.algebraic(0) - u};
    layout = Layout(v);
    for (int i = 0; i < layout.n(); ++i) rows.push_back(i);
  }
  PartialDerivatives derive(const symbolic::JacobianLimit& limit) const { return {set, layout, e, rows, limit}; }
  /// The dense matrix, by columns.
  std::vector<double> evaluate(const PartialDerivatives& d, const std::vector<double>& in, const Weights& w) const {
    std::vector<int> places;
    for (const auto& entry : d.entries()) places.push_back(entry.column * layout.n() + entry.row);
    std::vector<double> matrix(layout.n() * layout.n(), 0.0);
    Workspace memory;
    const MatrixPart part{w, matrix};
    d.add_to(std::span(&part, 1), places, in.data(), memory);
    return matrix;
  }
};

TEST(PartialDerivatives, ColumnsAreSumsOfTheEntries) {
  const Equations equations;
  const PartialDerivatives entries = equations.derive(always), columns = equations.derive(never);
  ASSERT_FALSE(entries.by_columns());
  ASSERT_TRUE(columns.by_columns());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> in(equations.layout.values());
    for (double& x : in) x = number(random);
    Weights w{number(random), number(random), number(random), number(random), number(random), number(random), 1};
    if (trial % 2 == 1) w.q = w.v = w.x = 0;
    const std::vector<double> a = equations.evaluate(entries, in, w), b = equations.evaluate(columns, in, w);
    // a few rounded terms of size one
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_NEAR(a[i], b[i], 1e-13) << "row " << i % equations.layout.n() << ", column " << i / equations.layout.n();
  }
}

TEST(PartialDerivatives, SeveralMatricesAtOnceAreThoseOfEachAlone) {
  const Equations equations;
  std::vector<double> in(equations.layout.values());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::sin(1.0 + double(i));
  const Weights w[] = {{.a = 1, .lambda = 1, .xd = 1, .y = 1}, {.v = 2, .x = 3}, {.q = 0.5}};
  for (const PartialDerivatives& d : {equations.derive(always), equations.derive(never)}) {
    std::vector<int> places;
    for (const auto& entry : d.entries()) places.push_back(entry.column * equations.layout.n() + entry.row);
    std::vector<std::vector<double>> values(3, std::vector<double>(equations.layout.n() * equations.layout.n()));
    const MatrixPart parts[] = {{w[0], values[0]}, {w[1], values[1]}, {w[2], values[2]}};
    Workspace memory;
    d.add_to(parts, places, in.data(), memory);
    // the first comes from a smaller program where it is asked for alone: sums may be taken in another order
    for (int k = 0; k < 3; ++k) {
      const std::vector<double> alone = equations.evaluate(d, in, w[k]);
      for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(values[k][i], alone[i], 1e-14) << k << " " << i;
    }
  }
}

/// A line of sections, some of whose rows have the same shape although other kinds of variables stand in them.
TEST(PartialDerivatives, RowsOfOneShapeHaveTheEntriesOfEachRowAlone) {
  constexpr int n = 200;
  const auto set = std::make_shared<EquationSet>();
  Variables& v = set->variables;
  v.time();
  for (int k = 0; k < n; ++k) {
    const std::string index = std::to_string(k);
    v.add_state("x" + index), v.add_algebraic("y" + index), v.add_parameter("R" + index);
  }
  std::vector<Expr> e;
  for (int k = 0; k < n; ++k) {
    const Expr x = v.state(k).x, left = k % 3 == 0 ? v.parameter((k + 7) % n) : v.algebraic((k + n - 1) % n);
    e.push_back(v.state(k).xd * x + (x - left) / v.parameter(k) + select(less(x, left), x * x, sqrt(abs(left))));
  }
  for (int k = 0; k < n; ++k) e.push_back(v.algebraic(k) - v.state(k).x + (k % 50 == 0 ? exp(v.state(k).x) : 0));
  const Layout layout(v);
  std::vector<int> rows(e.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int>((i + 5) % rows.size());
  const PartialDerivatives together(set, layout, e, rows, always);
  // all but a few rows were differentiated as groups
  EXPECT_LT(together.functions().front()->program().outputs.size(), 20u);

  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(0.5, 2);
  std::vector<double> in(layout.values());
  for (double& value : in) value = number(random);
  const Weights w{.x = 0.3, .xd = 1.7, .y = 0.9};
  const auto evaluate = [&](const PartialDerivatives& d, std::vector<double>& matrix) {
    std::vector<int> places;
    for (const auto& entry : d.entries()) places.push_back(entry.column * layout.n() + entry.row);
    Workspace memory;
    const MatrixPart part{w, matrix};
    d.add_to(std::span(&part, 1), places, in.data(), memory);
  };
  std::vector<double> a(layout.n() * layout.n(), 0.0), b(a);
  evaluate(together, a);
  for (std::size_t i = 0; i < e.size(); ++i) evaluate({set, layout, {e[i]}, {rows[i]}, always}, b);
  // sums may be taken in another order
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], 1e-14 * (1 + std::abs(b[i]))) << "row " << i % layout.n() << ", column " << i / layout.n();
}

TEST(PartialDerivatives, ManyThreadsMayAskFirst) {
  const Equations equations;
  const PartialDerivatives columns = equations.derive(never);
  const std::vector<double> in(equations.layout.values(), 0.3);
  std::vector<std::vector<double>> results(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < results.size(); ++i)
    threads.emplace_back([&, i] {
      results[i] = equations.evaluate(columns, in, {.q = i % 2 == 0 ? 1.0 : 0.0, .a = 1, .lambda = 1, .xd = 1, .y = 1});
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(results[0], results[2]);
  EXPECT_EQ(results[1], results[3]);
  EXPECT_NE(results[0], results[1]);
}

}  // namespace
}  // namespace coenergy::equations
