// Generated mass matrices contain what moves with the joints: rotors behind gears, wheels behind racks.
#include "coenergy/generate/routine.hpp"
#include "coenergy/symbolic/function.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

struct Made {
  std::vector<double> values;
  std::vector<std::string> notes;
};

/// M and c with all inputs zero but those given.
Made mass_matrix(const std::string& text, std::vector<double> inputs = {}) {
  generate::Request request;
  request.task = generate::Task::mass_matrix;
  request.parameters = generate::Parameters::numeric;
  const generate::Generated made =
      generate::generate(io::parse_model(text, "m.yaml"), domains::make_standard_registry(), request);
  std::size_t count = 0;
  for (const generate::Array& array : made.main.inputs) count += array.entries.size();
  inputs.resize(count, 0.0);
  return {symbolic::evaluate(symbolic::Function(made.main.program, symbolic::Engine::interpreter), inputs), made.notes};
}

TEST(MassMatrix, ARotorBehindTwoGearsMovesWithItsJoint) {
  const Made made = mass_matrix(R"(
components:
  b: {type: multibody.Body, mass: 1.7, com: [0.25, 0, 0], inertia: [0, 0, 0.04]}
  j: {type: multibody.Revolute, parent: ground, child: b}
  r: {type: mechanical.Inertia, shaft: m, J: 2e-3}
  w: {type: mechanical.Inertia, shaft: n, J: 5e-2}
  g1: {type: mechanical.IdealGear, a: m, b: n, ratio: 5}
  g2: {type: mechanical.IdealGear, a: n, b: j.shaft, ratio: 4}
  d: {type: mechanical.RotationalDamper, a: m, b: ground, d: 0.3}
)",
                                {0, 0.7});
  EXPECT_NEAR(made.values[0], 1.7 * 0.0625 + 0.04 + 0.05 * 16 + 2e-3 * 400, 1e-12);
  // the damper of the rotor, felt by the joint at 0.7 rad/s
  EXPECT_NEAR(made.values[1], 0.3 * 400 * 0.7, 1e-10);
}

TEST(MassMatrix, AWheelBehindARackAddsItsMass) {
  const Made made = mass_matrix(R"(
components:
  b: {type: multibody.Body, mass: 3}
  j: {type: multibody.Prismatic, parent: ground, child: b, axis: x}
  rp: {type: mechanical.RackPinion, pinion: w, rack: j.shaft, r: 0.2}
  r: {type: mechanical.Inertia, shaft: w, J: 0.7}
)");
  EXPECT_NEAR(made.values[0], 3 + 0.7 / 0.04, 1e-12);
}

TEST(MassMatrix, AShaftOnASpringIsLeftOutByName) {
  const Made made = mass_matrix(R"(
components:
  b: {type: multibody.Body, mass: 3, com: [0.1, 0, 0], inertia: [0, 0, 0.04]}
  j: {type: multibody.Revolute, parent: ground, child: b}
  r: {type: mechanical.Inertia, shaft: w, J: 0.7}
  k: {type: mechanical.RotationalSpringDamper, a: w, b: j.shaft, k: 20, d: 0.1}
)");
  EXPECT_NEAR(made.values[0], 0.07, 1e-12);
  ASSERT_FALSE(made.notes.empty());
  EXPECT_EQ(made.notes.front(),
            "left out: the inertia of w.phi, which moves by itself or is held by more than one gear");
}

}  // namespace
}  // namespace coenergy::tests
