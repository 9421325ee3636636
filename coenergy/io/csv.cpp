#include "coenergy/io/csv.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"

namespace coenergy::io {
namespace {

constexpr std::size_t buffer_size = 1 << 16;
constexpr std::string_view no_unit = "-";

[[noreturn]] void fail_file(const char* verb, const std::filesystem::path& path) {
  throw Error(std::string("cannot ") + verb + " " + path.string() + ": " + std::strerror(errno ? errno : EIO));
}

std::string quote(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

struct Field {
  std::string text;
  int column = 1;
  bool quoted = false;
};

struct Line {
  std::vector<Field> fields;
  int number = 1;
  bool complete = true;  ///< ends with a line end
};

/// Splits a text into lines of fields.
class LineReader {
 public:
  LineReader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  bool at_end() const { return rest_.empty(); }

  Line read() {
    Line line;
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

  Field read_field() {
    Field field;
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

  Field read_quoted(Field field) {
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

std::optional<double> find_number(const Field& field) {
  double value = 0;
  const char *begin = field.text.data(), *end = begin + field.text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto result = std::from_chars(begin, end, value);
  if (begin == end || result.ec != std::errc() || result.ptr != end || field.quoted) return std::nullopt;
  return value;
}

bool is_numeric(const Line& line) {
  return std::all_of(line.fields.begin(), line.fields.end(), [](const Field& f) { return find_number(f).has_value(); });
}

std::vector<std::string> texts_of(const Line& line) {
  std::vector<std::string> texts;
  for (const auto& field : line.fields) texts.push_back(field.text);
  return texts;
}

// no numbers, save 1 for the dimensionless
bool is_units(const Line& line) {
  return !is_numeric(line) && std::all_of(line.fields.begin(), line.fields.end(),
                                          [](const Field& f) { return find_number(f).value_or(1) == 1; });
}

std::vector<std::string> units_of(const Line& line) {
  auto units = texts_of(line);
  for (auto& unit : units)
    if (unit == no_unit || unit == "1") unit.clear();
  return units;
}

// the number of fields must be that of the names
void check_count(const Line& line, std::size_t columns, const std::string& file) {
  if (line.fields.size() == columns) return;
  throw Error({file, line.number, line.fields.back().column}, "the line has " + std::to_string(line.fields.size()) +
                                                                  " values, but there are " + std::to_string(columns) +
                                                                  " names");
}

void append_numbers(CsvData& data, const Line& line, const std::string& file) {
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

}  // namespace

// ---- data

std::vector<double> CsvData::column(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw Error("unknown column \"" + name + "\"" + did_you_mean(name, names));
  std::vector<double> result(rows());
  for (std::size_t k = 0; k < result.size(); ++k) result[k] = at(k, static_cast<std::size_t>(found - names.begin()));
  return result;
}

// ---- writing

CsvWriter::CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& names,
                     const std::vector<std::string>& units)
    : columns_(names.size()), file_(path) {
  assert(names.size() == units.size() && !names.empty());
  append_header(names, "");
  append_header(units, no_unit);
  flush();
}

CsvWriter::CsvWriter(const std::filesystem::path& path, std::size_t columns, const std::filesystem::path& from,
                     const Checksum& begin)
    : columns_(columns), file_(path, true), checksum_(begin) {
  file_.take_over(from, begin.size());
}

CsvWriter::~CsvWriter() {
  try {
    if (!buffer_.empty()) flush();
  } catch (const Error&) {
    // close() tells; a destructor cannot
    return;
  }
}

void CsvWriter::append_header(const std::vector<std::string>& fields, std::string_view empty) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) buffer_ += ',';
    buffer_ += fields[i].empty() ? std::string(empty) : quote(fields[i]);
  }
  buffer_ += '\n';
}

void CsvWriter::append(std::span<const double> row) {
  assert(row.size() == columns_);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) buffer_ += ',';
    buffer_ += format_number(row[i]);
  }
  buffer_ += '\n';
  if (buffer_.size() >= buffer_size) flush();
}

void CsvWriter::flush() {
  // what cannot be written now is not tried again
  const std::string text = std::exchange(buffer_, {});
  file_.write(text);
  checksum_.add(text);
  buffer_.reserve(text.capacity());
}

void CsvWriter::sync() {
  flush();
  file_.sync();
}

void CsvWriter::close() {
  flush();
  file_.commit();
}

void CsvWriter::discard() {
  buffer_.clear();
  file_.discard();
}

bool begins_with(const std::filesystem::path& path, const Checksum& begin) {
  std::ifstream file(path, std::ios::binary);
  Checksum sum;
  std::string block(1 << 16, '\0');
  while (file && sum.size() < begin.size()) {
    file.read(block.data(),
              static_cast<std::streamsize>(std::min<std::uint64_t>(block.size(), begin.size() - sum.size())));
    sum.add(std::string_view(block).substr(0, static_cast<std::size_t>(file.gcount())));
  }
  return sum.size() == begin.size() && sum.value() == begin.value();
}

void write_csv(const std::filesystem::path& path, const std::vector<std::string>& names,
               const std::vector<std::string>& units, std::span<const double> values) {
  CsvWriter writer(path, names, units);
  assert(values.size() % names.size() == 0);
  for (std::size_t k = 0; k + names.size() <= values.size(); k += names.size())
    writer.append(values.subspan(k, names.size()));
  writer.close();
}

// ---- reading

CsvData parse_csv(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  LineReader lines(text, file);
  if (lines.at_end()) throw Error({file, 1, 1}, "the file is empty");
  CsvData data = read_header(lines, file);
  data.units.resize(data.columns());
  for (bool first = true; !lines.at_end(); first = false) {
    const auto line = lines.read();
    const bool is_whole = line.fields.size() == data.columns();
    // the rest of a run that was killed
    if (!line.complete && (!is_whole || !is_numeric(line))) break;
    const bool is_blank = line.fields.size() == 1 && line.fields[0].text.empty();
    if (is_blank) continue;
    check_count(line, data.columns(), file);
    if (first && is_units(line))
      data.units = units_of(line);
    else
      append_numbers(data, line, file);
  }
  return data;
}

CsvData read_csv(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_file("read", path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return parse_csv(text, path.string());
}

}  // namespace coenergy::io
