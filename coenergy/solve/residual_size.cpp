#include "coenergy/solve/residual_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coenergy::solve {

void find_row_scales(const equations::System& s, const equations::SparsePattern& pattern,
                     std::span<const double> values, double step, std::vector<double>& scales) {
  const int first_state = s.nv() + s.nl(), end_state = first_state + s.nx();
  scales.assign(static_cast<std::size_t>(pattern.n), 0.0);
  for (int j = 0; j < pattern.n; ++j) {
    const double weight = j >= first_state && j < end_state ? 1 / step : 1;
    for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
      scales[pattern.row[e]] = std::max(scales[pattern.row[e]], weight * std::abs(values[e]));
  }
  for (double& scale : scales) scale = scale > 0 ? 1 / scale : 1;
}

double scaled_size(std::span<const double> residual, std::span<const double> scale) {
  // four rows at a time; v − v is not a number where v is not finite
  constexpr std::size_t lanes = 4;
  double largest[lanes] = {}, bad[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= residual.size(); k += lanes)
    for (std::size_t j = 0; j < lanes; ++j) {
      const double v = std::abs(residual[k + j]) * scale[k + j];
      largest[j] = largest[j] > v ? largest[j] : v;
      bad[j] += v - v;
    }
  for (; k < residual.size(); ++k) {
    const double v = std::abs(residual[k]) * scale[k];
    largest[0] = std::max(largest[0], v);
    bad[0] += v - v;
  }
  if (!(bad[0] + bad[1] + bad[2] + bad[3] == 0)) return std::numeric_limits<double>::quiet_NaN();
  return std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3]));
}

bool note_worst_row(std::span<const double> residual, std::span<const double> scale, double& worst,
                    NewtonReport& report) {
  for (std::size_t k = 0; k < residual.size(); ++k) {
    const double size = std::abs(residual[k]) * scale[k];
    if (size <= worst) continue;
    worst = size, report.worst_row = static_cast<int>(k), report.residual = residual[k];
    if (!std::isfinite(size)) return false;
  }
  return true;
}

}  // namespace coenergy::solve
