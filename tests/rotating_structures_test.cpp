// Small vibrations of structures that turn, seen in axes that turn with them.
#include <cmath>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/solve/simulate.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

/// Angular frequencies by rising size, at an instant of the run.
std::vector<double> frequencies_at(const std::string& text, double t) {
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "m.yaml")));
  solve::Options options;
  options.t_end = t, options.output_step = t;
  const solve::Result run = solve::simulate(evaluator, options);
  EXPECT_EQ(run.status, solve::Status::done) << run.text;
  const analyze::Modes modes =
      analyze::compute_modes(evaluator.system(), analyze::linearize_states(evaluator, run.end));
  std::vector<double> found;
  for (const analyze::Mode& mode : modes.modes) found.push_back(std::abs(mode.eigenvalue));
  return found;
}

// EI 4, m 2, L 0.8: frequencies in units of √(EI/(m L⁴)); damping ends the stretching that the start excites
const double unit = std::sqrt(4 / (2 * std::pow(0.8, 4)));
std::string blade(double speed) {
  return "components:\n  hinge: {type: multibody.Revolute, parent: ground, child: beam, axis: y, drive: \"0.7 + " +
         std::to_string(speed) + R"( rad/s*time"}
  beam: {type: flexible.BeamBody, length: 0.8, elements: 12, EA: 1e7, GA: 1e8, GJ: 100, EI: 4, mass_per_length: 2,
         inertia_per_length: 1e-6, damping: 1 ms}
)";
}

TEST(RotatingBlade, FlapsAndLagsAsPublishedInAxesThatTurnWithIt) {
  // Wright et al. 1982: flap 5.5850 at the speed 4 and 8.2996 at 7; lag² = flap² − speed². Elements of order 2 leave
  // 1e-3 of the flap; seen in fixed axes the lag would be the flap, 40 % and 86 % more
  const double speeds[] = {4, 7}, flaps[] = {5.5850, 8.2996}, left[] = {6e-3, 0.012};
  for (int k = 0; k < 2; ++k) {
    const std::vector<double> w = frequencies_at(blade(speeds[k] * unit), 0.4);
    EXPECT_NEAR(w[0] / unit, std::sqrt(flaps[k] * flaps[k] - speeds[k] * speeds[k]), 2 * left[k]) << speeds[k];
    EXPECT_NEAR(w[1] / unit, flaps[k], left[k]) << speeds[k];
  }
}

}  // namespace
}  // namespace coenergy::tests
