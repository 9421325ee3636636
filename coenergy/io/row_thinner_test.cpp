#include "coenergy/io/row_thinner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace coenergy::io {
namespace {

/// Two columns of noise with single peaks, and rows that belong together: the second is the negative of the first.
std::vector<double> noise(std::size_t rows) {
  std::mt19937 random(5);
  std::vector<double> values;
  for (std::size_t k = 0; k < rows; ++k) values.push_back(std::normal_distribution<>()(random));
  return values;
}

TEST(RowThinner, FewRowsStayAsTheyAre) {
  RowThinner thinner(2, 100);
  const std::vector<double> values = noise(100);
  for (std::size_t k = 0; k < values.size(); ++k) thinner.add(0.1 * double(k), std::vector{values[k], -values[k]});
  solve::Result extremes, samples;
  thinner.set_extremes(extremes), thinner.set_samples(samples);
  ASSERT_EQ(extremes.times.size(), 100u);
  EXPECT_EQ(extremes.times, samples.times);
  EXPECT_EQ(extremes.values, samples.values);
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_EQ(extremes.values[2 * k], values[k]);
}

TEST(RowThinner, ManyRowsKeepTheirExtremesInBoundedMemory) {
  for (const std::size_t rows : {101u, 150u, 777u, 10000u, 123456u}) {
    RowThinner thinner(2, 100);
    const std::vector<double> values = noise(rows);
    for (std::size_t k = 0; k < rows; ++k) thinner.add(0.1 * double(k), std::vector{values[k], -values[k]});
    solve::Result result;
    thinner.set_extremes(result);
    EXPECT_EQ(thinner.rows(), rows);
    EXPECT_LE(result.times.size(), 102u);
    EXPECT_GE(result.times.size(), 50u);
    EXPECT_TRUE(std::is_sorted(result.times.begin(), result.times.end()));
    EXPECT_EQ(result.times.front(), 0);
    EXPECT_EQ(result.times.back(), 0.1 * double(rows - 1));
    EXPECT_EQ(result.values[result.values.size() - 2], values.back());
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const auto [thin_low, thin_high] = std::minmax_element(result.values.begin(), result.values.end());
    EXPECT_EQ(*thin_high, std::max(*high, -*low));
    EXPECT_EQ(*thin_low, std::min(*low, -*high));
    // samples are rows that were
    thinner.set_samples(result);
    for (std::size_t k = 0; k < result.times.size(); ++k) EXPECT_EQ(result.values[2 * k], -result.values[2 * k + 1]);
    EXPECT_EQ(result.times.back(), 0.1 * double(rows - 1));
    EXPECT_LE(result.times.size(), 101u);
  }
}

TEST(RowThinner, TheOrderOfExtremesAndGapsIsKept) {
  RowThinner thinner(1, 8);
  const double gap = std::numeric_limits<double>::quiet_NaN();
  for (int k = 0; k < 16; ++k) thinner.add(k, std::vector{k % 4 == 1 ? 2.0 : k % 4 == 3 ? -1.0 : gap});
  solve::Result result;
  thinner.set_extremes(result);
  // buckets of four rows: the peak comes before the dip
  ASSERT_EQ(result.times, (std::vector<double>{0, 0, 3, 4, 7, 8, 11, 12, 15, 15}));
  for (std::size_t k = 1; k + 1 < result.values.size(); k += 2) {
    EXPECT_EQ(result.values[k], 2);
    EXPECT_EQ(result.values[k + 1], -1);
  }
}

TEST(RowThinner, GoesOnAfterItWasSaved) {
  const std::vector<double> values = noise(5000);
  RowThinner whole(1, 64), first(1, 64), second(0, 0);
  for (const double v : values) whole.add(v, std::vector{v});
  for (int k = 0; k < 1234; ++k) first.add(values[k], std::vector{values[k]});
  StateArchive out;
  out(first);
  StateArchive in(out.bytes());
  in(second);
  for (int k = 1234; k < 5000; ++k) second.add(values[k], std::vector{values[k]});
  solve::Result a, b;
  whole.set_extremes(a), second.set_extremes(b);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.times, b.times);
}

}  // namespace
}  // namespace coenergy::io
