#pragma once
#include <type_traits>

#include "coenergy/domains/multibody/joint_sides.hpp"

namespace coenergy::domains::multibody {

/// A joint with one degree of freedom q along or about an axis: Revolute (angle, torque) or Prismatic (distance,
/// force).
///
///   f = input − k (q − rest) − d q̇    acts on q, besides what is connected to the shaft
///
/// axis: unit vector, the same in both joint frames; k stiffness ≥ 0, d damping ≥ 0, rest the q without spring force.
/// The shaft is the node whose across variable is q: motors, gears and springs connect to it by the joint's name.
/// Signals q, qd, qdd.
template <class Flange>
struct AxisJoint {
  static constexpr bool turns = std::is_same_v<Flange, Rotational>;
  JointSides sides;
  Vector axis;
  Parameter q0, qd0, guess, stiffness, damping, rest, input;
  Flange shaft;

  void describe(Description& d) {
    if constexpr (turns)
      d.name("multibody.Revolute", "hinge: the child turns about an axis of the parent by the angle q");
    else
      d.name("multibody.Prismatic", "slide: the child moves along an axis of the parent by the distance q");
    sides.describe(d);
    d.parameter(axis, "axis", "", "direction: x, y, z, -x, -y, -z or a vector").fallback("z");
    d.parameter(q0, "q0", turns ? "rad" : "m", "start value of q").fallback("0");
    d.parameter(qd0, "qd0", turns ? "rad/s" : "m/s", "start rate of q").fallback("0");
    d.parameter(guess, "guess", turns ? "rad" : "m", "rough start value of q, for loops: assembly finds the exact one")
        .optional();
    d.parameter(stiffness, "stiffness", turns ? "N.m/rad" : "N/m", "of a spring in the joint")
        .not_negative()
        .optional();
    d.parameter(rest, "rest", turns ? "rad" : "m", "q at which the spring is relaxed").fallback("0");
    d.parameter(damping, "damping", turns ? "N.m.s/rad" : "N.s/m", "of a damper in the joint")
        .not_negative()
        .optional();
    d.parameter(input, turns ? "torque" : "force", turns ? "N.m" : "N", "given load on q").varying().optional();
    d.port(shaft, "shaft", "one-dimensional node of q, for motors, gears and springs").optional().start(q0, qd0);
  }

  Joint joint(Equations& eq) const {
    Joint j =
        sides.make(eq, {{turns ? Motion::Kind::rotation : Motion::Kind::translation, eq[axis], "q", q0, qd0, guess}});
    j.shaft = shaft.index;
    return j;
  }

  void equations(Equations& eq) const {
    if (eq.has(stiffness)) {
      const Expr delta = eq[shaft] - eq[rest];
      eq.through(shaft, eq[stiffness] * delta);
      eq.stored(eq[stiffness] * delta * delta / 2);
    }
    if (eq.has(damping)) {
      const Expr rate = eq.der(shaft);
      eq.through(shaft, eq[damping] * rate);
      eq.dissipated(eq[damping] * rate * rate);
    }
    if (eq.has(input)) {
      eq.through(shaft, -eq[input]);
      eq.supplied(eq[input] * eq.der(shaft));
    }
  }
};

using Revolute = AxisJoint<Rotational>;
using Prismatic = AxisJoint<Translational>;

}  // namespace coenergy::domains::multibody
