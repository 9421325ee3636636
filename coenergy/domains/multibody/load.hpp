#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// A given force (N) at a point of a body. The components may be any expressions of time and signals; with
/// `axes: body` they turn with the body. Supplies f·v.
struct Force {
  Frame body;
  Vector at, force;
  Choice axes;

  void describe(Description& d) {
    d.name("multibody.Force", "given force at a point of a body");
    d.port(body, "body", "the body it acts on");
    d.parameter(at, "at", "m", "point in the body").fallback("[0, 0, 0]");
    d.parameter(force, "force", "N", "components of the force").varying();
    d.choice(axes, "axes", {"world", "body"}, "axes of the components");
    for (const char* name : {"fx", "fy", "fz"}) d.output(name, "N", "force on the body, in world axes");
  }
  std::vector<Shape> drawing(Equations& eq) const {
    const std::vector<double> point = eq.numbers(at);
    return {{.kind = "force", .points = {{body, {point[0], point[1], point[2]}}}}};
  }
  void equations(Equations& eq) const {
    const FrameMotion frame = eq.frame(body);
    const PointMotion point = make_point(frame, eq[at]);
    const Vec3 f = eq[axes] == "body" ? frame.R_WB * eq[force] : eq[force];
    apply_at(eq, body, point, f);
    eq.supplied(dot(f, point.v));
    eq.output("fx", "N", f[0]);
    eq.output("fy", "N", f[1]);
    eq.output("fz", "N", f[2]);
  }
};

/// A given torque (N.m) on a body, in world or body axes. Supplies τ·ω.
struct Torque {
  Frame body;
  Vector torque;
  Choice axes;

  void describe(Description& d) {
    d.name("multibody.Torque", "given torque on a body");
    d.port(body, "body", "the body it acts on");
    d.parameter(torque, "torque", "N.m", "components of the torque").varying();
    d.choice(axes, "axes", {"world", "body"}, "axes of the components");
  }
  void equations(Equations& eq) const {
    const FrameMotion frame = eq.frame(body);
    const Vec3 t = eq[axes] == "body" ? frame.R_WB * eq[torque] : eq[torque];
    eq.apply(body, {}, t);
    eq.supplied(dot(t, frame.R_WB * frame.w_WB_B));
  }
};

}  // namespace coenergy::domains::multibody
