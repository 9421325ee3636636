#include "coenergy/base/names.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace coenergy {
namespace {

TEST(Names, IdentifiersAreLettersDigitsAndUnderscore) {
  for (const char* good : {"a", "_", "arm1", "R_load", "Z9"}) EXPECT_TRUE(is_identifier(good)) << good;
  for (const char* bad : {"", "1a", "a.b", "a b", "µ", "a-b", "a\n"}) EXPECT_FALSE(is_identifier(bad)) << bad;
}

TEST(Names, NumbersReadBackAsTheSameDouble) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 1000; ++k) {
    const double value = std::bit_cast<double>(random());
    if (std::isnan(value)) continue;
    EXPECT_EQ(std::strtod(format_number(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(-3), "-3");
}

TEST(Names, MessagesShowSixDigits) {
  EXPECT_EQ(format_short(1.0 / 3), "0.333333");
  EXPECT_EQ(format_short(5), "5");
  EXPECT_EQ(format_short(1e-9), "1e-09");
  EXPECT_EQ(format_short(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

}  // namespace
}  // namespace coenergy
