#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Product and quotient: y = u₁ u₂ …/(v₁ v₂ …), u the entries of `u` and v those of `by`.
struct Product {
  List u, by;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Product", "product: y = u1*u2*.../(by1*by2*...)");
    d.parameter(u, "u", "any", "factors").varying();
    d.parameter(by, "by", "any", "what the product is divided by").varying().optional();
    sampling.describe(d);
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    Expr y = 1;
    for (const Expr& factor : eq[u]) y *= factor;
    for (const Expr& divisor : eq[by]) y /= divisor;
    sampling.output(eq, "y", y);
  }
};

}  // namespace coenergy::domains::blocks
