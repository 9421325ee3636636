#pragma once
#include <cmath>

#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Demultiplexer: some elements of a vector, y_k = u_{pick_k}, in any order and as often as wanted.
struct Demux {
  List u, pick;

  void describe(Description& d) {
    d.name("blocks.Demux", "demultiplexer: elements of a vector by their numbers");
    d.parameter(u, "u", "any", "vector, or signals").varying();
    d.parameter(pick, "pick", "", "numbers of the elements, from 1 on").at_least(1);
    d.outputs_by("y", "", [pick = pick](const auto& size) { return size(pick); });
  }

  void equations(Equations& eq) const {
    const std::vector<Expr> in = eq[u];
    const std::vector<double> numbers = eq.numbers(pick);
    if (numbers.empty()) eq.refuse("pick names no element");
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const double n = numbers[k];
      if (n != std::floor(n) || n > static_cast<double>(in.size()))
        eq.refuse("pick must be whole numbers up to " + std::to_string(in.size()) + ", the elements of u");
      eq.output(numbers.size() == 1 ? "y" : "y" + std::to_string(k + 1), "", in[static_cast<std::size_t>(n) - 1]);
    }
  }
};

}  // namespace coenergy::domains::blocks
