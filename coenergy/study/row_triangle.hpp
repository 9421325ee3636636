#pragma once
#include <span>

#include "coenergy/math/matrix.hpp"

namespace coenergy::study {

/// The upper triangle R of A = Q R, and Qᵀ b, of rows that come one by one.
class RowTriangle {
 public:
  explicit RowTriangle(int columns);
  void add(std::span<const double> row, double right);
  /// Columns + 1: R, and Qᵀ b as the last one; its last entry is what no column explains.
  const math::Matrix& triangle();
  long rows() const { return rows_; }

 private:
  void reduce();
  int columns_, filled_ = 0;
  long rows_ = 0;
  math::Matrix block_;  ///< the triangle, and rows below it that wait
  math::Matrix triangle_;
};

}  // namespace coenergy::study
