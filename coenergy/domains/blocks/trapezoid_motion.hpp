#pragma once
#include "coenergy/domains/blocks/motion_profile.hpp"

namespace coenergy::domains::blocks {

/// Motion with a trapezoid of velocity: constant acceleration up to v_max, constant velocity, the same deceleration;
/// where the way is too short for v_max a triangle. With t_a = min(v_max/a_max, √(D/a_max)) and D = |to − from|
///
///   duration = D/(a_max t_a) + t_a
///
/// Without v_max it is a triangle always: the shortest motion with this acceleration (bang-bang).
struct TrapezoidMotion {
  Parameter from, to, v_max, a_max, start;

  void describe(Description& d) {
    d.name("blocks.TrapezoidMotion", "motion from one position to another with limited velocity and acceleration");
    d.parameter(from, "from", "any", "position before").fallback("0");
    d.parameter(to, "to", "any", "position after");
    d.parameter(v_max, "v_max", "any", "largest velocity; without it none (bang-bang)").positive().optional();
    d.parameter(a_max, "a_max", "any", "acceleration and deceleration").positive();
    d.parameter(start, "start", "s", "time at which it begins").fallback("0 s");
    d.output("y", "", "position");
    d.output("v", "", "velocity");
    d.output("a", "", "acceleration");
    d.output("duration", "s", "time that the motion takes");
  }

  void equations(Equations& eq) const {
    if (eq.number(from) == eq.number(to)) eq.refuse("from and to are equal: there is no motion");
    const Expr way = eq[to] - eq[from], D = abs(way), A = eq[a_max], a = sign(way) * A;
    const Expr triangle = sqrt(D / A), rise = eq.has(v_max) ? min(eq[v_max] / A, triangle) : triangle;
    const Expr cruise = D / (A * rise) - rise;
    write_motion(eq, {2, {{0, a}, {rise, -a}, {rise + cruise, -a}, {2 * rise + cruise, a}}}, eq[start],
                 2 * rise + cruise, eq[from], eq[to]);
  }
};

}  // namespace coenergy::domains::blocks
