#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::mechanical {

/// Rack and pinion, wheel on a track, winch or screw: s = r φ, without losses.
///
/// r (m/rad) > 0: pinion radius, or lead/2π of a screw. f is the force (N) that enters at the rack; the pinion then
/// takes the torque −r f.
struct RackPinion {
  Rotational pinion;
  Translational rack;
  Parameter r;
  Multiplier f;

  void describe(Description& d) {
    d.name("mechanical.RackPinion", "rack and pinion (wheel, winch, screw): s = r phi");
    d.port(pinion, "pinion", "rotating part");
    d.port(rack, "rack", "sliding part");
    d.parameter(r, "r", "m/rad", "pinion radius").positive();
    d.variable(f, "f", "N", "force into the rack");
  }

  void equations(Equations& eq) const {
    if (eq[pinion].is_number() && eq[rack].is_number()) eq.refuse("both parts are connected to ground");
    eq.constraint(f, eq[rack] - eq[r] * eq[pinion]);
  }
};

}  // namespace coenergy::domains::mechanical
