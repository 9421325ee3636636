#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/inline_model.hpp"

// Chains in relative coordinates that are long enough for the steps of their recursion to be unknowns of the matrix.

namespace coenergy::tests {
namespace {

using equations::Level;
using equations::Point;

/// Bodies on hinges, every seventh on a ball joint, some with a motor on the hinge; the second is pulled by a spring.
std::string chain(int bodies, const std::string& formulation) {
  std::string text = fmt::format("formulation: {}\ncomponents:\n  gravity: {{type: multibody.Gravity}}\n", formulation);
  for (int k = 0; k < bodies; ++k) {
    text += fmt::format(
        "  b{}: {{type: multibody.Body, mass: 1.3, com: [0.04, 0, 0.02], inertia: [2e-3, 3e-3, 2e-3]}}\n", k);
    const std::string sides = fmt::format("parent: {}, child: b{}, parent_at: [{}, 0, 0]",
                                          k == 0 ? "ground" : fmt::format("b{}", k - 1), k, k == 0 ? 0 : 0.12);
    if (k % 7 == 3)
      text += fmt::format("  j{}: {{type: multibody.Spherical, {}}}\n", k, sides);
    else
      text +=
          fmt::format("  j{}: {{type: multibody.Revolute, {}, axis: {}, q0: {:.3f}, damping: 0.04, stiffness: 0.3}}\n",
                      k, sides, k % 2 == 0 ? "y" : "z", 0.05 * std::sin(0.9 * k));
  }
  return text +
         "  pull: {type: multibody.PointSpringDamper, a: ground, a_at: [0.1, 0.2, 0.1], b: b2, stiffness: 40, length: "
         "0.1}\n"
         "  U: {type: electrical.VoltageSource, p: u, n: gnd, v: 3 V}\n"
         "  R: {type: electrical.Resistor, p: u, n: m, R: 2 ohm}\n"
         "  L: {type: electrical.Inductor, p: m, n: c, L: 5 mH}\n"
         "  motor: {type: converters.DcMachine, p: c, n: gnd, shaft: j1, k: 0.05 V.s/rad, gear: 10}\n";
}

/// A state that is nothing special.
Point disturb(equations::Evaluator& evaluator) {
  Point p = solve::initialize(evaluator).point;
  std::vector<double> way(p.v.size());
  for (std::size_t i = 0; i < way.size(); ++i) {
    way[i] = 0.2 * std::sin(1.0 + 2.1 * double(i)), p.v[i] = 0.7 * std::cos(0.3 + 1.7 * double(i));
    p.a[i] = 3 * std::sin(0.4 + 0.9 * double(i));
  }
  evaluator.retract(p.q, way);
  for (double& x : p.x) x = 0.4;
  return p;
}

TEST(LongChains, TheMatrixOfTheRecursionSolvesAsTheFullOne) {
  equations::Evaluator evaluator(compile_model(io::parse_model(chain(130, "relative"), "chain.yaml")));
  const equations::System& s = evaluator.system();
  const equations::SparsePattern &full = s.pattern(), &sparse = s.solver_pattern();
  ASSERT_GT(sparse.n, s.n());
  EXPECT_LT(sparse.row.size(), full.row.size() + 20 * std::size_t(s.n()));
  const Point p = disturb(evaluator);
  // weights as those of an implicit step, and of each kind alone beside the regular part
  const double h = 0.01;
  for (const equations::Weights& w :
       {equations::Weights{.q = h * h, .v = h, .a = 1, .lambda = 1, .x = h, .xd = 1, .y = 1},
        equations::Weights{.a = 1, .lambda = 1, .xd = 1, .y = 1},
        equations::Weights{.q = 1e-2, .a = 1, .lambda = 1, .xd = 1, .y = 1},
        equations::Weights{.v = 1e-1, .a = 1, .lambda = 1, .xd = 1, .y = 1}}) {
    std::vector<double> a(full.row.size()), b(sparse.row.size());
    evaluator.jacobian(p, Level::acceleration, w, a);
    const equations::MatrixPart part{w, b};
    evaluator.solver_matrix(p, Level::acceleration, std::span(&part, 1));
    math::SparseLu<double> lu(sparse.n, sparse.column_start, sparse.row);
    ASSERT_TRUE(lu.factor(b));
    std::vector<double> x(s.n());
    for (int i = 0; i < s.n(); ++i) x[i] = std::sin(3.0 + i);
    std::vector<double> left = x, size(s.n());
    lu.solve(x);
    for (int j = 0; j < s.n(); ++j)
      for (int e = full.column_start[j]; e < full.column_start[j + 1]; ++e) {
        left[full.row[e]] -= a[e] * x[j];
        size[full.row[e]] += std::abs(a[e] * x[j]);
      }
    // it solves every row of the full matrix: sums of 130 terms, over the steps of a recursion of as many
    for (int i = 0; i < s.n(); ++i) EXPECT_NEAR(left[i], 0, 1e-11 * (1 + size[i])) << s.row_name(i);
  }
}

/// A signal at the end of a short run in some steps.
std::vector<double> run_chain(int bodies, const std::string& formulation, const std::string& method) {
  solve::Options options;
  options.method = method, options.t_end = 0.02, options.output_step = 0.01;
  if (method == "generalized-alpha")
    options.step = 1e-3;
  else
    options.rtol = options.atol = 1e-7;
  options.signals = {"b129.x", "b129.z", "b60.z", "motor.i", "j5.q"};
  const solve::Result r = run_model(io::parse_model(chain(bodies, formulation), "chain.yaml"), options);
  EXPECT_EQ(r.status, solve::Status::done) << r.text;
  const auto last = r.row(r.times.size() - 1);
  return {last.begin(), last.end()};
}

TEST(LongChains, MoveAsByAnExplicitMethod) {
  const std::vector<double> reference = run_chain(130, "relative", "dop853");
  const std::vector<double> radau = run_chain(130, "relative", "radau"),
                            alpha = run_chain(130, "relative", "generalized-alpha");
  for (std::size_t k = 0; k < reference.size(); ++k) {
    EXPECT_NEAR(radau[k], reference[k], 1e-6) << k;
    EXPECT_NEAR(alpha[k], reference[k], 1e-4) << k;  // order 2: (1 ms)² of accelerations of up to 100 m/s²
  }
}

}  // namespace
}  // namespace coenergy::tests
