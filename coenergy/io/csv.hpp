#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/base/data_file.hpp"
#include "coenergy/base/state_archive.hpp"
#include "coenergy/io/output_file.hpp"
#include "coenergy/io/result_writer.hpp"

namespace coenergy::io {

using coenergy::CsvData;
using coenergy::parse_csv;
using coenergy::read_csv;

/// Writes results row by row: a line of names (`time,rotor.q,...`), a line of units (`s,rad,...`; `-` where there is
/// none), then one line per row, each number as the shortest text that reads back as the same double (also nan, inf,
/// -inf). Or the units stand behind the names ("rotor.q (rad)"), or nowhere. Names and units with a comma, a quote or a line end are quoted. Rows reach `name.part.csv` in whole lines at
/// least every 64 kB and at flush(), so that a killed run leaves a file that read_csv accepts; close() gives it its
/// name (see OutputFile). Throws an Error if the file cannot be written.
class CsvWriter final : public ResultWriter {
 public:
  CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& names,
            const std::vector<std::string>& units, CsvUnits where = CsvUnits::row);
  /// Goes on behind `begin`, the first bytes of the file `from`.
  CsvWriter(const std::filesystem::path& path, std::size_t columns, const std::filesystem::path& from,
            const Checksum& begin);
  ~CsvWriter() override;  ///< without close(): writes what is left to the part, silent on errors
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  void append(std::span<const double> row) override;
  void flush() override;
  void sync();  ///< flush(), and down to the disk
  void close() override;
  void discard() override;
  /// Of all that was flushed.
  const Checksum& checksum() const { return checksum_; }
  const std::filesystem::path& path() const { return file_.path(); }
  const std::filesystem::path& part() const override { return file_.part(); }

 private:
  void append_header(const std::vector<std::string>& fields, std::string_view empty);
  std::size_t columns_ = 0;
  std::string buffer_;
  OutputFile file_;
  Checksum checksum_;
};

/// Whether a file begins with the bytes of which this is the check sum.
bool begins_with(const std::filesystem::path& path, const Checksum& begin);

/// Writes all rows at once; `values` as in CsvData.
void write_csv(const std::filesystem::path& path, const std::vector<std::string>& names,
               const std::vector<std::string>& units, std::span<const double> values);

}  // namespace coenergy::io
