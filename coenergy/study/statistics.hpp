#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "coenergy/study/design.hpp"

namespace coenergy::study {

/// Statistics of numbers that come one after the other: mean and deviation by Welford's sums, extremes with the number
/// of their variant, quantiles from all of them, or from every k-th where they are more than `most_kept`.
class Statistics {
 public:
  static constexpr std::size_t most_kept = 1 << 20;
  void add(std::uint64_t variant, double value);

  std::uint64_t count() const { return count_; }
  double mean() const { return mean_; }
  double deviation() const;  ///< of the population that the samples are drawn from
  double least() const { return least_; }
  double largest() const { return largest_; }
  std::uint64_t variant_of_least() const { return at_least_; }
  std::uint64_t variant_of_largest() const { return at_largest_; }
  double quantile(double share);
  bool has_thinned() const { return every_ > 1; }
  /// Numbers that fall into equal parts between the extremes of those that were kept.
  std::vector<std::uint64_t> histogram(int parts);

 private:
  std::uint64_t count_ = 0, every_ = 1, at_least_ = 0, at_largest_ = 0;
  double mean_ = 0, squares_ = 0, least_ = 0, largest_ = 0;
  std::vector<double> kept_;
  bool is_sorted_ = false;
};

/// Shares of the variance of y that are due to each input of a Saltelli design (Saltelli and others, 2010; Jansen, 1999):
/// alone, and with all that it does together with others.
struct SobolIndices {
  std::vector<double> first, total;
};
/// `y`: the values of A, B, then of each A with a coordinate of B, N each. Rows in which one failed (NaN) are left out.
SobolIndices compute_sobol_indices(std::span<const double> y, std::uint64_t n, int inputs);

}  // namespace coenergy::study
