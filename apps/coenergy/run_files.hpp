#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/coenergy/card_report.hpp"
#include "apps/coenergy/load.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/io/output_file.hpp"
#include "coenergy/io/row_thinner.hpp"
#include "coenergy/solve/result.hpp"

namespace coenergy::app {

/// How many rows there were, and the last of them: a run need not keep the others.
struct Rows {
  std::size_t count = 0;
  double t = 0;
  std::vector<double> last;
  void visit(StateArchive& archive) { archive(count, t, last); }
};

/// The files of a run. Rows go to `out.part.csv` (or .h5, .mat, .raw) as they come; what the page shows of them is kept in bounded memory.
/// All files are locked as long as the run lasts, and have their names only when it has come to an end.
class RunFiles {
 public:
  /// Only the first `wanted` signals go into the result file, 0: all; the others are for the page.
  /// `position` is what position() gave when the run was saved that now goes on; empty: a new run. Throws Error where a
  /// file cannot be written, or the rows written before the run was saved are gone.
  RunFiles(const RunArguments& arguments, const Prepared& prepared, const io::Netlist& netlist,
           const std::string& position, std::size_t wanted);
  ~RunFiles();  ///< a run that did not begin leaves nothing
  RunFiles(const RunFiles&) = delete;
  RunFiles& operator=(const RunFiles&) = delete;

  void record(double t, std::span<const double> values);
  const Rows& rows() const { return rows_; }
  std::size_t columns() const { return columns_; }  ///< signals of the result file
  /// Brings all rows to the disk and tells where the files are then; goes into a checkpoint.
  std::string position();

  /// The run has ended: files get their names, those of a run that failed stay parts.
  /// `cards` is what others of a netlist add to the report.
  void finish(const Prepared& prepared, const solve::Result& result, CardPage cards);
  /// Lines for people: which file is where.
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void go_on(const RunArguments& arguments, const std::string& position, std::size_t columns);

  std::unique_ptr<io::ResultWriter> writer_;
  io::CsvWriter* csv_ = nullptr;  // the same, where rows can be taken up again
  std::optional<io::OutputFile> page_;
  std::optional<io::RowThinner> drawn_;
  std::size_t columns_ = 0;
  Rows rows_;
  std::vector<double> row_;
  std::vector<std::string> lines_;
  std::string output_;            // whole path
  std::string name_, page_name_;  // as the user wrote them
};

/// A file with the state of a run, replaced as a whole by a newer one from time to time.
class Checkpoint {
 public:
  Checkpoint(const std::string& path, double seconds);
  ~Checkpoint();
  bool is_due() const;
  void write(const std::string& state);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::chrono::duration<double> every_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::optional<io::OutputFile> next_;
};

}  // namespace coenergy::app
