#pragma once
#include <span>
#include <vector>

#include "coenergy/math/sparse_rank.hpp"

namespace coenergy::math {

/// Square sparse matrix in compressed columns: entries of column j are those from column_start[j] to
/// column_start[j + 1].
struct SparseMatrix {
  int n = 0;
  std::vector<int> column_start{0}, row;
  std::vector<double> value;

  /// r += factor · A x
  void add_product(std::span<const double> x, std::span<double> r, double factor = 1) const;
};

/// Entries at one place add up.
SparseMatrix make_sparse_matrix(int n, std::vector<Triplet> entries);

}  // namespace coenergy::math
