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
  bool given(Equations& eq) const { return eq.has(period); }
  void update(Equations& eq, Discrete variable, const Expr& value) const {
    eq.sample(variable, eq[period], eq[offset], value);
  }

 private:
  void describe_offset(Description& d) {
    d.parameter(offset, "offset", "s", "time of the first sample").not_negative().fallback("0 s").used_with(period);
  }
};

}  // namespace coenergy::domains::blocks
