#pragma once
#include <string>
#include <vector>

#include "coenergy/base/data_file.hpp"

namespace coenergy::analyze {

/// What two results may differ by: of a signal |a − b| ≤ absolute + relative · max |b|, at instants that may differ by
/// `time`. Of each row of a the value is compared with all that b has within that time: straight between its rows, at an
/// event both sides. So a jump is no difference where both have it at one instant.
struct DifferenceOptions {
  double relative = 1e-6;
  double absolute = 1e-9;                 ///< in SI
  double time = 0;                        ///< s; 0: 1e-9 of the common time
  std::vector<std::string> signals = {};  ///< those compared; empty: all that both have
};

struct SignalDifference {
  std::string name, unit;
  double largest = 0;   ///< |a − b|, in SI
  double at = 0;        ///< time of it
  double a = 0, b = 0;  ///< the values there
  double rms = 0;
  double allowed = 0;
  bool good() const { return largest <= allowed; }
};

struct ResultDifference {
  double from = 0, to = 0;                  ///< the time that both have
  std::vector<SignalDifference> signals;    ///< those that both have
  std::vector<std::string> only_a, only_b;  ///< what the other one lacks
  bool good() const;
};

/// Compares two tables over their columns `time`, in SI by their units. Values that are not finite differ from all but
/// their like. Throws Error naming file and column where units do not fit, times fall, no time is common, or a signal
/// is missing.
ResultDifference compare_results(const CsvData& a, const std::string& file_a, const CsvData& b,
                                 const std::string& file_b, const DifferenceOptions& options = {});

}  // namespace coenergy::analyze
