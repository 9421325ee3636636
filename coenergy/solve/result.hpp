#pragma once
#include <span>
#include <string>
#include <vector>

#include "coenergy/base/state_archive.hpp"
#include "coenergy/equations/point_archive.hpp"

namespace coenergy::solve {

struct Statistics {
  long steps = 0;            ///< accepted
  long rejected = 0;         ///< for their error estimate
  long newton_failures = 0;  ///< steps repeated with a smaller size because Newton's iteration failed
  long newton_iterations = 0;
  long residuals = 0;  ///< evaluations of all rows
  long jacobians = 0;
  long factorizations = 0;  ///< sparse or dense LU, with old or new pivots
  long events = 0;          ///< instants at which clocks or modes changed
  long restarts = 0;        ///< restart solves at the start and at events
  long partitions = 0;      ///< changes of the independent coordinates (coordinates: minimal)
  double wall_time = 0;     ///< s

  void visit(StateArchive& archive) {
    archive(steps, rejected, newton_failures, newton_iterations, residuals, jacobians, factorizations, events, restarts,
            partitions, wall_time);
  }
};

enum class Status { done, failed, stopped };

/// What a simulation gave: signals over time, and how the run ended. At an event there are two rows with the same time:
/// the values just before and just after it.
struct Result {
  std::vector<std::string> names, units;  ///< of the columns
  std::vector<double> times;
  std::vector<double> values;  ///< row-major: times.size() rows of names.size() numbers

  Status status = Status::done;
  std::string text;                ///< how it ended, for people
  std::vector<std::string> notes;  ///< e.g. redundant constraints, start values that were changed
  Statistics statistics;
  equations::Point end;  ///< all variables where the run ended

  std::span<const double> row(std::size_t i) const { return {values.data() + i * names.size(), names.size()}; }
  /// Column of a signal, −1 if it was not recorded.
  int find(const std::string& name) const;
  /// All values of one signal; throws coenergy::Error with a suggestion where there is no such signal.
  std::vector<double> signal(const std::string& name) const;
};

}  // namespace coenergy::solve
