#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// A column of a data file (CSV: a line of names, one of units, rows) over its column `time`, in SI by its unit:
///
///   linear    straight between the rows, whose corners are located events     previous  held from row to row
///   cubic     a natural spline, twice continuously differentiable
///
/// It is read at `at`, the time of the run unless told otherwise. Beyond the rows the outermost value is held, or a run is
/// refused (`outside`).
struct FileSource {
  Choice data, interpolation, outside;
  Parameter at;
  Discrete row;

  void describe(Description& d) {
    d.name("blocks.FileSource", "a column of a data file over time: y(t)");
    d.choice(data, "data", {}, "file and column, such as measured.csv:motor.w; the file is looked for beside the model")
        .file();
    d.choice(interpolation, "interpolation", {"linear", "cubic", "previous"}, "between the rows");
    d.choice(outside, "outside", {"hold", "refuse"}, "what happens before the first and behind the last row");
    d.parameter(at, "at", "s", "time at which it is read; without it that of the run").varying().optional();
    d.variable(row, "row", "", "number of the row that has passed, 0 before the first one");
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const;
};

}  // namespace coenergy::domains::blocks
