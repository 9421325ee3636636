#include "problems.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace bench {

const std::vector<Problem>& stiff_problems() {
  // test set for initial value problem solvers (Mazzia, Magherini 2008): Andrews' mechanism by its positions, the others
  // by all components
  static const std::vector<Problem> all = {
      {"Andrews' mechanism",
       "andrews/andrews.yaml",
       0.03,
       {{"beta.q", 15.81077119629904},
        {"theta.q", -15.75637105984298},
        {"gamma.q", 0.04082224013073101},
        {"phi.q", -0.5347301163226948},
        {"delta.q", 0.5244099658805304},
        {"omega.q", 0.5347301163226948},
        {"epsilon.q", 1.048080741042263}},
       4,
       false},
      {"transistor amplifier",
       "transistor_amplifier/transistor_amplifier.yaml",
       0.2,
       {{"n1.v", -0.005562145012262709},
        {"n2.v", 3.006522471903042},
        {"n3.v", 2.849958788608128},
        {"n4.v", 2.926422536206241},
        {"n5.v", 2.704617865010554},
        {"n6.v", 2.761837778393145},
        {"n7.v", 4.770927631616772},
        {"n8.v", 1.236995868091548}},
       2},
      {"ring modulator",
       "ring_modulator/ring_modulator.yaml",
       1e-3,
       {{"C1.v", -0.2339057358486745e-1},
        {"C2.v", -0.7367485485540825e-2},
        {"Ca.v", 0.2582956709291169},
        {"Cb.v", 0.4064465721283450},
        {"Cc.v", -0.4039455665149794},
        {"Cd.v", -0.2607966765422943},
        {"Cp.v", 0.1106761861269975},
        {"Lh1.i", 0.2939904342435596e-6},
        {"Lh2.i", -0.2840029933642329e-7},
        {"La.i", 0.7267198267264553e-3},
        {"Lb.i", 0.7929487196960840e-3},
        {"Lc.i", -0.7255283495698965e-3},
        {"Ld.i", -0.7941401968526521e-3},
        {"Le.i", 0.7088495416976114e-4},
        {"Lo.i", 0.2390059075236570e-4}},
       6,
       true,
       true},
  };
  return all;
}

std::string pendulum() {
  return R"(components:
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  pivot: {type: multibody.Revolute, parent: ground, child: bob, axis: z, q0: 90 deg}
  bob: {type: multibody.Body, mass: 1, com: [0, -1, 0], inertia: [0, 0, 0]}
)";
}

std::string four_bars(int windows, const std::string& formulation) {
  std::string text = fmt::format(
      "formulation: {}\ncomponents:\n  gravity: {{type: multibody.Gravity, g: [0, -9.81, 0]}}\n", formulation);
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

Place find_four_bar(int windows, double t) {
  const double n = windows, c = 9.81 * ((n + 1) / 2 + n) / ((n + 1) / 3 + n);
  using State = std::array<double, 2>;
  const auto rate = [c](const State& s) { return State{s[1], c * std::sin(s[0])}; };
  // the classical method of order 4 with steps so short that round-off is left
  const int steps = 400'000;
  const double h = t / steps;
  State s{0, 1};
  const auto add = [](const State& a, double f, const State& b) { return State{a[0] + f * b[0], a[1] + f * b[1]}; };
  for (int i = 0; i < steps; ++i) {
    const State k1 = rate(s), k2 = rate(add(s, h / 2, k1)), k3 = rate(add(s, h / 2, k2)), k4 = rate(add(s, h, k3));
    for (int j = 0; j < 2; ++j) s[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
  }
  return {std::sin(s[0]), std::cos(s[0])};
}

std::string chain(int bodies, const std::string& formulation) {
  std::string text = fmt::format("formulation: {}\ncomponents:\n  gravity: {{type: multibody.Gravity}}\n", formulation);
  for (int k = 0; k < bodies; ++k) {
    const std::string parent = k == 0 ? "ground" : fmt::format("b{}", k - 1);
    text += fmt::format(
        "  b{}: {{type: multibody.Body, mass: 1, com: [0.05, 0, 0.01], inertia: [1e-3, 2e-3, 2e-3]}}\n"
        "  j{}: {{type: multibody.Revolute, parent: {}, child: b{}, axis: y, parent_at: [{}, 0, 0], child_angles: [30 "
        "deg, 0, 0], q0: {:.4f}, damping: 0.05}}\n",
        k, k, parent, k, k == 0 ? 0 : 0.1, 0.02 * std::sin(0.7 * k));
  }
  return text;
}

}  // namespace bench
