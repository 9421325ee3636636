#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "coenergy/equations/kernel.hpp"
#include "coenergy/equations/row_shape.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::equations {
namespace {

using symbolic::Expr;

/// Variables of a line of n nodes.
struct Line {
  explicit Line(int n) {
    set.variables.time();
    for (int k = 0; k < n; ++k) {
      const std::string index = std::to_string(k);
      set.variables.add_state("x" + index), set.variables.add_algebraic("y" + index);
      set.variables.add_parameter("R" + index), set.variables.add_parameter("C" + index);
    }
  }
  Expr x(int k) const { return set.variables.state(k).x; }
  Expr xd(int k) const { return set.variables.state(k).xd; }
  Expr y(int k) const { return set.variables.algebraic(k); }
  Expr R(int k) const { return set.variables.parameter(2 * k); }
  Expr C(int k) const { return set.variables.parameter(2 * k + 1); }
  EquationSet set;
};

/// Compares with one straight-line program of all rows at random values.
void expect_same_values(EquationSet& set, const std::vector<Expr>& rows, const RowFunction& f) {
  const symbolic::Function reference = make_function(set, rows);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> value(0.5, 2);
  std::vector<double> in(reference.program().inputs.size()), out(rows.size(), NAN);
  WorkArray memory;
  for (int trial = 0; trial < 3; ++trial) {
    for (double& v : in) v = value(random);
    const std::vector<double> expected = symbolic::evaluate(reference, in);
    f(in.data(), out.data(), memory);
    // sums may be taken in another order
    for (std::size_t k = 0; k < rows.size(); ++k)
      ASSERT_NEAR(out[k], expected[k], 1e-14 * (1 + std::abs(expected[k]))) << to_string(rows[k]);
  }
}

TEST(RowShape, IsEqualForOtherSymbolsAndDiffersForOtherOperationsAndNumbers) {
  const Line line(6);
  RowShape shape(line.set.graph);
  const auto key = [&](const Expr& e) {
    EXPECT_TRUE(shape.read(e.id()));
    return shape.key();
  };
  const std::string ohm = key((line.y(1) - line.y(0)) / line.R(1));
  EXPECT_EQ(shape.symbols().size(), 3u);
  EXPECT_EQ(ohm, key((line.y(4) - line.y(3)) / line.R(4)));
  EXPECT_NE(ohm, key((line.y(4) + line.y(3)) / line.R(4)));
  EXPECT_NE(ohm, key((line.y(4) - line.y(3)) * line.R(4)));
  EXPECT_NE(ohm, key((line.y(4) - 2 * line.y(3)) / line.R(4)));
  // one symbol twice is another shape than two symbols
  EXPECT_NE(key(line.y(0) * line.x(0) + line.y(0)), key(line.y(0) * line.x(0) + line.y(1)));
  EXPECT_FALSE(shape.read(exp(line.y(0)).id()));
}

TEST(RowFunction, RowsAlongALineGiveTheValuesOfTheStraightProgram) {
  constexpr int n = 300;
  Line line(n);
  std::vector<Expr> rows;
  for (int k = 1; k + 1 < n; ++k) {
    rows.push_back(line.C(k) * line.xd(k) + (line.y(k) - line.y(k - 1)) / line.R(k) -
                   (line.y(k + 1) - line.y(k)) / line.R(k + 1));
    rows.push_back(line.x(k) - line.y(k));
  }
  const RowFunction f(line.set, rows);
  EXPECT_GE(f.repeated(), rows.size() - 8);
  expect_same_values(line.set, rows, f);
}

TEST(RowFunction, RowsInAnyOrderWithNumbersFunctionsAndChoicesGiveTheValuesOfTheStraightProgram) {
  constexpr int n = 400;
  Line line(n);
  std::mt19937 random(3);
  const auto pick = [&] { return static_cast<int>(random() % n); };
  std::vector<Expr> rows;
  for (int k = 0; k < 2000; ++k) {
    const Expr a = line.y(pick()), b = line.x(pick()), c = line.R(pick());
    switch (random() % 7) {
      case 0:
        rows.push_back(a * b - c);
        break;
      case 1:
        rows.push_back(select(less(a, b), max(a, c), min(b, c)));
        break;
      case 2:
        rows.push_back(sqrt(abs(a - b)) * sign(b - c));
        break;
      case 3:
        rows.push_back(exp(a) + b);
        break;
      case 4:
        rows.push_back(logical_or(less_equal(a, b), logical_not(less(b, c))));
        break;
      case 5:
        rows.emplace_back(static_cast<double>(random() % 3));
        break;
      default:
        rows.push_back(line.set.graph.let("bound", a / b) + c);
    }
  }
  const RowFunction f(line.set, rows);
  EXPECT_GT(f.repeated(), rows.size() / 2);
  expect_same_values(line.set, rows, f);
}

TEST(RowFunction, FewRowsAreOneStraightProgram) {
  Line line(10);
  std::vector<Expr> rows;
  for (int k = 0; k < 10; ++k) rows.push_back(line.x(k) * line.y(k) + 1);
  const RowFunction f(line.set, rows);
  EXPECT_EQ(f.repeated(), 0u);
  EXPECT_EQ(f.straight().program().outputs.size(), rows.size());
  expect_same_values(line.set, rows, f);
}

}  // namespace
}  // namespace coenergy::equations
