#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::mechanical {

/// Rack and pinion, wheel on a track, winch or screw: s = r φ, without losses.
///
/// r (m/rad) > 0: pinion radius, or lead/2π of a screw. f is the force (N) with which the rack pushes the pinion in the
/// direction of s; the pinion pushes the rack with −f and takes the torque −r f from its shaft.
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
    d.variable(f, "f", "N", "force of the rack on the pinion, in the direction of s");
  }

  void equations(Equations& eq) const {
    if (eq[pinion].is_number() && eq[rack].is_number()) eq.refuse("both parts are connected to ground");
    eq.constraint(f, eq[rack] - eq[r] * eq[pinion]);
  }
};

}  // namespace coenergy::domains::mechanical
