#include "coenergy/math/matrix.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace coenergy::math {

Matrix identity(int n) {
  Matrix a(n, n);
  for (int i = 0; i < n; ++i) a(i, i) = 1;
  return a;
}

Matrix transpose(const Matrix& a) {
  Matrix b(a.columns, a.rows);
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i) b(j, i) = a(i, j);
  return b;
}

Matrix multiply(const Matrix& a, const Matrix& b) {
  assert(a.columns == b.rows);
  Matrix c(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j)
    for (int k = 0; k < a.columns; ++k) {
      const double factor = b(k, j);
      if (factor == 0) continue;
      for (int i = 0; i < a.rows; ++i) c(i, j) += a(i, k) * factor;
    }
  return c;
}

double max_abs(const Matrix& a) {
  double largest = 0;
  for (double value : a.data) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace coenergy::math
