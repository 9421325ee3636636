#pragma once
#include <array>
#include <cstddef>

namespace coenergy::solve {

/// Weights of the values at `nodes` for the polynomial through those of nodes first … first + used − 1; the others are
/// 0.
template <std::size_t count>
std::array<double, count> lagrange(const std::array<double, count>& nodes, double at, std::size_t first = 0,
                                   std::size_t used = count) {
  std::array<double, count> weights{};
  for (std::size_t i = first; i < first + used; ++i) {
    weights[i] = 1;
    for (std::size_t j = first; j < first + used; ++j)
      if (j != i) weights[i] *= (at - nodes[j]) / (nodes[i] - nodes[j]);
  }
  return weights;
}

}  // namespace coenergy::solve
