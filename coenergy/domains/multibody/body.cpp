#include "coenergy/domains/multibody/body.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/base/names.hpp"

namespace coenergy::domains::multibody {

void Body::describe(Description& d) {
  d.name("multibody.Body", "rigid body with mass, centre of mass and inertia");
  d.parameter(mass, "mass", "kg", "mass").not_negative();
  d.parameter(com, "com", "m", "centre of mass, from the body's origin").fallback("[0, 0, 0]");
  d.parameter(inertia, "inertia", "kg.m2", "about the centre of mass: Jxx Jyy Jzz, or these and Jxy Jxz Jyz")
      .sizes({3, 6})
      .fallback("[0, 0, 0]");
  d.parameter(position, "position", "m", "start position of the origin, where no joint sets it").fallback("[0, 0, 0]");
  d.parameter(angles, "angles", "rad", "start angles about x, then y, then z, where no joint sets them")
      .fallback("[0, 0, 0]");
  d.parameter(velocity, "velocity", "m/s", "start velocity of the origin, world axes").fallback("[0, 0, 0]");
  d.parameter(angular_velocity, "angular_velocity", "rad/s", "start angular velocity, body axes").fallback("[0, 0, 0]");
  shape.describe(d);
}

namespace {

/// Moments of inertia of a real body are not negative, and each is at most the sum of the other two.
void check_inertia(Equations& eq, const std::vector<double>& J) {
  for (int i = 0; i < 3; ++i) {
    const char axis = "xyz"[i];
    if (J[i] < 0)
      eq.refuse(std::string("inertia J") + axis + axis + " = " + format_short(J[i]) + " kg.m2 must be >= 0");
    const double others = J[(i + 1) % 3] + J[(i + 2) % 3];
    if (J[i] > 0 && others > 0 && J[(i + 1) % 3] > 0 && J[(i + 2) % 3] > 0 && J[i] > others * (1 + 1e-9))
      eq.refuse(std::string("inertia J") + axis + axis + " = " + format_short(J[i]) +
                " kg.m2 must be at most the sum of the other two, " + format_short(others) + " kg.m2");
  }
}

}  // namespace

RigidBody Body::body(Equations& eq) const {
  check_inertia(eq, eq.numbers(inertia));
  const std::vector<Expr> J = eq[inertia];
  RigidBody b;
  b.mass = eq[mass];
  b.com = eq[com];
  b.inertia = Mat3::diagonal(J[0], J[1], J[2]);
  if (J.size() == 6) {
    b.inertia(0, 1) = b.inertia(1, 0) = J[3];
    b.inertia(0, 2) = b.inertia(2, 0) = J[4];
    b.inertia(1, 2) = b.inertia(2, 1) = J[5];
  }
  b.position = eq[position];
  b.angles = eq[angles];
  b.velocity = eq[velocity];
  b.angular_velocity = eq[angular_velocity];
  return b;
}

std::vector<Shape> Body::drawing(Equations& eq) const {
  if (shape.given(eq)) return shape.make(eq);
  // without a shape: a ball of steel at the centre of mass
  const double m = eq.number(mass);
  if (m == 0) return {};
  Shape ball;
  ball.kind = "sphere";
  ball.size[0] = std::cbrt(3 * m / (4 * std::numbers::pi * 7850));
  const std::vector<double> at = eq.numbers(com);
  std::copy(at.begin(), at.end(), ball.position.begin());
  return {ball};
}

}  // namespace coenergy::domains::multibody
