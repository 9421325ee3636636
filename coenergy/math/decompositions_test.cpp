#include "coenergy/math/decompositions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coenergy::math {
namespace {

Matrix make(int rows, int columns, std::initializer_list<double> by_rows) {
  Matrix a(rows, columns);
  int k = 0;
  for (double value : by_rows) a(k / columns, k % columns) = value, ++k;
  return a;
}

TEST(Eigenpairs, OfAnOscillatorAreAConjugatePairWithItsVectors) {
  const Matrix a = make(2, 2, {0, 1, -4, 0});
  const EigenPairs pairs = compute_eigenpairs(a);
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(std::abs(pairs.values[k] - std::complex(0.0, k == 0 ? 2.0 : -2.0)), 0, 1e-14);
    for (int i = 0; i < 2; ++i) {
      std::complex<double> left = 0;
      for (int j = 0; j < 2; ++j) left += a(i, j) * pairs.vectors(j, k);
      EXPECT_NEAR(std::abs(left - pairs.values[k] * pairs.vectors(i, k)), 0, 1e-14);
    }
  }
}

TEST(GeneralizedEigenpairs, OfASingularPencilHaveAnInfiniteValue) {
  const auto pairs = compute_generalized_eigenpairs(make(2, 2, {3, 0, 0, 1}), make(2, 2, {1, 0, 0, 0}));
  int infinite = 0;
  for (int k = 0; k < 2; ++k) {
    if (std::abs(pairs.beta[k]) < 1e-14)
      ++infinite;
    else
      EXPECT_NEAR(pairs.alpha[k].real() / pairs.beta[k], 3, 1e-13);
  }
  EXPECT_EQ(infinite, 1);
}

TEST(NullSpace, IsOrthonormalAndAnnihilated) {
  const Matrix a = make(3, 4, {1, 2, 0, 1, 0, 1, 1, 0, 1, 3, 1, 1});  // third row is the sum of the first two
  const Matrix z = compute_null_space(a);
  ASSERT_EQ(z.columns, 2);
  EXPECT_LT(max_abs(multiply(a, z)), 1e-14);
  Matrix gram = multiply(transpose(z), z);
  for (int i = 0; i < 2; ++i) gram(i, i) -= 1;
  EXPECT_LT(max_abs(gram), 1e-14);
}

TEST(RowRank, FindsTheDependentRowWhateverItsScale) {
  const Matrix a = make(3, 3, {1e6, 0, 0, 0, 1e-6, 0, 1e6, 1e-6, 0});
  EXPECT_EQ(compute_row_rank(a).rank, 2);
  const RowRank rank = compute_row_rank(make(3, 2, {1, 0, 0, 1, 2, 0}));
  EXPECT_EQ(rank.rank, 2);
  EXPECT_EQ(rank.dependent, std::vector<int>{2});
}

TEST(LeastSquares, OfADeficientSystemIsTheShortest) {
  const Matrix x = solve_least_squares(make(2, 2, {1, 1, 1, 1}), make(2, 1, {2, 4}));
  EXPECT_NEAR(x(0, 0), 1.5, 1e-14);
  EXPECT_NEAR(x(1, 0), 1.5, 1e-14);
}

TEST(LeastSquares, OfFewEquationsIsTheShortestForEveryRightSide) {
  // x + 2y + 2z = 9 and = 18: along the normal (1, 2, 2) of length 3
  const Matrix x = solve_least_squares(make(1, 3, {1, 2, 2}), make(1, 2, {9, 18}));
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(x(i, j), (j + 1) * (i == 0 ? 1 : 2), 1e-14);
}

TEST(LeastSquares, OfManyEquationsIsTheMean) {
  const Matrix x = solve_least_squares(make(3, 1, {1, 1, 1}), make(3, 1, {1, 2, 6}));
  ASSERT_EQ(x.rows, 1);
  EXPECT_NEAR(x(0, 0), 3, 1e-14);
}

TEST(Exponential, OfARotationGeneratorIsTheRotation) {
  const double t = 11 * std::numbers::pi / 6;
  const Matrix e = compute_exponential(make(2, 2, {0, -t, t, 0}));
  EXPECT_NEAR(e(0, 0), std::cos(t), 1e-14);
  EXPECT_NEAR(e(1, 0), std::sin(t), 1e-14);
}

TEST(Exponential, OfAJordanBlockHasTheLinearTerm) {
  const Matrix e = compute_exponential(make(2, 2, {-30, 1, 0, -30}));
  EXPECT_NEAR(e(0, 1) / std::exp(-30.0), 1, 1e-12);  // squaring five times loses a few digits of 16
}

TEST(Solve, RefusesASingularMatrix) {
  EXPECT_THROW(solve(make(2, 2, {1, 2, 2, 4}), make(2, 1, {1, 1})), std::runtime_error);
}

}  // namespace
}  // namespace coenergy::math
