#pragma once
#include "coenergy/domains/drives/axes.hpp"

namespace coenergy::domains::drives {

/// Clarke's transformation of three phases into fixed axes, amplitude-invariant:
///
///   α = ⅔ (a − ½ b − ½ c),   β = (b − c)/√3,   zero = ⅓ (a + b + c)
struct Clarke {
  Phases x;

  void describe(Description& d) {
    d.name("drives.Clarke", "three phases in fixed axes: alpha, beta, zero (amplitude-invariant)");
    x.describe(d, "", "any", "phase");
    for (const char* name : {"alpha", "beta", "zero"}) d.output(name, "", "component");
  }
  void equations(Equations& eq) const {
    const std::array<Expr, 3> phases = x(eq);
    const Axes axes = to_axes(phases, 0);
    eq.output("alpha", "", axes.d);
    eq.output("beta", "", axes.q);
    eq.output("zero", "", (phases[0] + phases[1] + phases[2]) / 3);
  }
};

/// Park's transformation of three phases into axes at an angle, amplitude-invariant:
///
///   d = ⅔ Σ x_k cos(angle − k 2π/3),   q = −⅔ Σ x_k sin(angle − k 2π/3),   zero = ⅓ Σ x_k
struct Park {
  Phases x;
  Parameter angle;

  void describe(Description& d) {
    d.name("drives.Park", "three phases in axes that turn: d, q, zero (amplitude-invariant)");
    x.describe(d, "", "any", "phase");
    d.parameter(angle, "angle", "rad", "of the d axis against phase a").varying();
    for (const char* name : {"d", "q", "zero"}) d.output(name, "", "component");
  }
  void equations(Equations& eq) const {
    const std::array<Expr, 3> phases = x(eq);
    const Axes axes = to_axes(phases, eq[angle]);
    eq.output("d", "", axes.d);
    eq.output("q", "", axes.q);
    eq.output("zero", "", (phases[0] + phases[1] + phases[2]) / 3);
  }
};

/// Back again: x_k = d cos(angle − k 2π/3) − q sin(angle − k 2π/3) + zero.
struct InversePark {
  Parameter along, across, zero, angle;

  void describe(Description& d) {
    d.name("drives.InversePark", "three phases of axes that turn: a, b, c of d, q, zero");
    d.parameter(along, "d", "any", "component along the axis").varying();
    d.parameter(across, "q", "any", "component across it").varying();
    d.parameter(zero, "zero", "any", "zero sequence").fallback("0").varying();
    d.parameter(angle, "angle", "rad", "of the d axis against phase a").varying();
    for (const char* name : {"a", "b", "c"}) d.output(name, "", "phase");
  }
  void equations(Equations& eq) const {
    const std::array<Expr, 3> phases = to_phases({eq[along], eq[across]}, eq[angle]);
    for (std::size_t k = 0; k < 3; ++k) eq.output(std::string(1, static_cast<char>('a' + k)), "", phases[k] + eq[zero]);
  }
};

}  // namespace coenergy::domains::drives
