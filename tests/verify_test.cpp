#include <gtest/gtest.h>

#include "coenergy/analyze/compare.hpp"
#include "tests/program.hpp"
#include "tests/random_mechanism.hpp"

// Relative coordinates, absolute coordinates and Lagrange's equations from the energies agree.

namespace coenergy::tests {
namespace {

equations::Evaluator formulate(const std::string& text, const std::string& formulation) {
  return equations::Evaluator(
      compile_model(io::parse_model("formulation: " + formulation + "\n" + text, "random.yaml")));
}

/// Round-off of accelerations: about 1e-16 times the condition of the saddle-point matrix, which reaches 1e6 for
/// random mechanisms.
constexpr double tolerance = 1e-9;

/// Random states of one model compared in all formulations; returns how many were.
int compare_all(const std::string& text, unsigned seed) {
  equations::Evaluator relative = formulate(text, "relative");
  int states = 0;
  for (const char* formulation : {"absolute", "lagrange"}) {
    equations::Evaluator other = formulate(text, formulation);
    const analyze::Comparison c = analyze::compare(relative, other, {.random_states = 2, .seed = seed});
    const analyze::Difference& d = c.largest();
    EXPECT_LT(d.value, tolerance) << formulation << ", seed " << seed << ": " << d.where << "\n" << text;
    for (const std::string& failure : c.failures)
      ADD_FAILURE() << formulation << ", seed " << seed << ": " << failure << "\n" << text;
    states += c.states;
  }
  return states;
}

TEST(Verify, RandomTreesAgreeInAllFormulations) {
  int states = 0;
  for (unsigned seed = 1; seed <= COENERGY_RANDOM_TREES; ++seed)
    states += compare_all(RandomMechanism(seed).tree(2 + static_cast<int>(seed % 5)), seed);
  // a tree has no constraint that a random state could miss
  EXPECT_EQ(states, 6 * COENERGY_RANDOM_TREES);
}

TEST(Verify, RandomClosedLoopsAgreeInAllFormulations) {
  int states = 0;
  for (unsigned seed = 1; seed <= COENERGY_RANDOM_LOOPS; ++seed)
    states += compare_all(RandomMechanism(1000 + seed).closed(3 + static_cast<int>(seed % 3)), seed);
  // nearly all random states can be assembled
  EXPECT_GT(states, 5 * COENERGY_RANDOM_LOOPS);
}

const char* const two_link = R"(components:
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  shoulder: {type: multibody.Revolute, parent: ground, child: upper, q0: 0.3, qd0: 1}
  upper: {type: multibody.Body, mass: 2, com: [0.5, 0, 0], inertia: [0, 0, 0.2]}
  elbow: {type: multibody.Revolute, parent: upper, child: lower, parent_at: [1, 0, 0], q0: -0.5, qd0: 2}
  lower: {type: multibody.Body, mass: 1, com: [0.4, 0, 0], inertia: [0, 0, 0.1]}
)";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = two_link;
  return text.replace(text.find(from), from.size(), to);
}

TEST(Verify, AWrongDerivationIsCaughtWithThePlace) {
  equations::Evaluator right = formulate(two_link, "relative");
  // as if the recursion forgot a part of an inertia
  equations::Evaluator light = formulate(changed("inertia: [0, 0, 0.1]", "inertia: [0, 0, 0.0999]"), "lagrange");
  const analyze::Comparison c = analyze::compare(right, light);
  EXPECT_EQ(c.states, 21);
  EXPECT_GT(c.acceleration.value, 1e-5);
  EXPECT_EQ(c.acceleration.where, "elbow.q");
  EXPECT_GT(c.energy.value, 1e-6);
  EXPECT_EQ(c.position.value, 0);
  // as if a joint were placed wrongly
  equations::Evaluator shifted = formulate(changed("parent_at: [1, 0, 0]", "parent_at: [1.001, 0, 0]"), "absolute");
  const analyze::Comparison d = analyze::compare(right, shifted);
  EXPECT_NEAR(d.position.value, 1e-3, 1e-4);
  EXPECT_EQ(d.position.where.substr(0, 14), "elbow position");
  // a random state is worth more than the start at rest: Coriolis terms show only there
  equations::Evaluator same = formulate(two_link, "absolute");
  EXPECT_LT(analyze::compare(right, same).largest().value, 1e-13);
}

TEST(Verify, TheProgramComparesAndTells) {
  const Folder folder;
  const std::string file = folder.write("arm.yaml", two_link);
  const Outcome good = run_program({"verify", file, "--states", "3"});
  EXPECT_EQ(good.status, 0) << good.all();
  EXPECT_NE(good.output.find("relative and lagrange: 4 states"), std::string::npos) << good.output;
  EXPECT_NE(good.output.find("equal to 1e-09"), std::string::npos) << good.output;
  const Outcome json = run_program({"verify", file, "--json"});
  EXPECT_NE(json.output.find("\"equal\": true"), std::string::npos) << json.output;
  EXPECT_EQ(run_program({"verify", file, "--tolerance", "1e-30"}).status, 1);
  const Outcome circuit = run_program({"verify", COENERGY_SOURCE_DIR "/examples/02_rlc/rlc.yaml"});
  EXPECT_EQ(circuit.status, 0) << circuit.all();
  EXPECT_NE(circuit.output.find("circuits by nodes and by charges of meshes: "), std::string::npos) << circuit.output;
  const Outcome none =
      run_program({"verify", folder.write("mass.yaml", "components: {m: {type: mechanical.Mass, m: 1 kg}}")});
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.message.find("the model has no bodies and no circuits; verify compares formulations of mechanisms and "
                              "of circuits"),
            std::string::npos)
      << none.message;
  const Outcome beam = run_program({"verify", COENERGY_SOURCE_DIR "/examples/05_cantilever/cantilever.yaml"});
  EXPECT_EQ(beam.status, 2);
  EXPECT_NE(beam.message.find("is flexible, which only the absolute formulation holds; verify compares formulations of "
                              "rigid bodies"),
            std::string::npos)
      << beam.message;
}

}  // namespace
}  // namespace coenergy::tests
