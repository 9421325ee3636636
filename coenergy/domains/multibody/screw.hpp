#pragma once
#include <numbers>

#include "coenergy/domains/multibody/joint_sides.hpp"

namespace coenergy::domains::multibody {

/// Screw: the child turns by q1 about an axis and moves by q2 = pitch q1/2π along it.
///
///   Φ = q2 − p q1 = 0,  p = pitch/2π;   the multiplier f (N) is the thrust of the thread on q2, the torque on q1 is −p
///   f
///
/// pitch: advance per turn (m), negative for a left-hand thread. The shaft is q1. Does no work itself.
struct Screw {
  JointSides sides;
  Vector axis;
  MotionStart turn;
  Parameter slide_start, slide_rate, pitch;
  Rotational shaft;
  Multiplier lambda;

  void describe(Description& d) {
    d.name("multibody.Screw", "screw: rotation q1 about an axis and the advance q2 = pitch*q1/(2*pi) along it");
    sides.describe(d);
    d.parameter(axis, "axis", "", "direction: x, y, z, -x, -y, -z or a vector")
        .structural("a direction, whose zeros decide on the equations")
        .fallback("z");
    d.parameter(pitch, "pitch", "m", "advance per turn; negative: left-hand thread");
    turn.describe(d, "q1", Motion::Kind::rotation);
    d.port(shaft, "shaft", "one-dimensional node of q1, for motors and gears").optional().start(turn.value, turn.rate);
    d.variable(lambda, "lambda", "N", "multiplier of the thread");
    d.output("f", "N", "thrust of the thread on the child");
  }
  Joint joint(Equations& eq) const {
    Joint j = sides.make(
        eq, {turn.make(Motion::Kind::rotation, eq[axis], "q1"), {Motion::Kind::translation, eq[axis], "q2", {}, {}}});
    j.shaft = shaft.index;
    return j;
  }
  void equations(Equations& eq) const {
    const Expr advance = eq.signal(eq.component() + ".q2"), turned = eq.signal(eq.component() + ".q1");
    eq.constraint(lambda, advance - eq[pitch] / (2 * std::numbers::pi) * turned);
    eq.output("f", "N", -eq[lambda]);
  }
};

}  // namespace coenergy::domains::multibody
