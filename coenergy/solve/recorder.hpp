#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "coenergy/solve/options.hpp"
#include "coenergy/solve/result.hpp"
#include "coenergy/system/signal_reader.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::solve {

/// Receives each row as soon as it is known.
using RowSink = std::function<void(double t, std::span<const double> values)>;

/// Turns points into rows of the chosen signals; the first value of a signal that is not finite becomes a note.
class Recorder {
 public:
  /// Throws coenergy::Error for names that are no signals. `keep` tells whether rows are stored in the result.
  Recorder(system::Evaluator& evaluator, const Options& options, RowSink sink, bool keep, Result& result);
  void record(const system::Point& p);
  /// What record() reads of a point; nothing: all of it.
  const system::SignalReader::Needs* needs() const { return reader_ ? &reader_->needs() : nullptr; }

 private:
  system::Evaluator* evaluator_;
  RowSink sink_;
  bool keep_;
  Result* result_;
  void note_bad(std::size_t column, double t);

  std::optional<system::SignalReader> reader_;  ///< where few of many signals are chosen
  std::vector<int> chosen_;
  std::vector<char> bad_;          ///< columns that were not finite once
  std::vector<double> all_, row_;  ///< all signals, where not all are chosen; the chosen ones
};

}  // namespace coenergy::solve
