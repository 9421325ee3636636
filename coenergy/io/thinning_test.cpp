#include "coenergy/io/thinning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace coenergy {
namespace {

std::vector<double> make_ramp(std::size_t samples) {
  std::vector<double> values(samples);
  for (std::size_t i = 0; i < samples; ++i) values[i] = static_cast<double>(i);
  return values;
}

TEST(Thinning, KeepsShortSignalsAsTheyAre) {
  const auto ramp = make_ramp(10);
  const Thinning thinning(10, 10);
  EXPECT_EQ(thinning.size(), 10u);
  EXPECT_EQ(thinning.time(ramp), ramp);
  EXPECT_EQ(thinning.values(ramp), ramp);
}

TEST(Thinning, KeepsEverySingleExtremeOfALongSignal) {
  const std::size_t samples = 12'345;
  const Thinning thinning(samples, 1000);
  EXPECT_EQ(thinning.size(), 1000u);
  for (std::size_t peak = 0; peak < samples; peak += 97) {
    std::vector<double> values(samples, 0.0);
    values[peak] = 3;
    if (peak > 0) values[peak - 1] = -2;
    const auto thin = thinning.values(values);
    ASSERT_EQ(thin.size(), thinning.size());
    EXPECT_EQ(*std::max_element(thin.begin(), thin.end()), 3) << "peak at " << peak;
    EXPECT_EQ(*std::min_element(thin.begin(), thin.end()), peak > 0 ? -2 : 0) << "peak at " << peak;
  }
}

TEST(Thinning, KeepsOrderAndBothEnds) {
  const auto ramp = make_ramp(5000);
  const Thinning thinning(5000, 300);
  const auto thin = thinning.values(ramp);
  // on a ramp the extremes of a bucket are its ends, so values and times agree
  EXPECT_EQ(thin, thinning.time(ramp));
  EXPECT_TRUE(std::is_sorted(thin.begin(), thin.end()));
  EXPECT_EQ(thin.front(), 0);
  EXPECT_EQ(thin.back(), 4999);
}

TEST(Thinning, LetsNumbersWinOverGaps) {
  std::vector<double> values(1000, std::numeric_limits<double>::quiet_NaN());
  values[500] = 7;
  const auto thin = Thinning(1000, 20).values(values);
  EXPECT_EQ(std::count(thin.begin(), thin.end(), 7.0), 2);
  EXPECT_EQ(std::count_if(thin.begin(), thin.end(), [](double v) { return std::isnan(v); }), 18);
}

TEST(SpreadIndices, HoldFirstAndLast) {
  EXPECT_EQ(spread_indices(5, 10), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(spread_indices(101, 3), (std::vector<std::size_t>{0, 50, 100}));
  EXPECT_EQ(spread_indices(1, 3), (std::vector<std::size_t>{0}));
  EXPECT_TRUE(spread_indices(0, 3).empty());
}

}  // namespace
}  // namespace coenergy
