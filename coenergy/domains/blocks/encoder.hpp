#pragma once
#include <cmath>
#include <numbers>

#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Incremental encoder with two tracks in quadrature: of each line 4 counts,
///
///   count = ⌊4 lines φ/2π⌋,   y = 2π count/(4 lines),   a = 1 for count mod 4 ∈ {0, 1},  b = 1 for {1, 2},
///   index = 1 where count is a multiple of a whole turn
///
/// φ angle (rad). Every count is a located event; sampled, the count is read at samples.
struct Encoder {
  Parameter angle, lines;
  Sampling sampling;
  Discrete count;

  void describe(Description& d) {
    d.name("blocks.Encoder", "incremental encoder: 4*lines counts per turn, tracks a and b, index");
    d.parameter(angle, "angle", "rad", "angle that is measured").varying();
    d.parameter(lines, "lines", "", "lines per turn, a whole number").at_least(1);
    sampling.describe(d);
    d.variable(count, "count", "", "counts, positive with the angle");
    d.output("y", "rad", "angle that the count stands for");
    d.output("a", "", "first track, 1 or 0");
    d.output("b", "", "second track, a quarter of a line behind");
    d.output("index", "", "1 in the first count of every turn");
  }

  void equations(Equations& eq) const {
    if (eq.number(lines) != std::floor(eq.number(lines))) eq.refuse("lines must be a whole number");
    const Expr per_turn = 4 * eq[lines], k = eq[count], x = eq[angle] * per_turn / (2 * std::numbers::pi);
    const auto part = [](const Expr& n, const Expr& of) { return n - of * floor(n / of); };
    sampling.update_or_mode(eq, count, floor(x));
    if (!sampling.given(eq)) eq.indicator("count", max(k - x, x - k - 1));
    const Expr quarter = part(k, 4);
    eq.output("y", "rad", k * (2 * std::numbers::pi) / per_turn);
    eq.output("a", "", less(quarter, 1.5));
    eq.output("b", "", logical_and(less(0.5, quarter), less(quarter, 2.5)));
    eq.output("index", "", equal(part(k, per_turn), 0));
  }
};

}  // namespace coenergy::domains::blocks
