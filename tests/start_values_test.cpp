// Where a run starts: drives, given values, guesses and defaults by their priority, in every formulation; flexible
// bodies without strain.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "coenergy/solve/initialize.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

constexpr double pi = std::numbers::pi;

struct Begun {
  explicit Begun(const std::string& text) : evaluator(compile_model(io::parse_model(text, "m.yaml"))) {
    start = solve::initialize(evaluator);
    values.resize(evaluator.system().signals().size());
    evaluator.signals(start.point, values);
  }
  double operator[](const std::string& signal) const { return values.at(evaluator.system().find_signal(signal)); }
  double energy() { return evaluator.energy(start.point).stored; }
  std::string notes() const {
    std::string all;
    for (const std::string& note : start.notes) all += note + "\n";
    return all;
  }
  equations::Evaluator evaluator;
  solve::Start start;
  std::vector<double> values;
};

std::string in(const std::string& formulation, const std::string& components) {
  return "formulation: " + formulation + "\ncomponents:\n" + components;
}

const std::string formulations[] = {"relative", "absolute"};

TEST(StartValues, TheRodOfAStrutTakesTheMisfitAndTheJointStays) {
  for (const std::string& f : formulations) {
    const Begun m(in(f, R"(
  hinge: {type: multibody.Revolute, parent: ground, child: arm}
  arm: {type: multibody.Body, mass: 2, com: [0.3, 0, 0], inertia: [0.1, 0.1, 0.2]}
  st: {type: multibody.Strut, a: ground, a_at: [0.1, -1.2, 0.4], b: arm, b_at: [0.6, 0, 0], rod: rod}
  da: {type: mechanical.TranslationalDamper, a: ground, b: rod, d: 5}
)"));
    EXPECT_EQ(m["hinge.q"], 0) << f;
    EXPECT_EQ(m["hinge.qd"], 0) << f;
    EXPECT_NEAR(m["rod.s"], std::sqrt(0.25 + 1.44 + 0.16), 1e-12) << f;
  }
}

const std::string arms = R"(
  j1: {type: multibody.Revolute, parent: ground, child: a}
  a: {type: multibody.Body, mass: 1.5, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.08]}
  j2: {type: multibody.Revolute, parent: a, parent_at: [0.6, 0, 0], child: b, drive: "0.4 rad + 1.5 rad/s*time"}
  b: {type: multibody.Body, mass: 0.7, com: [0.3, 0, 0], inertia: [0.1, 0.1, 0.05]}
)";

TEST(StartValues, DefaultsBesideADriveMeanTheSameInEveryFormulation) {
  std::vector<double> end;
  for (const std::string& f : formulations) {
    const Begun m(in(f, arms));
    EXPECT_EQ(m["j1.q"], 0) << f;
    EXPECT_EQ(m["j1.qd"], 0) << f;
    EXPECT_NEAR(m["j2.q"], 0.4, 1e-13) << f;
    EXPECT_NEAR(m["b.vy"], 0, 1e-13) << f;  // of its origin, where the second joint is
    EXPECT_NEAR(m["b.wz"], 1.5, 1e-12) << f;
    const solve::Result r = run_text(in(f, arms), 1, 1);
    end.push_back(r.signal("j1.qd").back());
  }
  // 1e-9 a step, some tens of steps
  EXPECT_NEAR(end[0], end[1], 1e-7);
}

TEST(StartValues, ALargeDrivenAngleIsReachedWithoutTurningBack) {
  for (const std::string& f : formulations) {
    const Begun m(in(f, R"(
  j1: {type: multibody.Revolute, parent: ground, child: a, drive: "3 rad"}
  a: {type: multibody.Body, mass: 1, inertia: [1, 1, 1]}
  j2: {type: multibody.Revolute, parent: a, parent_at: [1, 0, 0], child: b, axis: y, q0: 0.2}
  b: {type: multibody.Body, mass: 1, inertia: [1, 1, 1]}
)"));
    EXPECT_NEAR(m["j1.q"], 3, 1e-12) << f;
    EXPECT_EQ(m["j2.q"], 0.2) << f;
    EXPECT_NEAR(m["b.x"], std::cos(3), 1e-12) << f;
  }
}

TEST(StartValues, GuessesThatMovedAreTold) {
  const std::string four_bar = R"(
  crank: {type: multibody.Body, mass: 1, com: [0.25, 0, 0], inertia: [0, 0, 0.02]}
  coupler: {type: multibody.Body, mass: 1, com: [0.25, 0, 0], inertia: [0, 0, 0.02]}
  rocker: {type: multibody.Body, mass: 1, com: [0.25, 0, 0], inertia: [0, 0, 0.02]}
  hinge: {type: multibody.Revolute, parent: ground, child: crank, q0: 90 deg}
  elbow: {type: multibody.Revolute, parent: crank, parent_at: [0.5, 0, 0], child: coupler, guess: -80 deg}
  pivot: {type: multibody.Revolute, parent: ground, parent_at: [1, 0, 0], child: rocker, guess: 100 deg}
  joint: {type: multibody.Revolute, parent: coupler, parent_at: [1, 0, 0], child: rocker, child_at: [0.5, 0, 0]}
)";
  for (const std::string& f : formulations) {
    const Begun m(in(f, four_bar));
    EXPECT_EQ(m["hinge.q"], pi / 2) << f;
    EXPECT_NEAR(m["elbow.q"], -pi / 2, 1e-9) << f;  // a parallelogram
    EXPECT_NEAR(m["pivot.q"], pi / 2, 1e-9) << f;
    EXPECT_NE(
        m.notes().find("start positions that were not given moved to fit the constraints: elbow.q from -1.39626 to "
                       "-1.5708 rad, pivot.q from 1.74533 to 1.5708 rad"),
        std::string::npos)
        << f << m.notes();
  }
}

TEST(StartValues, AMissingStartValueIsTold) {
  // five bars, two freedoms, one given value
  const std::string five_bar = R"(
  a: {type: multibody.Body, mass: 1, inertia: [0.1, 0.1, 0.1]}
  b: {type: multibody.Body, mass: 1, inertia: [0.1, 0.1, 0.1]}
  c: {type: multibody.Body, mass: 1, inertia: [0.1, 0.1, 0.1]}
  d: {type: multibody.Body, mass: 1, inertia: [0.1, 0.1, 0.1]}
  j1: {type: multibody.Revolute, parent: ground, child: a, q0: 100 deg}
  j2: {type: multibody.Revolute, parent: a, parent_at: [0.6, 0, 0], child: b, guess: -60 deg}
  j4: {type: multibody.Revolute, parent: ground, parent_at: [1.2, 0, 0], child: d, guess: 80 deg}
  j3: {type: multibody.Revolute, parent: d, parent_at: [0.6, 0, 0], child: c, guess: 50 deg}
  j5: {type: multibody.Revolute, parent: b, parent_at: [0.9, 0, 0], child: c, child_at: [0.9, 0, 0]}
)";
  std::vector<double> found;
  for (const std::string& f : formulations) {
    const Begun m(in(f, five_bar));
    EXPECT_NE(
        m.notes().find("1 more start value could be given: the constraints leave 1 freedom of j2.q, j3.q, j4.q open, "
                       "and all of them moved as little as possible"),
        std::string::npos)
        << f << m.notes();
    found.push_back(m["j2.q"]), found.push_back(m["j4.q"]);
  }
  // the same pose in both: the smallest change is found to the size of the last pulled correction
  EXPECT_NEAR(found[0], found[2], 1e-5);
  EXPECT_NEAR(found[1], found[3], 1e-5);
}

TEST(StartValues, AFreeBodyStartsWhereItWasPut) {
  for (const std::string& f : formulations) {
    const Begun m(in(f, R"(
  base: {type: multibody.Body, mass: 1, inertia: [1, 1, 1]}
  fix: {type: multibody.Fixed, parent: ground, child: base, parent_at: [1, 0, 0], parent_angles: [0, 0, 90 deg]}
  free: {type: multibody.Free, parent: base, child: body}
  body: {type: multibody.Body, mass: 1, inertia: [1, 2, 2], position: [0.5, -1, 2], velocity: [3, 0.4, -1],
         angles: [0.2, -0.1, 0.5], angular_velocity: [0.5, 1, -2]}
)"));
    const std::pair<const char*, double> expected[] = {{"body.x", 0.5},  {"body.y", -1},   {"body.z", 2},
                                                       {"body.vx", 3},   {"body.vy", 0.4}, {"body.vz", -1},
                                                       {"body.wx", 0.5}, {"body.wy", 1},   {"body.wz", -2}};
    for (const auto& [signal, value] : expected) EXPECT_NEAR(m[signal], value, 1e-12) << f << " " << signal;
  }
}

TEST(StartValues, AFlexibleFourBarClosesWithoutStrain) {
  // lengths 0.4, 0.9, 0.6, ground 0.8; the crank is rigid, the others bend
  Begun m(R"(
components:
  crank: {type: multibody.Body, mass: 1, com: [0.2, 0, 0], inertia: [0, 0, 0.01]}
  coupler: {type: flexible.BeamBody, length: 0.9, elements: 5, section: {rectangle: [8 mm, 12 mm]}, material: steel}
  rocker: {type: flexible.BeamBody, length: 0.6, elements: 3, section: {rectangle: [8 mm, 12 mm]}, material: steel}
  hinge: {type: multibody.Revolute, parent: ground, child: crank, q0: 70 deg, qd0: 2}
  elbow: {type: multibody.Revolute, parent: crank, parent_at: [0.4, 0, 0], child: coupler, guess: -30 deg}
  pivot: {type: multibody.Revolute, parent: ground, parent_at: [0.8, 0, 0], child: rocker, guess: 60 deg}
  joint: {type: multibody.Revolute, parent: coupler.tip, child: rocker.tip}
)");
  // the points of both beams keep their distances
  const double cx = m["coupler.tip.x"] - m["coupler.x"], cy = m["coupler.tip.y"] - m["coupler.y"];
  EXPECT_NEAR(std::hypot(cx, cy), 0.9, 1e-12);
  EXPECT_NEAR(std::hypot(m["rocker.tip.x"] - 0.8, m["rocker.tip.y"]), 0.6, 1e-12);
  EXPECT_NEAR(m["coupler.tip.x"], m["rocker.tip.x"], 1e-9);
  EXPECT_EQ(m["hinge.qd"], 2);
  // rigid motion: rates of a point inside the coupler by the rates of its ends
  for (const char* axis : {"x", "y"}) {
    const std::string v = std::string("v") + axis;
    EXPECT_NEAR(m["coupler.tip." + v], m["rocker.tip." + v], 1e-9);
  }
  // at rest the energy is strain alone, here that of nothing
  std::fill(m.start.point.v.begin(), m.start.point.v.end(), 0.0);
  EXPECT_LT(std::abs(m.energy()), 1e-14);
}

TEST(StartValues, AFlexibleFourBarClosesWithoutStrainFromGuessesInOneLine) {
  // all bars along x: a singular position, from which no correction leads to the loop (1, 0.7, 1.2 on a ground of 1.6)
  Begun m(R"(
components:
  a: {type: flexible.BeamBody, length: 1, section: {tube: [30 mm, 2 mm]}, material: steel, elements: 1}
  b: {type: flexible.BeamBody, length: 0.7, section: {tube: [30 mm, 2 mm]}, material: steel, elements: 2}
  c: {type: flexible.BeamBody, length: 1.2, section: {tube: [30 mm, 2 mm]}, material: steel, elements: 1}
  h1: {type: multibody.Revolute, parent: ground, child: a, q0: 0.1 rad}
  h2: {type: multibody.Revolute, parent: a.tip, child: b}
  h3: {type: multibody.Revolute, parent: ground, parent_at: [1.6, 0, 0], child: c}
  h4: {type: multibody.Revolute, parent: b.tip, child: c.tip}
)");
  EXPECT_EQ(m["h1.q"], 0.1);
  const double bx = m["b.tip.x"] - m["b.x"], by = m["b.tip.y"] - m["b.y"];
  EXPECT_NEAR(std::hypot(bx, by), 0.7, 1e-9);
  EXPECT_NEAR(std::hypot(m["c.tip.x"] - 1.6, m["c.tip.y"]), 1.2, 1e-9);
  EXPECT_NEAR(m["b.tip.x"], m["c.tip.x"], 1e-9);
  // of 1e7 J for a bar that is bent to close: digits
  EXPECT_LT(std::abs(m.energy()), 1e-8);
  EXPECT_NE(m.notes().find("h2.q from 0 to"), std::string::npos) << m.notes();
}

TEST(StartValues, AClampedBeamThatIsTooLongIsCompressedEvenly) {
  // 4 mm too long: the strain energy is ½ EA δ²/l, the least of all
  Begun m(R"(
components:
  left: {type: multibody.Fixed, parent: ground, child: beam}
  right: {type: multibody.Fixed, parent: ground, parent_at: [0.996, 0, 0], child: beam.tip}
  beam: {type: flexible.BeamBody, length: 1, elements: 5, EA: 1e5, GA: 1e6, GJ: 100, EI: 100, mass_per_length: 2,
         inertia_per_length: 1e-4}
)");
  EXPECT_NEAR(m["beam.tip.x"], 0.996, 1e-12);
  EXPECT_NEAR(m.energy(), 0.5 * 1e5 * 16e-6, 1e-9);
  EXPECT_NE(m.notes().find("the constraints strain flexible bodies at the start: beam holds 0.8 J"), std::string::npos)
      << m.notes();
}

TEST(StartValues, APointMassIsABody) {
  for (const std::string& f : formulations) {
    const std::string text = in(f, R"(
  gravity: {type: multibody.Gravity}
  stone: {type: multibody.Body, mass: 0.4, velocity: [2, 0, 3]}
)");
    const solve::Result r = run_text(text, 0.5, 0.5);
    EXPECT_NEAR(r.signal("stone.x").back(), 1, 1e-9) << f;
    EXPECT_NEAR(r.signal("stone.z").back(), 1.5 - 9.81 / 8, 1e-8) << f;
  }
  EXPECT_NE(error_of(in("relative", R"(
  stone: {type: multibody.Body, mass: 0.4}
  pull: {type: multibody.Force, body: stone, at: [0.1, 0, 0], force: [0, 0, 1 N]}
)"))
                .find("stone is a point mass, which has no inertia, and a torque or a force beside its origin acts on "
                      "it; give it "
                      "an inertia"),
            std::string::npos);
}

TEST(StartValues, ParallelAxesOfAChainAreNamed) {
  try {
    const Begun m(in("relative", R"(
  top: {type: multibody.Body, mass: 1, com: [0, 0, 0.5], inertia: [0.2, 0.2, 0.05]}
  ball: {type: multibody.Spherical, parent: ground, child: top, as: zyz, q1d_0: 1, q3d_0: 4}
)"));
    FAIL() << "started";
  } catch (const Error& e) {
    EXPECT_NE(
        std::string(e.what()).find("ball.q1, ball.q3 move the same masses in the same way here, a singular position"),
        std::string::npos)
        << e.what();
  }
}

TEST(StartValues, ADrivenBeamStartsStraightAtItsAngleAndItsRates) {
  Begun m(R"(
components:
  h: {type: multibody.Revolute, parent: ground, child: beam, drive: "2.2 rad + 3 rad/s*time"}
  beam: {type: flexible.BeamBody, length: 0.8, elements: 6, EA: 1e6, GA: 1e6, GJ: 100, EI: 100, mass_per_length: 2,
         inertia_per_length: 1e-4}
)");
  EXPECT_NEAR(m["beam.tip.x"], 0.8 * std::cos(2.2), 1e-12);
  EXPECT_NEAR(m["beam.tip.y"], 0.8 * std::sin(2.2), 1e-12);
  EXPECT_NEAR(m["beam.tip.vx"], -2.4 * std::sin(2.2), 1e-10);
  // kinetic energy of a turning rod alone: ½ (m l²/3 + J l) ω²
  EXPECT_NEAR(m.energy(), 0.5 * (2 * 0.8 * 0.64 / 3 + 1e-4 * 0.8) * 9, 1e-9);
}

}  // namespace
}  // namespace coenergy::tests
