#include "coenergy/domains/multibody/body.hpp"

#include <algorithm>
#include <array>
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
  d.parameter(angles, "angles", "rad",
              "start angles about the fixed x, then y, then z, where no joint sets them: R = Rz Ry Rx")
      .fallback("[0, 0, 0]");
  d.parameter(velocity, "velocity", "m/s", "start velocity of the origin, world axes").fallback("[0, 0, 0]");
  d.parameter(angular_velocity, "angular_velocity", "rad/s", "start angular velocity, body axes").fallback("[0, 0, 0]");
  shape.describe(d);
}

namespace {

/// Eigenvalues of the symmetric matrix Jxx Jyy Jzz Jxy Jxz Jyz, ascending, by the trigonometric form of the cubic.
std::array<double, 3> principal_moments(const std::vector<double>& J) {
  std::array<double, 3> P{J[0], J[1], J[2]};
  if (J.size() == 6) {
    const double mean = (J[0] + J[1] + J[2]) / 3, a = J[0] - mean, b = J[1] - mean, c = J[2] - mean;
    const double off = J[3] * J[3] + J[4] * J[4] + J[5] * J[5];
    const double p = std::sqrt((a * a + b * b + c * c + 2 * off) / 6);
    if (p > 0) {
      const double det = a * (b * c - J[5] * J[5]) - J[3] * (J[3] * c - J[5] * J[4]) + J[4] * (J[3] * J[5] - b * J[4]);
      const double angle = std::acos(std::clamp(det / (2 * p * p * p), -1.0, 1.0)) / 3;
      for (int k = 0; k < 3; ++k) P[k] = mean + 2 * p * std::cos(angle + 2 * std::numbers::pi * k / 3);
    }
  }
  std::sort(P.begin(), P.end());
  return P;
}

/// Moments of inertia of a real body are not negative; negative ones have no motion to compute. Of a real body none of
/// the principal ones exceeds the sum of the other two, which is worth a note: robot files often break it.
void check_inertia(Equations& eq, const std::vector<double>& J) {
  for (int i = 0; i < 3; ++i)
    if (const char axis = "xyz"[i]; J[i] < 0)
      eq.refuse(std::string("inertia J") + axis + axis + " = " + format_short(J[i]) + " kg.m2 must be >= 0");
  std::array<double, 3> P = principal_moments(J);
  const double size = J[0] + J[1] + J[2];
  if (P[0] < -1e-9 * size)
    eq.refuse("the inertia has the negative principal moment " + format_short(P[0]) +
              " kg.m2; products of inertia Jxy, Jxz, Jyz are too large for Jxx, Jyy, Jzz");
  // a moment of zero is a model without that rotation, not a body
  if (P[0] > 1e-12 * size && P[2] > (P[0] + P[1]) * (1 + 1e-6))
    eq.note("no real body has this inertia: its principal moment " + format_short(P[2]) +
            " kg.m2 exceeds the sum of the other two, " + format_short(P[0] + P[1]) + " kg.m2");
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
  // without a shape: a ball of steel at the centre of mass, which the report joins to the joints
  const double m = eq.number(mass);
  if (m == 0) return {};
  Shape ball;
  ball.kind = "mass";
  ball.size[0] = std::cbrt(3 * m / (4 * std::numbers::pi * 7850));
  const std::vector<double> at = eq.numbers(com);
  std::copy(at.begin(), at.end(), ball.position.begin());
  return {ball};
}

}  // namespace coenergy::domains::multibody
