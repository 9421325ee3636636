#include "coenergy/compile/energy_records.hpp"

#include <algorithm>

namespace coenergy::compile {

EnergyRecords::EnergyRecords(std::size_t n) : components(n) {
  for (std::size_t k = 0; k < n; ++k) components[k].group = static_cast<int>(k);
}

void EnergyRecords::join(int a, int b) {
  const auto [low, high] =
      std::minmax(components[static_cast<std::size_t>(a)].group, components[static_cast<std::size_t>(b)].group);
  if (low == high) return;
  for (Component& c : components)
    if (c.group == high) c.group = low;
}

}  // namespace coenergy::compile
