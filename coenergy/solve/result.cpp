#include "coenergy/solve/result.hpp"

#include <algorithm>

#include "coenergy/base/error.hpp"

namespace coenergy::solve {

int Result::find(const std::string& name) const {
  const auto place = std::find(names.begin(), names.end(), name);
  return place == names.end() ? -1 : int(place - names.begin());
}

std::vector<double> Result::signal(const std::string& name) const {
  const int column = find(name);
  if (column < 0) throw Error("the result has no signal \"" + name + "\"" + did_you_mean(name, names));
  std::vector<double> column_values(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) column_values[i] = values[i * names.size() + column];
  return column_values;
}

}  // namespace coenergy::solve
