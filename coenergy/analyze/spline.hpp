#pragma once
#include <vector>

namespace coenergy::analyze {

/// First and second derivatives at the knots of the cubic spline through (t, y), with continuous third derivatives at
/// the second and the last but one knot ("not a knot"). Needs at least four times, each later than the one before.
struct SplineDerivatives {
  std::vector<double> first, second;
};
SplineDerivatives differentiate_spline(const std::vector<double>& t, const std::vector<double>& y);

}  // namespace coenergy::analyze
