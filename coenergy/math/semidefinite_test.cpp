#include "coenergy/math/semidefinite.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace coenergy::math {
namespace {

/// G Gᵀ of a random n × rank matrix.
Matrix make_gram(int n, int rank, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Matrix g(n, rank);
  for (double& x : g.data) x = normal(random);
  return multiply(g, transpose(g));
}

TEST(Semidefinite, RowsWithoutAPivotAreSumsOfThoseWithOne) {
  std::mt19937 random(7);
  for (int n = 1; n <= 6; ++n)
    for (int rank = 1; rank <= n; ++rank) {
      const Matrix p = make_gram(n, rank, random);
      const SemidefiniteFactors f = factorize_semidefinite(p);
      EXPECT_FALSE(f.is_indefinite);
      ASSERT_EQ(static_cast<int>(f.pivots.size()), rank) << n;
      for (int q : f.rest) {
        const std::vector<double> a = f.ratios(q);
        for (int j = 0; j < n; ++j) {
          double sum = 0;
          for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * p(f.pivots[k], j);
          EXPECT_NEAR(sum, p(q, j), 1e-9 * max_abs(p));  // rounding times the condition of the pivots
        }
      }
    }
}

TEST(Semidefinite, ANegativeEigenvalueIsSeen) {
  Matrix p = identity(3);
  p(0, 1) = p(1, 0) = 1;  // singular so far
  EXPECT_FALSE(factorize_semidefinite(p).is_indefinite);
  p(0, 2) = p(2, 0) = 0.5;  // and now nothing is left on the diagonal, but beside it
  EXPECT_TRUE(factorize_semidefinite(p).is_indefinite);
  Matrix zero = identity(2);
  zero(1, 1) = 0;
  EXPECT_FALSE(factorize_semidefinite(zero).is_indefinite);
  EXPECT_EQ(factorize_semidefinite(zero).rest, std::vector<int>{1});
  zero(0, 1) = zero(1, 0) = 0.1;
  EXPECT_TRUE(factorize_semidefinite(zero).is_indefinite);
  p(0, 1) = p(1, 0) = 1.1;
  EXPECT_TRUE(factorize_semidefinite(p).is_indefinite);
}

TEST(Semidefinite, ALongChainIsTestedByItsEntries) {
  // a chain of n has the eigenvalues 1 + 2 k cos(π j/(n + 1)): positive up to k = 1/(2 cos(π/(n + 1)))
  const int n = 1000;
  const double edge = 0.5 / std::cos(std::acos(-1.0) / (n + 1));
  const auto is_definite = [&](double k) {
    std::vector<std::map<int, double>> upper(n);
    for (int i = 0; i + 1 < n; ++i) upper[i][i + 1] = k;
    return is_positive_definite(std::move(upper));
  };
  EXPECT_TRUE(is_definite(0.3));
  EXPECT_TRUE(is_definite(edge * (1 - 1e-7)));
  EXPECT_FALSE(is_definite(edge * (1 + 1e-7)));
  EXPECT_TRUE(is_positive_definite({{{1, 0.9}, {2, 0.9}}, {{2, 0.7}}, {}}));
  EXPECT_FALSE(is_positive_definite({{{1, 0.9}, {2, 0.9}}, {{2, 0.6}}, {}}));
}

}  // namespace
}  // namespace coenergy::math
