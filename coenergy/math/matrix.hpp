#pragma once
#include <complex>
#include <vector>

namespace coenergy::math {

/// Dense matrix, column-major: element (i, j) is data[i + j·rows].
template <class T>
struct DenseMatrix {
  int rows = 0, columns = 0;
  std::vector<T> data;

  DenseMatrix() = default;
  DenseMatrix(int rows, int columns) : rows(rows), columns(columns), data(std::size_t(rows) * columns) {}

  T& operator()(int i, int j) { return data[i + std::size_t(j) * rows]; }
  const T& operator()(int i, int j) const { return data[i + std::size_t(j) * rows]; }
};

using Matrix = DenseMatrix<double>;
using ComplexMatrix = DenseMatrix<std::complex<double>>;

Matrix identity(int n);
Matrix transpose(const Matrix& a);
Matrix multiply(const Matrix& a, const Matrix& b);
/// The largest absolute value of an element; 0 for an empty matrix.
double max_abs(const Matrix& a);

}  // namespace coenergy::math
