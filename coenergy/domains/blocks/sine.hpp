#pragma once
#include <numbers>

#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Sine: y = offset + amplitude sin(2π frequency t + phase).
struct Sine {
  Parameter amplitude, frequency, phase, offset;

  void describe(Description& d) {
    d.name("blocks.Sine", "sine: y = offset + amplitude*sin(2*pi*frequency*time + phase)");
    d.parameter(amplitude, "amplitude", "any", "half of peak to peak").fallback("1");
    d.parameter(frequency, "frequency", "Hz", "periods per second").not_negative();
    d.parameter(phase, "phase", "rad", "angle at time 0").fallback("0 rad");
    d.parameter(offset, "offset", "any", "mean value").fallback("0");
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    const Expr angle = 2 * std::numbers::pi * eq[frequency] * eq.time() + eq[phase];
    eq.output("y", "", eq[offset] + eq[amplitude] * sin(angle));
  }
};

}  // namespace coenergy::domains::blocks
