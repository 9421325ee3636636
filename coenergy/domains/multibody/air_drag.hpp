#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// Wind resistance: F = −½ ρ c_w A |u| u at a point of a body, u = v − wind (world axes).
///
/// ρ density of the air (kg/m³), c_w drag coefficient, A area (m²); the wind (m/s) may vary. Near u = 0 |u| counts as
/// √(u² + (1 µm/s)²). Turns −F·u into heat; the wind supplies F·wind.
struct AirDrag {
  Frame body;
  Vector at, wind;
  Parameter area, drag, rho;

  void describe(Description& d) {
    d.name("multibody.AirDrag", "wind resistance at a point of a body: F = -rho/2*c_w*area*|u|*u, u = v - wind");
    d.port(body, "body", "the body it acts on");
    d.parameter(at, "at", "m", "point in the body").fallback("[0, 0, 0]");
    d.parameter(area, "area", "m2", "area that the air sees").positive();
    d.parameter(drag, "c_w", "", "drag coefficient").not_negative();
    d.parameter(rho, "rho", "kg/m3", "density of the air").positive().fallback("1.2 kg/m3");
    d.parameter(wind, "wind", "m/s", "velocity of the air in world axes").varying().fallback("[0, 0, 0]");
    d.output("f", "N", "size of the force");
  }

  void equations(Equations& eq) const {
    constexpr double slow = 1e-6;  // m/s
    const FrameMotion frame = eq.frame(body);
    const PointMotion point = make_point(frame, eq[at]);
    const Vec3 air = eq[wind], u = point.v - air;
    const Expr speed = sqrt(dot(u, u) + slow * slow);
    const Vec3 force = (-eq[rho] * eq[drag] * eq[area] / 2 * speed) * u;
    apply_at(eq, body, point, force);
    eq.supplied(dot(force, air));
    eq.dissipated(-dot(force, u));
    eq.output("f", "N", eq[rho] * eq[drag] * eq[area] / 2 * speed * speed);
  }
};

}  // namespace coenergy::domains::multibody
