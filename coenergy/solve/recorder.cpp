#include "coenergy/solve/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"

namespace coenergy::solve {

/// A program for the chosen signals alone pays where there are this many times more.
static constexpr std::size_t several = 2;

Recorder::Recorder(equations::Evaluator& evaluator, const Options& options, RowSink sink, bool keep, Result& result)
    : evaluator_(&evaluator), sink_(std::move(sink)), keep_(keep), result_(&result) {
  const auto& signals = evaluator.system().signals();
  ErrorList errors;
  for (const std::string& name : options.signals) {
    const int k = evaluator.system().find_signal(name);
    if (k >= 0) {
      chosen_.push_back(k);
      continue;
    }
    std::vector<std::string> known;
    for (const auto& signal : signals) known.push_back(signal.name);
    errors.add({}, "there is no signal \"" + name + "\" to record" + did_you_mean(name, known));
  }
  errors.throw_if_any();
  if (options.signals.empty())
    for (std::size_t k = 0; k < signals.size(); ++k) chosen_.push_back(int(k));
  else
    all_.resize(signals.size());
  for (int k : chosen_) result.names.push_back(signals[k].name), result.units.push_back(signals[k].unit);
  row_.resize(chosen_.size());
  const auto is_energy = [&](int k) { return k == evaluator.system().data().energy_signal; };
  if (chosen_.size() * several <= signals.size() && std::none_of(chosen_.begin(), chosen_.end(), is_energy))
    reader_.emplace(evaluator, chosen_);
}

void Recorder::record(const equations::Point& p, double t) {
  if (reader_) {
    reader_->read(p, row_);
  } else if (all_.empty()) {
    evaluator_->signals(p, row_);
  } else {
    evaluator_->signals(p, all_);
    for (std::size_t i = 0; i < chosen_.size(); ++i) row_[i] = all_[chosen_[i]];
  }
  for (std::size_t i = 0; i < row_.size(); ++i)
    if (!std::isfinite(row_[i])) note_bad(i, t);
  if (sink_) sink_(t, row_);
  if (!keep_) return;
  result_->times.push_back(t);
  result_->values.insert(result_->values.end(), row_.begin(), row_.end());
}

void Recorder::note_bad(std::size_t column, double t) {
  if (bad_.empty()) bad_.resize(row_.size());
  if (bad_[column] != 0) return;
  bad_[column] = 1;
  result_->notes.push_back(
      fmt::format("signal {} has no finite value at t = {:g} s; look for a division by zero, or a "
                  "root or logarithm of a negative number",
                  result_->names[column], t));
}

}  // namespace coenergy::solve
