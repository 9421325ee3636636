#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// The entries `sample` and `offset` of a block that can be sampled: at t = offset + k·sample, in the order of the
/// signal flow, its inputs just before the instant (see ZeroOrderHold).
struct Sampling {
  Parameter period, offset;

  void describe(Description& d) {
    d.parameter(period, "sample", "s", "sampling period; without it the block is continuous").positive().optional();
    describe_offset(d);
  }
  /// Of a block that is sampled always.
  void describe_needed(Description& d) {
    d.parameter(period, "sample", "s", "sampling period").positive();
    describe_offset(d);
  }
  /// Not where the block describes none.
  bool given(Equations& eq) const { return period.index >= 0 && eq.has(period); }
  void update(Equations& eq, Discrete variable, const Expr& value) const {
    eq.sample(variable, eq[period], eq[offset], value);
  }
  /// y as an output; held between samples where the block is sampled.
  void output(Equations& eq, const std::string& name, const Expr& y) const {
    if (!given(eq)) return eq.output(name, "", y);
    update(eq, eq.make_discrete(name, "", 0), y);
  }
  /// g > 0 as a located event; in a sampled block as it is at the sample.
  Expr relation(Equations& eq, const std::string& name, const Expr& g) const {
    return given(eq) ? less(0, g) : eq.relation(name, g);
  }
  /// The same at samples, or at every event where the block is continuous.
  void update_or_mode(Equations& eq, Discrete variable, const Expr& value) const {
    if (given(eq))
      update(eq, variable, value);
    else
      eq.mode(variable, value);
  }

 private:
  void describe_offset(Description& d) {
    d.parameter(offset, "offset", "s", "time of the first sample").not_negative().fallback("0 s").used_with(period);
  }
};

}  // namespace coenergy::domains::blocks
