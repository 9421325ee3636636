// Closed loops integrated in minimal coordinates, against the projection of all coordinates.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/random_mechanism.hpp"

namespace coenergy::tests {
namespace {

solve::Result run(const std::string& text, const std::string& formulation, const std::string& coordinates,
                  const std::string& method = "dopri", double step = 0) {
  model::Model model = io::parse_model(text, "m.yaml");
  model.formulation = formulation;
  solve::Options options;
  options.t_end = 0.4, options.output_step = 0.1, options.record_events = false;
  options.method = method, options.step = step, options.coordinates = coordinates;
  options.newton_tolerance = 1e-11;
  if (solve::is_adaptive(options)) options.rtol = options.atol = 1e-10;
  return run_model(model, options);
}

double largest_difference(const solve::Result& a, const solve::Result& b, const std::string& signal) {
  const std::vector<double> x = a.signal(signal), y = b.signal(signal);
  EXPECT_EQ(x.size(), y.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

TEST(MinimalCoordinates, OfRandomLoopsGiveTheMotionOfAllCoordinates) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const std::string text = RandomMechanism(seed).closed(3);
    for (const std::string formulation : {"relative", "absolute"}) {
      SCOPED_TRACE(formulation + " " + std::to_string(seed));
      const solve::Result all = run(text, formulation, "all"), minimal = run(text, formulation, "minimal");
      // 1e-10 a step on both sides; the motions are not chaotic in 0.4 s
      for (const char* signal : {"b0.x", "b1.y", "b2.z", "b2.p1"})
        EXPECT_LT(largest_difference(all, minimal, signal), 1e-7) << signal;
    }
  }
}

// rotations are partitioned by the components of their rotation vector: the order shows that the chart is right
TEST(MinimalCoordinates, FixedStepsKeepTheirOrderWithRotations) {
  const std::string text = R"(
components:
  g: {type: multibody.Gravity, g: [0, 1, -9.81]}
  top:  {type: multibody.Body, mass: 1, com: [0.1, 0, 0.4], inertia: [0.05, 0.06, 0.02], angular_velocity: [0, 0, 0]}
  ball: {type: multibody.Spherical, parent: ground, child: top}
  rod:  {type: multibody.Body, mass: 0.3, com: [0.25, 0, 0], inertia: [1e-3, 7e-3, 7e-3], position: [0.2, 0, 0.8]}
  end:  {type: multibody.Spherical, parent: top, parent_at: [0.2, 0, 0.8], child: rod}
  foot: {type: multibody.PointOnPlane, parent: ground, parent_at: [0, 0, 0.8], child: rod, child_at: [0.5, 0, 0]}
)";
  const std::string formulation = "absolute";
  const solve::Result exact = run(text, formulation, "all");
  const double coarse = largest_difference(run(text, formulation, "minimal", "rk4", 0.02), exact, "rod.x"),
               fine = largest_difference(run(text, formulation, "minimal", "rk4", 0.01), exact, "rod.x");
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3) << coarse << " " << fine;
}

}  // namespace
}  // namespace coenergy::tests
