#pragma once
#include <cmath>
#include <random>

#include "coenergy/equations/data.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/rotation.hpp"
#include "coenergy/mechanics/mechanism.hpp"

// mechanisms in numbers, described for any formulation, for tests
namespace coenergy::mechanics {

using equations::Builder;
using equations::Evaluator;
using equations::Level;
using equations::Point;
using equations::System;
using equations::Variables;
using equations::Weights;
using model::Motion;
using symbolic::Expr;
using symbolic::Mat3;
using symbolic::Vec3;
using Numbers = std::array<double, 3>;

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
inline Expr make_value(Builder& b, const std::string& name, double x) {
  if (x == 0 || x == 1 || x == -1) return x;
  return b.variables().parameter(b.add_parameter(name, "", x));
}
inline Vec3 make_vector(Builder& b, const std::string& name, const Numbers& x) {
  Vec3 v;
  for (int i = 0; i < 3; ++i) v[i] = make_value(b, name + std::to_string(i), x[i]);
  return v;
}

inline MechanismDescription describe(Builder& b, const MechanismSpec& spec) {
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

inline Formulated formulate(const MechanismSpec& spec, bool absolute) {
  Builder b;
  auto m = absolute ? make_absolute_mechanism(b, describe(b, spec)) : make_relative_mechanism(b, describe(b, spec));
  m->finish();
  Mechanism::Counts counts = m->counts();
  return {b.build(), counts};
}

// ---- numerics on evaluators

/// Accelerations and multipliers at a point: rows at acceleration level, least squares where rows are redundant.
inline void solve_accelerations(Evaluator& e, Point& p) {
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

inline std::vector<double> signals(Evaluator& e, const Point& p) {
  std::vector<double> values(e.system().signals().size());
  e.signals(p, values);
  return values;
}
inline double signal(Evaluator& e, const Point& p, const std::string& name) {
  const int k = e.system().find_signal(name);
  EXPECT_GE(k, 0) << "no signal " << name;
  return k < 0 ? NAN : signals(e, p)[k];
}

/// Fills the point of an absolute system with the motion another formulation shows in its signals.
inline Point copy_motion(Evaluator& from, const Point& p, const System& to) {
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

inline double largest_constraint(Evaluator& e, const Point& p, Level level) {
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
inline Point random_point(Evaluator& e, RandomMechanism& random) {
  Point p = e.system().start();
  std::vector<double> step(e.system().nv());
  for (double& x : step) x = random.number();
  e.retract(p.q, step);
  for (double& x : p.v) x = random.number(-2, 2);
  return p;
}

// ---- Lagrange's equations from the energies, with transformations of its own

}  // namespace coenergy::mechanics
