#include "coenergy/symbolic/sincos.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "coenergy/symbolic/sincos_avx2.hpp"

namespace coenergy::symbolic {
namespace {

/// Number of doubles between a and b.
std::int64_t ulps(double a, double b) {
  const auto ordered = [](double v) {
    const auto i = std::bit_cast<std::int64_t>(v);
    return i < 0 ? std::numeric_limits<std::int64_t>::min() - i : i;
  };
  return std::abs(ordered(a) - ordered(b));
}

struct Worst {
  std::int64_t distance = 0;
  double at = 0;
};

/// Largest distance between the routine and the C library over the arguments.
Worst compare_with_libm(const std::vector<double>& x) {
  std::vector<double> s(x.size()), c(x.size());
  sincos(x.data(), s.data(), c.data(), x.size());
  Worst worst;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::int64_t d = std::max(ulps(s[i], std::sin(x[i])), ulps(c[i], std::cos(x[i])));
    if (d > worst.distance) worst = {d, x[i]};
  }
  return worst;
}

std::vector<double> near_multiples_of_half_pi() {
  std::vector<double> x;
  for (int k = -636619; k <= 636619; k += 1) {
    const double m = static_cast<double>(static_cast<long double>(k) * 1.57079632679489661923132169163975144L);
    for (int step = -1; step <= 1; ++step) x.push_back(m + step * std::fabs(m) * 0x1p-52);
  }
  return x;
}

TEST(Sincos, StaysWithinOneUlpOfLibmForUniformArgumentsUpToAMillion) {
  std::mt19937_64 random(1);
  for (const double range : {0.8, 7.0, 1000.0, 1e6}) {
    std::uniform_real_distribution<double> uniform(-range, range);
    std::vector<double> x(1'000'000);
    for (double& v : x) v = uniform(random);
    const Worst worst = compare_with_libm(x);
    EXPECT_LE(worst.distance, 1) << "range " << range << " at x = " << worst.at;
  }
}

TEST(Sincos, StaysWithinOneUlpOfLibmNextToMultiplesOfHalfPi) {
  const Worst worst = compare_with_libm(near_multiples_of_half_pi());
  EXPECT_LE(worst.distance, 1) << "at x = " << worst.at;
}

TEST(Sincos, StaysWithinOneUlpOfLibmForTinyArguments) {
  std::vector<double> x;
  for (int e = -1074; e < 0; ++e)
    for (double m : {1.0, 1.3, 1.9}) x.push_back(std::ldexp(m, e)), x.push_back(-std::ldexp(m, e));
  EXPECT_LE(compare_with_libm(x).distance, 1);
}

TEST(Sincos, IsTheLibraryItselfBeyondItsRange) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> x = {1.0000001e6, -3e7, 1e22, 1e300, 0.5, infinity, -infinity, NAN, 2.0};
  std::vector<double> s(x.size()), c(x.size());
  sincos(x.data(), s.data(), c.data(), x.size());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(s[i], std::sin(x[i]));
    EXPECT_EQ(c[i], std::cos(x[i]));
  }
  for (std::size_t i : {5, 6, 7}) EXPECT_TRUE(std::isnan(s[i]) && std::isnan(c[i])) << x[i];
  EXPECT_LE(ulps(s[4], std::sin(0.5)), 1);
  EXPECT_LE(ulps(c[8], std::cos(2.0)), 1);
}

TEST(Sincos, IsOddAndEvenToTheLastBit) {
  const std::vector<double> x = {0.0, -0.0, 1.25, -1.25, 5e5, -5e5};
  std::vector<double> s(x.size()), c(x.size());
  sincos(x.data(), s.data(), c.data(), x.size());
  for (std::size_t i = 0; i < x.size(); i += 2) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(s[i]), std::bit_cast<std::uint64_t>(-s[i + 1])) << x[i];
    EXPECT_EQ(c[i], c[i + 1]) << x[i];
  }
  EXPECT_FALSE(std::signbit(s[0]));
}

TEST(Sincos, GivesTheSameBitsWithAndWithoutVectorInstructionsAndForAnyNeighbours) {
  if (!has_sincos_avx2()) GTEST_SKIP() << "this machine has no AVX2";
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(-1.2e6, 1.2e6);
  std::vector<double> x(200'000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = uniform(random) * (i % 3 ? 1e-5 : 1.0);
  std::vector<double> s1(x.size()), c1(x.size()), s2(x.size()), c2(x.size());
  sincos_portable(x.data(), s1.data(), c1.data(), x.size());
  // in pieces of 1, 2, 3 … 9
  for (std::size_t i = 0, n = 1; i < x.size(); i += n, n = n % 9 + 1) {
    n = std::min(n, x.size() - i);
    sincos_avx2(x.data() + i, s2.data() + i, c2.data() + i, n);
  }
  EXPECT_EQ(s1, s2);
  EXPECT_EQ(c1, c2);
}

}  // namespace
}  // namespace coenergy::symbolic
