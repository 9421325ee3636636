#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Rate limiter: y follows u no faster than `rising` and not downwards faster than `falling`; y = u at the start.
///
/// Continuous: ẏ = u̇ while y = u and −falling ≤ u̇ ≤ rising; else ẏ = rising or −falling until y meets u. Both are located
/// events, and so is the y left behind where u jumps. The rate u̇ must be known: u is a function of time, states,
/// positions and what follows from them. Sampled: y_k = y_{k−1} + (u_k − y_{k−1}) held within −falling·T … rising·T.
struct RateLimiter {
  Parameter u, rising, falling;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.RateLimiter", "rate limiter: y follows u within -falling and rising");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(rising, "rising", "any", "largest rate upwards").positive();
    d.parameter(falling, "falling", "any", "largest rate downwards, positive; without it rising").positive().optional();
    sampling.describe(d);
    d.output("y", "", "output");
    d.output("limited", "", "1 while it rises and -1 while it falls at a limit, else 0");
  }

  void equations(Equations& eq) const {
    const Expr up = eq[rising], down = eq.has(falling) ? eq[falling] : up;
    sampling.given(eq) ? write_sampled(eq, up, down) : write_continuous(eq, up, down);
  }

 private:
  void write_sampled(Equations& eq, const Expr& up, const Expr& down) const {
    const Discrete y = eq.make_discrete("y", "", 0), begun = eq.make_discrete("begun", "", 0);
    const Expr T = eq[sampling.period], step = eq[u] - eq[y];
    sampling.update(eq, y, select(eq[begun], eq[y] + min(max(step, -down * T), up * T), eq[u]));
    sampling.update(eq, begun, 1);
    eq.output("limited", "", logical_and(eq[begun], less(eq[y], eq[u])) - logical_and(eq[begun], less(eq[u], eq[y])));
  }

  /// z is the state, moved by `shift` so that it meets u at the start; `side` tells where y is held back.
  void write_continuous(Equations& eq, const Expr& up, const Expr& down) const {
    constexpr double round_off = 1e-6;  // of u: smaller differences at an event are no jump
    const State z = eq.make_state("z", "", 0);
    const Discrete shift = eq.make_discrete("shift", "", 0), side = eq.make_discrete("side", "", 2);
    const Expr in = eq[u], rate = eq.time_derivative(in), own = eq[z] + eq[shift], gap = in - own;
    const Expr starts = equal(eq[side], 2), follows = equal(eq[side], 0), rises = less(0, eq[side]);
    const Expr same = less_equal(abs(gap), round_off * max(abs(in), abs(own)));
    const Expr left_above = logical_or(less(up, rate), logical_and(logical_not(same), less(0, gap)));
    const Expr left_below = logical_or(less(rate, -down), logical_and(logical_not(same), less(gap, 0)));
    const Expr leaves = select(left_above, 1, select(left_below, -1, 0));
    // it meets u where u does not run away again, or has been passed by a jump of u
    const Expr passed = logical_and(logical_not(same), select(rises, less(gap, 0), less(0, gap)));
    const Expr reaches = select(rises, logical_and(less_equal(gap, 0), less_equal(rate, up)),
                                logical_and(less_equal(0, gap), less_equal(-down, rate)));
    const Expr meets = logical_or(passed, reaches);
    eq.mode(shift, select(logical_or(starts, logical_and(follows, same)), eq[shift] + gap, eq[shift]));
    // what meets u may pass it at once: it is decided anew as if it followed
    eq.mode(side, select(starts, 0, select(follows, leaves, select(meets, 0, eq[side]))));
    eq.indicator("limit", select(follows, max(rate - up, -down - rate), select(rises, -gap, gap)));
    eq.zero(z, eq.der(z) - select(logical_or(follows, starts), rate, select(rises, up, -down)));
    eq.output("y", "", select(logical_or(follows, starts), in, own));
    eq.output("limited", "", select(starts, 0, eq[side]));
  }
};

}  // namespace coenergy::domains::blocks
