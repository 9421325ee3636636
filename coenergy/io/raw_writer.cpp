#include "coenergy/io/raw_writer.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "coenergy/base/error.hpp"

namespace coenergy::io {
namespace {

constexpr std::size_t buffer_size = 1 << 16;
constexpr int digits_of_count = 19;

const char* kind_of(const std::string& unit) {
  return unit == "s"    ? "time"
         : unit == "V"  ? "voltage"
         : unit == "A"  ? "current"
         : unit == "Hz" ? "frequency"
                        : "notype";
}

/// Names that ngspice's commands can hold: one word, motor#i for motor.i (a dot would end the name of a plot), in small
/// letters where that makes no two of them one.
std::vector<std::string> words(const std::vector<std::string>& names) {
  std::vector<std::string> all, small;
  for (std::string name : names) {
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isspace(c) != 0; }, '_');
    std::replace(name.begin(), name.end(), '.', '#');
    all.push_back(name);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    small.push_back(name);
  }
  return std::set<std::string>(small.begin(), small.end()).size() == small.size() ? small : all;
}

}  // namespace

RawWriter::RawWriter(const std::filesystem::path& path, const ResultHeader& header) : file_(path) {
  const bool over_time = header.units.front() == "s";
  std::string title = header.title.empty() ? header.file : header.title;
  std::replace(title.begin(), title.end(), '\n', ' ');
  std::string text = fmt::format("Title: {}\nPlotname: {}\nFlags: real\nNo. Variables: {}\nNo. Points: ", title,
                                 over_time ? "Transient Analysis" : "Table", header.names.size());
  count_at_ = text.size();
  text += fmt::format("{:<{}}\nVariables:\n", 0, digits_of_count);
  const std::vector<std::string> names = words(header.names);
  for (std::size_t k = 0; k < names.size(); ++k)
    text += fmt::format("\t{}\t{}\t{}\n", k, names[k], kind_of(header.units[k]));
  text += "Binary:\n";
  file_.write(text);
}

RawWriter::~RawWriter() {
  try {
    if (!buffer_.empty()) flush();
  } catch (const Error&) {
    // close() tells; a destructor cannot
    return;
  }
}

void RawWriter::append(std::span<const double> row) {
  buffer_.append(reinterpret_cast<const char*>(row.data()), row.size_bytes());
  ++rows_;
  if (buffer_.size() >= buffer_size) flush();
}

void RawWriter::flush() {
  file_.write(buffer_);
  buffer_.clear();
  file_.overwrite(count_at_, fmt::format("{:<{}}", rows_, digits_of_count));
}

void RawWriter::close() {
  flush();
  file_.commit();
}

void RawWriter::discard() {
  buffer_.clear();
  file_.discard();
}

}  // namespace coenergy::io
