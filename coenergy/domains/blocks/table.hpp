#pragma once
#include <array>

#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Look-up table over one or more inputs: values on a grid, the last axis fastest.
///
///   linear  multilinear between the grid points       nearest, previous  piecewise constant, every change an event
///   cubic   natural splines along each axis, twice continuously differentiable
///
/// Outside of the grid `outside` says what happens: extend (along the end tangent), hold (the value at the edge), or
/// refuse (a run ends there).
struct Table {
  List u, values;
  std::array<List, 6> axes;
  Choice interpolation, outside;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Table", "look-up table over one to six inputs");
    d.parameter(u, "u", "any", "inputs, one for each axis").varying();
    d.parameter(axes[0], "x1", "any", "grid of the first input, increasing");
    for (std::size_t k = 1; k < axes.size(); ++k)
      d.parameter(axes[k], "x" + std::to_string(k + 1), "any", "grid of input " + std::to_string(k + 1))
          .optional()
          .used_with(axes[k - 1]);
    d.parameter(values, "values", "any", "values at the grid points, the last axis fastest");
    d.choice(interpolation, "interpolation", {"linear", "cubic", "nearest", "previous"}, "between the grid points");
    d.choice(outside, "outside", {"extend", "hold", "refuse"}, "what happens outside of the grid")
        .used_for(interpolation, {"linear", "cubic"});
    sampling.describe(d);
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const;

 private:
  struct Axis {
    Expr u;
    std::vector<double> grid;
  };
  std::vector<Axis> read_axes(Equations& eq) const;
  static Expr interpolate(symbolic::Graph& g, symbolic::Table::Method method, const std::vector<Axis>& all,
                          const std::vector<double>& z);
};

}  // namespace coenergy::domains::blocks
