// Reduction of mechanisms: the four-bar linkage FB1 and the Orthoglide OG1, against their closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/program.hpp"
#include "tests/reduce_subject.hpp"

namespace coenergy::tests {
namespace {

using reduce::LocalModel;

/// FB1 by its closed form, thin rigid bars (four-bar kinematics, differentiated with 40 digits).
struct Row {
  double theta, mass, quadratic, psi, gravity;
  // published for four Euler-Bernoulli elements in each bar
  double mass_g, mass_tg, stiffness_g;
  std::vector<double> frequencies;
};
const std::vector<Row> fb1 = {
    {-1.75,
     40.8885435267,
     -1793.61231424,
     3.79371798628,
     -134.155270139,
     2.8199,
     10.7301,
     5.83378e2,
     {9.871, 18.369, 20.919, 48.428, 57.971}},
    {-1.0,
     2.88255625613,
     0.451866307943,
     0.504469361192,
     -34.2387572576,
     10.1211,
     5.3508,
     3.29858e4,
     {10.968, 13.561, 20.920, 42.263, 57.901}},
    {-0.5,
     4.21078082969,
     2.79615405894,
     0.759884304342,
     -53.4268447947,
     6.7622,
     5.3007,
     1.45412e4,
     {9.669, 14.413, 20.919, 42.602, 58.000}},
    {0.0, 8.73392, 2.3025229501, 1.22, -73.8857808, 5.6632, 7.0096, 5.64299e3, {7.657, 17.046, 20.918, 43.292, 58.031}},
    {0.8,
     1.98617481386,
     0.505751371254,
     -0.0117114390727,
     -19.827884285,
     3324.87,
     -80.2259,
     3.19493e7,
     {6.524, 15.910, 20.921, 24.993, 41.837}},
    {1.0,
     2.60855250504,
     2.36279376852,
     -0.196191541162,
     -8.50443521296,
     59.4205,
     -12.3230,
     2.17412e5,
     {6.605, 20.908, 23.098, 42.784, 56.726}},
    {1.75,
     61.2410281046,
     2223.76909269,
     -4.18776558838,
     158.993766741,
     3.4744,
     -14.5797,
     4.78801e2,
     {9.003, 18.854, 20.919, 46.922, 58.036}}};

double unit_in_last(double value) { return std::max(1.5e-6 * std::abs(value), 6e-5); }

TEST(Reduce, FourBarHasTheMassesForcesAndFrequenciesOfItsTable) {
  Subject fb(read_example("flexible_four_bar", "fb1"), fb1_choice());
  for (const Row& row : fb1) {
    const LocalModel m = fb.at({row.theta});
    SCOPED_TRACE(row.theta);
    // rotary inertia of the example's sections is 1e-9 of the mass; rigid modes are exact to round-off
    EXPECT_NEAR(m.mass(0, 0), row.mass, 3e-9 * row.mass);
    EXPECT_NEAR(m.sensors(0, 0), row.psi, 1e-10 * std::max(1.0, std::abs(row.psi)));
    EXPECT_NEAR(m.gravity[0], row.gravity, 1e-9 * std::abs(row.gravity));
    // differences over 2e-4 rad: (2e-4/0.012)^4 at 0.012 rad from the singular position, 1e-8 elsewhere
    EXPECT_NEAR(m.quadratic[0](0, 0), row.quadratic,
                (std::abs(row.theta) > 1.7 ? 1e-6 : 1e-8) * std::abs(row.quadratic));
    // half a digit of the table, and its shear-free bars: ours shear by 3 EI/(L^2 GA) = 3e-7
    EXPECT_NEAR(m.mass(1, 1), row.mass_g, unit_in_last(row.mass_g));
    EXPECT_NEAR(m.mass(0, 1), row.mass_tg, unit_in_last(row.mass_tg));
    EXPECT_NEAR(m.stiffness(1, 1), row.stiffness_g, 2e-6 * row.stiffness_g);
    // four cubic elements are too stiff: by 1e-3 in the second bending mode of a bar, (beta h)^4/720
    for (std::size_t k = 0; k < row.frequencies.size(); ++k) {
      EXPECT_NEAR(m.modes.frequencies[k], row.frequencies[k], 1e-3 * row.frequencies[k]);
      EXPECT_LT(m.modes.frequencies[k], row.frequencies[k] + 6e-4) << "elements of the table are too stiff";
    }
  }
}

TEST(Reduce, ModesOfOnePoseKeepTheConstraintsAndDivideMassAndStiffness) {
  Subject fb(read_example("flexible_four_bar", "fb1"), fb1_choice());
  const LocalModel m = fb.at({0.5});
  const math::SparseMatrix k = fb.mechanism.stiffness(m.pose);
  for (std::vector<double> shape : m.modes.shapes) {
    shape.resize(k.n, 0.0);
    std::vector<double> product(k.n, 0.0);
    k.add_product(shape, product);
    for (int i = fb.system.nv(); i < k.n; ++i) EXPECT_NEAR(product[i], 0, 1e-10) << fb.system.row_name(i);
  }
  // modes of one plane have as much of the other's as round-off of the largest stiffness, that of shear, leaves
  double stiffest = 0;
  for (const double value : k.value) stiffest = std::max(stiffest, std::abs(value));
  const double round_off = 2.2e-16 * stiffest;
  for (int i = 2; i < m.size(); ++i) {
    for (int j = 2; j < m.size(); ++j) EXPECT_NEAR(m.mass(i, j), i == j ? 1 : 0, 1e-9);
    for (int j = 1; j < i; ++j) EXPECT_NEAR(m.stiffness(i, j), 0, round_off);
  }
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(m.stiffness(2 + i, 2 + i), std::pow(2 * M_PI * m.modes.frequencies[i], 2),
                1e-6 * m.stiffness(2 + i, 2 + i));
}

TEST(Reduce, OrthoglideHasTheTensorsOfItsClosedForm) {
  Subject og(read_example("orthoglide", "og1"), og1_choice);
  struct {
    std::vector<double> theta;
    double m11, m12, m33, h111, h123;
  } const table[] = {{{0, 0, 0}, 3.66667, 0, 3.66667, 0, 0},
                     {{-.08, -.08, -.08}, 5.21764, 2.33369, 5.21764, -21.6597, -17.0973},
                     {{.26, .26, .26}, 7.06529, -2.52507, 7.06529, 24.4719, 8.2569},
                     {{.1, -.05, .2}, 3.909826, 0.115668, 4.478270, 3.20088, 0.02587}};
  for (const auto& row : table) {
    const LocalModel m = og.at(row.theta);
    EXPECT_EQ(m.size(), 3) << "nothing vibrates in a rigid mechanism";
    EXPECT_NEAR(m.mass(0, 0), row.m11, 5e-6);
    EXPECT_NEAR(m.mass(0, 1), row.m12, 5e-6);
    EXPECT_NEAR(m.mass(2, 2), row.m33, 5e-6);
    EXPECT_NEAR(m.quadratic[0](0, 0), row.h111, 6e-5);
    EXPECT_NEAR(m.quadratic[0](1, 2), row.h123, 6e-5);
  }
}

/// h̄_abc = ½ (∂_c M_ab + ∂_b M_ac − ∂_a M_bc) of the rigid coordinates.
void expect_christoffel(Subject& subject, const std::vector<double>& theta, double tolerance) {
  const LocalModel m = subject.at(theta);
  const int s = int(theta.size());
  // Richardson's extrapolation of central differences of M, of eighth order in 4e-3
  std::vector<math::Matrix> slope(s, math::Matrix(s, s));
  for (int c = 0; c < s; ++c)
    for (const auto& [k, weight] : {std::pair{1, 4. / 5}, {2, -1. / 5}, {3, 4. / 105}, {4, -1. / 280}})
      for (const int sign : {1, -1}) {
        std::vector<double> beside = theta;
        constexpr double step = 1e-3;
        beside[c] += sign * k * step;
        const reduce::Pose pose = find_pose(subject.mechanism, m.pose, beside);
        const reduce::PoseModes modes = find_modes(subject.mechanism, pose.point);
        const math::SparseMatrix mass = subject.mechanism.mass(pose.point);
        for (int a = 0; a < s; ++a)
          for (int b = 0; b < s; ++b)
            for (int j = 0; j < subject.system.nv(); ++j)
              for (int e = mass.column_start[j]; e < mass.column_start[j + 1]; ++e)
                slope[c](a, b) +=
                    sign * weight / step * modes.shapes[a][mass.row[e]] * mass.value[e] * modes.shapes[b][j];
      }
  double scale = 0;
  for (const auto& matrix : slope) scale = std::max(scale, math::max_abs(matrix));
  for (int a = 0; a < s; ++a)
    for (int b = 0; b < s; ++b)
      for (int c = 0; c < s; ++c)
        EXPECT_NEAR(m.quadratic[a](b, c), (slope[c](a, b) + slope[b](a, c) - slope[a](b, c)) / 2, tolerance * scale)
            << a << b << c;
}

TEST(Reduce, ForcesOfVelocityAreTheChristoffelSymbolsOfTheMassMatrix) {
  Subject fb(read_example("flexible_four_bar", "fb1"), fb1_choice());
  expect_christoffel(fb, {0.3}, 1e-8);
  Subject og(read_example("orthoglide", "og1"), og1_choice);
  expect_christoffel(og, {0.1, -0.05, 0.2}, 1e-8);
}

TEST(Reduce, StopsBeforeASingularPositionAndSaysWhere) {
  Subject fb(read_example("flexible_four_bar", "fb1"), fb1_choice());
  const reduce::Pose pose = find_pose(fb.mechanism, fb.start, {1.8});
  EXPECT_FALSE(pose.good);
  // coupler and rocker are aligned: cos θ = (l1² + l4² − (l2 + l3)²)/(2 l1 l4)
  EXPECT_NEAR(fb.mechanism.theta_of(pose.point)[0], std::acos(-0.19), 1e-3);
  EXPECT_NE(pose.text.find("h1 = 1.8: the way there ends at 1.76"), std::string::npos) << pose.text;
}

TEST(Reduce, ProgramPrintsWhatIsAskedAndRefusesTheRest) {
  const std::string file = COENERGY_SOURCE_DIR "/examples/flexible_four_bar/fb1.yaml";
  const Outcome good = run_program({"reduce", file, "--method", "gmp", "--json", "--at", "0", "--at", "0.5"});
  ASSERT_EQ(good.status, 0) << good.message;
  const auto j = nlohmann::json::parse(good.output);
  ASSERT_EQ(j["configurations"].size(), 2u);
  for (const char* field : {"theta", "M", "K", "h", "Psi", "gravity", "frequencies"})
    EXPECT_TRUE(j["configurations"][1].contains(field)) << field;
  EXPECT_EQ(j["coordinates"], (std::vector<std::string>{"h1", "tip.z", "mode 1", "mode 2", "mode 3"}));
  EXPECT_NEAR(j["configurations"][0]["M"][0][0].get<double>(), 8.73392, 1e-7);
  const auto refusal = [&](std::vector<std::string> words, int status) {
    words.insert(words.begin(), {"reduce", file});
    const Outcome bad = run_program(words);
    EXPECT_EQ(bad.status, status) << bad.all();
    return bad.message;
  };
  EXPECT_NE(refusal({"--at", "1.8"}, 1).find("the mechanism is singular"), std::string::npos);
  EXPECT_NE(refusal({"--at", "x"}, 2).find("\"x\" is no number"), std::string::npos);
  EXPECT_NE(refusal({"--at", "1,2"}, 2).find("theta has 2 values, the mechanism 1 coordinates: h1"), std::string::npos);
  EXPECT_NE(refusal({"--theta", "h9"}, 2).find("h9"), std::string::npos);
  EXPECT_NE(refusal({"--direction", "tip.vz"}, 2).find("tip.vz is no position"), std::string::npos);
  EXPECT_NE(refusal({"--method", "best"}, 2).find("gmp"), std::string::npos);
}

}  // namespace
}  // namespace coenergy::tests
