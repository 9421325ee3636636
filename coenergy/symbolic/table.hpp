#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace coenergy::symbolic {

/// A function given by values at grid points: 1-D y(x), or 2-D z(x, y) with values[i·ny + j] at (x[i], y[j]).
/// `linear` is continuous; `cubic` is a natural cubic spline per axis (twice continuously differentiable inside).
/// Outside the grid both continue along the end tangent.
struct Table {
  enum class Method { linear, cubic };
  std::string name;
  Method method = Method::linear;
  std::vector<double> x, y;  ///< strictly increasing; y is empty for a 1-D table
  std::vector<double> values;

  /// Throws coenergy::Error where the grid is not increasing or the sizes do not fit; prepares spline coefficients.
  void prepare();
  bool is_prepared() const { return prepared_size == values.size() && !values.empty(); }
  /// The value, or the derivative of the given order along each axis. Of a linear table the first derivative is that of
  /// the cell, at a grid point of the cell to the right; at the outer side of the last point that of the last cell.
  double evaluate(double x, double y = 0, int dx = 0, int dy = 0) const;

  /// Spline second derivatives at the grid points, made by prepare() (empty for linear tables), with values' layout:
  /// 1-D: s″; 2-D: ∂²/∂x², then ∂²/∂y², then ∂⁴/∂x²∂y², each of values.size() entries.
  std::vector<double> second;
  std::size_t prepared_size = 0;
};

/// How an interpolant is made from the two grid points around x along one axis:
///   s(x) = v₀ f[i] + v₁ f[i+1] + w₀ f″[i] + w₁ f″[i+1]     (w = 0 for linear tables),
/// or the same for its derivative of some order. A 2-D value is the product of the weights of both axes.
struct TableWeights {
  std::size_t cell;
  double v[2], w[2];
};
TableWeights table_weights(const std::vector<double>& grid, Table::Method method, double x, int order);

}  // namespace coenergy::symbolic
