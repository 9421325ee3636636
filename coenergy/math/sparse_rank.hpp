#pragma once
#include <span>

#include "coenergy/math/decompositions.hpp"

namespace coenergy::math {

/// An entry of a sparse matrix.
struct Triplet {
  int row, column;
  double value;
};

/// Independent rows of a sparse matrix by Gaussian elimination; each place (row, column) at most once.
///
/// Rows are scaled to unit length. Pivots are taken from the row with the fewest entries among those whose largest one
/// is at least 0.1, then 0.001, … down to `tolerance`: rows that are nearly combinations of others come last, and those
/// of which no more than the tolerance is left are dependent. In a row the pivot is the entry in the emptiest column
/// among those of at least a tenth of its largest one. For matrices of mechanisms, whose rows have a few entries each,
/// the work grows about with the number of rows.
RowRank compute_sparse_row_rank(int rows, int columns, std::span<const Triplet> entries, double tolerance = 1e-9);

}  // namespace coenergy::math
