#pragma once
#include <type_traits>

#include "coenergy/domains/friction_law.hpp"
#include "coenergy/domains/multibody/joint_sides.hpp"
#include "coenergy/domains/stop_law.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::domains::multibody {

/// A joint with one degree of freedom q along or about an axis: Revolute (angle, torque) or Prismatic (distance,
/// force).
///
///   f = input − k (q − rest) − d q̇ − friction(q̇)    acts on q, besides stops and what is connected to the shaft
///
/// axis: unit vector, the same in both joint frames; k stiffness ≥ 0, d damping ≥ 0, rest the q without spring force.
/// Friction is a Coulomb level (`friction: 2 N`) or any FrictionLaw (`friction: {law: lugre, coulomb: 2 N, …}`). With
/// `drive` q is a given function of time, with `locked: yes` it stays at q0; the multiplier lambda is the load that
/// takes: drive_force = −lambda on q. The shaft is the node whose across variable is q: motors, gears and springs
/// connect to it by the joint's name. Signals q, qd, qdd.
template <class Flange>
struct AxisJoint {
  static constexpr bool turns = std::is_same_v<Flange, Rotational>;
  JointSides sides;
  Vector axis;
  Parameter q0, qd0, guess, stiffness, damping, rest, input, friction_level, drive;
  Choice locked;
  FrictionLaw<Flange> friction;
  StopLaw<Flange> stops;
  Flange shaft;

  void describe(Description& d) {
    if constexpr (turns)
      d.name("multibody.Revolute", "hinge: the child turns about an axis of the parent by the angle q");
    else
      d.name("multibody.Prismatic", "slide: the child moves along an axis of the parent by the distance q");
    sides.describe(d);
    d.parameter(axis, "axis", "", "direction: x, y, z, -x, -y, -z or a vector")
        .structural("a direction, whose zeros decide on the equations")
        .fallback("z");
    d.parameter(q0, "q0", turns ? "rad" : "m", "start value of q").fallback("0");
    d.parameter(qd0, "qd0", turns ? "rad/s" : "m/s", "start rate of q").fallback("0");
    d.parameter(guess, "guess", turns ? "rad" : "m", "rough start value of q, for loops: assembly finds the exact one")
        .structural("it chooses the branch on which a loop closes")
        .optional()
        .instead_of(q0);
    d.parameter(stiffness, "stiffness", turns ? "N.m/rad" : "N/m", "of a spring in the joint")
        .not_negative()
        .optional();
    d.parameter(rest, "rest", turns ? "rad" : "m", "q at which the spring is relaxed")
        .fallback("0")
        .used_with(stiffness);
    d.parameter(damping, "damping", turns ? "N.m.s/rad" : "N.s/m", "of a damper in the joint")
        .not_negative()
        .optional();
    d.parameter(input, turns ? "torque" : "force", turns ? "N.m" : "N", "given load on q").varying().optional();
    for (auto [level, name] : {std::pair(&friction_level, "friction"), {&friction.f_c, "friction.coulomb"}})
      d.parameter(*level, name, turns ? "N.m" : "N", "Coulomb friction in the joint")
          .not_negative()
          .varying()
          .optional();
    friction.describe(d, "friction.", friction_level, friction.f_c);
    d.parameter(drive, "drive", turns ? "rad" : "m", "given motion: q as a function of time").varying().optional();
    d.choice(locked, "locked", {"no", "yes"}, "yes: q stays at q0");
    stops.describe(d);
    d.port(shaft, "shaft", "one-dimensional node of q, for motors, gears and springs").optional().start(q0, qd0);
  }

  Joint joint(Equations& eq) const {
    Joint j =
        sides.make(eq, {{turns ? Motion::Kind::rotation : Motion::Kind::translation, eq[axis], "q", q0, qd0, guess}});
    j.shaft = shaft.index;
    return j;
  }

  void equations(Equations& eq) const {
    hold(eq);
    // a start value that assembly may choose is no mistake
    if (!eq.has(guess) && eq.number(q0) != 0) stops.check_start(eq, q0);
    if (stops.given(eq)) eq.through(shaft, stops.equations(eq, eq[shaft], eq.der(shaft)));
    rub(eq);
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

 private:
  void rub(Equations& eq) const {
    if (eq.has(friction_level) && eq.has(friction.f_c)) eq.refuse("friction is given twice");
    FrictionLaw<Flange> law = friction;
    if (eq.has(friction_level)) law.f_c = friction_level;
    if (!law.given(eq)) return;
    const Expr force = law.equations(eq, eq.der(shaft), law.needs_acceleration(eq) ? eq.der2(shaft) : Expr(0));
    eq.through(shaft, force);
    eq.output("friction_force", turns ? "N.m" : "N", force);
  }

  /// Driven or locked: a constraint on q.
  void hold(Equations& eq) const {
    const bool is_locked = eq[locked] == "yes";
    if (!is_locked && !eq.has(drive)) return;
    if (is_locked && eq.has(drive)) eq.refuse("it is locked and has a drive; choose one");
    const char* unit = turns ? "N.m" : "N";
    const Multiplier lambda = eq.make_multiplier("lambda", unit);
    const Expr s = is_locked ? eq[q0] : eq[drive];
    eq.constraint(lambda, eq[shaft] - s);
    if (!s.is_number()) eq.supplied(-eq[lambda] * symbolic::derivative(s, eq.time()));
    eq.output("drive_force", unit, -eq[lambda]);
  }
};

using Revolute = AxisJoint<Rotational>;
using Prismatic = AxisJoint<Translational>;

}  // namespace coenergy::domains::multibody
