#include "coenergy/io/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/base/units.hpp"

namespace coenergy::io {

std::vector<double> read_quantity(const CsvData& data, const std::string& file, const std::string& name,
                                  const std::string& unit) {
  std::vector<double> values = data.column(name);
  const auto place = std::find(data.names.begin(), data.names.end(), name) - data.names.begin();
  const std::string given = data.units.size() > std::size_t(place) ? data.units[place] : "";
  const Unit wanted = parse_unit(unit);
  Unit found = wanted;
  if (!given.empty() && given != "-") {
    const std::optional<Unit> known = find_unit(given);
    if (!known || known->dimension != wanted.dimension)
      throw Error({file}, fmt::format("column {} is in \"{}\"; it must be in {} or a multiple of it", name, given,
                                      unit.empty() ? "plain numbers" : unit));
    found = *known;
  }
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (!std::isfinite(values[row]))
      throw Error({file},
                  fmt::format("column {}, row {}: {:g} is no value; all rows need one", name, row + 1, values[row]));
    values[row] = to_si(values[row], found);
  }
  return values;
}

std::vector<double> read_times(const CsvData& data, const std::string& file) {
  const std::vector<double> times = read_quantity(data, file, "time", "s");
  for (std::size_t i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1]))
      throw Error({file},
                  fmt::format("row {}: time = {:g} s follows {:g} s; times must grow", i + 1, times[i], times[i - 1]));
  return times;
}

}  // namespace coenergy::io
