#pragma once
#include <algorithm>

#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Matrix gain: y = K u, with one row of K for each output y1, y2, … (y where there is one).
struct MatrixGain {
  List u, K;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.MatrixGain", "matrix gain: y = K u");
    d.parameter(u, "u", "any", "inputs").varying();
    d.parameter(K, "K", "any", "matrix, one row for each output");
    sampling.describe(d);
    d.outputs_by("y", "", [u = u, K = K](const auto& size) { return size(K) / std::max<std::size_t>(1, size(u)); });
  }

  void equations(Equations& eq) const {
    const std::vector<Expr> in = eq[u], k = eq[K];
    if (in.empty()) eq.refuse("u has no input");
    if (k.empty() || k.size() % in.size() != 0)
      eq.refuse("K has " + std::to_string(k.size()) + " entries; it needs rows of " + std::to_string(in.size()));
    const std::size_t rows = k.size() / in.size();
    for (std::size_t i = 0; i < rows; ++i) {
      Expr y = 0;
      for (std::size_t j = 0; j < in.size(); ++j) y += k[i * in.size() + j] * in[j];
      sampling.output(eq, rows == 1 ? "y" : "y" + std::to_string(i + 1), y);
    }
  }
};

}  // namespace coenergy::domains::blocks
