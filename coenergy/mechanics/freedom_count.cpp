#include "coenergy/mechanics/freedom_count.hpp"

#include <fmt/format.h>

namespace coenergy::mechanics {

int FreedomCount::value() const {
  int removed = others;
  for (int f = 0; f < 6; ++f) removed += (6 - f) * joints[f];
  return 6 * bodies + shafts - removed;
}

std::string FreedomCount::text() const {
  std::string sum = fmt::format("6*{}", bodies);
  if (shafts > 0) sum += fmt::format(" + {}", shafts);
  for (int f = 0; f < 6; ++f)
    if (joints[f] > 0) sum += fmt::format(" - {}*{}", 6 - f, joints[f]);
  if (others > 0) sum += fmt::format(" - {}", others);
  return fmt::format("{} = {}", sum, value());
}

}  // namespace coenergy::mechanics
