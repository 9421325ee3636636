#pragma once
#include <cstddef>
#include <vector>

namespace coenergy {

/// Thins signals on a common time axis for drawing, so that every extreme value stays visible.
///
/// The first and the last sample stay. The samples between are cut into equal buckets; a bucket gives two points, at
/// the times of its first and last sample, with the smallest and the largest value in the order in which they occur.
/// All signals so keep one common time axis; an extreme moves in time by at most one bucket.
class Thinning {
 public:
  /// For signals of `samples` values, to at most `limit` ≥ 4 points.
  Thinning(std::size_t samples, std::size_t limit);
  std::size_t size() const;  ///< number of points after thinning
  std::vector<double> time(const std::vector<double>& time) const;
  std::vector<double> values(const std::vector<double>& values) const;  ///< NaN only where a bucket has nothing else

 private:
  std::size_t begin(std::size_t bucket) const;
  std::size_t samples_ = 0, buckets_ = 0;  // no buckets: all samples stay
};

/// At most `limit` ≥ 2 indices spread evenly over 0 … samples − 1, with the first and the last.
std::vector<std::size_t> spread_indices(std::size_t samples, std::size_t limit);

}  // namespace coenergy
