#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Backlash (play): y stays while |u − y| ≤ width/2 and is pushed along by u at either side of the play.
///
/// Continuous: pushed, ẏ = u̇; free, ẏ = 0; where the push begins and ends is a located event, and where u jumps y is
/// moved by what is missing. The rate u̇ must be known (see RateLimiter). Sampled: y_k = y_{k−1} held within
/// u_k ± width/2. At the start y is y0, or the nearest value to it that the play allows.
struct Backlash {
  Parameter u, width, y0;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Backlash", "backlash: y stays within half the width of u, pushed by its sides");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(width, "width", "any", "play between the sides").not_negative();
    d.parameter(y0, "y0", "any", "output at the start, where the play allows it").fallback("0");
    sampling.describe(d);
    d.output("y", "", "output");
    d.output("contact", "", "1 while pushed upwards, -1 while pushed downwards, 0 between");
  }

  void equations(Equations& eq) const { sampling.given(eq) ? write_sampled(eq) : write_continuous(eq); }

 private:
  void write_sampled(Equations& eq) const {
    const Discrete y = eq.make_discrete("y", "", eq.number(y0));
    const Expr half = eq[width] / 2;
    sampling.update(eq, y, min(max(eq[y], eq[u] - half), eq[u] + half));
    eq.output("contact", "", less_equal(eq[y], eq[u] - half) - less_equal(eq[u] + half, eq[y]));
  }

  /// y = z + shift, z a state.
  void write_continuous(Equations& eq) const {
    constexpr double round_off = 1e-6;  // of the width
    const State z = eq.make_state("z", "", 0);
    const Discrete shift = eq.make_discrete("shift", "", eq.number(y0)), side = eq.make_discrete("side", "", 0);
    const Expr in = eq[u], rate = eq.time_derivative(in), own = eq[z] + eq[shift], half = eq[width] / 2;
    const Expr above = in - half - own, below = own - in - half;  // how far the sides have passed y
    const Expr up = less(0, eq[side]), down = less(eq[side], 0), loose = -round_off * eq[width];
    const Expr pushes_up = select(up, logical_and(less_equal(0, rate), less_equal(loose, above)), less(0, above));
    const Expr pushes_down = select(down, logical_and(less_equal(rate, 0), less_equal(loose, below)), less(0, below));
    eq.mode(shift, eq[shift] + max(above, 0) - max(below, 0));
    eq.mode(side, select(pushes_up, 1, select(pushes_down, -1, 0)));
    eq.indicator("side", select(up, -rate, select(down, rate, max(above, below))));
    eq.zero(z, eq.der(z) - select(logical_or(up, down), rate, 0));
    eq.output("y", "", min(max(own, in - half), in + half));
    eq.output("contact", "", eq[side]);
  }
};

}  // namespace coenergy::domains::blocks
