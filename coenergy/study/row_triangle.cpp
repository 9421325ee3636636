#include "coenergy/study/row_triangle.hpp"

#include <cmath>

namespace coenergy::study {

RowTriangle::RowTriangle(int columns)
    : columns_(columns), block_(columns + 1 + 256, columns + 1), triangle_(columns + 1, columns + 1) {}

void RowTriangle::add(std::span<const double> row, double right) {
  const int at = columns_ + 1 + filled_;
  for (int j = 0; j < columns_; ++j) block_(at, j) = row[static_cast<std::size_t>(j)];
  block_(at, columns_) = right;
  ++rows_;
  if (columns_ + 1 + ++filled_ == block_.rows) reduce();
}

void RowTriangle::reduce() {
  // Householder's reflections, which leave zeros above the waiting rows as they are
  const int m = columns_ + 1 + filled_, n = columns_ + 1;
  for (int k = 0; k < n; ++k) {
    double square = 0;
    for (int i = k + 1; i < m; ++i) square += block_(i, k) * block_(i, k);
    if (square == 0) continue;
    const double pivot = block_(k, k), length = std::copysign(std::sqrt(pivot * pivot + square), pivot);
    const double first = pivot + length, factor = first / length;
    for (int i = k + 1; i < m; ++i) block_(i, k) /= first;
    block_(k, k) = -length;
    for (int j = k + 1; j < n; ++j) {
      double dot = block_(k, j);
      for (int i = k + 1; i < m; ++i) dot += block_(i, k) * block_(i, j);
      dot *= factor;
      block_(k, j) -= dot;
      for (int i = k + 1; i < m; ++i) block_(i, j) -= dot * block_(i, k);
    }
    for (int i = k + 1; i < m; ++i) block_(i, k) = 0;
  }
  filled_ = 0;
}

const math::Matrix& RowTriangle::triangle() {
  if (filled_ > 0) reduce();
  for (int j = 0; j <= columns_; ++j)
    for (int i = 0; i <= columns_; ++i) triangle_(i, j) = i <= j ? block_(i, j) : 0;
  return triangle_;
}

}  // namespace coenergy::study
