#pragma once
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
  /// The value, or the derivative of the given order along each axis.
  double evaluate(double x, double y = 0, int dx = 0, int dy = 0) const;

  std::vector<double> second;  ///< spline second derivatives, made by prepare()
};

}  // namespace coenergy::symbolic
