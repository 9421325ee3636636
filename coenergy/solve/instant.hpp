#pragma once
#include <algorithm>
#include <cmath>

#include "coenergy/solve/options.hpp"

namespace coenergy::solve {

/// Times that are closer than this to t are one instant, s: a part of the time, or of 1 s, or of a run that is shorter.
inline double same_instant(const Options& options, double t) {
  const double run = std::max(std::abs(options.t_start), std::abs(options.t_end));
  return 1e-12 * std::max(std::min(1.0, run), std::abs(t));
}

}  // namespace coenergy::solve
