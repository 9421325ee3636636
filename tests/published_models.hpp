#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/example_run.hpp"

namespace coenergy::tests {

/// N-four-bar (IFToMM A02): N + 1 upright bars on the ground, N bars on top of them, each 1 m and 1 kg; the top B0 of
/// the first one starts with 1 m/s along x.
inline std::string four_bars(int windows) {
  std::string text = "energy: true\ncomponents:\n  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}\n";
  for (int k = 0; k <= windows; ++k) {
    text += fmt::format("  v{}: {{type: multibody.Body, mass: 1, com: [0, 0.5, 0], inertia: [0, 0, 1/12]}}\n", k);
    text +=
        fmt::format("  p{0}: {{type: multibody.Revolute, parent: ground, child: v{0}, parent_at: [{0}, 0, 0]{1}}}\n", k,
                    k == 0 ? ", qd0: -1" : "");
  }
  for (int k = 1; k <= windows; ++k) {
    text += fmt::format("  h{}: {{type: multibody.Body, mass: 1, com: [0.5, 0, 0], inertia: [0, 0, 1/12]}}\n", k);
    text += fmt::format("  b{0}: {{type: multibody.Revolute, parent: v{1}, child: h{0}, parent_at: [0, 1, 0]}}\n", k,
                        k - 1);
    text += fmt::format(
        "  c{0}: {{type: multibody.Revolute, parent: h{0}, child: v{0}, parent_at: [1, 0, 0], child_at: [0, 1, 0]}}\n",
        k);
  }
  return text + "  B0: {type: multibody.Sensor, body: v0, at: [0, 1, 0]}\n";
}

/// Ten bodies that branch, on ball, cardan, hinge and slide joints with springs, without loss.
inline std::string ten_bodies() {
  return R"(energy: true
components:
  gravity: {type: multibody.Gravity}
  b0: {type: multibody.Body, mass: 1, com: [0.05, 0, -0.2], inertia: [0.02, 0.03, 0.015]}
  j0: {type: multibody.Spherical, parent: ground, child: b0}
  b1: {type: multibody.Body, mass: 1.2, com: [0.05, 0.02, -0.2], inertia: [0.02, 0.03, 0.015]}
  j1: {type: multibody.Revolute, parent: b0, child: b1, parent_at: [0, 0.25, -0.3], axis: y, q0: -0.3, stiffness: 2}
  b2: {type: multibody.Body, mass: 1.4, com: [0.05, 0.04, -0.2], inertia: [0.02, 0.03, 0.015]}
  j2: {type: multibody.Revolute, parent: b1, child: b2, parent_at: [-0.2, 0.1, -0.3], axis: x, q0: 0.3, stiffness: 2}
  b3: {type: multibody.Body, mass: 1.6, com: [0.05, 0.06, -0.2], inertia: [0.02, 0.03, 0.015]}
  j3: {type: multibody.Revolute, parent: b1, child: b3, parent_at: [0.3, 0, -0.2], axis: y, q0: -0.3, stiffness: 2}
  b4: {type: multibody.Body, mass: 1.8, com: [0.05, 0.08, -0.2], inertia: [0.02, 0.03, 0.015]}
  j4: {type: multibody.Prismatic, parent: b0, child: b4, parent_at: [0, 0.25, -0.3], axis: z, stiffness: 800, q0: 0.02}
  b5: {type: multibody.Body, mass: 2, com: [0.05, 0.1, -0.2], inertia: [0.02, 0.03, 0.015]}
  j5: {type: multibody.Revolute, parent: b4, child: b5, parent_at: [-0.2, 0.1, -0.3], axis: x, q0: -0.3, stiffness: 2}
  b6: {type: multibody.Body, mass: 2.2, com: [0.05, 0.12, -0.2], inertia: [0.02, 0.03, 0.015]}
  j6: {type: multibody.Spherical, parent: b5, child: b6, parent_at: [0.3, 0, -0.2]}
  b7: {type: multibody.Body, mass: 2.4, com: [0.05, 0.14, -0.2], inertia: [0.02, 0.03, 0.015]}
  j7: {type: multibody.Revolute, parent: b4, child: b7, parent_at: [0, 0.25, -0.3], axis: y, q0: -0.3, stiffness: 2}
  b8: {type: multibody.Body, mass: 2.6, com: [0.05, 0.16, -0.2], inertia: [0.02, 0.03, 0.015]}
  j8: {type: multibody.Universal, parent: b7, child: b8, parent_at: [-0.2, 0.1, -0.3], q1_0: 0.4}
  b9: {type: multibody.Body, mass: 2.8, com: [0.05, 0.18, -0.2], inertia: [0.02, 0.03, 0.015]}
  j9: {type: multibody.Revolute, parent: b2, child: b9, parent_at: [0.3, 0, -0.2], axis: [1, 1, 0], q0: -0.3, stiffness: 2}
)";
}

inline model::Model with_formulation(model::Model model, const std::string& formulation) {
  model.set("formulation", formulation);
  return model;
}

/// A run by radau with equal tolerances.
inline solve::Result run_tight(const model::Model& model, double t_end, double tolerance, double output_step) {
  solve::Options options;
  options.t_end = t_end;
  options.method = "radau";
  options.rtol = options.atol = tolerance;
  options.output_step = output_step;
  return run_model(model, options);
}

/// Largest error of the energy account: stored + dissipated − supplied against its start, J.
inline double energy_drift(const solve::Result& r) {
  const auto stored = r.signal("energy.stored"), supplied = r.signal("energy.supplied"),
             lost = r.signal("energy.dissipated");
  double drift = 0;
  for (std::size_t i = 0; i < stored.size(); ++i)
    drift = std::max(drift, std::abs(stored[i] + lost[i] - supplied[i] - stored[0]));
  return drift;
}

}  // namespace coenergy::tests
