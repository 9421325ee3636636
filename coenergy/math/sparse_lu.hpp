#pragma once
#include <complex>
#include <memory>
#include <span>
#include <vector>

#include "coenergy/base/state_archive.hpp"

namespace coenergy::math {

/// LU factors of a square sparse matrix A whose pattern does not change.
///
/// The matrix is equilibrated first: Â = R A C with powers of two on the diagonals of R and C such that the largest
/// entry of each row and column of Â is near 1. Pivots of Â are therefore comparable, and their ratio tells
/// singularity. Factors come from KLU (block triangular form, AMD ordering, threshold pivoting with tolerance 0.1);
/// matrices with n ≤ dense_limit, and those that are nearly full, are factored densely. A new set of values reuses the pivot order (refactorisation),
/// unless the pivot growth or the pivot ratio became a thousand times worse than with fresh pivoting: then the pivots
/// are chosen anew. solve() makes one step of iterative refinement.
///
/// Damped unknowns: the factors are those of Â − δ·diag(damped), which is regular also where these unknowns are not
/// unique (multipliers of redundant constraints). Used inside Newton's iteration with exact residuals it gives the
/// solution with the smallest change of the damped unknowns, as long as the equations do not contradict each other.
///
/// T is double or std::complex<double>.
template <class T>
class SparseLu {
 public:
  static constexpr int dense_limit = 20;

  /// Compressed columns: the rows of column j are row[column_start[j]] … row[column_start[j+1] − 1], without
  /// repetition. `may_damp` lists unknowns that set_damping acts on; their diagonal is added to the pattern where it is
  /// missing.
  SparseLu(int n, std::span<const int> column_start, std::span<const int> row, std::span<const int> may_damp = {});
  ~SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  /// Factors A given by its values in the order of the pattern. False where A is singular or not finite; see
  /// weakest_*().
  bool factor(std::span<const T> values);
  /// b ← A⁻¹ b. Only after factor() was successful. A b that is shorter than n goes on with zeros, and only its own part
  /// of the solution is told.
  void solve(std::span<T> b);
  /// The same without the refinement, for iterations that correct themselves.
  void solve_once(std::span<T> b);

  /// The scales need not be those of the last matrix, which spares finding them; of no use to who asks for row_scale().
  void keep_scales();

  /// Relative to the equilibrated matrix; 0 for none.
  void set_damping(double delta);
  /// Only of some of the unknowns that may be damped. With delta = 1 and a zero in their equation they keep their
  /// value.
  void set_damping(double delta, std::span<const int> unknowns);
  double damping() const;

  /// |smallest pivot| / |largest pivot| of Â.
  double pivot_ratio() const;
  /// Unknown (column) and equation (row) of the smallest pivot, or of the first entry that is not finite.
  int weakest_column() const;
  int weakest_row() const;
  /// The scale R of each row: r_i·R_i is comparable between rows.
  std::span<const double> row_scale() const;
  /// The scale C of each column: x_j / C_j is comparable between unknowns.
  std::span<const double> column_scale() const;

  /// The factors too: those loaded give the same bits as those saved, also in factorisations that reuse their pivots.
  void visit(StateArchive& archive);

  int n() const;
  long factorizations() const;    ///< with a new choice of pivots
  long refactorizations() const;  ///< with the pivots of an earlier one

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

extern template class SparseLu<double>;
extern template class SparseLu<std::complex<double>>;

}  // namespace coenergy::math
