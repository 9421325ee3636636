#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "coenergy/equations/data.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/rotation.hpp"
#include "coenergy/mechanics/kinematics.hpp"
#include "coenergy/mechanics/mechanism.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::mechanics {
using equations::Builder;
using equations::Evaluator;
using equations::Level;
using equations::Point;
using equations::System;
using equations::Variables;
using equations::Weights;

namespace {

using model::Motion;
using symbolic::Expr;
using symbolic::Mat3;
using symbolic::Vec3;
using Numbers = std::array<double, 3>;

// ---- mechanisms in numbers, described for any formulation

struct BodySpec {
  std::string name;
  double mass = 1;
  Numbers com{};
  std::array<double, 6> inertia{};  // xx yy zz xy xz yz
  Numbers position{}, angles{}, velocity{}, angular_velocity{};
  bool placed = false;
};
struct MotionSpec {
  Motion::Kind kind = Motion::Kind::rotation;
  Numbers axis{0, 0, 1};
  double q0 = 0, v0 = 0;
};
struct JointSpec {
  std::string name;
  int parent = -1, child = 0;
  std::vector<MotionSpec> motions;
  Numbers parent_at{}, child_at{}, parent_angles{}, child_angles{};
};
struct MechanismSpec {
  std::vector<BodySpec> bodies;
  std::vector<JointSpec> joints;
  Numbers gravity{0, 0, 0};
};

/// Numbers as the compiler gives them: 0 and ±1 stay numbers, the rest are parameters.
Expr make_value(Builder& b, const std::string& name, double x) {
  if (x == 0 || x == 1 || x == -1) return x;
  return b.variables().parameter(b.add_parameter(name, "", x));
}
Vec3 make_vector(Builder& b, const std::string& name, const Numbers& x) {
  Vec3 v;
  for (int i = 0; i < 3; ++i) v[i] = make_value(b, name + std::to_string(i), x[i]);
  return v;
}

MechanismDescription describe(Builder& b, const MechanismSpec& spec) {
  MechanismDescription d;
  for (const BodySpec& s : spec.bodies) {
    MechanismDescription::Body body;
    body.name = s.name;
    body.properties.mass = make_value(b, s.name + ".m", s.mass);
    body.properties.com = make_vector(b, s.name + ".c", s.com);
    Expr J[6];
    for (int i = 0; i < 6; ++i) J[i] = make_value(b, s.name + ".J" + std::to_string(i), s.inertia[i]);
    body.properties.inertia = Mat3::diagonal(J[0], J[1], J[2]);
    Mat3& m = body.properties.inertia;
    m(0, 1) = m(1, 0) = J[3], m(0, 2) = m(2, 0) = J[4], m(1, 2) = m(2, 1) = J[5];
    body.position = s.position, body.angles = s.angles;
    body.velocity = s.velocity, body.angular_velocity = s.angular_velocity;
    body.placed = s.placed;
    d.bodies.push_back(body);
  }
  for (const JointSpec& s : spec.joints) {
    MechanismDescription::Joint joint;
    joint.name = s.name;
    joint.where = {"model.yaml", 3, 1};
    joint.parent = {s.parent, 0}, joint.child = {s.child, 0};
    joint.parent_position = s.parent_at, joint.child_position = s.child_at;
    joint.parent_angles = s.parent_angles, joint.child_angles = s.child_angles;
    model::Joint& p = joint.properties;
    p.parent_position = make_vector(b, s.name + ".pp", s.parent_at);
    p.child_position = make_vector(b, s.name + ".cp", s.child_at);
    p.parent_angles = make_vector(b, s.name + ".pa", s.parent_angles);
    p.child_angles = make_vector(b, s.name + ".ca", s.child_angles);
    for (std::size_t k = 0; k < s.motions.size(); ++k) {
      Motion m;
      m.kind = s.motions[k].kind;
      for (int i = 0; i < 3; ++i) m.axis[i] = s.motions[k].axis[i];
      m.name = s.motions.size() == 1 ? "q" : "q" + std::to_string(k + 1);
      p.motions.push_back(m);
      joint.axes.push_back(s.motions[k].axis);
      joint.q0.push_back(s.motions[k].q0);
      joint.v0.push_back(s.motions[k].v0);
      joint.fixed.push_back(0);
      joint.fixed_rate.push_back(0);
    }
    d.joints.push_back(joint);
  }
  d.gravity = make_vector(b, "gravity.g", spec.gravity);
  d.gravity_value = spec.gravity;
  return d;
}

struct Formulated {
  System system;
  Mechanism::Counts counts;
};

Formulated formulate(const MechanismSpec& spec, bool absolute) {
  Builder b;
  auto m = absolute ? make_absolute_mechanism(b, describe(b, spec)) : make_relative_mechanism(b, describe(b, spec));
  m->finish();
  Mechanism::Counts counts = m->counts();
  return {b.build(), counts};
}

// ---- numerics on evaluators

/// Accelerations and multipliers at a point: rows at acceleration level, least squares where rows are redundant.
void solve_accelerations(Evaluator& e, Point& p) {
  const System& s = e.system();
  const int n = s.n();
  std::vector<double> values(s.pattern().row.size());
  math::Matrix a(n, n), r(n, 1);
  std::fill(p.a.begin(), p.a.end(), 0.0);
  std::fill(p.lambda.begin(), p.lambda.end(), 0.0);
  Weights w;
  w.a = w.lambda = 1;
  e.jacobian(p, Level::acceleration, w, values);
  for (int j = 0; j < n; ++j)
    for (int k = s.pattern().column_start[j]; k < s.pattern().column_start[j + 1]; ++k)
      a(s.pattern().row[k], j) = values[k];
  e.residual(p, Level::acceleration, r.data);
  for (double& x : r.data) x = -x;
  const math::Matrix x = math::solve_least_squares(a, r);
  for (int i = 0; i < s.nv(); ++i) p.a[i] = x(i, 0);
  for (int i = 0; i < s.nl(); ++i) p.lambda[i] = x(s.nv() + i, 0);
}

std::vector<double> signals(Evaluator& e, const Point& p) {
  std::vector<double> values(e.system().signals().size());
  e.signals(p, values);
  return values;
}
double signal(Evaluator& e, const Point& p, const std::string& name) {
  const int k = e.system().find_signal(name);
  EXPECT_GE(k, 0) << "no signal " << name;
  return k < 0 ? NAN : signals(e, p)[k];
}

/// Fills the point of an absolute system with the motion another formulation shows in its signals.
Point copy_motion(Evaluator& from, const Point& p, const System& to) {
  Point q = to.start();
  const std::vector<double> values = signals(from, p);
  auto read = [&](const std::string& name) {
    const int k = from.system().find_signal(name);
    EXPECT_GE(k, 0) << "no signal " << name;
    return k < 0 ? 0.0 : values[k];
  };
  int coordinates = 0;
  for (int i = 0; i < to.nv(); ++i) {
    const std::string& name = to.unknown(i).name;
    const std::string field = name.substr(name.rfind('.') + 1), owner = name.substr(0, name.rfind('.'));
    if (field[0] == 'w') {
      q.v[i] = read(name);
      continue;
    }
    ++coordinates;
    q.q[i] = read(name);
    q.v[i] = field[0] == 'q' ? read(name + "d") : read(owner + ".v" + field);
  }
  int slot = coordinates;
  for (int i = coordinates; i < to.nv(); i += 3, slot += 4) {
    const std::string& name = to.unknown(i).name;
    for (int k = 0; k < 4; ++k) q.q[slot + k] = read(name.substr(0, name.rfind('.')) + ".p" + std::to_string(k));
  }
  return q;
}

double largest_constraint(Evaluator& e, const Point& p, Level level) {
  std::vector<double> r(e.system().n());
  e.residual(p, level, r);
  double largest = 0;
  for (int i = 0; i < e.system().nl(); ++i) largest = std::max(largest, std::abs(r[e.system().nv() + i]));
  return largest;
}

// ---- random mechanisms

class RandomMechanism {
 public:
  explicit RandomMechanism(unsigned seed) : random_(seed) {}

  double number(double low = -1, double high = 1) { return std::uniform_real_distribution<>(low, high)(random_); }
  int integer(int n) { return std::uniform_int_distribution<>(0, n - 1)(random_); }
  Numbers vector() {
    Numbers v{number(), number(), number()};
    // structural zeros now and then
    for (double& x : v)
      if (integer(3) == 0) x = 0;
    return v;
  }
  Numbers axis() {
    Numbers a{};
    if (integer(2) == 0) {
      a[integer(3)] = integer(2) == 0 ? 1 : -1;
      return a;
    }
    a = {number(), number(), number()};
    const double norm = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (double& x : a) x /= norm;
    return a;
  }
  Numbers angles() {
    if (integer(2) == 0) return {};
    Numbers a{number(-2, 2), number(-1, 1), number(-2, 2)};
    if (integer(3) == 0) a = {M_PI / 2, 0, -M_PI / 2};
    return a;
  }
  BodySpec body(const std::string& name) {
    BodySpec b{name, number(0.5, 3), vector()};
    // positive definite: Σ of point masses
    for (int k = 0; k < 4; ++k) {
      const Numbers r = {number(), number(), number()};
      b.inertia[0] += r[1] * r[1] + r[2] * r[2], b.inertia[1] += r[0] * r[0] + r[2] * r[2];
      b.inertia[2] += r[0] * r[0] + r[1] * r[1], b.inertia[3] -= r[0] * r[1];
      b.inertia[4] -= r[0] * r[2], b.inertia[5] -= r[1] * r[2];
    }
    if (integer(2) == 0) b.inertia[3] = b.inertia[4] = b.inertia[5] = 0;
    return b;
  }
  MotionSpec motion() {
    return {integer(3) == 0 ? Motion::Kind::translation : Motion::Kind::rotation, axis(), number(), number()};
  }

  /// A tree of n bodies: rotations, translations, joints of two motions, welds, joints written backwards; with
  /// `spherical` also spherical joints and one free body.
  MechanismSpec tree(int n, bool spherical) {
    MechanismSpec spec;
    spec.gravity = {number(), 0, -9.81};
    for (int b = 0; b < n; ++b) {
      spec.bodies.push_back(body("b" + std::to_string(b)));
      JointSpec j{"j" + std::to_string(b), integer(b + 1) - 1, b, {}, vector(), vector(), angles(), angles()};
      const int kind = integer(10);
      if (spherical && kind < 3)
        j.motions = {{Motion::Kind::spherical, {}, 0, 0}};
      else if (kind != 9)
        for (int k = 0; k < (kind > 6 ? 2 : 1); ++k) j.motions.push_back(motion());
      if (integer(3) == 0 && j.parent >= 0) std::swap(j.parent, j.child);
      spec.joints.push_back(j);
    }
    if (spherical) {
      BodySpec loose = body("loose");
      loose.position = vector(), loose.angles = {0.3, 0.2, -0.5}, loose.placed = true;
      loose.velocity = vector(), loose.angular_velocity = vector();
      spec.bodies.push_back(loose);
    }
    return spec;
  }

 private:
  std::mt19937 random_;
};

/// Random position and velocity; rotations are turned at random.
Point random_point(Evaluator& e, RandomMechanism& random) {
  Point p = e.system().start();
  std::vector<double> step(e.system().nv());
  for (double& x : step) x = random.number();
  e.retract(p.q, step);
  for (double& x : p.v) x = random.number(-2, 2);
  return p;
}

// ---- Lagrange's equations from the energies, with transformations of its own

struct Frame {
  Mat3 R = Mat3::identity();
  Vec3 p;
};
Frame operator*(const Frame& a, const Frame& b) { return {a.R * b.R, a.p + a.R * b.p}; }
Frame invert(const Frame& a) { return {transpose(a.R), -(transpose(a.R) * a.p)}; }

Mat3 turn(int axis, const Expr& c, const Expr& s) {
  Mat3 r = Mat3::identity();
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  r(i, i) = c, r(j, j) = c, r(i, j) = -s, r(j, i) = s;
  return r;
}
Frame place(const Numbers& at, const Numbers& angles) {
  Frame f;
  for (int k = 0; k < 3; ++k) f.R = turn(k, std::cos(angles[k]), std::sin(angles[k])) * f.R;
  for (int k = 0; k < 3; ++k) f.p[k] = at[k];
  return f;
}

System make_lagrange_system(const MechanismSpec& spec) {
  Builder b;
  Variables& v = b.variables();
  std::vector<Frame> frames(spec.bodies.size());
  Expr kinetic, potential;
  std::vector<int> coordinates;
  auto rate = [&](const Expr& e) { return v.time_derivative(e); };
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    // joint i hangs body i on an earlier one, written in either direction
    const JointSpec& j = spec.joints[i];
    Frame f;
    for (std::size_t k = 0; k < j.motions.size(); ++k) {
      const MotionSpec& m = j.motions[k];
      const int c = b.add_coordinate({j.name + "." + std::to_string(k), ""}, 0, 0);
      coordinates.push_back(c);
      const Expr q = v.coordinate(c).q;
      Vec3 a;
      for (int n = 0; n < 3; ++n) a[n] = m.axis[n];
      if (m.kind == Motion::Kind::translation) {
        f = f * Frame{Mat3::identity(), q * a};
      } else {
        // E + sin ã + (1 − cos) ã²
        const Mat3 t = symbolic::skew(a), tt = t * t;
        Frame spin;
        for (int r = 0; r < 3; ++r)
          for (int s = 0; s < 3; ++s) spin.R(r, s) = (r == s ? 1 : 0) + sin(q) * t(r, s) + (1 - cos(q)) * tt(r, s);
        f = f * spin;
      }
    }
    f = place(j.parent_at, j.parent_angles) * f * invert(place(j.child_at, j.child_angles));
    const bool forward = j.child == static_cast<int>(i);
    const int on = forward ? j.parent : j.child;
    frames[i] = (on < 0 ? Frame{} : frames[on]) * (forward ? f : invert(f));

    const BodySpec& s = spec.bodies[i];
    Vec3 c, g, vc;
    for (int n = 0; n < 3; ++n) c[n] = s.com[n], g[n] = spec.gravity[n];
    const Vec3 pc = frames[i].p + frames[i].R * c;
    for (int n = 0; n < 3; ++n) vc[n] = rate(pc[n]);
    Mat3 rd;
    for (int r = 0; r < 3; ++r)
      for (int n = 0; n < 3; ++n) rd(r, n) = rate(frames[i].R(r, n));
    const Mat3 spin = transpose(frames[i].R) * rd;
    const Vec3 w{{spin(2, 1), spin(0, 2), spin(1, 0)}};
    Mat3 J = Mat3::diagonal(s.inertia[0], s.inertia[1], s.inertia[2]);
    J(0, 1) = J(1, 0) = s.inertia[3], J(0, 2) = J(2, 0) = s.inertia[4], J(1, 2) = J(2, 1) = s.inertia[5];
    kinetic += Expr(s.mass / 2) * dot(vc, vc) + dot(w, J * w) / 2;
    potential += Expr(-s.mass) * dot(g, pc);
  }
  for (int c : coordinates) {
    const Variables::Coordinate& q = v.coordinate(c);
    b.add_balance(c, rate(symbolic::derivative(kinetic, q.v)) - symbolic::derivative(kinetic, q.q) +
                         symbolic::derivative(potential, q.q));
  }
  return b.build();
}

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
