#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// A wheel on the plane z = height of the world, with an elastic normal force; what all tyres share:
///
///   N = max(k δ + d δ̇, 0) while δ = r − (distance of the centre from the plane along the wheel) > 0
///
/// e spin axis, forward direction e × ẑ (a wheel with its axis along y and Ω > 0 drives along x), v forward velocity of the
/// centre and v_side across it, Ω = ω·e; rolling is v = r Ω. The height may vary: δ̇ has its rate ḣ then, and the road
/// supplies N ḣ. The spring is stored, all other power that the wheel loses is heat.
struct WheelContact {
  Vector at, axis;
  Parameter radius, stiffness, damping, height;

  void describe(Description& d) {
    d.parameter(at, "at", "m", "centre of the wheel in the body").fallback("[0, 0, 0]");
    d.parameter(axis, "axis", "", "spin axis in the body").fallback("y");
    d.parameter(radius, "radius", "m", "of the unloaded tyre").positive();
    d.parameter(stiffness, "stiffness", "N/m", "radial").positive();
    d.parameter(damping, "damping", "N.s/m", "radial").not_negative().fallback("0");
    d.parameter(height, "height", "m", "of the plane: a road, as a function of time or of a position")
        .varying()
        .fallback("0");
  }

  struct Motion {
    FrameMotion frame;
    PointMotion centre;
    Vec3 e, ahead, sideways, up, to_centre;
    Expr r, depth, road, load, spin, v, side;
  };

  Motion find_motion(Equations& eq, Frame body) const {
    Motion m;
    m.frame = eq.frame(body);
    m.centre = make_point(m.frame, eq[at]);
    const Vec3 given = eq[axis];
    m.e = m.frame.R_WB * ((1 / sqrt(dot(given, given))) * given), m.up = Vec3{{0, 0, 1}};
    const Expr upright = sqrt(1 - m.e[2] * m.e[2]);
    m.r = eq[radius];
    m.ahead = (1 / upright) * cross(m.e, m.up), m.to_centre = (1 / upright) * (m.up - m.e[2] * m.e);
    m.sideways = cross(m.up, m.ahead);
    const Expr h = eq[height];
    m.road = eq.time_derivative(h);
    m.depth = m.r * upright - (m.centre.p[2] - h);
    const Expr rate = m.road - m.centre.v[2];
    m.load = select(less(0, m.depth), max(eq[stiffness] * m.depth + eq[damping] * rate, 0), 0);
    m.spin = dot(m.e, m.frame.R_WB * m.frame.w_WB_B);
    m.v = dot(m.ahead, m.centre.v), m.side = dot(m.sideways, m.centre.v);
    return m;
  }

  /// Forces along and across the wheel where it touches the plane, with its load, and a further torque on it.
  void apply(Equations& eq, Frame body, const Motion& m, const Expr& along, const Expr& across,
             const Vec3& torque = {}) const {
    const Vec3 force = along * m.ahead + across * m.sideways + m.load * m.up;
    const Vec3 moment = cross(m.centre.lever - m.r * m.to_centre, force) + torque;
    eq.apply(body, force, moment);
    const Expr power = dot(force, m.frame.v_WB) + dot(moment, m.frame.R_WB * m.frame.w_WB_B);
    const Expr spring = select(less(0, m.depth), eq[stiffness] * m.depth * m.depth / 2, 0);
    eq.stored(spring);
    eq.supplied(m.load * m.road);
    eq.dissipated(m.load * m.road - power - eq.time_derivative(spring));
  }
};

}  // namespace coenergy::domains::multibody
