// Everything a mechanism can be made of, one by one: relative = absolute = Lagrange at random states.
#include "coenergy/analyze/compare.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

struct Part {
  const char* name;
  const char* lines;  ///< components that join the body link to the carrier, or act on both
};

/// A carrier that swings, and a link on it by the joint in question; a sensor makes all frames needed.
const std::string stand = R"y(components:
  gravity: {type: multibody.Gravity, g: [0.3, 0.2, -9.81]}
  carrier: {type: multibody.Body, mass: 2, com: [0.2, 0.1, -0.3], inertia: [0.3, 0.4, 0.5, 0.02, -0.03, 0.04]}
  swing: {type: multibody.Revolute, parent: ground, child: carrier, axis: [0.6, 0.8, 0], q0: 0.3, qd0: 1.2}
  link: {type: multibody.Body, mass: 1.5, com: [0.1, -0.2, 0.15], inertia: [0.2, 0.25, 0.3, 0.01, 0.02, -0.03]}
)y";
#define PLACES                                                                                                     \
  "parent: carrier, child: link, parent_at: [0.3, 0.2, 0.1], parent_angles: [0.2, -0.4, 0.5], child_at: [0.1, 0, " \
  "-0.2], child_angles: [0.3, 0.1, -0.2]"

const Part parts[] = {
    {"T1", "  j: {type: multibody.Prismatic, axis: x, " PLACES "}\n"},
    {"T2", "  j: {type: multibody.Prismatic, axis: y, " PLACES "}\n"},
    {"T3", "  j: {type: multibody.Prismatic, axis: z, " PLACES "}\n"},
    {"R1", "  j: {type: multibody.Revolute, axis: x, " PLACES "}\n"},
    {"R2", "  j: {type: multibody.Revolute, axis: y, " PLACES "}\n"},
    {"R3", "  j: {type: multibody.Revolute, axis: z, " PLACES "}\n"},
    {"any axis", "  j: {type: multibody.Revolute, axis: [1, -2, 0.5], " PLACES "}\n"},
    {"any slide", "  j: {type: multibody.Prismatic, axis: [1, -2, 0.5], " PLACES "}\n"},
    {"fixed", "  j: {type: multibody.Fixed, " PLACES "}\n"},
    {"universal",
     "  j: {type: multibody.Universal, axis1: x, axis2: [0, 0.6, 0.8], q1_0: 0.2, q2d_0: 1, " PLACES "}\n"},
    {"cylindrical", "  j: {type: multibody.Cylindrical, axis: [0, 1, 1], q1d_0: 1, q2d_0: 2, " PLACES "}\n"},
    {"planar", "  j: {type: multibody.Planar, q1d_0: 1, q3d_0: 2, " PLACES "}\n"},
    {"spherical", "  j: {type: multibody.Spherical, " PLACES "}\n"},
    {"spherical chain", "  j: {type: multibody.Spherical, as: zxz, q2_0: 0.5, q1d_0: 1, " PLACES "}\n"},
    {"free", "  j: {type: multibody.Free, q1d_0: 1, " PLACES "}\n"},
    {"free chain", "  j: {type: multibody.Free, as: xyz, q5d_0: 1, " PLACES "}\n"},
    {"screw", "  j: {type: multibody.Screw, axis: [1, 0, 1], pitch: 0.4, q1d_0: 2, " PLACES "}\n"},
    {"point on line", "  j: {type: multibody.PointOnLine, axis: [1, 0, 1], q1d_0: 2, " PLACES "}\n"},
    {"point on plane", "  j: {type: multibody.PointOnPlane, q1d_0: 2, " PLACES "}\n"},
    {"locked", "  j: {type: multibody.Revolute, axis: x, q0: 0.4, locked: yes, " PLACES "}\n"},
    {"driven", "  j: {type: multibody.Prismatic, axis: x, drive: 0.3 m*sin(2 1/s*time + 0.4), " PLACES "}\n"},
    {"gear", "  j: {type: multibody.Revolute, axis: x, " PLACES "}\n"
             "  gear: {type: mechanical.IdealGear, a: j.shaft, b: swing.shaft, ratio: -2.5}\n"},
    {"rack and pinion", "  j: {type: multibody.Prismatic, axis: x, " PLACES "}\n"
                        "  rack: {type: mechanical.RackPinion, rack: j.shaft, pinion: swing.shaft, r: 0.2}\n"},
    {"spring, damper, friction and load",
     "  j: {type: multibody.Revolute, axis: x, stiffness: 3, rest: 0.1, damping: 0.4, torque: 2 N.m*cos(time*1 rad/s), "
     "friction: {coulomb: 0.5, breakaway: 0.8, stribeck: 0.5, v_eps: 0.2}, " PLACES "}\n"},
    {"bristles",
     "  j: {type: multibody.Prismatic, axis: x, friction: {law: lugre, coulomb: 2, sigma0: 40}, " PLACES "}\n"},
    {"sticking", "  j: {type: multibody.Revolute, axis: x, friction: {law: stick, coulomb: 100}, " PLACES "}\n"},
    {"elastic stops",
     "  j: {type: multibody.Revolute, axis: x, upper: -0.1, stop_stiffness: 50, stop_damping: 0.1, " PLACES "}\n"},
    {"rigid stops",
     "  j: {type: multibody.Revolute, axis: x, upper: 9, lower: -9, stop_restitution: 0.5, " PLACES "}\n"},
    {"a link by its law", "  j: {type: multibody.Revolute, axis: x, " PLACES "}\n"
                          "  s: {type: multibody.PointSpringDamper, a: ground, b: link, a_at: [2, 1, 3], b_at: [0.1, "
                          "0.2, 0.3], stiffness: 8, "
                          "length: 1, slack: 0.2, exponent: 1.4, impact_damping: 0.5, damping: 0.2, force: 0.3 "
                          "N/m2*s.l^2 - 0.1 N.s/m*s.ld}\n"},
    {"a strut", "  j: {type: multibody.Revolute, axis: x, " PLACES "}\n"
                "  s: {type: multibody.Strut, a: ground, b: link, a_at: [2, 1, 3], b_at: [0.1, 0.2, 0.3], rod: rod}\n"
                "  m: {type: mechanical.Mass, flange: rod, m: 2}\n"},
    {"forces and torques",
     "  j: {type: multibody.Universal, axis1: x, axis2: y, " PLACES "}\n"
     "  f: {type: multibody.Force, body: link, at: [0.1, 0.2, 0.3], force: [1, 2, 3], axes: body}\n"
     "  g: {type: multibody.Force, body: carrier, at: [0.1, 0.2, 0.3], force: [-1, 2 N*j.q1, 3]}\n"
     "  t: {type: multibody.Torque, body: link, torque: [1, 2, 3], axes: body}\n"
     "  u: {type: multibody.Torque, body: carrier, torque: [1, 2, 3]}\n"},
    {"written constraint", "  j: {type: multibody.Universal, axis1: x, axis2: y, " PLACES "}\n"
                           "  c: {type: multibody.Constraint, zero: j.q1 - 2*swing.q + 0.1*sin(time*1 rad/s)}\n"},
    {"constraint of velocities",
     "  j: {type: multibody.Planar, " PLACES "}\n"
     "  c: {type: multibody.VelocityConstraint, zero: j.q1d*sin(j.q3) - j.q2d*cos(j.q3) - 0.1 m/s}\n"},
    {"tyre", "  j: {type: multibody.Free, " PLACES "}\n"
             "  t: {type: multibody.Tyre, body: link, radius: 0.6, stiffness: 200, damping: 3, mu: 0.8, height: 0.2 "
             "m*sin(time*1 rad/s)}\n"},
    {"rolling disk", "  j: {type: multibody.Free, " PLACES "}\n"
                     "  t: {type: multibody.RollingDisk, body: link, radius: 0.3, height: -0.2}\n"},
};

TEST(Modelling, EveryPartIsTheSameInAllFormulations) {
  for (const Part& part : parts) {
    SCOPED_TRACE(part.name);
    auto formulate = [&](const std::string& formulation) {
      return equations::Evaluator(
          compile_model(io::parse_model("formulation: " + formulation + "\n" + stand + part.lines, "part.yaml")));
    };
    equations::Evaluator relative = formulate("relative");
    for (const char* formulation : {"absolute", "lagrange"}) {
      equations::Evaluator other = formulate(formulation);
      const analyze::Comparison c = analyze::compare(relative, other, {.random_states = 3, .seed = 7});
      // round-off of accelerations, with the condition of the saddle-point matrix
      EXPECT_LT(c.largest().value, 1e-9) << formulation << ": " << c.largest().where;
      EXPECT_GE(c.states, 2) << formulation;
      for (const std::string& failure : c.failures) ADD_FAILURE() << formulation << ": " << failure;
    }
  }
}

}  // namespace
}  // namespace coenergy::tests
