#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coenergy/model/quantity.hpp"
#include "coenergy/symbolic/table.hpp"

namespace coenergy::model {

/// A column of a data file (CSV or HDF5) over its column `time`, in SI: what `table("file.csv", "column")` reads in an
/// expression. Before the first row the first value holds, behind the last row the last one.
struct DataColumn {
  std::string path, name, unit;  ///< unit: of the file; "" is a plain number
  std::vector<double> times, values;

  /// Straight between the rows.
  std::shared_ptr<const symbolic::Table> linear() const;
};

/// The column at a time, straight between its rows or as a natural spline through them.
Quantity evaluate_column(symbolic::Graph& graph, const DataColumn& column, bool cubic, const symbolic::Expr& time);

/// Reads a column; `beside` is the file in which it is named, in whose folder the data are looked for. A column is read
/// once as long as its file is not changed. Times must increase; a time that is written twice with one value (around an
/// event) counts once. Throws Error naming file, column and row.
std::shared_ptr<const DataColumn> read_data_column(const std::string& beside, const std::string& file,
                                                   const std::string& column);

/// File and column of the text `table("file.csv", "column")`; nothing where it is another one. Throws Error where it
/// begins so and goes on otherwise.
std::optional<std::pair<std::string, std::string>> find_data_column(const std::string& text);

}  // namespace coenergy::model
