#include "coenergy/symbolic/vector.hpp"

#include <gtest/gtest.h>

#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/symbolic/reference_evaluator.hpp"

namespace coenergy::symbolic {
namespace {

class VectorTest : public testing::Test {
 protected:
  Graph g;
  std::array<Expr, 4> p{g.symbol("p0"), g.symbol("p1"), g.symbol("p2"), g.symbol("p3")};
  Vec3 w{{g.symbol("w1"), g.symbol("w2"), g.symbol("w3")}};
  std::map<std::string, double> point{{"p0", 0.5}, {"p1", -0.5}, {"p2", 0.1}, {"p3", 0.7},
                                      {"w1", 0.3}, {"w2", -1.2}, {"w3", 0.8}};
};

TEST_F(VectorTest, CrossProductIsTheSkewMatrixTimesTheVector) {
  const Vec3 v{{p[0], p[1], p[2]}}, direct = cross(w, v), by_matrix = skew(w) * v;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(same(direct[i], by_matrix[i]));
  EXPECT_TRUE(same(dot(w, v), dot(v, w)));
}

TEST_F(VectorTest, AUnitQuaternionGivesARotation) {
  // 0.25 + 0.25 + 0.01 + 0.49 = 1
  const Mat3 r = rotation_of_quaternion(p), product = r * transpose(r);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(reference_value(g, product(i, j), point), i == j ? 1 : 0, 1e-15);
  // a quarter turn about z takes x to y
  const double h = std::sqrt(0.5);
  const Mat3 quarter = rotation_of_quaternion({Expr(h), Expr(0), Expr(0), Expr(h)});
  EXPECT_NEAR(quarter(1, 0).number(), 1, 1e-15);
  EXPECT_NEAR(quarter(0, 1).number(), -1, 1e-15);
}

TEST_F(VectorTest, QuaternionRateTurnsTheMatrixWithTheBodyVelocity) {
  // dR/dt = R w̃ for a unit quaternion and w in the body frame
  const Mat3 r = rotation_of_quaternion(p), expected = r * skew(w);
  const auto rate = quaternion_rate(p, w);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Expr derivative = time_derivative(r(i, j), p, rate);
      EXPECT_NEAR(reference_value(g, derivative, point), reference_value(g, expected(i, j), point), 1e-14) << i << j;
    }
}

TEST_F(VectorTest, LetNamesComponentsFromOne) {
  const Vec3 v = let(g, "v", cross(w, Vec3{{p[0], p[1], 0}}));
  EXPECT_EQ(to_string(v[0]), "v1");
  EXPECT_EQ(to_string(v[2]), "v3");
}

}  // namespace
}  // namespace coenergy::symbolic
