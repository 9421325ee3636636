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

using PointSink = std::function<void(const system::Point&)>;

/// Turns points into rows of the chosen signals; the first value of a signal that is not finite becomes a note.
class Recorder {
 public:
  /// Throws coenergy::Error for names that are no signals. `keep` tells whether rows are stored in the result.
  Recorder(system::Evaluator& evaluator, const Options& options, RowSink sink, bool keep, Result& result);
  void record(const system::Point& p);
  /// What record() reads of a point; nothing: all of it.
  const system::SignalReader::Needs* needs() const { return reader_ && !point_sink_ ? &reader_->needs() : nullptr; }
  /// Also receives every point that is recorded, before its row is made.
  void set_point_sink(PointSink sink) { point_sink_ = std::move(sink); }

 private:
  system::Evaluator* evaluator_;
  RowSink sink_;
  PointSink point_sink_;
  bool keep_;
  Result* result_;
  void note_bad(std::size_t column, double t);

  std::optional<system::SignalReader> reader_;  ///< where few of many signals are chosen
  std::vector<int> chosen_;
  std::vector<char> bad_;  ///< columns that were not finite once
  std::vector<double> all_, row_;
};

}  // namespace coenergy::solve
