#include "coenergy/study/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace coenergy::study {

void Statistics::add(std::uint64_t variant, double value) {
  if (count_ == 0 || value < least_) least_ = value, at_least_ = variant;
  if (count_ == 0 || value > largest_) largest_ = value, at_largest_ = variant;
  if (count_ % every_ == 0) {
    if (kept_.size() == most_kept) {
      for (std::size_t k = 0; k < most_kept / 2; ++k) kept_[k] = kept_[2 * k];
      kept_.resize(most_kept / 2), every_ *= 2;
    }
    if (count_ % every_ == 0) kept_.push_back(value);
  }
  ++count_;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (value - mean_);
  is_sorted_ = false;
}

double Statistics::deviation() const { return count_ > 1 ? std::sqrt(squares_ / static_cast<double>(count_ - 1)) : 0; }

double Statistics::quantile(double share) {
  if (kept_.empty()) return std::nan("");
  std::vector<double>& v = kept_;
  // order of arrival is no longer needed where a study is over; more may still come: sorting a copy keeps it
  std::vector<double> sorted = v;
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(place);
  std::nth_element(sorted.begin(), sorted.begin() + below, sorted.end());
  const double low = sorted[static_cast<std::size_t>(below)];
  if (static_cast<std::size_t>(below) + 1 == sorted.size()) return low;
  const double high = *std::min_element(sorted.begin() + below + 1, sorted.end());
  return low + (place - static_cast<double>(below)) * (high - low);
}

std::vector<std::uint64_t> Statistics::histogram(int parts) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(parts), 0);
  for (const double v : kept_) {
    const double share = largest_ > least_ ? (v - least_) / (largest_ - least_) : 0;
    ++counts[static_cast<std::size_t>(std::clamp(static_cast<int>(share * parts), 0, parts - 1))];
  }
  return counts;
}

SobolIndices compute_sobol_indices(std::span<const double> y, std::uint64_t n, int inputs) {
  SobolIndices indices;
  const auto at = [&](std::uint64_t block, std::uint64_t k) { return y[static_cast<std::size_t>(block * n + k)]; };
  std::vector<char> good(static_cast<std::size_t>(n), 1);
  for (std::uint64_t k = 0; k < n; ++k)
    for (int block = 0; block < inputs + 2; ++block)
      if (!std::isfinite(at(static_cast<std::uint64_t>(block), k))) good[static_cast<std::size_t>(k)] = 0;
  double mean = 0, count = 0;
  for (std::uint64_t k = 0; k < n; ++k)
    if (good[static_cast<std::size_t>(k)] != 0) mean += at(0, k) + at(1, k), count += 2;
  mean /= count;
  double variance = 0;
  for (std::uint64_t k = 0; k < n; ++k)
    if (good[static_cast<std::size_t>(k)] != 0) variance += std::pow(at(0, k) - mean, 2) + std::pow(at(1, k) - mean, 2);
  variance /= count;
  for (int i = 0; i < inputs; ++i) {
    double first = 0, total = 0;
    for (std::uint64_t k = 0; k < n; ++k) {
      if (good[static_cast<std::size_t>(k)] == 0) continue;
      const double a = at(0, k), b = at(1, k), ab = at(static_cast<std::uint64_t>(i) + 2, k);
      first += (b - mean) * (ab - a), total += (a - ab) * (a - ab);
    }
    indices.first.push_back(variance > 0 ? first / (count / 2) / variance : 0);
    indices.total.push_back(variance > 0 ? total / count / variance : 0);
  }
  return indices;
}

}  // namespace coenergy::study
