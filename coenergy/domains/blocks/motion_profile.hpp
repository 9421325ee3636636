#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Sum of c_i (τ − t_i)₊ⁿ/n!: position (order 0), velocity, acceleration of a motion whose highest derivative is
/// piecewise constant and changes by c_i at t_i. `order` counts derivatives.
struct MotionProfile {
  struct Corner {
    Expr time, change;
  };
  int degree;  ///< of the position: 2 with constant acceleration, 3 with constant jerk
  std::vector<Corner> corners;

  Expr at(const Expr& tau, int order) const {
    Expr sum = 0;
    const int n = degree - order;
    double factorial = 1;
    for (int k = 2; k <= n; ++k) factorial *= k;
    for (const Corner& c : corners)
      sum += c.change * (n == 0 ? less_equal(c.time, tau) : pow(max(tau - c.time, 0), n)) / factorial;
    return sum;
  }
};

/// What all motions from one position to another show: y, v and a, at rest before the start and after the end. Corners
/// are located events.
inline void write_motion(Equations& eq, const MotionProfile& profile, const Expr& begin, const Expr& duration,
                         const Expr& from, const Expr& to) {
  const Expr since = eq.time() - begin, tau = min(max(since, 0), duration), moves = less(since, duration);
  for (const MotionProfile::Corner& c : profile.corners) eq.indicator("corner", since - c.time);
  eq.output("y", "", select(moves, from + profile.at(tau, 0), to));
  eq.output("v", "", select(moves, profile.at(tau, 1), 0));
  eq.output("a", "", select(logical_and(moves, less_equal(0, since)), profile.at(tau, 2), 0));
  eq.output("duration", "s", duration);
}

}  // namespace coenergy::domains::blocks
