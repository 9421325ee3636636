// Roots of equations: the worked examples of the course notes, and what is told where there is none.
#include "coenergy/study/roots.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "coenergy/study/sobol.hpp"

namespace coenergy::study {
namespace {

using Named = std::vector<std::pair<std::string, model::Value>>;

model::Value make_map(const Named& entries) {
  model::Value value;
  value.kind = model::Value::Kind::map;
  value.map = entries;
  return value;
}

model::Model make_model(const Named& unknowns, const std::vector<std::string>& residuals) {
  model::Model m;
  m.problems.emplace_back("unknowns", make_map(unknowns));
  m.problems.emplace_back("residuals", model::Value(std::vector<model::Value>(residuals.begin(), residuals.end())));
  return m;
}

Root solve(const model::Model& model) {
  const Formulas f = read_equations(model);
  std::vector<double> guess;
  for (const Variable& v : f.variables()) guess.push_back(v.guess);
  return find_root(f, guess);
}

std::string error_of(const model::Model& model) {
  try {
    solve(model);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

/// Rows of the tables of the notes, which print four decimals.
void expect_history(const Root& root, const std::vector<std::array<double, 3>>& rows) {
  ASSERT_TRUE(root.good) << root.text;
  EXPECT_FALSE(root.damped);
  ASSERT_GE(root.trace.size(), rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_NEAR(root.trace[k].x[0], rows[k][0], 0.5e-4) << k;
    EXPECT_NEAR(root.trace[k].residual[0], rows[k][1], 0.51e-4) << k;
    EXPECT_NEAR(root.trace[k].determinant, rows[k][2], 0.51e-4) << k;
  }
}

TEST(Roots, QuadraticFollowsTheTablesOfTheNotes) {
  // tables 6.2 and 6.3; the last residual is printed there as 0.0000, which -3.0001 does not have
  expect_history(solve(make_model({{"x", 0.0}}, {"2*x^2 + 7*x + 3 = 0"})),
                 {{0, 3, 7}, {-0.4286, 0.3673, 5.2857}, {-0.4981, 0.0097, 5.0077}, {-0.5, 0, 5}});
  expect_history(solve(make_model({{"x", -10.0}}, {"2*x^2 + 7*x + 3"})), {{-10, 133, -33},
                                                                          {-5.9697, 32.4867, -16.8788},
                                                                          {-4.0450, 7.4090, -9.1800},
                                                                          {-3.2379, 1.3028, -5.9516},
                                                                          {-3.0190, 0.0958, -5.0761},
                                                                          {-3.0001, 0.0007, -5.0006}});
}

TEST(Roots, ASingularJacobianIsToldWithNames) {
  const Root root = solve(make_model({{"x", "-7/4"}}, {"2*x^2 + 7*x + 3"}));
  EXPECT_FALSE(root.good);
  EXPECT_EQ(root.text, "the Jacobian is singular at x = -1.75: residual 1 changes with none of the unknowns there");
  const Root two = solve(make_model({{"x", 1.0}, {"y", 2.0}, {"z", 1.0}}, {"x + y = 3", "2*x + 2*y = 6", "z = 2"}));
  EXPECT_FALSE(two.good);
  EXPECT_EQ(two.text,
            "the Jacobian is singular at x = 1, y = 2, z = 1: residual 1, residual 2 do not determine x, y there; try "
            "another guess");
}

TEST(Roots, CirclesMeetInTwoPoints) {
  const std::vector<std::string> circles{"(x - 8)^2 + (y - 4)^2 = 3^2", "(x - 11)^2 + (y - 7)^2 = 2^2"};
  // by hand: the line through both points is x + y = 95/6; the rest is a quadratic
  const double sum = 95.0 / 6, b = 4 - sum, s = std::sqrt((8 - b) * (8 - b) - 2 * (64 + b * b - 9)),
               x1 = (8 - b - s) / 2, x2 = (8 - b + s) / 2;
  const Root first = solve(make_model({{"x", 0.0}, {"y", 0.0}}, circles));
  const Root second = solve(make_model({{"x", 10.0}, {"y", 0.0}}, circles));
  ASSERT_TRUE(first.good && second.good);
  EXPECT_NEAR(first.x[0], 9.0076, 0.5e-4);
  EXPECT_NEAR(first.x[1], 6.8257, 0.5e-4);
  EXPECT_NEAR(first.x[0], x1, 1e-13 * 10);  // round-off of a well-conditioned root
  EXPECT_NEAR(second.x[0], 10.8257, 0.5e-4);
  EXPECT_NEAR(second.x[1], 5.0076, 0.5e-4);
  EXPECT_NEAR(second.x[0], x2, 1e-13 * 10);
}

TEST(Roots, AllOfTheBoxAreFoundOnce) {
  const model::Value side = make_map({{"min", -10.0}, {"max", 10.0}});
  // Himmelblau's function: four of its nine stationary points are its minima, where both brackets vanish
  const model::Model model = make_model(
      {{"x", side}, {"y", side}}, {"4*x*(x^2 + y - 11) + 2*(x + y^2 - 7)", "2*(x^2 + y - 11) + 4*y*(x + y^2 - 7)"});
  const std::vector<Root> roots = find_roots(read_equations(model), 300);
  EXPECT_EQ(roots.size(), 9u);
  int minima = 0;
  for (const Root& root : roots) {
    const double x = root.x[0], y = root.x[1];
    minima += std::abs(x * x + y - 11) < 1e-9 && std::abs(x + y * y - 7) < 1e-9 ? 1 : 0;
  }
  EXPECT_EQ(minima, 4);
}

TEST(Roots, ALineSearchFindsWhatFullStepsMiss) {
  // full steps of atan diverge beyond |x| = 1.39
  const Root root = solve(make_model({{"x", 3.0}}, {"atan(x) = 0"}));
  ASSERT_TRUE(root.good) << root.text;
  EXPECT_TRUE(root.damped);
  EXPECT_NEAR(root.x[0], 0, 1e-12);
  // a root beyond a bound is none
  const Root bounded =
      solve(make_model({{"x", make_map({{"guess", 1.0}, {"min", 0.5}, {"max", 4.0}})}}, {"x^2 = 0.09"}));
  EXPECT_FALSE(bounded.good);
  EXPECT_EQ(bounded.text, "Newton's iteration runs into the bound x = 0.5; residual 1 is 0.16 there");
  const Root none = solve(make_model({{"x", 0.3}}, {"x^2 + 1 = 0"}));
  EXPECT_FALSE(none.good);
  EXPECT_NE(none.text.find("diverges"), std::string::npos) << none.text;
}

TEST(Roots, UnitsAreChecked) {
  const Root root = solve(make_model({{"x", "100 mm"}}, {"x^2 = 4 m^2"}));
  ASSERT_TRUE(root.good);
  EXPECT_NEAR(root.x[0], 2, 1e-14);
  EXPECT_NE(error_of(make_model({{"x", "100 mm"}}, {"x^2 = 4 m"})).find("residual 1"), std::string::npos);
  EXPECT_NE(error_of(make_model({{"x", 1.0}}, {"xx = 4"})).find("did you mean x?"), std::string::npos);
  EXPECT_NE(error_of(make_model({{"x", 1.0}}, {"x <= 4"})).find("is a constraint, no equation"), std::string::npos);
}

TEST(Roots, SobolPointsFillEveryDimensionEvenly) {
  // among the first 2^k points each interval of length 2^-k has one, in all dimensions; a wrong polynomial breaks it
  const Sobol sobol(Sobol::most_dimensions);
  constexpr int points = 1024;
  for (int d = 0; d < Sobol::most_dimensions; ++d) {
    std::set<int> cells;
    for (int k = 0; k < points; ++k)
      cells.insert(static_cast<int>(sobol.at(static_cast<std::uint64_t>(k), d) * points));
    EXPECT_EQ(cells.size(), static_cast<std::size_t>(points)) << "dimension " << d;
  }
  // neighbouring pairs integrate x y to 1/4 much better than the 1/sqrt(points) of chance
  for (int d = 0; d + 1 < Sobol::most_dimensions; ++d) {
    double sum = 0;
    for (int k = 0; k < points; ++k)
      sum += sobol.at(static_cast<std::uint64_t>(k), d) * sobol.at(static_cast<std::uint64_t>(k), d + 1);
    EXPECT_NEAR(sum / points, 0.25, 0.003) << "dimensions " << d << ", " << d + 1;
  }
}

}  // namespace
}  // namespace coenergy::study
