#include "apps/coenergy/study_page.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/coenergy/answer_report.hpp"
#include "coenergy/base/names.hpp"

namespace coenergy::app {

namespace {

std::string make_label(const std::string& name, const std::string& unit) {
  return name + " [" + (unit.empty() ? std::string("–") : unit) + "]";
}

/// The rank correlation of two columns.
double correlate(const std::vector<std::vector<double>>& rows, std::size_t a, std::size_t b) {
  std::vector<std::vector<double>> good;
  for (const std::vector<double>& row : rows)
    if (std::isfinite(row[a]) && std::isfinite(row[b])) good.push_back({row[a], row[b], 0, 0});
  const std::size_t n = good.size();
  if (n < 3) return 0;
  for (const std::size_t c : {0u, 1u}) {
    std::sort(good.begin(), good.end(), [&](const auto& x, const auto& y) { return x[c] < y[c]; });
    if (good.front()[c] == good.back()[c]) return 0;
    for (std::size_t k = 0; k < n; ++k) good[k][2 + c] = static_cast<double>(k);
  }
  const double mean = static_cast<double>(n - 1) / 2;
  double product = 0, square = 0;
  for (const auto& row : good)
    product += (row[2] - mean) * (row[3] - mean), square += (row[2] - mean) * (row[2] - mean);
  return product / square;
}

}  // namespace

Report make_study_page(const nlohmann::json& answer, const study::Design& design, const study::Settings& settings,
                       const std::vector<study::RunMeasure>& measures,
                       const std::vector<std::vector<double>>& sampled) {
  Report report = begin_report("study", answer);
  report.summary.insert(report.summary.begin(), {"variants", std::to_string(design.variants())});
  report.summary.insert(report.summary.begin() + 1, {"failed", std::to_string(answer["failed"].get<std::uint64_t>())});
  ReportTable table{
      "Statistics", {"measure", "mean", "deviation", "5 %", "median", "95 %", "least", "largest", "in variant"}, {}};
  // a tornado: what each parameter is responsible for, the largest first
  ReportTable tornado{"Influence (Sobol shares where they were computed, else rank correlations)",
                      {"measure", "parameter", "influence"},
                      {}};
  for (std::size_t m = 0; m < measures.size(); ++m) {
    const nlohmann::json& s = answer["statistics"][measures[m].text];
    if (!s.contains("mean")) continue;
    const auto text = [](const nlohmann::json& v) { return format_short(v.get<double>()); };
    table.rows.push_back({make_label(measures[m].text, measures[m].unit), text(s["mean"]), text(s["deviation"]),
                          text(s["quantiles"]["0.05"]), text(s["quantiles"]["0.5"]), text(s["quantiles"]["0.95"]),
                          text(s["min"]["value"]), text(s["max"]["value"]),
                          std::to_string(s["max"]["variant"].get<std::uint64_t>())});
    const auto counts = s["histogram"].get<std::vector<double>>();
    const double low = s["min"]["value"], high = s["max"]["value"];
    ReportChart histogram{"Histogram of " + measures[m].text, make_label(measures[m].text, measures[m].unit),
                          "variants"};
    histogram.curves.push_back({"variants", {}, {}});
    for (std::size_t k = 0; k < counts.size(); ++k)
      for (const std::size_t side : {k, k + 1}) {
        histogram.curves[0].x.push_back(low +
                                        (high - low) * static_cast<double>(side) / static_cast<double>(counts.size()));
        histogram.curves[0].y.push_back(counts[k]);
      }
    if (high > low) report.charts.push_back(std::move(histogram));
    std::vector<std::pair<double, std::size_t>> influence;
    for (std::size_t k = 0; k < settings.size(); ++k) {
      ReportChart scatter{measures[m].text + " over " + settings.path(k),
                          make_label(settings.path(k), settings.unit(k)),
                          make_label(measures[m].text, measures[m].unit)};
      scatter.curves.push_back({measures[m].text, {}, {}, true});
      for (const std::vector<double>& row : sampled)
        scatter.curves[0].x.push_back(row[k]), scatter.curves[0].y.push_back(row[settings.size() + m]);
      report.charts.push_back(std::move(scatter));
      const bool has_share = s.contains("sobol") && s["sobol"]["total"].contains(settings.path(k));
      influence.emplace_back(
          has_share ? s["sobol"]["total"][settings.path(k)].get<double>() : correlate(sampled, k, settings.size() + m),
          k);
    }
    std::sort(influence.begin(), influence.end(),
              [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
    for (const auto& [size, k] : influence)
      tornado.rows.push_back({measures[m].text, settings.path(k), format_short(size)});
  }
  report.tables = {std::move(table), std::move(tornado)};
  return report;
}

}  // namespace coenergy::app
