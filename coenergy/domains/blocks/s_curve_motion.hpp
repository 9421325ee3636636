#pragma once
#include "coenergy/domains/blocks/motion_profile.hpp"

namespace coenergy::domains::blocks {

/// Motion with limited jerk (S-curve): seven pieces of constant jerk ±j. With D = |to − from|
///
///   t_j time of each jerk, t_a of the whole acceleration, t_v of constant velocity,  duration = 2 t_a + t_v
///   t_j = min(a_max/j, √(v/j)), t_a = t_j + v/(j t_j)   for the velocity v that is reached, v (t_a + t_v) = D
///
/// v is v_max, or less where the way is too short: with constant acceleration between the jerks the root of
/// v (a_max/j + v/a_max) = D, without it v = (D²j/4)^⅓.
struct SCurveMotion {
  Parameter from, to, v_max, a_max, j_max, start;

  void describe(Description& d) {
    d.name("blocks.SCurveMotion", "motion from one position to another with limited velocity, acceleration and jerk");
    d.parameter(from, "from", "any", "position before").fallback("0");
    d.parameter(to, "to", "any", "position after");
    d.parameter(v_max, "v_max", "any", "largest velocity").positive();
    d.parameter(a_max, "a_max", "any", "largest acceleration").positive();
    d.parameter(j_max, "j_max", "any", "jerk, the rate of the acceleration").positive();
    d.parameter(start, "start", "s", "time at which it begins").fallback("0 s");
    d.output("y", "", "position");
    d.output("v", "", "velocity");
    d.output("a", "", "acceleration");
    d.output("duration", "s", "time that the motion takes");
  }

  void equations(Equations& eq) const {
    if (eq.number(from) == eq.number(to)) eq.refuse("from and to are equal: there is no motion");
    const Expr way = eq[to] - eq[from], D = abs(way), A = eq[a_max], J = eq[j_max], j = sign(way) * J;
    // the velocity that is reached: √(v/j) ≤ a_max/j there, or not
    const Expr without = pow(D * D * J / 4, 1.0 / 3), with = A / 2 * (sqrt(A * A / (J * J) + 4 * D / A) - A / J);
    const Expr v = min(eq[v_max], select(less_equal(without * J, A * A), without, with));
    const Expr jerk = min(A / J, sqrt(v / J)), rise = jerk + v / (J * jerk), cruise = D / v - rise;
    const Expr fall = rise + cruise, end = fall + rise;
    write_motion(
        eq,
        {3,
         {{0, j}, {jerk, -j}, {rise - jerk, -j}, {rise, j}, {fall, -j}, {fall + jerk, j}, {end - jerk, j}, {end, -j}}},
        eq[start], end, eq[from], eq[to]);
  }
};

}  // namespace coenergy::domains::blocks
