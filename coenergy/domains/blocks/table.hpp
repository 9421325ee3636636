#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Look-up table over one or more inputs: values on a grid, the last axis fastest.
///
///   linear  multilinear between the grid points       nearest, previous  piecewise constant, every change an event
///   cubic   natural splines of one or two axes, twice continuously differentiable
///
/// Outside of the grid `outside` says what happens: extend (along the end tangent), hold (the value at the edge), or
/// refuse (a run ends there).
struct Table {
  List u, x1, x2, x3, values;
  Choice interpolation, outside;

  void describe(Description& d) {
    d.name("blocks.Table", "look-up table over one, two or three inputs");
    d.parameter(u, "u", "any", "inputs, one for each axis").varying();
    d.parameter(x1, "x1", "any", "grid of the first input, increasing");
    d.parameter(x2, "x2", "any", "grid of the second input").optional();
    d.parameter(x3, "x3", "any", "grid of the third input").optional().used_with(x2);
    d.parameter(values, "values", "any", "values at the grid points, the last axis fastest");
    d.choice(interpolation, "interpolation", {"linear", "cubic", "nearest", "previous"}, "between the grid points");
    d.choice(outside, "outside", {"extend", "hold", "refuse"}, "what happens outside of the grid")
        .used_for(interpolation, {"linear", "cubic"});
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const;

 private:
  struct Axis {
    Expr u;
    std::vector<double> grid;
  };
  std::vector<Axis> read_axes(Equations& eq) const;
};

}  // namespace coenergy::domains::blocks
