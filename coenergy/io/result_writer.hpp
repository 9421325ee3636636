#pragma once
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace coenergy::io {

/// What a result file tells besides its rows. CSV has the names and units alone.
struct ResultHeader {
  struct Parameter {
    std::string name, unit;
    double value;
  };
  std::vector<std::string> names, units;  ///< of the columns; the first one is what the others are shown over: time
  std::string title, file, model;         ///< of the model, and its text
  std::vector<Parameter> parameters;
  std::vector<std::pair<std::string, std::string>> settings;  ///< of the run: method, tolerances
};

/// Where a CSV file tells its units: in a second line, behind the names ("motor.i (A)"), or nowhere.
enum class CsvUnits { row, header, none };

/// Writes a result row by row, in the format that the ending of its file names:
///
///   .csv          text; see CsvWriter
///   .h5, .hdf5    a dataset for each column, compressed in chunks; see Hdf5Writer
///   .mat          Matlab's format 5: `time`, `values`, `names`, `units`, `title`, `ended`; rows are kept until the end
///   .raw          ngspice's binary format
///
/// Until close() it is `name.part.ending` (see OutputFile). All functions throw an Error that names the file where it
/// cannot be written.
class ResultWriter {
 public:
  virtual ~ResultWriter() = default;
  virtual void append(std::span<const double> row) = 0;  ///< as many values as there are names
  virtual void tell_end(const std::string& /*text*/) {}  ///< how the run ended, before flush() or close()
  virtual void flush() = 0;                              ///< what came so far can be read in part()
  virtual void close() = 0;
  virtual void discard() = 0;  ///< as if it had not been written
  virtual const std::filesystem::path& part() const = 0;
};

/// The endings of results: ".csv", ".h5" …, as far as this build writes them.
const std::vector<std::string>& result_endings();
/// Throws an Error for an ending that is none of them; the text is "the file name must end with …".
void check_result_ending(const std::filesystem::path& path);

std::unique_ptr<ResultWriter> make_result_writer(const std::filesystem::path& path, const ResultHeader& header,
                                                 CsvUnits units = CsvUnits::row);

/// All rows at once, row-major.
void write_result_file(const std::filesystem::path& path, const ResultHeader& header, std::span<const double> values);

}  // namespace coenergy::io
