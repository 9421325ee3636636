// Bodies that deform by shapes about a frame that moves with them, in both formulations.
#include <cmath>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

double last(const solve::Result& run, const std::string& name) {
  const int k = run.find(name);
  EXPECT_GE(k, 0) << name;
  return k < 0 ? NAN : run.row(run.times.size() - 1)[k];
}

std::string in_coordinates(const std::string& formulation, const std::string& text) {
  return "formulation: " + formulation + "\n" + text;
}

TEST(SliderCrank, WithSimeonsRodIsWhereItsEquationsSay) {
  // Simeon's rod: two sines, two parabolas. His equations with the inertia of the parabolas as it is, integrated by
  // themselves (scipy, DOP853 at 1e-12): 0.1697373958325763. The test set's program leaves out a factor 1/15 there; its
  // equations as they are printed give its 0.1697373328427860, 6.3e-8 beside
  const model::Model model = read_example("flexible_slider_crank", "modal_rod");
  for (const char* formulation : {"relative", "absolute"}) {
    model::Model chosen = model;
    chosen.formulation = formulation;
    solve::Options options;
    options.t_end = 0.1, options.output_step = 0.01, options.rtol = 1e-8, options.atol = 1e-8;
    const solve::Result run = run_model(chosen, options);
    EXPECT_NEAR(last(run, "guide.q"), 0.1697373958325763, 5e-10) << formulation;  // error at this tolerance: 1.2e-10
    EXPECT_NEAR(last(run, "guide.q"), 0.1697373328427860, 7e-8) << formulation;
    EXPECT_NEAR(last(run, "rod.eta1"), 1.89308137e-4, 1e-10) << formulation;
  }
}

TEST(ModalBeam, ThatTurnsFlapsAndLagsAsPublished) {
  // Wright et al. 1982, as in rotating_structures_test; six shapes leave less than the digits published. Without what
  // stiffens it the blade would lag at √(3.516² − 36), that is not at all
  const double unit = std::sqrt(4 / (2 * std::pow(0.8, 4)));
  const double speeds[] = {4, 6, 7}, flaps[] = {5.5850, 7.3604, 8.2996};
  for (int k = 0; k < 3; ++k) {
    equations::Evaluator evaluator(compile_model(io::parse_model(R"(components:
  hinge: {type: multibody.Revolute, parent: ground, child: blade, axis: y, drive: ")" +
                                                                     std::to_string(speeds[k] * unit) +
                                                                     R"( rad/s*time"}
  blade: {type: flexible.ModalBeam, length: 0.8, bending_y: 6, bending_z: 6, EA: 1e7, GJ: 100, EI: 4,
          mass_per_length: 2, inertia_per_length: 1e-9}
)",
                                                                 "m.yaml")));
    solve::Options options;
    options.t_end = 0.01, options.output_step = 0.01;
    const solve::Result run = solve::simulate(evaluator, options);
    ASSERT_EQ(run.status, solve::Status::done) << run.text;
    const analyze::Modes modes =
        analyze::compute_modes(evaluator.system(), analyze::linearize_states(evaluator, run.end));
    ASSERT_GE(modes.modes.size(), 2u);
    const double lag = std::sqrt(flaps[k] * flaps[k] - speeds[k] * speeds[k]);
    EXPECT_NEAR(std::abs(modes.modes[0].eigenvalue) / unit, lag, 2e-4) << speeds[k];
    EXPECT_NEAR(std::abs(modes.modes[1].eigenvalue) / unit, flaps[k], 1e-4) << speeds[k];
  }
}

// two bodies that fly, held together at the tip: nothing acts on them but each other
const char* flying = R"(
energy: true
components:
  free:  {type: multibody.Free, parent: ground, child: beam}
  beam:  {type: flexible.ModalBeam, length: 1.2, bending_y: 2, bending_z: 2, stretching: 1, torsion: 1, EA: 4e4,
          GJ: 30, EI: [40, 60], mass_per_length: 0.7, inertia_per_length: [1e-3, 2e-3], stations: [0.6],
          eta: [0.02, 0, -0.01, 0, 0, 0.05]}
  joint: {type: multibody.Revolute, parent: beam.tip, child: block, axis: y, qd0: 2}
  block: {type: multibody.Body, mass: 0.4, com: [0.1, 0.05, 0], inertia: [2e-3, 3e-3, 4e-3]}
  bar:   {type: flexible.ModalBeam, length: 0.5, support: hinged, bending_y: 1, bending_z: 1, EA: 4e4, GJ: 30,
          EI: 20, mass_per_length: 0.5, inertia_per_length: 1e-3}
  weld:  {type: multibody.Fixed, parent: beam.s1, child: bar.tip, child_at: [0, 0.02, 0]}
)";

TEST(ModalBodies, MoveAlikeInBothFormulationsAndKeepTheirEnergy) {
  // one is entered by its tip, so that its frame hangs on its shapes
  const solve::Result a = run_text(in_coordinates("relative", flying), 0.3),
                      b = run_text(in_coordinates("absolute", flying), 0.3);
  for (const char* name : {"beam.x", "beam.tip.y", "beam.tip.p2", "block.z", "bar.x", "bar.root.y", "bar.eta1",
                           "beam.eta3", "beam.s1.Mz", "joint.q"})
    EXPECT_NEAR(last(a, name), last(b, name), 1e-6)
        << name;  // two ways at rtol 1e-9: 1e-7 of bending moments of 60 N.m
  for (const solve::Result* run : {&a, &b}) {
    const int k = run->find("energy.stored");
    ASSERT_GE(k, 0);
    EXPECT_NEAR(run->row(run->times.size() - 1)[k], run->row(0)[k], 1e-6 * std::abs(run->row(0)[k]));
  }
}

/// Frequencies above zero in units of √(EI/(m L⁴)), EI 80, m 0.5, L 1.
std::vector<double> frequencies_of(const std::string& text) {
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "m.yaml")));
  solve::Options options;
  options.t_end = 1e-6, options.output_step = 1e-6;
  const solve::Result run = solve::simulate(evaluator, options);
  const analyze::Modes modes =
      analyze::compute_modes(evaluator.system(), analyze::linearize_states(evaluator, run.end));
  std::vector<double> found;
  for (const analyze::Mode& mode : modes.modes)
    if (const double w = std::abs(mode.eigenvalue) / std::sqrt(80 / 0.5); w > 1) found.push_back(w);
  return found;
}

TEST(ModalBeam, HasTheFrequenciesOfEulersBeamHoweverItIsHeld) {
  const auto beam = [](const std::string& held, const std::string& shapes) {
    return "components:\n" + held + "  arm: {type: flexible.ModalBeam, length: 1, EA: 1e6, GJ: 50, EI: 80, " +
           "mass_per_length: 0.5, inertia_per_length: 1e-9, " + shapes + "}\n";
  };
  const std::string fixed = "  root: {type: multibody.Fixed, parent: ground, child: arm}\n";
  const std::string free = "  root: {type: multibody.Free, parent: ground, child: arm.s1}\n";
  const std::string one_way = "bending_z: 0, bending_y: ";
  const struct {
    std::string held, shapes;
    std::vector<double> exact;
  } cases[] = {{fixed, one_way + "8", {3.5160153, 22.0344916, 61.6972144}},
               {free, one_way + "10, stations: [0.3]", {22.3732854, 61.6728229, 120.9033916}},
               {free, one_way + "10, support: hinged, stations: [1]", {22.3732854, 61.6728229, 120.9033916}}};
  // what is left in the third frequency; sines converge slower where the ends are free, since their third derivatives do
  // not vanish there
  const double allowed[] = {1e-5, 3e-5, 4e-4};
  for (int k = 0; k < 3; ++k) {
    const std::vector<double> w = frequencies_of(beam(cases[k].held, cases[k].shapes));
    ASSERT_GE(w.size(), 3u) << k;
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(w[i] / cases[k].exact[i], 1, allowed[k]) << "case " << k << ", frequency " << i + 1;
  }
}

TEST(BeamBody, ReducedHasTheFrequenciesOfAllItsElements) {
  // a twisted, tapered beam, held by its root or by its middle: elements in absolute coordinates against modes in relative
  for (const std::string& frame : {"beam", "beam.s1"}) {
    const auto beam = [&](const std::string& entries) {
      return "components:\n  root: {type: multibody.Fixed, parent: ground, child: " + frame +
             "}\n  beam: {type: flexible.BeamBody, length: 1.2, order: 8, elements: 2, section: {rectangle: [[40 mm, "
             "20 mm], "
             "[30 mm, 12 mm]]}, material: aluminium, twist: [0, 0.5], stations: [0.5]" +
             entries + "}\n";
    };
    const std::vector<double> full = frequencies_of(beam("")), reduced = frequencies_of(beam(", modes: 24"));
    ASSERT_GE(full.size(), 10u);
    ASSERT_GE(reduced.size(), 10u);
    for (int i = 0; i < 10; ++i) EXPECT_NEAR(reduced[i] / full[i], 1, 1e-6) << frame << " " << i + 1;
  }
}

TEST(BeamBody, ReducedFlapsAndLagsAsPublishedWhereItTurns) {
  // Wright et al. 1982 at the speed 6: flap 7.3604; elements of order 6, so that what is left is shear and stretching
  const double unit = std::sqrt(4 / (2 * std::pow(0.8, 4)));
  equations::Evaluator evaluator(compile_model(io::parse_model(R"(components:
  hinge: {type: multibody.Revolute, parent: ground, child: blade, axis: y, drive: ")" +
                                                                   std::to_string(6 * unit) +
                                                                   R"( rad/s*time"}
  blade: {type: flexible.BeamBody, length: 0.8, order: 6, elements: 3, modes: 12, EA: 1e7, GA: 1e8, GJ: 100, EI: 4,
          mass_per_length: 2, inertia_per_length: 1e-6, damping: 1 ms}
)",
                                                               "m.yaml")));
  solve::Options options;
  options.t_end = 0.4, options.output_step = 0.4;
  const solve::Result run = solve::simulate(evaluator, options);
  ASSERT_EQ(run.status, solve::Status::done) << run.text;
  const analyze::Modes modes =
      analyze::compute_modes(evaluator.system(), analyze::linearize_states(evaluator, run.end));
  EXPECT_NEAR(std::abs(modes.modes[0].eigenvalue) / unit, std::sqrt(7.3604 * 7.3604 - 36), 5e-3);
  EXPECT_NEAR(std::abs(modes.modes[1].eigenvalue) / unit, 7.3604, 5e-3);
}

TEST(ModalBeam, RefusesWhatDoesNotFit) {
  const auto refusal = [](const std::string& entries) {
    return error_of("components:\n  rod: {type: flexible.ModalBeam, length: 1, section: {circle: 1 cm}, " + entries +
                    "}\n");
  };
  EXPECT_EQ(refusal("eta: [1, 2]"), "m.yaml:2:3: rod: eta: 2 values for 4 shapes");
  EXPECT_EQ(refusal("bending_y: 1.5"), "m.yaml:2:3: rod: bending_y must be a whole number");
  EXPECT_EQ(
      error_of("formulation: lagrange\ncomponents:\n  rod: {type: flexible.ModalBeam, length: 1, section: {circle: "
               "1 cm}}\n"),
      "m.yaml:1:14: formulation: lagrange cannot hold flexible bodies; use absolute or auto");
}

}  // namespace
}  // namespace coenergy::tests
