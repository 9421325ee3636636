#pragma once
#include <array>
#include <string>

namespace coenergy::mechanics {

/// Degrees of freedom counted by Grübler and Kutzbach, from the numbers of bodies and joints alone:
///
///   F = 6 n_b + n_s − Σ (6 − f) n_f − n_c
///
/// n_b rigid bodies, n_s coordinates of shafts and masses that no body has, n_f joints that leave f freedoms, n_c other
/// constraints: drives, gears, points on curves, conditions of the user's. A mechanism with more freedoms than counted
/// is over-constrained by the difference: so many of its constraints follow from the others.
struct FreedomCount {
  int bodies = 0, shafts = 0, others = 0;
  std::array<int, 7> joints{};  ///< n_f, f = 0 … 6

  int value() const;
  /// "6*3 - 5*4 - 1 = -3".
  std::string text() const;
};

}  // namespace coenergy::mechanics
