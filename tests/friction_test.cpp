// Laws of friction against closed forms and an independent integration.
#include <cmath>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

double last(const solve::Result& r, const std::string& signal) { return r.signal(signal).back(); }

/// Friction force at a given velocity, with the entries of the law.
double force_at(double v, const std::string& law, double after = 0.01) {
  const solve::Result r =
      run_text("components:\n  m: {type: mechanical.Mass, m: 1, v0: " + std::to_string(v) +
                   "}\n  drive: {type: mechanical.TranslationalMotion, flange: m, s: " + std::to_string(v) +
                   " m/s*time}\n  rub: {type: mechanical.TranslationalFriction, a: ground, b: m, " + law + "}\n",
               after, after);
  return last(r, "rub.f");
}

TEST(Friction, FollowsTheStribeckCurveOfEitherExponent) {
  for (double v : {0.02, 0.1, 0.5, -0.3}) {
    const double side = v > 0 ? 1 : -1, x = std::abs(v) / 0.2;
    for (const char* law : {"tanh", "stick"}) {
      const std::string entries = std::string("law: ") + law + (law[0] == 't' ? ", v_eps: 1e-4" : "") +
                                  ", coulomb: 2, breakaway: 5, stribeck: 0.2, d: 0.7, exponent: ";
      EXPECT_NEAR(force_at(v, entries + "2"), side * (2 + 3 * std::exp(-x * x)) + 0.7 * v, 1e-9) << law << v;
      EXPECT_NEAR(force_at(v, entries + "1"), side * (2 + 3 * std::exp(-x)) + 0.7 * v, 1e-9) << law << v;
    }
  }
}

TEST(Friction, LuGreSlidesSteadilyOnItsStribeckCurve) {
  // ż = 0: z = g(v)/σ₀ sign v; it settles with the length g/σ₀
  for (double v : {0.05, -0.2}) {
    const double level = 2 + 3 * std::exp(-std::pow(v / 0.1, 2));
    EXPECT_NEAR(
        force_at(v, "law: lugre, coulomb: 2, breakaway: 5, stribeck: 0.1, sigma0: 1e4, sigma1: 50, d: 0.4", 0.3),
        (v > 0 ? level : -level) + 0.4 * v, 1e-6);
  }
}

TEST(Friction, LuGreIsASpringBeforeItSlides) {
  // slow load F < f_s: z = f_s/σ₀ (1 − exp(−σ₀ s/f_s)), so that s = −f_s/σ₀ ln(1 − F/f_s); unloading is stiffer: σ₀
  const solve::Result r = run_text(R"y(
components:
  m: {type: mechanical.Mass, m: 0.001}
  load: {type: mechanical.Force, flange: m, f: "4 N*min(time/(1 s), 1)"}
  rub: {type: mechanical.TranslationalFriction, a: ground, b: m, law: lugre, coulomb: 5, sigma0: 1e4, sigma1: 10}
)y",
                                   1, 0.25);
  for (double t : {0.25, 0.5, 0.75, 1.0})
    // σ₁ ż and m s̈ of the slow motion are some 1e-2 N of the load
    EXPECT_NEAR(value_at(r, "m.s", t), -5e-4 * std::log(1 - 4 * t / 5), 4e-6) << t;
  EXPECT_NEAR(1e4 * value_at(r, "rub.z", 0.5), 2, 0.02);
}

TEST(Friction, AStuckBlockHoldsExactlyAndLetsGoAtTheBreakAwayLevel) {
  // load 2 N/s t: stuck until 5 N at 2.5 s
  const solve::Result r = run_text(R"y(
energy: yes
components:
  m: {type: mechanical.Mass, m: 2}
  load: {type: mechanical.Force, flange: m, f: "2 N/s*time"}
  rub: {type: mechanical.TranslationalFriction, a: ground, b: m, law: stick, coulomb: 5}
)y",
                                   4, 0.1);
  EXPECT_NEAR(value_at(r, "m.s", 2.4), 0, 1e-12);
  EXPECT_EQ(value_at(r, "rub.slip", 2.4), 0);
  EXPECT_NEAR(value_at(r, "rub.f", 2.4), 4.8, 1e-9);
  EXPECT_EQ(value_at(r, "rub.slip", 2.6), 1);
  EXPECT_NEAR(last(r, "m.v"), 1.5 * 1.5 / 2, 1e-8);
  EXPECT_NEAR(last(r, "m.s"), std::pow(1.5, 3) / 6, 1e-8);
  EXPECT_NEAR(last(r, "energy.dissipated"), 5 * last(r, "m.s"), 1e-7);
}

TEST(Friction, ASlidingBlockStopsAndTurnsOnlyIfTheLoadIsStrongEnough) {
  auto run = [](const std::string& load) {
    return run_text(
        "components:\n  m: {type: mechanical.Mass, m: 2, v0: 3}\n  load: {type: mechanical.Force, flange: m, f: " +
            load + " N}\n  rub: {type: mechanical.TranslationalFriction, a: ground, b: m, law: stick, coulomb: 5}\n",
        3, 0.1);
  };
  // 2 v̇ = −4 − 5: stops after 2/3 s, and 4 N cannot move it back
  const solve::Result holds = run("-4");
  EXPECT_NEAR(last(holds, "m.s"), 1, 1e-8);
  EXPECT_NEAR(last(holds, "rub.f"), -4, 1e-9);
  // 2 v̇ = −7 − 5: turns after 1/2 s, then 2 v̇ = −7 + 5
  const solve::Result turns = run("-7");
  EXPECT_NEAR(last(turns, "m.v"), -2.5, 1e-8);
  EXPECT_NEAR(last(turns, "m.s"), 0.75 - 2.5 * 2.5 / 2, 1e-8);
}

/// Block on a spring on a belt, by classical Runge–Kutta steps between switchings found by halving.
struct BeltBlock {
  double m = 1, k = 50, belt = 0.2, f_c = 2, f_s = 4, v_s = 0.1;
  double t = 0, s = 0, v = 0.2;
  bool stuck = true;

  double pull(double rel) const { return -std::copysign(f_c + (f_s - f_c) * std::exp(-std::pow(rel / v_s, 2)), rel); }
  void rates(double s0, double v0, double& ds, double& dv) const {
    ds = v0;
    // it only ever slips backwards against the belt
    dv = (-k * s0 + pull(std::min(v0 - belt, -1e-300))) / m;
  }
  void slide(double h) {
    double a[4], b[4];
    rates(s, v, a[0], b[0]);
    rates(s + h / 2 * a[0], v + h / 2 * b[0], a[1], b[1]);
    rates(s + h / 2 * a[1], v + h / 2 * b[1], a[2], b[2]);
    rates(s + h * a[2], v + h * b[2], a[3], b[3]);
    s += h / 6 * (a[0] + 2 * a[1] + 2 * a[2] + a[3]);
    v += h / 6 * (b[0] + 2 * b[1] + 2 * b[2] + b[3]);
    t += h;
  }
  void run_to(double end) {
    while (t < end) {
      if (stuck) {
        const double leaves = t + (f_s / k - s) / belt, until = std::min(end, leaves);
        s += belt * (until - t), v = belt, t = until;
        if (until < end) stuck = false, v -= 1e-9;
        continue;
      }
      double h = std::min(1e-5, end - t);
      BeltBlock next = *this;
      next.slide(h);
      if (next.v >= belt && t > 0) {
        for (double low = 0, high = h; high - low > 1e-15;) {
          h = (low + high) / 2;
          next = *this;
          next.slide(h);
          (next.v >= belt ? high : low) = h;
        }
        next.stuck = true;
      }
      *this = next;
    }
  }
};

TEST(Friction, ABlockOnABeltSticksAndSlipsLikeAnIndependentIntegration) {
  const solve::Result r = run_text(R"y(
components:
  belt: {type: mechanical.TranslationalMotion, flange: moving, s: 0.2 m/s*time}
  block: {type: mechanical.Mass, m: 1, v0: 0.2}
  spring: {type: mechanical.TranslationalSpring, a: ground, b: block, k: 50}
  rub: {type: mechanical.TranslationalFriction, a: moving, b: block, law: stick, coulomb: 2, breakaway: 4, stribeck: 0.1}
)y",
                                   6, 0.05);
  ASSERT_EQ(r.status, solve::Status::done) << r.text;
  BeltBlock block;
  int slips = 0;
  bool was_stuck = true;
  for (int k = 1; k <= 119; ++k) {
    block.run_to(0.05 * k);
    // leaving rest is an instability that multiplies the tiny first velocity of either side; the phase differs by it
    EXPECT_NEAR(value_at(r, "block.s", 0.05 * k), block.s, 2e-4) << block.t;
    slips += was_stuck && !block.stuck;
    was_stuck = block.stuck;
  }
  EXPECT_GE(slips, 4);
}

TEST(Friction, InAJointIsTheSameAsOnItsShaft) {
  for (const std::string law : {"tanh, v_eps: 0.01", "lugre, sigma0: 200, sigma1: 1", "stick"}) {
    const std::string rest = "coulomb: 0.8, breakaway: 1.2, stribeck: 0.3, d: 0.1";
    auto run = [&](const std::string& formulation, bool inside) {
      return run_text("formulation: " + formulation + R"y(
components:
  gravity: {type: multibody.Gravity}
  arm: {type: multibody.Body, mass: 1, com: [0, 0, -0.4], inertia: [0.02, 0.02, 0.01]}
  hinge: {type: multibody.Revolute, parent: ground, child: arm, axis: y, q0: 1.3)y" +
                          (inside ? ", friction: {law: " + law + ", " + rest + "}}\n"
                                  : "}\n  rub: {type: mechanical.RotationalFriction, a: ground, b: hinge, law: " + law +
                                        ", " + rest + "}\n"),
                      3, 0.1);
    };
    const solve::Result shaft = run("relative", false);
    for (const char* formulation : {"relative", "absolute"}) {
      const solve::Result joint = run(formulation, true);
      ASSERT_EQ(joint.status, solve::Status::done) << joint.text;
      // |v| has a kink at every reversal, over which steps of 1e-9 make some 4e-7
      for (double t : {0.3, 0.9, 3.0})
        EXPECT_NEAR(value_at(joint, "hinge.q", t), value_at(shaft, "hinge.q", t), 1e-6) << law << formulation << t;
      EXPECT_NEAR(last(joint, "hinge.friction_force"), last(shaft, "rub.tau"), 1e-5) << law << formulation;
    }
    if (law == "stick") {
      EXPECT_EQ(last(shaft, "rub.slip"), 0);
    }
  }
}

TEST(Friction, TheUserIsToldWhatALawNeeds) {
  const std::string text =
      "components:\n  m: {type: mechanical.Mass, m: 1}\n  r: {type: mechanical.TranslationalFriction, a: ground, b: "
      "m, ";
  EXPECT_EQ(error_of(text + "coulomb: 1, law: lugre}\n"),
            "m.yaml:3:3: r: friction by the law lugre needs sigma0, the stiffness before sliding");
  EXPECT_EQ(error_of(text + "coulomb: 1, law: dry}\n"), "m.yaml:3:81: r.law = dry must be one of tanh, lugre, stick");
}

}  // namespace
}  // namespace coenergy::tests
