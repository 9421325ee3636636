#pragma once
#include <cmath>
#include <numbers>

#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Noise: independent random numbers, a new one every sample, held in between. The same seed gives the same numbers on
/// every machine (Park and Miller 1988, two sequences s ← a s mod (2³¹ − 1) with a = 48271 and 69621).
///
///   uniform  y between mean ± √3 deviation,   normal  y = mean + deviation √(−2 ln u₁) cos 2πu₂  (Box and Muller)
///
/// The spectral density (two-sided) below the sampling frequency is deviation²·sample.
struct Noise {
  Parameter mean, deviation, seed;
  Choice kind;
  Sampling sampling;
  Discrete first, second, y;

  void describe(Description& d) {
    d.name("blocks.Noise", "random numbers, a new one every sample; the same seed gives the same numbers");
    d.choice(kind, "kind", {"normal", "uniform"}, "distribution");
    d.parameter(mean, "mean", "any", "mean value").fallback("0");
    d.parameter(deviation, "deviation", "any", "standard deviation").not_negative().fallback("1");
    d.parameter(seed, "seed", "", "whole number that chooses the sequence").between(0, 1e9).fallback("1");
    sampling.describe_needed(d);
    d.variable(first, "first", "", "state of the first sequence");
    d.variable(second, "second", "", "state of the second sequence");
    d.variable(y, "y", "", "output");
  }

  void equations(Equations& eq) const {
    if (eq.number(seed) != std::floor(eq.number(seed))) eq.refuse("seed must be a whole number");
    constexpr double modulus = 2147483647;
    // all products are whole numbers below 2^53, which doubles hold exactly
    const auto next = [&](const Expr& s, double a) { return a * s - modulus * floor(a * s / modulus); };
    // the first numbers of neighbouring seeds are scattered by a step of each sequence
    const Expr start = 1 + eq[seed];
    const Expr s1 = next(select(eq[first], eq[first], next(start, 69621)), 48271);
    const Expr s2 = next(select(eq[second], eq[second], next(start, 48271)), 69621);
    const Expr u1 = s1 / modulus, u2 = s2 / modulus;
    const Expr standard =
        eq[kind] == "uniform" ? std::sqrt(3.0) * (2 * u1 - 1) : sqrt(-2 * log(u1)) * cos(2 * std::numbers::pi * u2);
    sampling.update(eq, first, s1);
    sampling.update(eq, second, s2);
    sampling.update(eq, y, eq[mean] + eq[deviation] * standard);
  }
};

}  // namespace coenergy::domains::blocks
