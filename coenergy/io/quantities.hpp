#pragma once
#include <string>
#include <vector>

#include "coenergy/io/csv.hpp"

namespace coenergy::io {

/// A column of a data file in SI: by the unit its line of units gives, which must be of the kind of `unit` (an SI unit;
/// "" is a plain number); without one it is in `unit`. Throws an Error that names file, column, row and value where a
/// value is not finite or the unit is another one.
std::vector<double> read_quantity(const CsvData& data, const std::string& file, const std::string& name,
                                  const std::string& unit);

/// The column `time`, likewise, whose values must increase.
std::vector<double> read_times(const CsvData& data, const std::string& file);

}  // namespace coenergy::io
