#include "coenergy/io/row_thinner.hpp"

#include <algorithm>
#include <cmath>

namespace coenergy::io {

RowThinner::RowThinner(std::size_t columns, std::size_t limit)
    : columns_(columns), limit_(std::max<std::size_t>(8, limit)) {}

void RowThinner::add(double t, std::span<const double> row) {
  ++rows_;
  last_time_ = t;
  last_.assign(row.begin(), row.end());
  const bool has_room =
      size_ == 1 ? buckets_.size() < limit_ : buckets_.size() < limit_ / 2 || buckets_.back().rows < size_;
  if (!has_room) merge(size_ == 1 ? 4 : 2);
  Bucket own{1, t, t, {row.begin(), row.end()}, {}, {}, {}};
  if (!buckets_.empty() && buckets_.back().rows < size_)
    join(buckets_.back(), own);
  else
    buckets_.push_back(std::move(own));
}

/// `count` buckets become one.
void RowThinner::merge(std::size_t count) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < buckets_.size(); i += count) {
    Bucket bucket = std::move(buckets_[i]);
    for (std::size_t k = i + 1; k < std::min(i + count, buckets_.size()); ++k) join(bucket, buckets_[k]);
    buckets_[kept++] = std::move(bucket);
  }
  buckets_.resize(kept);
  size_ *= count;
}

void RowThinner::join(Bucket& bucket, const Bucket& next) {
  if (bucket.low.empty()) bucket.low = bucket.high = bucket.first, bucket.low_first.assign(bucket.first.size(), 1);
  const std::vector<double>&low = next.low.empty() ? next.first : next.low,
        &high = next.high.empty() ? next.first : next.high;
  for (std::size_t k = 0; k < bucket.first.size(); ++k) {
    // comparisons with NaN are false, so a NaN is replaced as soon as a number comes
    const bool lower = low[k] < bucket.low[k] || std::isnan(bucket.low[k]);
    const bool higher = high[k] > bucket.high[k] || std::isnan(bucket.high[k]);
    if (lower) bucket.low[k] = low[k];
    if (higher) bucket.high[k] = high[k];
    if (lower && higher)
      bucket.low_first[k] = next.low_first.empty() ? 1 : next.low_first[k];
    else if (lower || higher)
      bucket.low_first[k] = higher;
  }
  bucket.rows += next.rows;
  bucket.last_time = next.last_time;
}

void RowThinner::set_extremes(solve::Result& result) const {
  result.times.clear(), result.values.clear();
  const auto append = [&](double t, const std::vector<double>& row) {
    result.times.push_back(t);
    result.values.insert(result.values.end(), row.begin(), row.end());
  };
  std::vector<double> early(columns_), late(columns_);
  for (const Bucket& b : buckets_) {
    if (b.low.empty()) {
      append(b.first_time, b.first);
      continue;
    }
    if (&b == &buckets_.front()) append(b.first_time, b.first);
    for (std::size_t k = 0; k < columns_; ++k) {
      early[k] = b.low_first[k] != 0 ? b.low[k] : b.high[k];
      late[k] = b.low_first[k] != 0 ? b.high[k] : b.low[k];
    }
    append(b.first_time, early);
    append(b.last_time, late);
  }
  if (size_ > 1) append(last_time_, last_);
}

void RowThinner::set_samples(solve::Result& result) const {
  result.times.clear(), result.values.clear();
  for (const Bucket& b : buckets_) {
    result.times.push_back(b.first_time);
    result.values.insert(result.values.end(), b.first.begin(), b.first.end());
  }
  if (buckets_.empty() || buckets_.back().rows == 1) return;
  result.times.push_back(last_time_);
  result.values.insert(result.values.end(), last_.begin(), last_.end());
}

}  // namespace coenergy::io
