#include "coenergy/symbolic/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "coenergy/base/error.hpp"
#include "coenergy/symbolic/expr.hpp"

namespace coenergy::symbolic {
namespace {

Table make_table(Table::Method method, std::vector<double> x, std::vector<double> y, std::vector<double> values) {
  Table t{"map", method, std::move(x), std::move(y), std::move(values), {}, 0};
  t.prepare();
  return t;
}

std::string error_of(Table t) {
  try {
    t.prepare();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(TableTest, LinearInterpolatesAndContinuesAlongTheEndTangent) {
  const Table t = make_table(Table::Method::linear, {0, 1, 3}, {}, {0, 2, -2});
  EXPECT_DOUBLE_EQ(t.evaluate(0.5), 1);
  EXPECT_DOUBLE_EQ(t.evaluate(1), 2);
  EXPECT_DOUBLE_EQ(t.evaluate(2), 0);
  EXPECT_DOUBLE_EQ(t.evaluate(3), -2);
  EXPECT_DOUBLE_EQ(t.evaluate(5), -6);
  EXPECT_DOUBLE_EQ(t.evaluate(-1), -2);
  EXPECT_DOUBLE_EQ(t.evaluate(0.5, 0, 1), 2);
  EXPECT_DOUBLE_EQ(t.evaluate(1, 0, 1), -2);
  EXPECT_DOUBLE_EQ(t.evaluate(9, 0, 1), -2);
  EXPECT_DOUBLE_EQ(t.evaluate(0.5, 0, 2), 0);
}

TEST(TableTest, NaturalSplineHasTheKnownCoefficients) {
  // points (0, 0), (1, 1), (2, 0): s″ = 0, −3, 0, hence s(½) = 11/16
  const Table t = make_table(Table::Method::cubic, {0, 1, 2}, {}, {0, 1, 0});
  EXPECT_NEAR(t.second[1], -3, 1e-15);
  EXPECT_NEAR(t.evaluate(0.5), 11.0 / 16, 1e-15);
  EXPECT_NEAR(t.evaluate(1, 0, 1), 0, 1e-15);
  // outside: along the tangent, slope 3/2 at the left end
  EXPECT_NEAR(t.evaluate(-2), -3, 1e-14);
  EXPECT_NEAR(t.evaluate(-2, 0, 1), 1.5, 1e-15);
  EXPECT_EQ(t.evaluate(-2, 0, 2), 0);
}

TEST(TableTest, SplineIsTwiceContinuouslyDifferentiable) {
  const Table t = make_table(Table::Method::cubic, {-1, 0.5, 1, 2.5, 4}, {}, {1, -2, 3, 0, 5});
  for (const double x : {0.5, 1.0, 2.5})
    for (int order = 0; order <= 2; ++order)
      // one-sided values differ by the next derivative times the shift, at most 1e3·1e-9
      EXPECT_NEAR(t.evaluate(x - 1e-9, 0, order), t.evaluate(x + 1e-9, 0, order), 1e-6);
}

TEST(TableTest, DerivativesAreThoseOfTheInterpolant) {
  const Table t = make_table(Table::Method::cubic, {0, 1, 2, 4}, {0, 1, 3}, {1, 2, 0, 3, 1, 1, 2, 5, 0, 1, 1, 4});
  const double h = 1e-5;
  for (const double x : {-0.7, 0.3, 1.6, 3.0, 4.5})
    for (const double y : {-0.4, 0.5, 2.2, 3.3})
      for (int dx = 0; dx <= 2; ++dx)
        for (int dy = 0; dy <= 2; ++dy) {
          // central differences: error h²/6·f‴ with f‴ below 1e2, plus round-off 1e-15/h
          EXPECT_NEAR(t.evaluate(x, y, dx + 1, dy),
                      (t.evaluate(x + h, y, dx, dy) - t.evaluate(x - h, y, dx, dy)) / (2 * h), 1e-7);
          EXPECT_NEAR(t.evaluate(x, y, dx, dy + 1),
                      (t.evaluate(x, y + h, dx, dy) - t.evaluate(x, y - h, dx, dy)) / (2 * h), 1e-7);
        }
}

TEST(TableTest, TwoDimensionalTablesReproduceTheirPointsAndProducts) {
  // a product of straight lines is reproduced everywhere, outside too
  for (const auto method : {Table::Method::linear, Table::Method::cubic}) {
    const std::vector<double> x{0, 1, 2.5}, y{-1, 0, 2, 3};
    std::vector<double> values;
    for (const double p : x)
      for (const double q : y) values.push_back((2 * p - 1) * (3 - q));
    const Table t = make_table(method, x, y, values);
    for (const double p : {-1.0, 0.0, 0.4, 2.5, 4.0})
      for (const double q : {-2.0, 0.0, 1.1, 5.0}) EXPECT_NEAR(t.evaluate(p, q), (2 * p - 1) * (3 - q), 1e-12);
  }
}

TEST(TableTest, BadGridsAreRefusedWithTheirPlace) {
  EXPECT_EQ(error_of({"map", Table::Method::linear, {0, 1, 1}, {}, {1, 2, 3}, {}, 0}),
            "table \"map\": x[2] = 1 must be > x[1] = 1");
  EXPECT_EQ(error_of({"map", Table::Method::linear, {0}, {}, {1}, {}, 0}),
            "table \"map\": x has 1 grid points; at least 2 are needed");
  EXPECT_EQ(error_of({"map", Table::Method::linear, {0, 1}, {0, 1}, {1, 2, 3}, {}, 0}),
            "table \"map\": has 3 values; the grid needs 4");
  EXPECT_EQ(error_of({"map", Table::Method::linear, {0, 1}, {}, {1, NAN}, {}, 0}),
            "table \"map\": values[1] = nan must be finite");
}

TEST(TableTest, AnUnpreparedTableIsRefusedByTheGraph) {
  Graph g;
  try {
    g.table(std::make_shared<Table>(Table{"map", Table::Method::linear, {0, 1}, {}, {1, 2}, {}, 0}), g.symbol("x"));
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "table \"map\" is used before it is prepared; call Table::prepare()");
  }
}

TEST(TableTest, ANumberIsLookedUpAtOnce) {
  Graph g;
  const auto t = std::make_shared<Table>(make_table(Table::Method::linear, {0, 1, 3}, {}, {0, 2, -2}));
  EXPECT_EQ(g.table(t, 0.5).number(), 1);
  EXPECT_TRUE(same(g.table(t, g.symbol("x")), g.table(t, g.symbol("x"))));
}

}  // namespace
}  // namespace coenergy::symbolic
