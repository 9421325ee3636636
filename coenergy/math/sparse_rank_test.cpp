#include "coenergy/math/sparse_rank.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace coenergy::math {
namespace {

/// A banded matrix of `rows` rows with a few entries each, the last `dependent` of which are sums of two others.
std::vector<Triplet> make_matrix(int rows, int columns, int dependent, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  Matrix dense(rows, columns);
  const int free_rows = rows - dependent;
  for (int i = 0; i < free_rows; ++i)
    for (int k = 0; k < 6; ++k) dense(i, (i + static_cast<int>(random() % 9)) % columns) = value(random);
  for (int i = free_rows; i < rows; ++i) {
    const int a = static_cast<int>(random() % free_rows), b = static_cast<int>(random() % free_rows);
    for (int j = 0; j < columns; ++j) dense(i, j) = 2 * dense(a, j) - 0.3 * dense(b, j);
  }
  std::vector<Triplet> entries;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      if (dense(i, j) != 0) entries.push_back({i, j, dense(i, j)});
  return entries;
}

Matrix to_dense(int rows, int columns, const std::vector<Triplet>& entries) {
  Matrix m(rows, columns);
  for (const Triplet& e : entries) m(e.row, e.column) = e.value;
  return m;
}

TEST(SparseRank, IsThatOfTheDenseMatrix) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const int rows = 20 + static_cast<int>(seed), columns = 60 + static_cast<int>(seed),
              dependent = static_cast<int>(seed % 7);
    const std::vector<Triplet> entries = make_matrix(rows, columns, dependent, seed);
    const RowRank sparse = compute_sparse_row_rank(rows, columns, entries);
    EXPECT_EQ(sparse.rank, compute_row_rank(to_dense(rows, columns, entries)).rank) << seed;
    EXPECT_EQ(sparse.rank + int(sparse.dependent.size()), rows) << seed;
    // the rows that were kept are independent by themselves
    std::vector<Triplet> kept;
    for (const Triplet& e : entries)
      if (std::count(sparse.independent.begin(), sparse.independent.end(), e.row)) kept.push_back(e);
    EXPECT_EQ(compute_row_rank(to_dense(rows, columns, kept)).rank, sparse.rank) << seed;
  }
}

TEST(SparseRank, LeavesOutWhatIsNearlyACombination) {
  // the third row is the sum of the others but for 1e-5
  const std::vector<Triplet> entries = {{0, 0, 1}, {0, 1, 1}, {1, 1, 1},        {1, 2, -2},
                                        {2, 0, 1}, {2, 1, 2}, {2, 2, -2 + 1e-5}};
  EXPECT_EQ(compute_sparse_row_rank(3, 3, entries, 1e-9).rank, 3);
  EXPECT_EQ(compute_sparse_row_rank(3, 3, entries, 1e-4).rank, 2);
}

TEST(SparseRank, ZeroRowsAreDependent) {
  const RowRank rank = compute_sparse_row_rank(3, 2, std::vector<Triplet>{{1, 0, 1e-30}, {2, 1, 5}});
  EXPECT_EQ(rank.rank, 2);
  EXPECT_EQ(rank.dependent, std::vector<int>{0});
}

}  // namespace
}  // namespace coenergy::math
