#include "coenergy/analyze/result_difference.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "coenergy/base/error.hpp"
#include "coenergy/base/units.hpp"

namespace coenergy::analyze {
namespace {

/// A column in SI; values that are not finite stay as they are.
std::vector<double> column_of(const CsvData& data, std::size_t k) {
  const std::optional<Unit> unit = find_unit(data.units[k]);
  std::vector<double> values(data.rows());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = unit ? to_si(data.at(i, k), *unit) : data.at(i, k);
  return values;
}

/// The unit of what column_of gives.
std::string si_name(const std::string& text) {
  const std::optional<Unit> unit = find_unit(text);
  return !unit || (unit->factor == 1 && unit->offset == 0) ? text : unit_name(unit->dimension);
}

std::size_t place_of(const CsvData& data, const std::string& file, const std::string& name) {
  const auto found = std::find(data.names.begin(), data.names.end(), name);
  if (found == data.names.end())
    throw Error({file}, "unknown column \"" + name + "\"" + did_you_mean(name, data.names));
  return static_cast<std::size_t>(found - data.names.begin());
}

std::vector<double> times_of(const CsvData& data, const std::string& file) {
  const std::vector<double> times = column_of(data, place_of(data, file, "time"));
  if (times.empty()) throw Error({file}, "the file has no rows");
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!std::isfinite(times[i]) || (i > 0 && times[i] < times[i - 1]))
      throw Error({file}, fmt::format("row {}: time = {:g} s follows {:g} s; times must not fall", i + 1, times[i],
                                      i > 0 ? times[i - 1] : 0.0));
  return times;
}

/// Values that a course takes within [from, to]: straight between rows, both sides of a jump.
struct Range {
  double low, high;
};
class Course {
 public:
  Course(const std::vector<double>& times, std::vector<double> values) : times_(&times), values_(std::move(values)) {}

  /// Asked with times that grow.
  Range range(double from, double to) {
    const std::vector<double>& t = *times_;
    while (next_ < t.size() && t[next_] < from) ++next_;
    Range r = at(next_, from);
    std::size_t k = next_;
    for (; k < t.size() && t[k] <= to; ++k) join(r, values_[k]);
    const Range end = at(k, to);
    join(r, end.low), join(r, end.high);
    return r;
  }

 private:
  static void join(Range& r, double v) { r.low = std::fmin(r.low, v), r.high = std::fmax(r.high, v); }
  /// The value at a time just before row k.
  Range at(std::size_t k, double time) const {
    const std::vector<double>& t = *times_;
    if (k == 0 || k == t.size()) {
      const double v = values_[k == 0 ? 0 : t.size() - 1];
      return {v, v};
    }
    const double h = t[k] - t[k - 1], s = h > 0 ? (time - t[k - 1]) / h : 1;
    const double v = values_[k - 1] + s * (values_[k] - values_[k - 1]);
    return {v, v};
  }

  const std::vector<double>* times_;
  std::vector<double> values_;
  std::size_t next_ = 0;
};

/// How far a value is from a range; those that are not finite are near their like alone.
double distance(double v, const Range& r) {
  if (std::isnan(v)) return std::isnan(r.low) && std::isnan(r.high) ? 0 : HUGE_VAL;
  if (std::isnan(r.low) || std::isnan(r.high)) return HUGE_VAL;
  if (v == r.low || v == r.high) return 0;
  if (!std::isfinite(v)) return HUGE_VAL;
  return std::max({r.low - v, v - r.high, 0.0});
}

void check_units(const CsvData& a, std::size_t ka, const CsvData& b, std::size_t kb, const std::string& file_b) {
  const std::optional<Unit> ua = find_unit(a.units[ka]), ub = find_unit(b.units[kb]);
  if (a.units[ka].empty() || b.units[kb].empty() || (ua && ub && ua->dimension == ub->dimension)) return;
  if (a.units[ka] == b.units[kb]) return;
  throw Error({file_b},
              fmt::format("column {} is in {}, but in {} in the other result", b.names[kb], b.units[kb], a.units[ka]));
}

}  // namespace

bool ResultDifference::good() const {
  return std::all_of(signals.begin(), signals.end(), [](const SignalDifference& s) { return s.good(); });
}

ResultDifference compare_results(const CsvData& a, const std::string& file_a, const CsvData& b,
                                 const std::string& file_b, const DifferenceOptions& options) {
  const std::vector<double> ta = times_of(a, file_a), tb = times_of(b, file_b);
  ResultDifference difference;
  difference.from = std::max(ta.front(), tb.front()), difference.to = std::min(ta.back(), tb.back());
  if (difference.from > difference.to)
    throw Error({file_b}, fmt::format("its times, {:g} s to {:g} s, have nothing in common with {:g} s to {:g} s of {}",
                                      tb.front(), tb.back(), ta.front(), ta.back(), file_a));
  const double window = options.time > 0 ? options.time : 1e-9 * (difference.to - difference.from);
  std::vector<std::string> names = options.signals;
  for (std::size_t k = 0; k < a.columns() && options.signals.empty(); ++k)
    if (std::find(b.names.begin(), b.names.end(), a.names[k]) == b.names.end())
      difference.only_a.push_back(a.names[k]);
    else if (a.names[k] != "time")
      names.push_back(a.names[k]);
  for (std::size_t k = 0; k < b.columns() && options.signals.empty(); ++k)
    if (std::find(a.names.begin(), a.names.end(), b.names[k]) == a.names.end()) difference.only_b.push_back(b.names[k]);
  for (const std::string& name : names) {
    const std::size_t ka = place_of(a, file_a, name), kb = place_of(b, file_b, name);
    check_units(a, ka, b, kb, file_b);
    const std::vector<double> values = column_of(a, ka), reference = column_of(b, kb);
    SignalDifference d{name, si_name(b.units[kb].empty() ? a.units[ka] : b.units[kb])};
    double scale = 0, squares = 0;
    std::size_t count = 0;
    for (const double v : reference)
      if (std::isfinite(v)) scale = std::max(scale, std::abs(v));
    d.allowed = options.relative * scale + options.absolute;
    Course course(tb, reference);
    for (std::size_t i = 0; i < ta.size(); ++i) {
      if (ta[i] < difference.from || ta[i] > difference.to) continue;
      const Range r = course.range(ta[i] - window, ta[i] + window);
      const double away = distance(values[i], r);
      squares += away * away, ++count;
      if (away > d.largest || count == 1)
        d.largest = away, d.at = ta[i], d.a = values[i],
        d.b = std::abs(values[i] - r.low) < std::abs(values[i] - r.high) ? r.low : r.high;
    }
    d.rms = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, count)));
    difference.signals.push_back(std::move(d));
  }
  if (difference.signals.empty()) throw Error({file_b}, "it has no signal in common with " + file_a);
  return difference;
}

}  // namespace coenergy::analyze
