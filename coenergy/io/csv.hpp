#pragma once
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coenergy::io {

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

/// Writes results row by row: a line of names (`time,rotor.q,...`), a line of units (`s,rad,...`; `-` where there is
/// none), then one line per row, each number as the shortest text that reads back as the same double (also nan, inf,
/// -inf). Names and units with a comma, a quote or a line end are quoted. Rows reach the file in whole lines at least
/// every 64 kB and at flush(), so that a killed run leaves a file that read_csv accepts. Throws an Error if the file
/// cannot be written.
class CsvWriter {
 public:
  CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& names,
            const std::vector<std::string>& units);
  ~CsvWriter();  ///< writes what is left, silent on errors: call close() to learn of them
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  void append(std::span<const double> row);  ///< as many values as there are names
  void flush();
  void close();

 private:
  void append_header(const std::vector<std::string>& fields, std::string_view empty);
  std::filesystem::path path_;
  std::size_t columns_ = 0;
  std::string buffer_;
  std::ofstream file_;
};

/// Writes all rows at once; `values` as in CsvData.
void write_csv(const std::filesystem::path& path, const std::vector<std::string>& names,
               const std::vector<std::string>& units, std::span<const double> values);

/// Reads such a table; `file` is the name for messages. The line of units may be missing (units are then ""). A last
/// line without line end is dropped if it is not complete: a run was killed while it was written. Other mistakes throw
/// located errors.
CsvData parse_csv(std::string_view text, const std::string& file);
CsvData read_csv(const std::filesystem::path& path);

}  // namespace coenergy::io
