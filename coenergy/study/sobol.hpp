#pragma once
#include <cstdint>
#include <vector>

namespace coenergy::study {

/// Points of a Sobol sequence in the unit cube (direction numbers of S. Joe and F. Y. Kuo, 2008), of as many dimensions
/// as most_dimensions: among the first 2^k points, every dimension has one in each interval of length 2^−k.
class Sobol {
 public:
  static constexpr int most_dimensions = 21;
  explicit Sobol(int dimensions);
  /// Coordinate of point k; the middle of its smallest interval, so that neither 0 nor 1 is met. Any order of calls.
  double at(std::uint64_t point, int dimension) const;

 private:
  static constexpr int bits = 32;
  std::vector<std::uint32_t> directions_;  // dimension by dimension
};

}  // namespace coenergy::study
