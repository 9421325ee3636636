#pragma once
#include "coenergy/domains/drives/axes.hpp"

namespace coenergy::domains::drives {

/// Sampled phase-locked loop of three voltages u_k = U cos(θ − k 2π/3) (S.-K. Chung: A phase tracking system for three phase
/// utility interface inverters, 2000):
///
///   e = u_q/|u| = sin(θ − θ̂),   ω̂ = x + 2 ζ ω_b e,   x ← x + T ω_b² e,   θ̂ ← θ̂ + T ω̂
///
/// ω_b bandwidth (rad/s), ζ damping. Between samples the angle goes on with ω̂.
struct Pll {
  Phases u;
  Parameter frequency, bandwidth, damping, sample;
  Discrete theta, x, w, begin;

  void describe(Description& d) {
    d.name("drives.Pll", "sampled phase-locked loop of three voltages: angle and frequency");
    u.describe(d, "u", "any", "voltage of phase");
    d.parameter(frequency, "frequency", "Hz", "at the start").fallback("50 Hz");
    d.parameter(bandwidth, "bandwidth", "rad/s", "how fast the angle follows").positive();
    d.parameter(damping, "damping", "", "of the loop").positive().fallback("0.707");
    d.parameter(sample, "sample", "s", "sampling period").positive();
    d.variable(theta, "theta", "rad", "angle at the last sample");
    d.variable(x, "x", "rad/s", "deviation of the angular frequency, without the proportional part");
    d.variable(w, "w", "rad/s", "deviation of the angular frequency");
    d.variable(begin, "begin", "s", "time of the last sample");
    d.output("angle", "rad", "angle of the voltages");
    d.output("f", "Hz", "frequency");
    d.output("u_d", "", "voltage along the axis");
    d.output("u_q", "", "voltage across the axis: zero where the loop is locked");
  }

  void equations(Equations& eq) const {
    const Expr T = eq[sample], rated = 2 * std::numbers::pi * eq[frequency], wb = eq[bandwidth];
    const Expr angle = eq[theta] + (rated + eq[w]) * (eq.time() - eq[begin]);
    const Axes v = to_axes(u(eq), angle);
    constexpr double least = 1e-12;
    const Expr e = v.q / sqrt(v.d * v.d + v.q * v.q + least);
    eq.sample(theta, T, 0, angle);
    eq.sample(begin, T, 0, eq.time());
    eq.sample(x, T, 0, eq[x] + T * wb * wb * e);
    eq.sample(w, T, 0, eq[x] + T * wb * wb * e + 2 * eq[damping] * wb * e);
    eq.output("angle", "rad", angle);
    eq.output("f", "Hz", eq[frequency] + eq[w] / (2 * std::numbers::pi));
    eq.output("u_d", "", v.d);
    eq.output("u_q", "", v.q);
  }
};

}  // namespace coenergy::domains::drives
