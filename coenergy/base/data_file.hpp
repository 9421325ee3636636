#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace coenergy {

/// A table of numbers with a name and a unit for each column. Row k is values[k·columns … (k + 1)·columns).
struct CsvData {
  std::vector<std::string> names, units;
  std::vector<double> values;

  std::size_t columns() const { return names.size(); }
  std::size_t rows() const { return names.empty() ? 0 : values.size() / names.size(); }
  double at(std::size_t row, std::size_t column) const { return values[row * columns() + column]; }
  /// All values of a column; throws an Error with a suggestion if there is none of this name.
  std::vector<double> column(const std::string& name) const;
};

/// Reads such a table; `file` is the name for messages. The line of units may be missing (units are then ""). A last
/// line without line end is dropped if it is not complete: a run was killed while it was written. Other mistakes throw
/// located errors.
/// Without a line of units, names that end with one (`motor.i (A)`) are split.
CsvData parse_csv(std::string_view text, const std::string& file);
CsvData read_csv(const std::filesystem::path& path);

/// Whether a file is HDF5 by its ending, .h5 or .hdf5.
bool is_hdf5(const std::filesystem::path& path);
/// A table by the ending of its file: HDF5 (see hdf5_file.hpp), else CSV. Of HDF5 only the columns `only` are read, if
/// there are any.
CsvData read_data(const std::filesystem::path& path, const std::vector<std::string>& only = {});

/// A column of a data file in SI: by the unit its line of units gives, which must be of the kind of `unit` (an SI unit;
/// "" is a plain number); without one it is in `unit`. Throws an Error that names file, column, row and value where a
/// value is not finite or the unit is another one.
std::vector<double> read_quantity(const CsvData& data, const std::string& file, const std::string& name,
                                  const std::string& unit);

/// The column `time`, likewise, whose values must increase.
std::vector<double> read_times(const CsvData& data, const std::string& file);

}  // namespace coenergy
