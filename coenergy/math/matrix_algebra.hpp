#pragma once
#include <cassert>

#include "coenergy/math/matrix.hpp"

namespace coenergy::math {

// Formulas of matrices as they are written.

inline Matrix operator*(const Matrix& a, const Matrix& b) { return multiply(a, b); }

inline Matrix operator*(double factor, Matrix a) {
  for (double& x : a.data) x *= factor;
  return a;
}

inline Matrix operator+(Matrix a, const Matrix& b) {
  assert(a.rows == b.rows && a.columns == b.columns);
  for (std::size_t i = 0; i < a.data.size(); ++i) a.data[i] += b.data[i];
  return a;
}

inline Matrix operator-(Matrix a, const Matrix& b) {
  assert(a.rows == b.rows && a.columns == b.columns);
  for (std::size_t i = 0; i < a.data.size(); ++i) a.data[i] -= b.data[i];
  return a;
}

inline Matrix operator-(Matrix a) { return -1.0 * std::move(a); }

/// The rows from i on and the columns from j on.
inline Matrix part(const Matrix& a, int i, int j, int rows, int columns) {
  Matrix b(rows, columns);
  for (int l = 0; l < columns; ++l)
    for (int k = 0; k < rows; ++k) b(k, l) = a(i + k, j + l);
  return b;
}

inline void put(Matrix& a, int i, int j, const Matrix& b) {
  for (int l = 0; l < b.columns; ++l)
    for (int k = 0; k < b.rows; ++k) a(i + k, j + l) = b(k, l);
}

/// [a b], and a above b.
inline Matrix beside(const Matrix& a, const Matrix& b) {
  Matrix c(a.rows, a.columns + b.columns);
  return put(c, 0, 0, a), put(c, 0, a.columns, b), c;
}
inline Matrix above(const Matrix& a, const Matrix& b) {
  Matrix c(a.rows + b.rows, a.columns);
  return put(c, 0, 0, a), put(c, a.rows, 0, b), c;
}

inline Matrix symmetric(const Matrix& a) { return 0.5 * (a + transpose(a)); }

}  // namespace coenergy::math
