#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "coenergy/mechanics/kinematics.hpp"
#include "coenergy/mechanics/lagrange_oracle.hpp"

namespace coenergy::mechanics {
namespace {

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double d = 0;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    d = std::max(d, std::abs(a[i] - b[i]) / (1 + std::abs(a[i])));
  return d;
}

/// Coordinates of the relative system in the order of the joints, as the Lagrange system has them.
std::vector<int> joint_order(const System& s, const MechanismSpec& spec) {
  std::vector<int> order;
  for (const JointSpec& j : spec.joints)
    for (std::size_t k = 0; k < j.motions.size(); ++k) {
      const std::string name = j.name + (j.motions.size() == 1 ? ".q" : ".q" + std::to_string(k + 1));
      for (int i = 0; i < s.nv(); ++i)
        if (s.unknown(i).name == name) order.push_back(i);
    }
  return order;
}

// ---- closed loops

/// Angles about x, then y, then z of a rotation matrix.
Numbers angles_of(const math::Matrix3& R) {
  return {std::atan2(R[2][1], R[2][2]), -std::asin(std::clamp(R[2][0], -1.0, 1.0)), std::atan2(R[1][0], R[0][0])};
}

struct NumericPose {
  math::Vector3 p{};
  math::Quaternion r{1, 0, 0, 0};
};

/// A ring of n bodies from ground to ground with one joint more, which closes at the start by construction: the bodies
/// and the joint frames stand at random places, and every joint is placed in its two bodies accordingly.
MechanismSpec make_ring(RandomMechanism& random, int n) {
  MechanismSpec spec;
  spec.gravity = {0, -9.81, 0};
  std::vector<NumericPose> bodies(n);
  auto random_pose = [&] {
    return NumericPose{{random.number(-2, 2), random.number(-2, 2), random.number(-2, 2)},
                       math::exponential({random.number(), random.number(), random.number()})};
  };
  for (int b = 0; b < n; ++b) {
    spec.bodies.push_back(random.body("b" + std::to_string(b)));
    bodies[b] = random_pose();
  }
  for (int k = 0; k <= n; ++k) {
    JointSpec j{"j" + std::to_string(k), k - 1, k == n ? -1 : k};
    const NumericPose frame = random_pose();
    auto place = [&](int body, Numbers& at, Numbers& angles) {
      const NumericPose x = body < 0 ? NumericPose{} : bodies[body];
      math::Vector3 d;
      for (int i = 0; i < 3; ++i) d[i] = frame.p[i] - x.p[i];
      at = math::rotate(math::conjugate(x.r), d);
      angles = angles_of(math::rotation_matrix(math::multiply(math::conjugate(x.r), frame.r)));
    };
    place(j.parent, j.parent_at, j.parent_angles);
    place(j.child, j.child_at, j.child_angles);
    // enough freedom that the ring moves: spherical, universal, cylindrical, hinge, slide
    const int kind = random.integer(5);
    if (kind == 0) j.motions = {{Motion::Kind::spherical, {}, 0, 0}};
    if (kind == 1) j.motions = {{Motion::Kind::rotation, {1, 0, 0}, 0, 0}, {Motion::Kind::rotation, {0, 1, 0}, 0, 0}};
    if (kind == 2)
      j.motions = {{Motion::Kind::rotation, {0, 0, 1}, 0, 0}, {Motion::Kind::translation, {0, 0, 1}, 0, 0}};
    if (kind == 3) j.motions = {{Motion::Kind::rotation, random.axis(), 0, 0}};
    if (kind == 4) j.motions = {{Motion::Kind::translation, random.axis(), 0, 0}};
    spec.joints.push_back(j);
  }
  return spec;
}

int degrees_of_freedom(const MechanismSpec& spec) {
  int n = 0;
  for (const JointSpec& j : spec.joints)
    for (const MotionSpec& m : j.motions) n += m.kind == Motion::Kind::spherical ? 3 : 1;
  return n;
}

/// v ← v − Φ_q⁺ Φ_q v: the nearest velocity the constraints allow.
void project_velocity(Evaluator& e, Point& p) {
  const System& s = e.system();
  std::vector<double> values(s.pattern().row.size()), r(s.n());
  Weights w;
  w.v = 1;
  e.jacobian(p, Level::velocity, w, values);
  math::Matrix phi(s.nl(), s.nv()), rate(s.nl(), 1);
  for (int j = 0; j < s.nv(); ++j)
    for (int k = s.pattern().column_start[j]; k < s.pattern().column_start[j + 1]; ++k)
      if (s.pattern().row[k] >= s.nv()) phi(s.pattern().row[k] - s.nv(), j) = values[k];
  e.residual(p, Level::velocity, r);
  for (int i = 0; i < s.nl(); ++i) rate(i, 0) = r[s.nv() + i];
  const math::Matrix step = math::solve_least_squares(phi, rate);
  for (int j = 0; j < s.nv(); ++j) p.v[j] -= step(j, 0);
}

// ---- tests

TEST(Mechanism, RelativeAccelerationsAreThoseOfLagrangesEquationsOnRandomTrees) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    RandomMechanism random(seed);
    const MechanismSpec spec = random.tree(2 + static_cast<int>(seed % 4), false);
    Evaluator relative(formulate(spec, false).system), lagrange(make_lagrange_system(spec));
    const std::vector<int> order = joint_order(relative.system(), spec);
    ASSERT_EQ(static_cast<int>(order.size()), lagrange.system().nv()) << "seed " << seed;
    Point p = random_point(relative, random), q = lagrange.system().start();
    for (std::size_t i = 0; i < order.size(); ++i) q.q[i] = p.q[order[i]], q.v[i] = p.v[order[i]];
    solve_accelerations(relative, p);
    solve_accelerations(lagrange, q);
    std::vector<double> a;
    for (int i : order) a.push_back(p.a[i]);
    // both are exact; round-off grows with the condition of M (about 1e3)
    EXPECT_LT(largest_difference(a, q.a), 1e-9) << "seed " << seed;
  }
}

TEST(Mechanism, AbsoluteAccelerationsAreTheRelativeOnesOnRandomTrees) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    RandomMechanism random(100 + seed);
    const MechanismSpec spec = random.tree(2 + static_cast<int>(seed % 6), true);
    Evaluator relative(formulate(spec, false).system), absolute(formulate(spec, true).system);
    Point p = random_point(relative, random);
    Point q = copy_motion(relative, p, absolute.system());
    // the same motion satisfies every joint at position and velocity level
    EXPECT_LT(largest_constraint(absolute, q, Level::position), 1e-12) << "seed " << seed;
    EXPECT_LT(largest_constraint(absolute, q, Level::velocity), 1e-11) << "seed " << seed;
    solve_accelerations(relative, p);
    solve_accelerations(absolute, q);
    for (const JointSpec& j : spec.joints)
      for (std::size_t k = 0; k < j.motions.size(); ++k) {
        if (j.motions[k].kind == Motion::Kind::spherical) continue;
        const std::string name = j.name + (j.motions.size() == 1 ? ".q" : ".q" + std::to_string(k + 1)) + "dd";
        const double expected = signal(relative, p, name), actual = signal(absolute, q, name);
        EXPECT_NEAR(actual, expected, 1e-9 * (1 + std::abs(expected))) << name << ", seed " << seed;
      }
    // and the energy is the same
    EXPECT_NEAR(absolute.energy(q).stored, relative.energy(p).stored,
                1e-11 * (1 + std::abs(relative.energy(p).stored)));
  }
}

TEST(Mechanism, StartPosesOfTheAbsoluteFormulationAreAssembledFromTheJoints) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    RandomMechanism random(500 + seed);
    const MechanismSpec spec = random.tree(6, true);
    Evaluator absolute(formulate(spec, true).system);
    EXPECT_LT(largest_constraint(absolute, absolute.system().start(), Level::position), 1e-12) << "seed " << seed;
    EXPECT_LT(largest_constraint(absolute, absolute.system().start(), Level::velocity), 1e-12) << "seed " << seed;
    // and agree with the relative one
    Evaluator relative(formulate(spec, false).system);
    const Point p = copy_motion(relative, relative.system().start(), absolute.system());
    const Point& q = absolute.system().start();
    EXPECT_LT(largest_difference(p.v, q.v), 1e-12) << "seed " << seed;
  }
}

TEST(Mechanism, AbsoluteAccelerationsAreTheRelativeOnesOnRandomClosedLoops) {
  int moving = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    RandomMechanism random(900 + seed);
    const MechanismSpec spec = make_ring(random, 3 + static_cast<int>(seed % 3));
    if (degrees_of_freedom(spec) < 7) continue;
    ++moving;
    Formulated f = formulate(spec, false);
    EXPECT_EQ(f.counts.loops, 1);
    EXPECT_EQ(f.counts.coordinates - f.counts.constraints, degrees_of_freedom(spec) - 6) << "seed " << seed;
    Evaluator relative(f.system), absolute(formulate(spec, true).system);
    Point p = relative.system().start();
    EXPECT_LT(largest_constraint(relative, p, Level::position), 1e-12) << "seed " << seed;
    for (double& x : p.v) x = random.number();
    project_velocity(relative, p);
    EXPECT_LT(largest_constraint(relative, p, Level::velocity), 1e-10) << "seed " << seed;
    Point q = copy_motion(relative, p, absolute.system());
    EXPECT_LT(largest_constraint(absolute, q, Level::position), 1e-12) << "seed " << seed;
    EXPECT_LT(largest_constraint(absolute, q, Level::velocity), 1e-10) << "seed " << seed;
    solve_accelerations(relative, p);
    solve_accelerations(absolute, q);
    for (const JointSpec& j : spec.joints)
      for (std::size_t k = 0; k < j.motions.size(); ++k) {
        if (j.motions[k].kind == Motion::Kind::spherical) continue;
        const std::string name = j.name + (j.motions.size() == 1 ? ".q" : ".q" + std::to_string(k + 1)) + "dd";
        const double expected = signal(relative, p, name), actual = signal(absolute, q, name);
        EXPECT_NEAR(actual, expected, 1e-8 * (1 + std::abs(expected))) << name << ", seed " << seed;
      }
  }
  EXPECT_GE(moving, 6);
}

/// Crank, coupler, rocker: hinges about z at the corners of a quadrilateral.
MechanismSpec make_four_bar() {
  MechanismSpec spec;
  for (const char* name : {"crank", "coupler", "rocker"})
    spec.bodies.push_back({name, 1.5, {0.25, 0, 0}, {0, 0, 0.02}});
  const MotionSpec hinge;
  spec.joints.push_back({"A", -1, 0, {hinge}});
  spec.joints.push_back({"B", 0, 1, {hinge}, {0.5, 0, 0}});
  spec.joints.push_back({"C", 1, 2, {hinge}, {0.9, 0, 0}, {0.7, 0, 0}});
  spec.joints.push_back({"D", -1, 2, {hinge}, {1.0, 0, 0}});
  return spec;
}

TEST(Mechanism, PlanarFourBarHasThreeCoordinatesAndTwoClosureRows) {
  const Formulated f = formulate(make_four_bar(), false);
  EXPECT_EQ(f.counts.bodies, 3);
  EXPECT_EQ(f.counts.joints, 4);
  EXPECT_EQ(f.counts.loops, 1);
  EXPECT_EQ(f.counts.coordinates, 3);
  EXPECT_EQ(f.counts.constraints, 2);
  const std::vector<std::string> dropped{"C position z", "C rotation out of the plane (2 rows)"};
  EXPECT_EQ(f.counts.dropped, dropped);
  // the cut hinge still shows its angle
  EXPECT_GE(f.system.find_signal("C.qdd"), 0);
}

TEST(Mechanism, CutHingeWithItsCoordinateAskedForKeepsOneDegreeOfFreedom) {
  Builder b;
  auto m = make_relative_mechanism(b, describe(b, make_four_bar()));
  const int c = m->coordinate(2, 0);
  EXPECT_EQ(m->coordinate(2, 0), c);
  m->finish();
  EXPECT_EQ(m->counts().coordinates, 4);
  EXPECT_EQ(m->counts().constraints, 3);
}

TEST(Mechanism, AbsoluteBodiesOfOneKindShareOneKernel) {
  // a chain of hinges about y, all of the same pattern: ground joint, joint, body and the system's own equations
  MechanismSpec spec;
  for (int k = 0; k < 6; ++k) {
    spec.bodies.push_back({"b" + std::to_string(k), 1.5 + k, {0.3 + k, 0, 0}, {0.1, 0.2, 0.25}});
    spec.joints.push_back(
        {"j" + std::to_string(k), k - 1, k, {{Motion::Kind::rotation, {0, 1, 0}, 0.1, 0}}, {0.6, 0, 0}});
  }
  EXPECT_EQ(formulate(spec, true).system.data().kernels.size(), 4u);
}

TEST(Mechanism, LoopThatCannotCloseIsRefusedWithItsGap) {
  MechanismSpec spec = make_four_bar();
  spec.joints[3].parent_at[2] = 0.25;
  try {
    formulate(spec, false);
    FAIL() << "a rocker out of the plane was accepted";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "model.yaml:3:1: C: the loop cannot close; whatever the joints do, position z is off by 0.25; correct "
                 "the positions or axes of its joints");
  }
}

TEST(Mechanism, JointOfABodyWithItselfIsRefused) {
  MechanismSpec spec = make_four_bar();
  spec.joints[1].parent = 1;
  EXPECT_THROW(formulate(spec, false), Error);
  EXPECT_THROW(formulate(spec, true), Error);
}

TEST(Mechanism, AppliedForcesGiveTheSameAccelerationsInBothFormulations) {
  RandomMechanism random(77);
  const MechanismSpec spec = random.tree(4, true);
  auto make = [&](bool absolute) {
    Builder b;
    auto m = absolute ? make_absolute_mechanism(b, describe(b, spec)) : make_relative_mechanism(b, describe(b, spec));
    // a force that depends on the motion, at one body, and its reaction with a torque at another
    const model::FrameMotion f = m->frame({1, 0}), g = m->frame({3, 0});
    const Vec3 force = 3 * (g.p_WB - f.p_WB) + Expr(0.5) * (g.v_WB - f.v_WB);
    m->apply({1, 0}, force, g.R_WB * g.w_WB_B);
    m->apply({3, 0}, -force, {});
    m->finish();
    return b.build();
  };
  Evaluator relative(make(false)), absolute(make(true));
  Point p = random_point(relative, random), q = copy_motion(relative, p, absolute.system());
  solve_accelerations(relative, p);
  solve_accelerations(absolute, q);
  for (const std::string name : {"b0", "b1", "b2", "b3"})
    for (const char* field : {".x", ".vy", ".wz"})
      EXPECT_NEAR(signal(relative, p, name + field), signal(absolute, q, name + field), 1e-12);
  for (const JointSpec& j : spec.joints) {
    if (j.motions.size() != 1 || j.motions[0].kind == Motion::Kind::spherical) continue;
    EXPECT_NEAR(signal(absolute, q, j.name + ".qdd"), signal(relative, p, j.name + ".qdd"), 1e-9) << j.name;
  }
}

}  // namespace
}  // namespace coenergy::mechanics
