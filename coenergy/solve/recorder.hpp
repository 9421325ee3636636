#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "coenergy/equations/signal_reader.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/solve/result.hpp"

namespace coenergy::solve {

/// Receives each row as soon as it is known.
using RowSink = std::function<void(double t, std::span<const double> values)>;

/// Turns points into rows of the chosen signals; the first value of a signal that is not finite becomes a note.
class Recorder {
 public:
  /// Throws coenergy::Error for names that are no signals. `keep` tells whether rows are stored in the result.
  Recorder(equations::Evaluator& evaluator, const Options& options, RowSink sink, bool keep, Result& result);
  /// The row of time t, which p has but for round-off.
  void record(const equations::Point& p, double t);
  /// What record() reads of a point; nothing: all of it.
  const equations::SignalReader::Needs* needs() const { return reader_ ? &reader_->needs() : nullptr; }
  void visit(StateArchive& archive) { archive(bad_); }

 private:
  equations::Evaluator* evaluator_;
  RowSink sink_;
  bool keep_;
  Result* result_;
  void note_bad(std::size_t column, double t);

  std::optional<equations::SignalReader> reader_;  ///< where few of many signals are chosen
  std::vector<int> chosen_;
  std::vector<char> bad_;          ///< columns that were not finite once
  std::vector<double> all_, row_;  ///< all signals, where not all are chosen; the chosen ones
};

}  // namespace coenergy::solve
