#include "coenergy/domains/blocks/file_source.hpp"

#include <algorithm>
#include <memory>

#include "coenergy/base/data_file.hpp"
#include "coenergy/base/names.hpp"

namespace coenergy::domains::blocks {

namespace {

using Grid = symbolic::Table;

Expr make_table(Equations& eq, Grid::Method method, std::vector<double> x, std::vector<double> y, const Expr& at) {
  auto grid = std::make_shared<Grid>();
  grid->name = "column", grid->method = method;
  grid->x = std::move(x), grid->values = std::move(y);
  grid->prepare();
  return eq.graph().table(grid, at);
}

/// values[index], of whole numbers that switch at events.
Expr pick(Equations& eq, const std::vector<double>& values, const Expr& index) {
  std::vector<double> count;
  for (std::size_t k = 0; k < values.size(); ++k) count.push_back(static_cast<double>(k));
  return make_table(eq, Grid::Method::linear, count, values, index);
}

struct Column {
  std::vector<double> times, values;
};

Column read_column(Equations& eq, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
    eq.refuse("data = " + text + " must be a file and one of its columns, such as measured.csv:motor.w");
  const std::string file = eq.path(text.substr(0, colon)), name = text.substr(colon + 1);
  const CsvData data = read_data(file, {"time", name});
  const auto place = std::find(data.names.begin(), data.names.end(), name) - data.names.begin();
  const std::string unit = place < std::ssize(data.units) && data.units[place] != "-" ? data.units[place] : "";
  Column column{read_times(data, file), read_quantity(data, file, name, unit)};
  if (column.times.size() < 2) eq.refuse(file + " needs two rows or more");
  return column;
}

}  // namespace

void FileSource::equations(Equations& eq) const {
  const auto [times, values] = read_column(eq, eq[data]);
  const Expr t = eq.has(at) ? eq[at] : eq.time();
  const double first = times.front(), last = times.back();
  if (eq[outside] == "refuse") {
    const std::string text = "its data are from " + format_short(first) + " s to " + format_short(last) + " s only";
    eq.require("first row", first - t, text);
    eq.require("last row", t - last, text);
  }

  // rows that have passed, by an index that grows evenly between them
  const auto n = static_cast<double>(times.size());
  std::vector<double> numbers;
  for (std::size_t k = 0; k < times.size(); ++k) numbers.push_back(static_cast<double>(k + 1));
  const Expr index = min(max(make_table(eq, Grid::Method::linear, times, numbers, t), 0), n + 1);
  const Expr passed = floor(index), k = eq[row];
  eq.mode(row, min(max(passed, 0), n));
  eq.indicator("row", max(select(less(k, n - 0.5), index - (k + 1), -1), select(less(0.5, k), k - index, -1)));

  // before the first row that one, behind the last one that
  std::vector<double> held{values.front()}, slopes{0}, from{first};
  for (std::size_t i = 0; i < times.size(); ++i) {
    const bool is_last = i + 1 == times.size();
    held.push_back(values[i]), from.push_back(times[i]);
    slopes.push_back(is_last ? 0 : (values[i + 1] - values[i]) / (times[i + 1] - times[i]));
  }
  const std::string how = eq[interpolation];
  if (how == "cubic") {
    const Expr inside = make_table(eq, Grid::Method::cubic, times, values, min(max(t, first), last));
    return eq.output("y", "", select(less(k, 0.5), values.front(), select(less(n - 0.5, k), values.back(), inside)));
  }
  const Expr start = pick(eq, held, k);
  if (how == "previous") return eq.output("y", "", start);
  eq.output("y", "", start + pick(eq, slopes, k) * (t - pick(eq, from, k)));
}

}  // namespace coenergy::domains::blocks
