#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Selector: y = u_k, k the whole number nearest to index (1, 2, …), held within the number of inputs. A change of k is
/// a located event.
struct Selector {
  Parameter index;
  List u;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Selector", "selector: y = input number index (1, 2, ...)");
    d.parameter(index, "index", "", "number of the input").varying();
    d.parameter(u, "u", "any", "inputs").varying();
    sampling.describe(d);
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    const std::vector<Expr> in = eq[u];
    if (in.empty()) eq.refuse("u has no input");
    Expr y = in[0];
    for (std::size_t k = 1; k < in.size(); ++k)
      y = select(sampling.relation(eq, "index", eq[index] - (static_cast<double>(k) + 0.5)), in[k], y);
    sampling.output(eq, "y", y);
  }
};

}  // namespace coenergy::domains::blocks
