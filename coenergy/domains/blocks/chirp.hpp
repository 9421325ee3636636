#pragma once
#include <numbers>

#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Swept sine: y = offset + amplitude sin θ, θ̇ = 2π f. The frequency f goes from f0 at `start` to f1 at start + duration,
/// linearly or exponentially, and stays there; before the start y = offset + amplitude sin(phase).
struct Chirp {
  Parameter amplitude, f0, f1, duration, start, phase, offset;
  Choice sweep;

  void describe(Description& d) {
    d.name("blocks.Chirp", "swept sine: the frequency goes from f0 to f1 within the duration");
    d.parameter(amplitude, "amplitude", "any", "half of peak to peak").fallback("1");
    d.parameter(f0, "f0", "Hz", "frequency at the start").positive();
    d.parameter(f1, "f1", "Hz", "frequency at the end").positive();
    d.parameter(duration, "duration", "s", "time of the sweep").positive();
    d.choice(sweep, "sweep", {"linear", "exponential"}, "how the frequency grows");
    d.parameter(start, "start", "s", "time at which it begins").fallback("0 s");
    d.parameter(phase, "phase", "rad", "angle at the start").fallback("0 rad");
    d.parameter(offset, "offset", "any", "mean value").fallback("0");
    d.output("y", "", "output");
    d.output("f", "Hz", "frequency");
  }

  void equations(Equations& eq) const {
    const Expr since = eq.time() - eq[start], T = eq[duration], a = eq[f0], b = eq[f1];
    eq.indicator("start", since);
    eq.indicator("end", since - T);
    const Expr tau = min(max(since, 0), T), after = max(since - T, 0);
    const bool linear = eq[sweep] == "linear" || eq.number(f0) == eq.number(f1);
    const Expr growth = log(b / a), f = linear ? a + (b - a) * tau / T : a * exp(growth * tau / T);
    const Expr turns = linear ? a * tau + (b - a) * tau * tau / (2 * T) : a * T / growth * (exp(growth * tau / T) - 1);
    eq.output("y", "", eq[offset] + eq[amplitude] * sin(2 * std::numbers::pi * (turns + b * after) + eq[phase]));
    eq.output("f", "Hz", f);
  }
};

}  // namespace coenergy::domains::blocks
