#include "coenergy/solve/massless.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/math/decompositions.hpp"
#include "coenergy/solve/partition.hpp"

namespace coenergy::solve {

std::string find_massless_motion(equations::Evaluator& evaluator, const equations::Point& p) {
  constexpr int most = 500;
  constexpr double nothing = 1e-12, takes_part = 0.1;  // of the inertia; of the coordinate that moves most
  const equations::System& s = evaluator.system();
  const int nv = s.nv(), nl = s.nl();
  if (nv == 0 || nv > most) return "";
  const auto& pattern = s.pattern();
  std::vector<double> by_a(pattern.row.size());
  evaluator.jacobian(p, equations::Level::acceleration, {.a = 1}, by_a);
  math::Matrix mass(nv, nv);
  for (int j = 0; j < nv; ++j)
    for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
      if (pattern.row[e] < nv) mass(pattern.row[e], j) = by_a[e];

  // every coordinate in units of its own inertia, so that light and heavy ones count alike
  std::vector<double> unit(nv, 1.0);
  for (int j = 0; j < nv; ++j)
    if (mass(j, j) > 0) unit[j] = 1 / std::sqrt(mass(j, j));
  math::Matrix rows(nv + nl, nv);
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j) rows(i, j) = unit[i] * mass(i, j) * unit[j];
  if (nl > 0) {
    const math::Matrix slope = constraint_jacobian(evaluator, p);
    for (int i = 0; i < nl; ++i) {
      double size = 0;
      for (int j = 0; j < nv; ++j) size = std::max(size, std::abs(slope(i, j) * unit[j]));
      for (int j = 0; j < nv && size > 0; ++j) rows(nv + i, j) = slope(i, j) * unit[j] / size;
    }
  }
  const math::Matrix free = math::compute_null_space(rows, nothing);
  if (free.columns == 0) return "";
  double largest = 0;
  for (int j = 0; j < nv; ++j) largest = std::max(largest, std::abs(unit[j] * free(j, 0)));
  std::string names;
  for (int j = 0; j < nv; ++j)
    if (std::abs(unit[j] * free(j, 0)) > takes_part * largest) names += (names.empty() ? "" : ", ") + s.unknown(j).name;
  return names;
}

}  // namespace coenergy::solve
