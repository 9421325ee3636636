#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Multiplexer: signals and vectors of signals under one name, y_k = u_k. m.y stands for all of them in lists, also in
/// expressions, element by element: `u: ["2*m.y - r.y"]`.
struct Mux {
  List u;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Mux", "multiplexer: many signals under one name, a vector");
    d.parameter(u, "u", "any", "signals and vectors").varying();
    sampling.describe(d);
    d.outputs_by("y", "", [u = u](const auto& size) { return size(u); });
  }

  void equations(Equations& eq) const {
    const std::vector<Expr> in = eq[u];
    if (in.empty()) eq.refuse("u has no input");
    for (std::size_t k = 0; k < in.size(); ++k)
      sampling.output(eq, in.size() == 1 ? "y" : "y" + std::to_string(k + 1), in[k]);
  }
};

}  // namespace coenergy::domains::blocks
