#include "coenergy/base/data_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "coenergy/base/error.hpp"
#include "coenergy/base/hdf5_file.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/base/units.hpp"

namespace coenergy {
namespace {

constexpr std::string_view no_unit = "-";

struct CsvField {
  std::string text;
  int column = 1;
  bool quoted = false;
};

struct CsvLine {
  std::vector<CsvField> fields;
  int number = 1;
  bool complete = true;  ///< ends with a line end
};

/// Splits a text into lines of fields.
class LineReader {
 public:
  LineReader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  bool at_end() const { return rest_.empty(); }

  CsvLine read() {
    CsvLine line;
    line.number = line_;
    column_ = 1;
    while (true) {
      line.fields.push_back(read_field());
      if (!take(',')) break;
    }
    take('\r');
    line.complete = take('\n');
    ++line_;
    return line;
  }

 private:
  bool take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    ++column_;
    return true;
  }

  CsvField read_field() {
    CsvField field;
    field.column = column_;
    if (take('"')) return read_quoted(std::move(field));
    const auto length = std::min(rest_.find_first_of(",\r\n"), rest_.size());
    field.text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    column_ += static_cast<int>(length);
    // spaces around a value do not count
    const auto first = std::min(field.text.find_first_not_of(' '), field.text.size());
    field.text = field.text.substr(first, field.text.find_last_not_of(' ') + 1 - first);
    return field;
  }

  CsvField read_quoted(CsvField field) {
    field.quoted = true;
    const int start = line_;
    while (!rest_.empty()) {
      const char c = rest_[0];
      take(c);
      if (c == '"' && !take('"')) return field;
      if (c == '\n') ++line_, column_ = 1;
      field.text += c;
    }
    throw Error({file_, start, field.column}, "the quote is not closed");
  }

  std::string_view rest_;
  const std::string& file_;
  int line_ = 1, column_ = 1;
};

std::optional<double> find_number(const CsvField& field) {
  double value = 0;
  const char *begin = field.text.data(), *end = begin + field.text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto result = std::from_chars(begin, end, value);
  if (begin == end || result.ec != std::errc() || result.ptr != end || field.quoted) return std::nullopt;
  return value;
}

bool is_numeric(const CsvLine& line) {
  return std::all_of(line.fields.begin(), line.fields.end(),
                     [](const CsvField& f) { return find_number(f).has_value(); });
}

std::vector<std::string> texts_of(const CsvLine& line) {
  std::vector<std::string> texts;
  for (const auto& field : line.fields) texts.push_back(field.text);
  return texts;
}

// no numbers, save 1 for the dimensionless
bool is_units(const CsvLine& line) {
  return !is_numeric(line) && std::all_of(line.fields.begin(), line.fields.end(),
                                          [](const CsvField& f) { return find_number(f).value_or(1) == 1; });
}

std::vector<std::string> units_of(const CsvLine& line) {
  auto units = texts_of(line);
  for (auto& unit : units)
    if (unit == no_unit || unit == "1") unit.clear();
  return units;
}

// the number of fields must be that of the names
void check_count(const CsvLine& line, std::size_t columns, const std::string& file) {
  if (line.fields.size() == columns) return;
  throw Error({file, line.number, line.fields.back().column}, "the line has " + std::to_string(line.fields.size()) +
                                                                  " values, but there are " + std::to_string(columns) +
                                                                  " names");
}

void append_numbers(CsvData& data, const CsvLine& line, const std::string& file) {
  for (const auto& field : line.fields) {
    const auto value = find_number(field);
    if (!value) throw Error({file, line.number, field.column}, "\"" + field.text + "\" is not a number");
    data.values.push_back(*value);
  }
}

CsvData read_header(LineReader& lines, const std::string& file) {
  CsvData data;
  const auto names = lines.read();
  data.names = texts_of(names);
  if (is_numeric(names))
    throw Error({file, 1, 1}, "the first line must hold the names of the columns, as in \"time,rotor.q\"");
  for (std::size_t i = 0; i < data.names.size(); ++i) {
    const Location where{file, names.number, names.fields[i].column};
    if (data.names[i].empty()) throw Error(where, "the name of the column is empty");
    if (std::find(data.names.begin(), data.names.begin() + static_cast<std::ptrdiff_t>(i), data.names[i]) !=
        data.names.begin() + static_cast<std::ptrdiff_t>(i))
      throw Error(where, "the column \"" + data.names[i] + "\" stands twice");
  }
  return data;
}

/// "motor.i (A)" of a header is the name and its unit.
void split_units(CsvData& data) {
  for (std::size_t k = 0; k < data.columns(); ++k) {
    std::string& name = data.names[k];
    const std::size_t open = name.rfind(" (");
    if (open == std::string::npos || open == 0 || !name.ends_with(')')) continue;
    const std::string unit = name.substr(open + 2, name.size() - open - 3);
    if (unit.empty() || !find_unit(unit)) continue;
    const std::string short_name = name.substr(0, open);
    if (std::find(data.names.begin(), data.names.end(), short_name) != data.names.end()) continue;
    data.units[k] = unit, name = short_name;
  }
}

}  // namespace

std::vector<double> CsvData::column(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw Error("unknown column \"" + name + "\"" + did_you_mean(name, names));
  std::vector<double> result(rows());
  for (std::size_t k = 0; k < result.size(); ++k) result[k] = at(k, static_cast<std::size_t>(found - names.begin()));
  return result;
}

CsvData parse_csv(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  LineReader lines(text, file);
  if (lines.at_end()) throw Error({file, 1, 1}, "the file is empty");
  CsvData data = read_header(lines, file);
  data.units.resize(data.columns());
  bool has_units = false;
  for (bool first = true; !lines.at_end(); first = false) {
    const auto line = lines.read();
    const bool is_whole = line.fields.size() == data.columns();
    // the rest of a run that was killed
    if (!line.complete && (!is_whole || !is_numeric(line))) break;
    const bool is_blank = line.fields.size() == 1 && line.fields[0].text.empty();
    if (is_blank) continue;
    check_count(line, data.columns(), file);
    if (first && is_units(line))
      data.units = units_of(line), has_units = true;
    else
      append_numbers(data, line, file);
  }
  if (!has_units) split_units(data);
  return data;
}

bool is_hdf5(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".h5" || ending == ".hdf5";
}

CsvData read_data(const std::filesystem::path& path, const std::vector<std::string>& only) {
  return is_hdf5(path) ? read_hdf5(path, only) : read_csv(path);
}

CsvData read_csv(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("cannot read " + path.string() + ": " + std::strerror(errno ? errno : EIO));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return parse_csv(text, path.string());
}

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

}  // namespace coenergy
