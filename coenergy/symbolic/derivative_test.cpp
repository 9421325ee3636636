#include "coenergy/symbolic/derivative.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "coenergy/base/error.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/random_expressions.hpp"
#include "coenergy/symbolic/reference_evaluator.hpp"

namespace coenergy::symbolic {
namespace {

using Point = std::map<std::string, double>;

double value_at(const Graph& g, const Expr& e, Point point, const std::string& name, double shift) {
  point[name] += shift;
  return reference_value(g, e, point);
}

// Fourth-order central difference, error h⁴f⁽⁵⁾/30 + ε|f|/h; nothing where two step sizes disagree by more than
// `agreement`, that is at a kink or where the expression varies too fast for the stencil.
std::optional<double> slope(const Graph& g, const Expr& e, const Point& point, const std::string& name,
                            double agreement) {
  double estimate[2];
  for (int k = 0; k < 2; ++k) {
    const double h = k == 0 ? 1e-3 : 5e-4;
    estimate[k] = (8 * (value_at(g, e, point, name, h) - value_at(g, e, point, name, -h)) -
                   (value_at(g, e, point, name, 2 * h) - value_at(g, e, point, name, -2 * h))) /
                  (12 * h);
  }
  const double size = std::max({1.0, std::abs(estimate[0]), std::abs(reference_value(g, e, point))});
  if (!(std::abs(estimate[0] - estimate[1]) <= agreement * size)) return std::nullopt;
  return estimate[1];
}

class DerivativeTest : public testing::Test {
 protected:
  Graph g;
  Expr a = g.symbol("a"), b = g.symbol("b"), x = g.symbol("x"), y = g.symbol("y"), t = g.symbol("t");
};

TEST_F(DerivativeTest, OfEveryFunctionIsTheKnownOne) {
  EXPECT_TRUE(same(derivative(sin(a * x), x), a * cos(a * x)));
  EXPECT_TRUE(same(derivative(cos(x), x), -sin(x)));
  EXPECT_TRUE(same(derivative(tan(x), x), 1 + pow(tan(x), 2)));
  EXPECT_TRUE(same(derivative(asin(x), x), 1 / sqrt(1 - x * x)));
  EXPECT_TRUE(same(derivative(acos(x), x), -1 / sqrt(1 - x * x)));
  EXPECT_TRUE(same(derivative(atan(x), x), 1 / (1 + x * x)));
  EXPECT_TRUE(same(derivative(sinh(x), x), cosh(x)));
  EXPECT_TRUE(same(derivative(cosh(x), x), sinh(x)));
  EXPECT_TRUE(same(derivative(tanh(x), x), 1 - pow(tanh(x), 2)));
  EXPECT_TRUE(same(derivative(exp(x), x), exp(x)));
  EXPECT_TRUE(same(derivative(log(x), x), 1 / x));
  EXPECT_TRUE(same(derivative(sqrt(x), x), 1 / (2 * sqrt(x))));
  EXPECT_TRUE(same(derivative(abs(x), x), sign(x)));
  EXPECT_TRUE(derivative(sign(x), x).is_zero());
  EXPECT_TRUE(derivative(floor(x), x).is_zero());
  EXPECT_TRUE(derivative(less(x, a), x).is_zero());
  EXPECT_TRUE(same(derivative(pow(x, 3) * y, x), 3 * x * x * y));
  EXPECT_TRUE(same(derivative(pow(x, a), x), a * pow(x, a - 1)));
  EXPECT_TRUE(same(derivative(pow(a, x), x), log(a) * pow(a, x)));
  EXPECT_TRUE(same(derivative(atan2(y, x), x), -y / (x * x + y * y)));
  EXPECT_TRUE(same(derivative(atan2(y, x), y), x / (x * x + y * y)));
  EXPECT_TRUE(same(derivative(min(x, y), x), less_equal(x, y)));
  EXPECT_TRUE(same(derivative(x / y, y), -x / (y * y)));
}

TEST_F(DerivativeTest, OfALetIsBoundUnderASpeakingName) {
  const Expr v = g.let("v", x * x * y), w = g.let("w", sin(v) * y);
  const Expr d = derivative(w, x);
  EXPECT_EQ(d.op(), Op::let);
  EXPECT_EQ(to_string(d), "dw_dx");
  EXPECT_TRUE(same(unbind(d), 2 * x * y * y * cos(x * x * y)));
  // a trivial derivative is not bound
  EXPECT_TRUE(same(derivative(g.let("u", x + a), x), 1));
}

TEST_F(DerivativeTest, OfASelectTakesTheChosenSideEvenBesideASingularity) {
  const Expr safe = select(less(x, 0), sqrt(-x), x * x);
  const Expr d = derivative(safe, x);
  EXPECT_TRUE(same(d, select(less(x, 0), -1 / (2 * sqrt(-x)), 2 * x)));
  EXPECT_EQ(reference_value(g, d, {{"x", 0.0}}), 0.0);
  // in reverse mode the branch not taken contributes an exact zero as well
  const Expr reverse = gradient(safe, std::vector<Expr>{x})[0];
  EXPECT_EQ(reference_value(g, reverse, {{"x", 3.0}}), 6.0);
  EXPECT_EQ(reference_value(g, reverse, {{"x", -4.0}}), -0.25);
}

TEST_F(DerivativeTest, OfATableRaisesItsDerivativeOrder) {
  auto table = std::make_shared<Table>();
  *table = {"map", Table::Method::cubic, {0, 1, 2, 4}, {0, 1, 3}, {1, 2, 0, 3, 1, 1, 2, 5, 0, 1, 1, 4}, {}, 0};
  table->prepare();
  const Expr z = g.table(table, x * x, y);
  const Expr dx = derivative(z, x), dxy = derivative(dx, y);
  EXPECT_EQ(to_string(dxy), "2*x*map_dx_dy(x^2, y)");
  const Point p{{"x", 1.2}, {"y", 1.7}};
  EXPECT_NEAR(reference_value(g, dx, p), *slope(g, z, p, "x", 1e-6), 1e-7);
  EXPECT_NEAR(reference_value(g, dxy, p), *slope(g, dx, p, "y", 1e-6), 1e-7);
  // the fourth derivative of a cubic vanishes
  Expr d = g.table(table, x, y);
  for (int i = 0; i < 4; ++i) d = derivative(d, x);
  EXPECT_TRUE(d.is_zero());
}

double product_value(const double* v) { return v[0] * v[0] * std::sin(v[1]); }
double product_slope(const double* v, int k) {
  return k == 0 ? 2 * v[0] * std::sin(v[1]) : v[0] * v[0] * std::cos(v[1]);
}

TEST_F(DerivativeTest, OfAnExternalUsesItsDerivativeOrADifference) {
  const auto with = std::make_shared<External>(External{"f", 2, product_value, product_slope});
  const auto without = std::make_shared<External>(External{"f", 2, product_value, nullptr});
  const Point p{{"x", 0.7}, {"y", 0.4}};
  const double exact = 2 * 0.7 * std::sin(0.8) * 1.0;
  for (const auto& f : {with, without}) {
    const std::vector<Expr> arguments{x, 2 * y};
    const Expr z = g.external(f, arguments), dx = derivative(z, x);
    // a central difference with step ∛ε has an error near ε^(2/3) = 4e-11
    EXPECT_NEAR(reference_value(g, dx, p), exact, 1e-9);
    // second derivatives: a difference of first derivatives; of two differences, their noise over the step
    const double exact_xy = 2 * 0.7 * std::cos(0.8) * 2;
    EXPECT_NEAR(reference_value(g, derivative(dx, y), p), exact_xy, f == with ? 1e-9 : 1e-4);
  }
}

TEST_F(DerivativeTest, WithRespectToTimeFollowsTheRates) {
  const Expr q = g.symbol("q"), v = g.symbol("v"), acceleration = g.symbol("acceleration");
  const std::vector<Expr> symbols{q, v, t}, rates{v, acceleration, 1};
  EXPECT_TRUE(
      same(time_derivative(sin(q) * v + t * t, symbols, rates), v * v * cos(q) + acceleration * sin(q) + 2 * t));
}

TEST_F(DerivativeTest, ByAnythingButASymbolIsRefused) {
  try {
    derivative(x * x, x * y);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "derivative with respect to x*y: only symbols can be differentiated by");
  }
}

TEST_F(DerivativeTest, JacobianHoldsOnlyStructuralEntries) {
  const std::vector<Expr> f{x * y, a + floor(x), g.constant(3), sin(b) + x, x - x}, s{x, y, b};
  const auto entries = jacobian(f, s);
  ASSERT_EQ(entries.size(), 4u);
  const int rows[] = {0, 0, 3, 3}, columns[] = {0, 1, 0, 2};
  const Expr values[] = {y, x, 1, cos(b)};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(entries[i].row, rows[i]);
    EXPECT_EQ(entries[i].column, columns[i]);
    EXPECT_TRUE(same(entries[i].value, values[i])) << to_string(entries[i].value);
  }
}

TEST_F(DerivativeTest, JacobianOfMoreThanOneBlockOfColumnsAndRows) {
  // 150 outputs of 150 inputs, each of two neighbours; and one output of all inputs
  std::vector<Expr> s, f;
  for (int i = 0; i < 150; ++i) s.push_back(g.symbol("s" + std::to_string(i)));
  for (int i = 0; i < 150; ++i) f.push_back(g.let("f" + std::to_string(i), s[i] * s[(i + 1) % 150]));
  EXPECT_EQ(jacobian(f, s).size(), 300u);
  const std::vector<Expr> total{sum(f)};
  const auto row = jacobian(total, s);
  ASSERT_EQ(row.size(), 150u);
  EXPECT_TRUE(same(unbind(row[70].value), s[69] + s[71]));
}

TEST_F(DerivativeTest, HessianIsSymmetricNodeByNode) {
  const Expr e = sin(x * y) * a + pow(x, 3) * y / a;
  const std::vector<Expr> s{x, y, a};
  const auto h = hessian(e, s);
  const Point p{{"x", 0.7}, {"y", -0.4}, {"a", 1.3}};
  const auto first = gradient(e, s);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      EXPECT_TRUE(same(h[3 * i + j], h[3 * j + i]));
      // tolerance: error of the difference formula
      EXPECT_NEAR(reference_value(g, h[3 * i + j], p), *slope(g, first[i], p, to_string(s[j]), 1e-6), 1e-8);
    }
}

TEST_F(DerivativeTest, ReverseModeCostsAFewTimesTheFunction) {
  // a chain through 2,000 bindings of 200 symbols: forward would need 200 sweeps
  std::vector<Expr> s;
  for (int i = 0; i < 200; ++i) s.push_back(g.symbol("s" + std::to_string(i)));
  Expr e = 1;
  for (int i = 0; i < 2000; ++i) e = g.let("e" + std::to_string(i), sin(e) + e * s[i % 200]);
  const std::size_t before = g.size();
  gradient(e, s);
  EXPECT_LT(g.size() - before, 5 * before);
}

TEST_F(DerivativeTest, OfAVeryDeepExpressionNeedsNoStack) {
  Expr deep = x;
  for (int i = 0; i < 100000; ++i) deep = sin(deep) + y;
  EXPECT_FALSE(derivative(deep, x).is_zero());
  EXPECT_FALSE(gradient(deep, std::vector<Expr>{x})[0].is_zero());
}

// 2,000 graphs: forward mode against differences, reverse mode and Jacobian against forward mode
TEST(DerivativeProperty, ForwardReverseAndDifferencesAgree) {
  int compared = 0, skipped = 0;
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    Graph g;
    RandomExpressions random(g, seed);
    const std::vector<Expr> e{random.make(15).expr, random.make(15).expr, random.make(10).expr};
    std::vector<Expr> symbols;
    for (const auto& [name, value] : random.point) symbols.push_back(g.symbol(name));
    const auto dense = dense_jacobian(e, symbols);
    for (std::size_t i = 0; i < e.size(); ++i) {
      const auto reverse = gradient(e[i], symbols);
      for (std::size_t j = 0; j < symbols.size(); ++j) {
        const double forward = reference_value(g, derivative(e[i], symbols[j]), random.point);
        if (!std::isfinite(forward)) continue;
        // two orders of evaluation: round-off only; cancellation may cost some digits
        const double close = 1e-9 * std::max(1.0, std::abs(forward));
        ASSERT_NEAR(reference_value(g, reverse[j], random.point), forward, close)
            << "seed " << seed << " " << to_string(e[i]);
        ASSERT_NEAR(reference_value(g, dense[i * symbols.size() + j], random.point), forward, close) << "seed " << seed;
        const auto difference = slope(g, e[i], random.point, to_string(symbols[j]), 1e-7);
        ++(difference ? compared : skipped);
        // the two step sizes agree to 1e-7, so the finer one is better than that
        if (difference) {
          ASSERT_NEAR(*difference, forward, 2e-6 * std::max(1.0, std::abs(forward)))
              << "seed " << seed << " " << to_string(e[i]);
        }
      }
    }
  }
  EXPECT_GT(compared, 10 * skipped);
}

}  // namespace
}  // namespace coenergy::symbolic
