#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "coenergy/compile/compile.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/sparse_lu.hpp"

namespace coenergy::compile {
using equations::Evaluator;
using equations::Level;
using equations::Point;
using equations::System;
using equations::Weights;

namespace {

using model::Model;
using model::Value;
using Values = std::vector<std::pair<std::string, Value>>;
constexpr double pi = std::numbers::pi;

Value list(std::vector<double> x) {
  std::vector<Value> items(x.begin(), x.end());
  return Value(items);
}

/// A beam clamped to the ground at its root, with a force and a torque at its tip (world axes).
Compiled make_cantilever(Values beam) {
  Model m;
  m.add("beam", "flexible.BeamBody", std::move(beam));
  m.add("clamp", "multibody.Fixed", {{"parent", "ground"}, {"child", "beam.root"}});
  m.add("force", "multibody.Force", {{"body", "beam.tip"}, {"force", list({0.5, 0.5, 0.5})}});
  m.add("torque", "multibody.Torque", {{"body", "beam.tip"}, {"torque", list({0.5, 0.5, 0.5})}});
  return compile(m, domains::make_standard_registry());
}

/// Statics: Newton's method on the balances and constraints with v = a = 0.
class Statics {
 public:
  explicit Statics(const System& system) : e(system), p(system.start()), lu_(make_lu(system)) {}

  void set(const std::string& name, double value) {
    const int k = e.system().find_parameter(name);
    ASSERT_GE(k, 0) << name;
    e.set_parameter(k, value);
  }
  void set_loads(const std::array<double, 3>& force, const std::array<double, 3>& torque) {
    for (int i = 0; i < 3; ++i) {
      set("force.force[" + std::to_string(i) + "]", force[i]);
      set("torque.torque[" + std::to_string(i) + "]", torque[i]);
    }
  }
  /// Number of iterations.
  int solve(double tolerance = 1e-12) {
    const System& s = e.system();
    std::vector<double> r(s.n()), values(s.pattern().row.size());
    Weights w;
    w.q = w.lambda = 1;
    for (int iteration = 1; iteration <= 60; ++iteration) {
      e.residual(p, Level::position, r);
      e.jacobian(p, Level::position, w, values);
      EXPECT_TRUE(lu_.factor(values)) << "singular at " << s.row_name(lu_.weakest_row());
      lu_.solve(r);
      double largest = 0;
      for (int i = 0; i < s.nv(); ++i) largest = std::max(largest, std::abs(r[i]));
      // a step limit keeps rotations well below half a turn
      const double scale = std::min(1.0, 1.0 / largest);
      for (double& x : r) x *= -scale;
      e.retract(p.q, std::span(r).first(s.nv()));
      for (int i = 0; i < s.nl(); ++i) p.lambda[i] += r[s.nv() + i];
      if (largest < tolerance) return iteration;
    }
    ADD_FAILURE() << "no convergence";
    return 0;
  }
  double signal(const std::string& name) {
    std::vector<double> values(e.system().signals().size());
    e.signals(p, values);
    const int k = e.system().find_signal(name);
    EXPECT_GE(k, 0) << name;
    return k < 0 ? NAN : values[k];
  }

  Evaluator e;
  Point p;

 private:
  static math::SparseLu<double> make_lu(const System& s) {
    return {s.n(), s.pattern().column_start, s.pattern().row, {}};
  }
  math::SparseLu<double> lu_;
};

/// Undamped natural frequencies (rad/s) about a point: (K − ω² M) x = 0 on the constraints' tangent.
std::vector<double> natural_frequencies(Evaluator& e, const Point& p) {
  const System& s = e.system();
  const int n = s.nv(), l = s.nl();
  auto assemble = [&](double wq, double wa) {
    std::vector<double> values(s.pattern().row.size());
    Weights w;
    w.q = wq, w.a = wa;
    e.jacobian(p, Level::position, w, values);
    math::Matrix m(n + l, n);
    for (int j = 0; j < n; ++j)
      for (int k = s.pattern().column_start[j]; k < s.pattern().column_start[j + 1]; ++k)
        m(s.pattern().row[k], j) = values[k];
    return m;
  };
  const math::Matrix k = assemble(1, 0), m = assemble(0, 1);
  math::Matrix phi(l, n), upper_k(n, n), upper_m(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) upper_k(i, j) = k(i, j), upper_m(i, j) = m(i, j);
    for (int i = 0; i < l; ++i) phi(i, j) = k(n + i, j);
  }
  const math::Matrix t = math::compute_null_space(phi);
  const math::Matrix a = math::multiply(math::transpose(t), math::multiply(upper_k, t));
  const math::Matrix b = math::multiply(math::transpose(t), math::multiply(upper_m, t));
  std::vector<double> w;
  for (const auto& value : math::compute_eigenpairs(math::solve(b, a)).values) w.push_back(std::sqrt(value.real()));
  std::sort(w.begin(), w.end());
  return w;
}

const Values slender = {{"length", 1.0},
                        {"elements", 8.0},
                        {"EA", 1e6},
                        {"GA", 4e5},
                        {"GJ", 80.0},
                        {"EI", list({100.0, 200.0})},
                        {"mass_per_length", 2.0},
                        {"inertia_per_length", 1e-6}};

TEST(Beam, TipUnderSmallLoadsMovesAsTimoshenkosFormulas) {
  // exact for any number of elements: one
  Values beam = slender;
  beam[1].second = 1.0;
  Statics s(make_cantilever(beam).system);
  const double f = 1e-4, L = 1;
  s.set_loads({0, f, 0}, {0, 0, 0});
  s.solve();
  // loads small enough that the next term, of relative size (f L²/EI)², is below round-off
  EXPECT_NEAR(s.signal("beam.tip.y") / (f * L * L * L / (3 * 200) + f * L / 4e5), 1, 1e-9);
  s.set_loads({0, 0, f}, {0, 0, 0});
  s.solve();
  EXPECT_NEAR(s.signal("beam.tip.z") / (f * L * L * L / (3 * 100) + f * L / 4e5), 1, 1e-9);
  s.set_loads({f, 0, 0}, {f, 0, 0});
  s.solve();
  EXPECT_NEAR((s.signal("beam.tip.x") - L) / (f * L / 1e6), 1, 1e-5);
  EXPECT_NEAR(2 * std::asin(s.signal("beam.tip.p1")) / (f * L / 80), 1, 1e-9);
}

TEST(Beam, RollsUpToAFullCircleUnderTheMomentTwoPiEIOverL) {
  for (int elements : {5, 20}) {
    Values beam = slender;
    beam[1].second = static_cast<double>(elements);
    Statics s(make_cantilever(beam).system);
    const int steps = 10;
    for (int k = 1; k <= steps; ++k) {
      s.set_loads({0, 0, 0}, {0, 0, 2 * pi * 200 * k / steps});
      s.solve();
    }
    // closed form: the tip comes back to the root (displacement −L); shear and stretch are not excited
    EXPECT_NEAR(s.signal("beam.tip.x"), 0, 1e-8) << elements;
    EXPECT_NEAR(s.signal("beam.tip.y"), 0, 1e-8) << elements;
    EXPECT_NEAR(s.signal("beam.tip.p0"), -1, 1e-8) << elements;
  }
}

TEST(Beam, CantileverFrequenciesAreThoseOfBernoulliForASlenderBeam) {
  Values beam = slender;
  beam[1].second = 32.0;
  Compiled c = make_cantilever(beam);
  Statics s(c.system);
  s.set_loads({0, 0, 0}, {0, 0, 0});
  const std::vector<double> w = natural_frequencies(s.e, s.p);
  // λ²√(EI/(ρA L⁴)) with λ = 1.875104, 4.694091, 7.854757, in both planes; the mesh (32 elements) and the shear
  // deformation (EI/(GA L²) = 5e-4 at most) leave 0.1 %, 0.7 % and 1.6 %
  std::vector<double> expected;
  for (double EI : {100.0, 200.0})
    for (double lambda : {1.8751040687, 4.6940911330, 7.8547574382})
      expected.push_back(lambda * lambda * std::sqrt(EI / 2));
  std::sort(expected.begin(), expected.end());
  // the first frequencies are the six bending ones (torsion and stretching are far above)
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(w[i] / expected[i], 1, 0.016) << i;
  EXPECT_NEAR(w[0] / expected[0], 1, 2e-3);
}

TEST(Beam, LargeLoadOnAPlanarCantileverGivesThePublishedDisplacement) {
  // Nachbagauer et al. 2011: L 2, h 0.5, w 0.1, E 2.07e11, ν 0.3, tip load 5e8 h³; converged ux 0.15097103, uy
  // 0.71056837
  const double F = 5e8 * 0.125;
  Values beam = {
      {"length", 2.0}, {"elements", 64.0}, {"section.rectangle", list({0.5, 0.1})}, {"E", 2.07e11}, {"nu", 0.3}};
  Statics s(make_cantilever(beam).system);
  for (int k = 1; k <= 5; ++k) {
    s.set_loads({0, -F * k / 5, 0}, {0, 0, 0});
    s.solve();
  }
  // second order in the element length: 64 elements leave 6e-6
  EXPECT_NEAR(2 - s.signal("beam.tip.x"), 0.15097103, 2e-5);
  EXPECT_NEAR(-s.signal("beam.tip.y"), 0.71056837, 2e-5);
}

TEST(Beam, FortyFiveDegreeBendTwistsOutOfItsPlaneAsPublished) {
  // Bathe & Bolourchi 1979: R 100, 1×1, E 1e7, ν 0, tip load 600; high-order codes give 13.72, 23.65, 53.58
  Values beam = {
      {"length", 100 * pi / 4}, {"elements", 16.0}, {"section.rectangle", list({1.0, 1.0})}, {"E", 1e7}, {"nu", 0.0},
      {"bend", pi / 4}};
  Statics s(make_cantilever(beam).system);
  const double x0 = s.signal("beam.tip.x"), y0 = s.signal("beam.tip.y");
  EXPECT_NEAR(x0, 100 * std::sin(pi / 4), 1e-12);
  for (int k = 1; k <= 6; ++k) {
    s.set_loads({0, 0, 100.0 * k}, {0, 0, 0});
    s.solve(1e-10);
  }
  // published to four digits; the codes differ by 2 % among each other
  EXPECT_NEAR(std::abs(s.signal("beam.tip.x") - x0), 23.65, 0.02 * 23.65);
  EXPECT_NEAR(std::abs(s.signal("beam.tip.y") - y0), 13.72, 0.02 * 13.72);
  EXPECT_NEAR(s.signal("beam.tip.z"), 53.58, 0.01 * 53.58);
}

}  // namespace
}  // namespace coenergy::compile
