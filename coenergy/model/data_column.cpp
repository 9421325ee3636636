#include "coenergy/model/data_column.hpp"

#include <algorithm>
#include <list>
#include <mutex>

#include <fmt/format.h>

#include "coenergy/base/data_file.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/model/expression_syntax.hpp"

namespace coenergy::model {
namespace {

std::shared_ptr<const symbolic::Table> make_table(const DataColumn& c, symbolic::Table::Method method,
                                                  std::vector<double> x, std::vector<double> y) {
  auto table = std::make_shared<symbolic::Table>();
  table->name = c.name, table->method = method;
  table->x = std::move(x), table->values = std::move(y);
  table->prepare();
  return table;
}

std::filesystem::path find_beside(const std::string& beside, const std::string& file) {
  std::error_code none;
  const std::filesystem::path near = std::filesystem::path(beside).parent_path() / file;
  return std::filesystem::exists(near, none) || !std::filesystem::exists(file, none) ? near
                                                                                     : std::filesystem::path(file);
}

DataColumn read_column(const std::filesystem::path& path, const std::string& name) {
  const std::string file = path.string();
  const CsvData data = read_data(path, {"time", name});
  const auto place = std::find(data.names.begin(), data.names.end(), name) - data.names.begin();
  DataColumn c{file, name, place < std::ssize(data.units) ? data.units[static_cast<std::size_t>(place)] : "", {}, {}};
  const std::vector<double> times = read_quantity(data, file, "time", "s"),
                            values = read_quantity(data, file, name, c.unit);
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (i > 0 && times[i] == c.times.back() && values[i] == c.values.back()) continue;
    if (i > 0 && times[i] == c.times.back())
      throw Error({file}, fmt::format("column {}, row {}: a second value at time = {:g} s; a table cannot jump", name,
                                      i + 1, times[i]));
    if (i > 0 && times[i] < c.times.back())
      throw Error({file}, fmt::format("row {}: time = {:g} s follows {:g} s; times must grow", i + 1, times[i],
                                      c.times.back()));
    c.times.push_back(times[i]), c.values.push_back(values[i]);
  }
  if (c.times.size() < 2) throw Error({file}, "needs two rows or more");
  return c;
}

}  // namespace

std::shared_ptr<const symbolic::Table> DataColumn::linear() const {
  // level outside: rows of the same value at both sides
  const double span = times.back() - times.front();
  std::vector<double> x{times.front() - span}, y{values.front()};
  x.insert(x.end(), times.begin(), times.end()), y.insert(y.end(), values.begin(), values.end());
  x.push_back(times.back() + span), y.push_back(values.back());
  return make_table(*this, symbolic::Table::Method::linear, std::move(x), std::move(y));
}

Quantity evaluate_column(symbolic::Graph& graph, const DataColumn& column, bool cubic, const symbolic::Expr& time) {
  Quantity result = column.unit.empty() ? make_plain(0) : make_quantity(0, parse_unit(column.unit));
  if (!cubic) {
    result.value = graph.table(column.linear(), time);
    return result;
  }
  const symbolic::Expr inside = min(max(time, column.times.front()), column.times.back());
  result.value = graph.table(make_table(column, symbolic::Table::Method::cubic, column.times, column.values), inside);
  return result;
}

std::shared_ptr<const DataColumn> read_data_column(const std::string& beside, const std::string& file,
                                                   const std::string& column) {
  struct Known {
    std::filesystem::path path;
    std::filesystem::file_time_type time;
    std::uintmax_t size;
    std::shared_ptr<const DataColumn> column;
  };
  static std::mutex mutex;
  static std::list<Known> known;
  constexpr std::size_t most_known = 16;
  const std::filesystem::path path = find_beside(beside, file);
  std::error_code none;
  const auto time = std::filesystem::last_write_time(path, none);
  const auto size = std::filesystem::file_size(path, none);
  const std::lock_guard lock(mutex);
  for (const Known& k : known)
    if (k.path == path && k.time == time && k.size == size && k.column->name == column) return k.column;
  auto read = std::make_shared<const DataColumn>(read_column(path, column));
  known.push_front({path, time, size, read});
  if (known.size() > most_known) known.pop_back();
  return read;
}

std::optional<std::pair<std::string, std::string>> find_data_column(const std::string& text) {
  if (!text.starts_with("table(")) return std::nullopt;
  const Syntax call = parse_syntax(text, {});
  if (call.kind != Syntax::Kind::call || call.arguments[1].kind != Syntax::Kind::text)
    throw Error("write table(\"file.csv\", \"column\")");
  return std::pair(call.arguments[1].text, call.arguments[2].text);
}

}  // namespace coenergy::model
