#include "coenergy/io/thinning.hpp"

#include <algorithm>
#include <cmath>

namespace coenergy {

Thinning::Thinning(std::size_t samples, std::size_t limit)
    : samples_(samples), buckets_(samples > limit ? (limit - 2) / 2 : 0) {}

std::size_t Thinning::size() const { return buckets_ == 0 ? samples_ : 2 * buckets_ + 2; }

std::size_t Thinning::begin(std::size_t bucket) const { return 1 + bucket * (samples_ - 2) / buckets_; }

std::vector<double> Thinning::time(const std::vector<double>& time) const {
  if (buckets_ == 0) return time;
  std::vector<double> thin{time.front()};
  for (std::size_t b = 0; b < buckets_; ++b) {
    thin.push_back(time[begin(b)]);
    thin.push_back(time[begin(b + 1) - 1]);
  }
  thin.push_back(time.back());
  return thin;
}

std::vector<double> Thinning::values(const std::vector<double>& values) const {
  if (buckets_ == 0) return values;
  std::vector<double> thin{values.front()};
  for (std::size_t b = 0; b < buckets_; ++b) {
    // the places of the two extremes; comparisons with NaN are false, so a NaN is replaced as soon as a number comes
    std::size_t low = begin(b), high = begin(b);
    for (std::size_t i = begin(b); i < begin(b + 1); ++i) {
      if (values[i] < values[low] || std::isnan(values[low])) low = i;
      if (values[i] > values[high] || std::isnan(values[high])) high = i;
    }
    thin.push_back(values[std::min(low, high)]);
    thin.push_back(values[std::max(low, high)]);
  }
  thin.push_back(values.back());
  return thin;
}

std::vector<std::size_t> spread_indices(std::size_t samples, std::size_t limit) {
  std::vector<std::size_t> indices;
  const std::size_t count = std::min(samples, limit);
  for (std::size_t i = 0; i < count; ++i) indices.push_back(count == 1 ? 0 : i * (samples - 1) / (count - 1));
  return indices;
}

}  // namespace coenergy
