#include "coenergy/math/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <random>

#include "coenergy/math/dense_lu.hpp"

namespace coenergy::math {
namespace {

template <class T>
struct Sparse {
  int n;
  std::vector<int> start{0}, row{};
  std::vector<T> values{};
};

/// Largest |b − A x| relative to |A||x| + |b|, row by row: the relative change of A and b for which x is exact.
template <class T>
double backward_error(const Sparse<T>& a, const std::vector<T>& x, const std::vector<T>& b) {
  std::vector<T> residual = b;
  std::vector<double> size(a.n);
  for (int i = 0; i < a.n; ++i) size[i] = std::abs(b[i]);
  for (int j = 0; j < a.n; ++j)
    for (int e = a.start[j]; e < a.start[j + 1]; ++e) {
      residual[a.row[e]] -= a.values[e] * x[j];
      size[a.row[e]] += std::abs(a.values[e] * x[j]);
    }
  double worst = 0;
  for (int i = 0; i < a.n; ++i) worst = std::max(worst, std::abs(residual[i]) / size[i]);
  return worst;
}

template <class T>
T draw(std::mt19937& random) {
  std::uniform_real_distribution<double> d(-1, 1);
  if constexpr (std::is_same_v<T, double>)
    return d(random);
  else
    return T(d(random), d(random));
}

// a band matrix with a few far entries, rows and columns scaled over twelve decades
template <class T>
Sparse<T> make_badly_scaled(int n, std::mt19937& random) {
  Sparse<T> a{n};
  std::vector<double> scale(2 * n);
  for (double& s : scale) s = std::pow(10.0, 6 * draw<double>(random));
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      if (std::abs(i - j) <= 1 || (i * 7 + j * 3) % n == 0) {
        a.row.push_back(i);
        a.values.push_back((draw<T>(random) + T(i == j ? 3.0 : 0.0)) * scale[i] * scale[n + j]);
      }
    a.start.push_back(int(a.row.size()));
  }
  return a;
}

template <class T>
void expect_solves(int n) {
  std::mt19937 random(7);
  Sparse<T> a = make_badly_scaled<T>(n, random);
  SparseLu<T> lu(n, a.start, a.row);
  for (int round = 0; round < 8; ++round) {
    ASSERT_TRUE(lu.factor(a.values));
    std::vector<T> b(n);
    for (T& value : b) value = draw<T>(random);
    std::vector<T> x = b;
    lu.solve(x);
    EXPECT_LT(backward_error(a, x, b), 2e-15);  // one refinement leaves a few units of round-off in every row
    for (T& value : a.values) value *= 1 + 0.1 * draw<double>(random);
  }
}

TEST(SparseLu, SolvesBadlyScaledRealEquations) {
  expect_solves<double>(12);
  expect_solves<double>(40);
  expect_solves<double>(200);
}

TEST(SparseLu, SolvesBadlyScaledComplexEquations) {
  expect_solves<std::complex<double>>(12);
  expect_solves<std::complex<double>>(40);
  expect_solves<std::complex<double>>(200);
}

template <class T>
void expect_solves_full(int n) {
  std::mt19937 random(11);
  Sparse<T> a{n};
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      if (i == j || random() % 10 != 0)
        a.row.push_back(i), a.values.push_back(draw<T>(random) * std::pow(10.0, (i + 2 * j) % 7));
    a.start.push_back(int(a.row.size()));
  }
  SparseLu<T> lu(n, a.start, a.row);
  ASSERT_TRUE(lu.factor(a.values));
  std::vector<T> b(n);
  for (T& value : b) value = draw<T>(random);
  std::vector<T> x = b;
  lu.solve(x);
  EXPECT_LT(backward_error(a, x, b), 4e-15) << n;  // one refinement leaves a few units of round-off in every row

  // a right-hand side that goes on with zeros
  const std::size_t part = std::size_t(n) / 3;
  std::vector<T> all(b), first(b.begin(), b.begin() + std::ptrdiff_t(part));
  std::fill(all.begin() + std::ptrdiff_t(part), all.end(), T(0));
  std::vector<T> all_once = all, first_once = first;
  lu.solve(all), lu.solve(first), lu.solve_once(all_once), lu.solve_once(first_once);
  for (std::size_t i = 0; i < part; ++i) {
    EXPECT_EQ(first[i], all[i]);
    EXPECT_EQ(first_once[i], all_once[i]);
  }

  // a column of zeros is told
  for (int e = a.start[n / 2]; e < a.start[n / 2 + 1]; ++e) a.values[e] = 0;
  EXPECT_FALSE(lu.factor(a.values));
  EXPECT_EQ(lu.weakest_column(), n / 2);
}

TEST(SparseLu, SolvesFullEquations) {
  for (const int n : {30, DenseLu<double>::blocked_from - 1, DenseLu<double>::blocked_from, 150}) {
    expect_solves_full<double>(n);
    expect_solves_full<std::complex<double>>(n);
  }
}

TEST(SparseLu, ReusesPivotsWhileTheyServeAndChoosesNewOnesWhenTheyDoNot) {
  // blocks [a 1; 1 a]: the pivot a is fine at a = 2 and useless at a = 1e-9
  const int n = 40;
  Sparse<double> a{n};
  for (int j = 0; j < n; ++j) {
    for (int i = j - j % 2; i < j - j % 2 + 2; ++i) a.row.push_back(i), a.values.push_back(i == j ? 2.0 : 1.0);
    a.start.push_back(int(a.row.size()));
  }
  SparseLu<double> lu(n, a.start, a.row);
  ASSERT_TRUE(lu.factor(a.values));
  ASSERT_TRUE(lu.factor(a.values));
  EXPECT_EQ(lu.factorizations(), 1);
  EXPECT_EQ(lu.refactorizations(), 1);
  for (double& value : a.values)
    if (value == 2) value = 1e-9;
  ASSERT_TRUE(lu.factor(a.values));
  EXPECT_EQ(lu.factorizations(), 2);
  std::vector<double> b(n, 1.0);
  lu.solve(b);
  for (double x : b) EXPECT_NEAR(x, 1 / (1 + 1e-9), 1e-15);
}

TEST(SparseLu, NamesTheColumnAndRowThatMakeAMatrixSingular) {
  for (int n : {6, 60}) {
    Sparse<double> a{n};
    for (int j = 0; j < n; ++j) {
      a.row.push_back(j), a.values.push_back(1 + j);
      a.start.push_back(int(a.row.size()));
    }
    a.values[4] = 0;
    SparseLu<double> lu(n, a.start, a.row);
    EXPECT_FALSE(lu.factor(a.values));
    EXPECT_EQ(lu.weakest_column(), 4);
    EXPECT_EQ(lu.weakest_row(), 4);
    a.values[4] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(lu.factor(a.values));
    EXPECT_EQ(lu.weakest_column(), 4);
    a.values[4] = 5;
    EXPECT_TRUE(lu.factor(a.values));
  }
}

TEST(SparseLu, DampingGivesTheShortestMultipliersOfRepeatedConstraints) {
  // minimise |x|²/2 with x_k = 1 stated twice: the two multipliers share −1 equally
  for (int copies : {2, 20}) {
    const int n = 3 * copies;
    Sparse<double> a{n};
    for (int j = 0; j < n; ++j) {
      const int k = j % copies;
      if (j < copies) {
        for (int i : {k, copies + k, 2 * copies + k}) a.row.push_back(i), a.values.push_back(1);
      } else {
        a.row.push_back(k), a.values.push_back(1);
      }
      a.start.push_back(int(a.row.size()));
    }
    std::vector<int> multipliers;
    for (int j = copies; j < n; ++j) multipliers.push_back(j);
    SparseLu<double> lu(n, a.start, a.row, multipliers);
    EXPECT_FALSE(lu.factor(a.values));
    lu.set_damping(1e-10);
    ASSERT_TRUE(lu.factor(a.values));
    std::vector<double> b(n, 1.0);
    for (int k = 0; k < copies; ++k) b[k] = 0;
    lu.solve(b);
    // the damping 1e-10 perturbs by its own size, and round-off divided by it enters the difference of the two
    for (int j = 0; j < n; ++j) EXPECT_NEAR(b[j], j < copies ? 1 : -0.5, 1e-5) << j;
  }
}

/// Pivots chosen for one matrix and used for another, for which fresh ones would differ: loaded factors have the old
/// ones, and give the same bits in the next factorisation too.
TEST(SparseLu, GoesOnAfterItWasSaved) {
  for (const int n : {12, 60}) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<int> start{0}, row;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i)
        if (i == j || random() % 4 == 0) row.push_back(i);
      start.push_back(static_cast<int>(row.size()));
    }
    const auto make_values = [&] {
      std::vector<double> values(row.size());
      for (double& v : values) v = number(random);
      return values;
    };
    const std::vector<double> first = make_values(), third = make_values();
    std::vector<double> second = first;
    for (double& v : second) v *= 1 + 0.8 * number(random);
    SparseLu<double> lu(n, start, row), loaded(n, start, row), fresh(n, start, row);
    ASSERT_TRUE(lu.factor(first) && lu.factor(second) && fresh.factor(second));
    StateArchive out;
    out(lu);
    StateArchive in(out.bytes());
    in(loaded);
    const auto solve = [&](SparseLu<double>& with) {
      std::vector<double> b(n, 1.0);
      with.solve_once(b);
      return b;
    };
    const std::vector<double> expected = solve(lu);
    EXPECT_EQ(solve(loaded), expected) << n;
    if (n > SparseLu<double>::dense_limit) {
      ASSERT_GT(lu.refactorizations(), 0) << "the pivots must be old ones for this to be a test";
      EXPECT_NE(solve(fresh), expected) << "fresh pivots must differ for this to be a test";
    }
    ASSERT_TRUE(lu.factor(third) && loaded.factor(third));
    EXPECT_EQ(solve(loaded), solve(lu)) << n;
  }
}

/// Blocks [a b; c a] on the diagonal and a first row and column that tie them together.
Sparse<double> make_blocks(int n, double a, double b, double c) {
  Sparse<double> m{n};
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const bool is_block = i > 0 && j > 0 && (i - 1) / 2 == (j - 1) / 2;
      if (!is_block && i > 0 && j > 0) continue;
      m.row.push_back(i), m.values.push_back(i == j ? a : i == 0 || j == 0 ? 0.1 : i < j ? b : c);
    }
    m.start.push_back(int(m.row.size()));
  }
  return m;
}

TEST(SparseLu, RecordsTheOrderOfWhatIsFactoredOften) {
  for (const int n : {15, 41}) {
    const Sparse<double> first = make_blocks(n, 4, 1, 1), second = make_blocks(n, 1e-9, 1, 1);
    SparseLu<double> lu(n, first.start, first.row);
    const auto expect_solves = [&](const Sparse<double>& a) {
      std::vector<double> x(n, 1.0);
      lu.solve_once(x);
      // of good pivots: some units of round-off
      EXPECT_LT(backward_error(a, x, std::vector<double>(n, 1.0)), 2e-15) << n;
    };
    for (int k = 0; k < 10; ++k) {
      ASSERT_TRUE(lu.factor(first.values));
      expect_solves(first);
    }
    EXPECT_EQ(lu.factorizations(), 1);
    // pivots that vanish are chosen anew
    for (int k = 0; k < 3; ++k) {
      ASSERT_TRUE(lu.factor(second.values));
      expect_solves(second);
    }
    EXPECT_EQ(lu.factorizations(), 2);
    // what is singular is named as ever
    Sparse<double> singular = second;
    for (int e = singular.start[4]; e < singular.start[5]; ++e) singular.values[e] = 0;
    EXPECT_FALSE(lu.factor(singular.values));
    EXPECT_EQ(lu.weakest_column(), 4);
    ASSERT_TRUE(lu.factor(first.values));
    expect_solves(first);
  }
}

/// Scales of an earlier matrix serve the next ones, until these have grown too far from it.
TEST(SparseLu, MayKeepItsScales) {
  const int n = 15;
  Sparse<double> a = make_blocks(n, 4, 1, 0.3);
  SparseLu<double> lu(n, a.start, a.row);
  lu.keep_scales();
  for (int k = 0; k < 30; ++k) {
    ASSERT_TRUE(lu.factor(a.values)) << k;
    std::vector<double> x(n, 1.0);
    lu.solve_once(x);
    // of good pivots: some units of round-off
    EXPECT_LT(backward_error(a, x, std::vector<double>(n, 1.0)), 4e-15) << k;
    for (int e = a.start[3]; e < a.start[6]; ++e) a.values[e] *= k < 15 ? 3.1 : 0.3;
  }
  a.values[a.start[3]] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(lu.factor(a.values));
  EXPECT_EQ(lu.weakest_column(), 3);
}

/// An order that was chosen for one matrix and serves another, for which a fresh one would differ, is kept.
TEST(SparseLu, KeepsARecordedOrderWhenItIsSaved) {
  const int n = 15;
  const Sparse<double> first = make_blocks(n, 4, 1, 0.2), second = make_blocks(n, 1, 3, 2.9),
                       third = make_blocks(n, 1, 3, 0.4);
  SparseLu<double> lu(n, first.start, first.row), loaded(n, first.start, first.row), fresh(n, first.start, first.row);
  for (int k = 0; k < 8; ++k) ASSERT_TRUE(lu.factor(first.values) && fresh.factor(second.values));
  const long before = lu.factorizations();
  ASSERT_TRUE(lu.factor(second.values));
  ASSERT_EQ(lu.factorizations(), before) << "the order must be an old one for this to be a test";
  StateArchive out;
  out(lu);
  StateArchive in(out.bytes());
  in(loaded);
  const auto solve = [&](SparseLu<double>& with) {
    std::vector<double> b(n);
    for (int i = 0; i < n; ++i) b[i] = 1.0 / (i + 3);
    with.solve_once(b);
    return b;
  };
  EXPECT_EQ(solve(loaded), solve(lu));
  EXPECT_NE(solve(fresh), solve(lu)) << "a fresh order must differ for this to be a test";
  ASSERT_TRUE(lu.factor(third.values) && loaded.factor(third.values));
  EXPECT_EQ(solve(loaded), solve(lu));
}

}  // namespace
}  // namespace coenergy::math
