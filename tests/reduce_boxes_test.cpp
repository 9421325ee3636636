// Reduced models over regions: polynomials in boxes, modes that are followed, and what is exported.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "coenergy/base/error.hpp"
#include "coenergy/reduce/modal_map.hpp"
#include "tests/program.hpp"
#include "tests/reduce_subject.hpp"

namespace coenergy::tests {
namespace {

using reduce::BoxModel;
using reduce::BoxOptions;
using reduce::Fit;

using Values = std::vector<double>;

TEST(Boxes, CostWhatTheirTableSays) {
  // Brüls 2005, table 5.1: operations, numbers, configurations
  const int quadratic[6][3] = {{4, 3, 5}, {10, 6, 9}, {18, 10, 15}, {28, 15, 25}, {40, 21, 43}, {54, 28, 77}};
  const int lagrange[6][3] = {{4, 3, 3}, {16, 9, 9}, {52, 27, 27}, {160, 81, 81}, {484, 243, 243}, {1456, 729, 729}};
  for (int s = 1; s <= 6; ++s)
    for (const auto& [fit, row] : {std::pair{Fit::quadratic, quadratic[s - 1]}, {Fit::lagrange, lagrange[s - 1]}}) {
      const reduce::FitCost cost = find_cost(fit, s);
      EXPECT_EQ(cost.operations, row[0]);
      EXPECT_EQ(cost.numbers, row[1]);
      EXPECT_EQ(cost.configurations, row[2]);
      if (s > 3) continue;
      // and what a box of a constant really asks for: its design, and validation points beside it
      const BoxModel one(Values(s, 0), Values(s, 1), [](const Values&) { return std::optional(Values{1}); },
                         {.fit = fit});
      EXPECT_EQ(one.boxes()[0].coefficients.rows, row[1]);
      EXPECT_EQ(one.configurations(), row[2] + (fit == Fit::quadratic && s == 1 ? 0 : 2 * s));
    }
}

TEST(Boxes, ReproduceThePolynomialsTheyAreMadeOf) {
  const auto by_variable = [](const Values& x) {
    return std::optional(Values{1 + x[0] * x[0] * x[1] * x[1] - 3 * x[0] * x[1] * x[1] + x[1]});
  };
  const auto of_second_degree = [](const Values& x) {
    return std::optional(Values{1 + 2 * x[0] * x[1] - x[1] * x[1] + 0.3 * x[0]});
  };
  const BoxModel lagrange({-1, 0}, {2, 5}, by_variable, {.fit = Fit::lagrange});
  const BoxModel quadratic({-1, 0}, {2, 5}, of_second_degree, {.fit = Fit::quadratic});
  EXPECT_EQ(lagrange.leaves(), 1);
  EXPECT_EQ(quadratic.leaves(), 1);
  for (const Values& x : {Values{-0.3, 4.1}, Values{1.9, 0.2}}) {
    EXPECT_NEAR(lagrange.evaluate(x)[0], (*by_variable(x))[0], 1e-11);
    EXPECT_NEAR(quadratic.evaluate(x)[0], (*of_second_degree(x))[0], 1e-11);
  }
  EXPECT_THROW(lagrange.evaluate({3, 1}), Error);
  // what cannot be had is invalid, what may not be divided further is inaccurate
  const BoxModel broken(
      {0}, {1},
      [](const Values& x) { return x[0] > 0.7 ? std::nullopt : std::optional(Values{std::sqrt(0.7 - x[0])}); },
      {.tolerance = 1e-3, .width = {0.05}});
  EXPECT_GT(broken.leaves(BoxModel::State::invalid), 0);
  EXPECT_GT(broken.leaves(BoxModel::State::inaccurate) + broken.leaves(BoxModel::State::valid), 3);
  EXPECT_THROW(broken.evaluate({0.9}), Error);
  EXPECT_NEAR(broken.evaluate({0.1})[0], std::sqrt(0.6), 1e-3);
}

TEST(Boxes, OrthoglideTakesEightWithTheErrorsOfItsTable) {
  Subject og(read_example("orthoglide", "og1"), og1_choice);
  reduce::Database database(og.mechanism);
  const reduce::ModalMap map = make_modal_map(database, Values(3, -0.08), Values(3, 0.26),
                                              {.tolerance = 0.005, .width = Values(3, 0.05)}, {"M"}, {}, {});
  EXPECT_EQ(map.boxes.leaves(), 8);
  EXPECT_EQ(map.boxes.configurations(), 193);
  // along the diagonal of the published curves: 0.5 % of the mass, 3 % of the largest h_111
  double mass = 0, force = 0, largest_mass = 0, largest_force = 0;
  for (int k = 0; k <= 40; ++k) {
    const double t = k / 40.0;
    const double up = k == 40 ? 0.26 : -0.08 + 0.34 * t, down = k == 40 ? -0.08 : 0.26 - 0.34 * t;
    const Values theta{up, up, down};
    const reduce::LocalModel* exact = database.find(theta);
    ASSERT_TRUE(exact) << database.text();
    const Values f = map.boxes.evaluate(theta);
    mass = std::max(mass, std::abs(f[0] - exact->mass(0, 0)));
    force = std::max(force, std::abs(f[map.layout.quadratic()] - exact->quadratic[0](0, 0)));
    largest_mass = std::max(largest_mass, exact->mass(0, 0));
    largest_force = std::max(largest_force, std::abs(exact->quadratic[0](0, 0)));
  }
  EXPECT_LT(mass, 0.005 * largest_mass);
  EXPECT_LT(force, 0.03 * largest_force);
}

TEST(Boxes, FourBarRefinesAtItsEndsAndWhereItsLinksAlign) {
  Subject fb(read_example("flexible_four_bar", "fb1"), fb1_choice());
  reduce::Database database(fb.mechanism);
  const reduce::ModalMap map =
      make_modal_map(database, {-1.75}, {1.75}, {.tolerance = 0.003, .width = {0.03}}, {"M", "K"}, {}, {});
  // published 37; which values count is not, so ± 20 %
  EXPECT_GE(map.boxes.leaves(), 30);
  EXPECT_LE(map.boxes.leaves(), 45);
  const auto width = [&](double theta) { return map.boxes.find({theta}).high[0] - map.boxes.find({theta}).low[0]; };
  EXPECT_NEAR(width(-1.745), 3.5 / 64, 1e-9);
  EXPECT_NEAR(width(1.745), 3.5 / 64, 1e-9);
  EXPECT_NEAR(width(0.788), 3.5 / 64, 1e-9);
  EXPECT_GT(width(-0.6), 0.2);

  // internal modes go on through the crossings at 0.25 to 0.5, 0.788 and 1.25 rad; sorted, the third one jumps
  const reduce::LocalModel* before = nullptr;
  double worst = 0;
  for (double theta = -1.7; theta <= 1.7; theta += 0.025) {
    const reduce::LocalModel* m = database.find({theta});
    ASSERT_TRUE(m) << theta << ": " << database.text();
    if (before)
      for (int k = 0; k < 3; ++k)
        worst = std::max(worst, std::abs(m->modes.internal_frequencies[k] / before->modes.internal_frequencies[k] - 1));
    before = m;
  }
  EXPECT_LT(worst, 0.1) << "relative change of a frequency over 0.025 rad";

  // the exported function computes the same
  const Folder folder;
  folder.write("map.c",
               write_c(map, "fb1") +
                   "#include <stdio.h>\nint main(void) {\n  double f[200], t;\n  int i;\n"
                   "  for (t = -1.7; t < 1.75; t += 0.1) {\n    if (fb1(&t, f)) return 1;\n"
                   "    for (i = 0; i < " +
                   std::to_string(map.layout.count()) +
                   "; ++i) printf(\"%.17g \", f[i]);\n  }\n  t = 1.8;\n  return fb1(&t, f) == 1 ? 0 : 2;\n}\n");
  const std::string c = folder / "map.c", program = folder / "map", output = folder / "numbers";
  ASSERT_EQ(std::system(("cc -std=c99 -Wall -Werror -pedantic -O1 -ffp-contract=off -o " + program + " " + c).c_str()),
            0);
  ASSERT_EQ(std::system((program + " > " + output).c_str()), 0);
  std::ifstream numbers(output);
  for (double t = -1.7; t < 1.75; t += 0.1)
    for (const double expected : map.boxes.evaluate({t})) {
      double x = 0;
      numbers >> x;
      EXPECT_NEAR(x, expected, 1e-12 * std::max(1.0, std::abs(expected)));
    }
}

}  // namespace
}  // namespace coenergy::tests
