#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Inverse of a monotone map given by values on a grid: y with f(y) = u, to round-off. What an actuator's characteristic
/// needs in front of it: Table(InverseTable(u)) = u.
///
///   linear  straight between the points      cubic  natural spline, refused where it is not monotone
///
/// Beyond the points f goes on along its end tangents.
struct InverseTable {
  Parameter u;
  List x, values;
  Choice interpolation;
  Algebraic y;

  void describe(Description& d) {
    d.name("blocks.InverseTable", "inverse of a monotone table: y such that table(y) = u");
    d.parameter(u, "u", "any", "wanted value of the map").varying();
    d.parameter(x, "x", "any", "grid of the map's input, increasing");
    d.parameter(values, "values", "any", "values of the map at the grid points, rising or falling");
    d.choice(interpolation, "interpolation", {"linear", "cubic"}, "between the grid points");
    d.variable(y, "y", "", "input of the map that gives u");
  }

  void equations(Equations& eq) const;
};

}  // namespace coenergy::domains::blocks
