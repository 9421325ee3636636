#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/answer_report.hpp"
#include "apps/coenergy/target.hpp"
#include "apps/coenergy/verbs.hpp"
#include "coenergy/analyze/result_difference.hpp"
#include "coenergy/base/names.hpp"

namespace coenergy::app {
namespace {

using analyze::ResultDifference;
using analyze::SignalDifference;

nlohmann::json to_json(const CompareArguments& arguments, const ResultDifference& d) {
  nlohmann::json j = begin_answer();
  j.update({{"a", arguments.a},
            {"b", arguments.b},
            {"equal", d.good()},
            {"from", d.from},
            {"to", d.to},
            {"only_a", d.only_a},
            {"only_b", d.only_b},
            {"rtol", arguments.options.relative},
            {"atol", arguments.options.absolute}});
  j["units"]["from"] = j["units"]["to"] = "s";
  j["signals"] = nlohmann::json::object();
  for (const SignalDifference& s : d.signals) {
    j["signals"][s.name] = {{"equal", s.good()}, {"largest", s.largest}, {"at", s.at},           {"a", s.a},
                            {"b", s.b},          {"rms", s.rms},         {"allowed", s.allowed}, {"unit", s.unit}};
    j["units"][s.name] = s.unit;
  }
  return j;
}

ReportChart::Curve curve_of(const CsvData& data, const std::string& file, const std::string& name) {
  return {file, data.column("time"), data.column(name)};
}

/// The signals that differ most against what is allowed, both curves in one chart.
Report make_page(const CompareArguments& arguments, const ResultDifference& d, const CsvData& a, const CsvData& b) {
  constexpr std::size_t most_charts = 8, most_points = 20000;
  Report report;
  report.title = "compare " + arguments.a + " with " + arguments.b;
  report.ended = d.good() ? "equal within the tolerances" : "the results differ";
  report.succeeded = d.good();
  std::vector<const SignalDifference*> worst;
  for (const SignalDifference& s : d.signals) worst.push_back(&s);
  std::stable_sort(worst.begin(), worst.end(),
                   [](const auto* s, const auto* t) { return s->largest * t->allowed > t->largest * s->allowed; });
  ReportTable table{"Differences", {"signal", "largest", "allowed", "unit", "at (s)", "rms"}, {}};
  for (const SignalDifference* s : worst)
    table.rows.push_back({s->name, format_short(s->largest), format_short(s->allowed), s->unit, format_short(s->at),
                          format_short(s->rms)});
  report.tables.push_back(std::move(table));
  for (std::size_t k = 0; k < std::min(most_charts, worst.size()); ++k) {
    ReportChart chart{worst[k]->name, "time (s)", worst[k]->name + " (" + worst[k]->unit + ")"};
    for (const auto& [data, file] : {std::pair(&a, arguments.a), std::pair(&b, arguments.b)}) {
      ReportChart::Curve all = curve_of(*data, file, worst[k]->name), curve{file, {}, {}};
      const std::size_t stride = 1 + all.x.size() / most_points;
      for (std::size_t i = 0; i < all.x.size(); i += stride) curve.x.push_back(all.x[i]), curve.y.push_back(all.y[i]);
      chart.curves.push_back(std::move(curve));
    }
    report.charts.push_back(std::move(chart));
  }
  return report;
}

void print(const CompareArguments& arguments, const ResultDifference& d) {
  std::size_t width = 6;
  for (const SignalDifference& s : d.signals) width = std::max(width, s.name.size());
  fmt::print("{} against {}, t = {} s … {} s\n", arguments.a, arguments.b, format_short(d.from), format_short(d.to));
  fmt::print("{:<{}}  {:>12} {:>12} {:>12}  {:>12}  unit\n", "signal", width, "largest", "allowed", "rms", "at (s)");
  for (const SignalDifference& s : d.signals)
    fmt::print("{:<{}}  {:>12} {:>12} {:>12}  {:>12}  {}{}\n", s.name, width, format_short(s.largest),
               format_short(s.allowed), format_short(s.rms), format_short(s.at), s.unit, s.good() ? "" : "  differs");
  if (!d.only_a.empty()) fmt::print("only in {}: {}\n", arguments.a, fmt::join(d.only_a, ", "));
  if (!d.only_b.empty()) fmt::print("only in {}: {}\n", arguments.b, fmt::join(d.only_b, ", "));
  const auto differing = std::count_if(d.signals.begin(), d.signals.end(), [](const auto& s) { return !s.good(); });
  fmt::print("{}\n", differing == 0 ? fmt::format("equal: {} signals", d.signals.size())
                                    : fmt::format("{} of {} signals differ", differing, d.signals.size()));
}

}  // namespace

int compare(const CompareArguments& arguments) {
  check_target("--report", arguments.report, ".html");
  const CsvData a = read_data(arguments.a), b = read_data(arguments.b);
  const ResultDifference d = analyze::compare_results(a, arguments.a, b, arguments.b, arguments.options);
  if (!arguments.report.empty()) write_page(arguments.report, make_page(arguments, d, a, b));
  if (arguments.json)
    print_answer(to_json(arguments, d));
  else
    print(arguments, d);
  return d.good() ? 0 : 1;
}

}  // namespace coenergy::app
