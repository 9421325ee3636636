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

std::string quote(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

CsvWriter::CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& names,
                     const std::vector<std::string>& units, CsvUnits where)
    : columns_(names.size()), file_(path) {
  assert(names.size() == units.size() && !names.empty());
  std::vector<std::string> header = names;
  for (std::size_t k = 0; k < header.size() && where == CsvUnits::header; ++k)
    if (!units[k].empty()) header[k] += " (" + units[k] + ")";
  append_header(header, "");
  if (where == CsvUnits::row) append_header(units, no_unit);
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

}  // namespace coenergy::io
