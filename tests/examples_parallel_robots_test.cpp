// examples/stewart and examples/orthoglide against their closed-form kinematics and the dynamics of a rigid platform.
#include <cmath>
#include <fstream>
#include <regex>
#include <sstream>

#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/matrix.hpp"
#include "coenergy/math/rotation.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/published_models.hpp"

namespace coenergy::tests {
namespace {

using math::Vector3;

/// The text of an example without its drives.
std::string undriven(const std::string& name) {
  std::ifstream file(std::string(COENERGY_SOURCE_DIR "/examples/") + name + "/" + name + ".yaml");
  std::stringstream text;
  text << file.rdbuf();
  return std::regex_replace(text.str(), std::regex(R"(,\s*drive: "[^"]*")"), "");
}

/// What `coenergy check` counts: coordinates less constraints that are not redundant.
int degrees_of_freedom(const model::Model& model, std::vector<std::string>* redundant = nullptr) {
  equations::Evaluator evaluator(compile_model(model));
  const equations::System& s = evaluator.system();
  const solve::Start start = solve::initialize(evaluator);
  EXPECT_TRUE(start.good) << start.text;
  for (int k : start.redundancy.always)
    if (redundant) redundant->push_back(s.row_name(s.nv() + k));
  return s.nv() - s.nl() + int(start.redundancy.always.size());
}

/// Signals of the start, after assembly.
double assembled(const solve::Result& start, const std::string& name) { return start.signal(name).front(); }
solve::Result assemble(const std::string& text) {
  solve::Options options;
  options.t_end = 1e-6;
  return run_model(io::parse_model(text, "m.yaml"), options);
}

// ---- Stewart platform

constexpr double rb = 0.6, rp = 0.3;
constexpr double degree = M_PI / 180;
constexpr double base_angle[] = {-10, 10, 110, 130, 230, 250}, platform_angle[] = {-50, 50, 70, 170, 190, 290};

Vector3 base_point(int leg) {
  return {rb * std::cos(base_angle[leg] * degree), rb * std::sin(base_angle[leg] * degree), 0};
}
Vector3 platform_point(int leg) {
  return {rp * std::cos(platform_angle[leg] * degree), rp * std::sin(platform_angle[leg] * degree), 0};
}

TEST(Stewart, HasSixDegreesOfFreedomAndTheDrivesTakeThem) {
  std::vector<std::string> redundant;
  EXPECT_EQ(degrees_of_freedom(io::parse_model(undriven("stewart"), "m.yaml"), &redundant), 6);
  EXPECT_EQ(degrees_of_freedom(read_example("stewart", "stewart"), &redundant), 0);
  EXPECT_TRUE(redundant.empty());
}

TEST(Stewart, ThePlatformGoesWhereItsLegsSay) {
  const solve::Result r = run_model(read_example("stewart", "stewart"));
  const auto x = r.signal("pose.x"), y = r.signal("pose.y"), z = r.signal("pose.z"), yaw = r.signal("pose.yaw"),
             roll = r.signal("pose.roll"), pitch = r.signal("pose.pitch");
  // the drives leave no freedom: nothing is integrated, and rows are put on the constraints
  for (std::size_t i = 0; i < r.times.size(); ++i) {
    const double t = r.times[i];
    EXPECT_NEAR(x[i], 0.1 * std::pow(std::sin(3 * t), 2), 1e-12) << t;
    EXPECT_NEAR(y[i], 0.06 * (1 - std::cos(2 * t)), 1e-12) << t;
    EXPECT_NEAR(z[i], 0.8 + 0.05 * (1 - std::cos(4 * t)), 1e-12) << t;
    EXPECT_NEAR(yaw[i], 0.15 * (1 - std::cos(2.5 * t)), 1e-11) << t;
    EXPECT_NEAR(roll[i], 0, 1e-11) << t;
    EXPECT_NEAR(pitch[i], 0, 1e-11) << t;
  }
  // power of the six drives against kinetic and potential energy: the account is a state of up to 240 J, asked for 1e-8
  EXPECT_LT(energy_drift(r), 5e-6);
}

TEST(Stewart, LegsHaveTheLengthsOfAnyGivenPose) {
  const Vector3 p{0.08, -0.05, 0.83}, angles{0.12, -0.17, 0.25};  // roll, pitch, yaw
  std::string text = undriven("stewart");
  const std::string constraints = fmt::format(R"(
  cx: {{type: multibody.Constraint, zero: pose.x - {} m}}
  cy: {{type: multibody.Constraint, zero: pose.y - {} m}}
  cz: {{type: multibody.Constraint, zero: pose.z - {} m}}
  c1: {{type: multibody.Constraint, zero: pose.roll - {} rad}}
  c2: {{type: multibody.Constraint, zero: pose.pitch - {} rad}}
  c3: {{type: multibody.Constraint, zero: pose.yaw - {} rad}}
simulate)",
                                              p[0], p[1], p[2], angles[0], angles[1], angles[2]);
  // the cardan joints' start angles must be free to move
  text = std::regex_replace(text, std::regex(R"(,\s*q1_0: "[^"]*",\s*q2_0: "[^"]*")"), "");
  text = std::regex_replace(text, std::regex("\nsimulate"), constraints);
  const solve::Result start = assemble(text);
  const auto turn = [](const Vector3& axis) { return math::exponential(axis); };
  const math::Quaternion R =
      math::multiply(turn({0, 0, angles[2]}), math::multiply(turn({0, angles[1], 0}), turn({angles[0], 0, 0})));
  for (int leg = 0; leg < 6; ++leg) {
    const Vector3 top = math::rotate(R, platform_point(leg)), foot = base_point(leg);
    const double length = std::hypot(p[0] + top[0] - foot[0], p[1] + top[1] - foot[1], p[2] + top[2] - foot[2]);
    EXPECT_NEAR(std::abs(assembled(start, fmt::format("leg{}.q", leg + 1))), length, 1e-12) << leg;
  }
}

TEST(Stewart, ForcesOfMasslessLegsBalanceThePlatform) {
  const solve::Result r = run_model(read_example("stewart", "stewart", {{"m_lower", "0 kg"}, {"m_upper", "0 kg"}}));
  const double mass = 20, Jz = 0.9;
  for (double t : {0.3, 0.9, 1.7}) {
    // Σ f u = m (a − g), Σ (R b) × f u = J ψ̈ ẑ
    const double yaw = 0.15 * (1 - std::cos(2.5 * t)), yaw_acceleration = 0.15 * 2.5 * 2.5 * std::cos(2.5 * t);
    const Vector3 p{0.1 * std::pow(std::sin(3 * t), 2), 0.06 * (1 - std::cos(2 * t)),
                    0.8 + 0.05 * (1 - std::cos(4 * t))};
    math::Matrix A(6, 6), load(6, 1);
    for (int leg = 0; leg < 6; ++leg) {
      const Vector3 arm = math::rotate(math::exponential(Vector3{0, 0, yaw}), platform_point(leg)),
                    foot = base_point(leg);
      Vector3 u{p[0] + arm[0] - foot[0], p[1] + arm[1] - foot[1], p[2] + arm[2] - foot[2]};
      const double length = std::hypot(u[0], u[1], u[2]);
      for (double& component : u) component /= length;
      for (int k = 0; k < 3; ++k) {
        A(k, leg) = u[k];
        A(3 + k, leg) = arm[(k + 1) % 3] * u[(k + 2) % 3] - arm[(k + 2) % 3] * u[(k + 1) % 3];
      }
    }
    load(0, 0) = mass * 0.1 * 18 * std::cos(6 * t);
    load(1, 0) = mass * 0.06 * 4 * std::cos(2 * t);
    load(2, 0) = mass * (0.05 * 16 * std::cos(4 * t) + 9.81);
    load(5, 0) = Jz * yaw_acceleration;
    const math::Matrix force = math::solve(A, load);
    // rows between steps: multipliers are those of the stages, asked for 1e-8
    for (int leg = 0; leg < 6; ++leg)
      EXPECT_NEAR(value_at(r, fmt::format("leg{}.drive_force", leg + 1), t), force(leg, 0), 1e-4) << t << " " << leg;
  }
}

// ---- Orthoglide

constexpr double L = 0.5;
Vector3 wanted(double t) {
  return {0.1 * std::pow(std::sin(3 * t), 2), 0.06 * (1 - std::cos(2 * t)), -0.05 * (1 - std::cos(4 * t))};
}
/// ρ = x + √(L² − y² − z²) − L
double slide_position(const Vector3& p, int axis) {
  const double y = p[(axis + 1) % 3], z = p[(axis + 2) % 3];
  return p[axis] + std::sqrt(L * L - y * y - z * z) - L;
}

TEST(Orthoglide, HasThreeDegreesOfFreedomAndNamesItsRedundantRows) {
  const model::Model free = io::parse_model(undriven("orthoglide"), "m.yaml");
  std::vector<std::string> redundant;
  EXPECT_EQ(degrees_of_freedom(free, &redundant), 3);
  // a loop over the platform holds two rotations that another leg holds, too; what the parallelograms hold twice is
  // seen by their axes and never written down
  ASSERT_EQ(redundant.size(), 3u);
  for (const std::string& row : redundant)
    EXPECT_TRUE(std::regex_match(row, std::regex("wrist_[xyz] rotation [xyz]"))) << row;
  // three more rows for each parallelogram
  redundant.clear();
  EXPECT_EQ(degrees_of_freedom(with_formulation(free, "absolute"), &redundant), 3);
  EXPECT_EQ(redundant.size(), 12u);
}

TEST(Orthoglide, ThePlatformGoesWhereItsSlidesSayAndDoesNotTurn) {
  for (const char* formulation : {"relative", "absolute"}) {
    const solve::Result r = run_model(read_example("orthoglide", "orthoglide", {{"formulation", formulation}}));
    const char* const signal[] = {"pose.x", "pose.y", "pose.z", "pose.roll", "pose.pitch", "pose.yaw"};
    for (int k = 0; k < 6; ++k) {
      const auto values = r.signal(signal[k]);
      // nothing is integrated: the drives say all
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(values[i], k < 3 ? wanted(r.times[i])[k] : 0, 1e-11) << formulation << " " << signal[k];
    }
    EXPECT_LT(energy_drift(r), 1e-6) << formulation;  // of 7 J that go to and fro
  }
}

TEST(Orthoglide, SlidesStandWhereThePlatformIsPut) {
  const Vector3 p{0.11, -0.07, 0.05};
  const std::string constraints = fmt::format(R"(
  cx: {{type: multibody.Constraint, zero: pose.x - {} m}}
  cy: {{type: multibody.Constraint, zero: pose.y - {} m}}
  cz: {{type: multibody.Constraint, zero: pose.z - {} m}}
simulate)",
                                              p[0], p[1], p[2]);
  const solve::Result start =
      assemble(std::regex_replace(undriven("orthoglide"), std::regex("\nsimulate"), constraints));
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(assembled(start, fmt::format("rail_{}.q", "xyz"[axis])), slide_position(p, axis), 1e-12) << axis;
}

TEST(Orthoglide, ForcesOfMasslessLegsBalanceThePlatform) {
  const solve::Result r = run_model(read_example("orthoglide", "orthoglide", {{"m_foot", "0 kg"}, {"m_bar", "0 kg"}}));
  const double mass = 3, slide = 2, g[] = {0, 0, 9.81};
  for (double t : {0.3, 0.9, 1.7}) {
    // bars push along themselves: Σ f d = m (a − g), and a slide needs m_s (ρ̈ + g) + f d·e
    const Vector3 p = wanted(t);
    const double a[] = {0.1 * 18 * std::cos(6 * t), 0.06 * 4 * std::cos(2 * t), -0.05 * 16 * std::cos(4 * t)};
    math::Matrix A(3, 3), load(3, 1);
    for (int axis = 0; axis < 3; ++axis) {
      for (int k = 0; k < 3; ++k) A(k, axis) = p[k] / L;
      A(axis, axis) = (p[axis] - slide_position(p, axis) - L) / L;
      load(axis, 0) = mass * (a[axis] + g[axis]);
    }
    const math::Matrix force = math::solve(A, load);
    for (int axis = 0; axis < 3; ++axis) {
      const std::string rail = fmt::format("rail_{}", "xyz"[axis]);
      const double expected = slide * (value_at(r, rail + ".qdd", t) + g[axis]) + force(axis, 0) * A(axis, axis);
      EXPECT_NEAR(value_at(r, rail + ".drive_force", t), expected, 1e-4) << t << " " << rail;
    }
  }
}

}  // namespace
}  // namespace coenergy::tests
