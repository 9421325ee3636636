#include "apps/coenergy/answer_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <numbers>

#include "apps/coenergy/target.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/base/version.hpp"
#include "coenergy/io/output_file.hpp"
#include "coenergy/io/scene_report.hpp"

namespace coenergy::app {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

double number(const nlohmann::json& value) { return value.is_number() ? value.get<double>() : gap; }
std::string text(const nlohmann::json& value) { return value.is_number() ? format_short(value.get<double>()) : "–"; }

/// Phases go on where they jump from one end of the circle to the other.
void unwrap(std::vector<double>& phase) {
  for (std::size_t k = 1; k < phase.size(); ++k) phase[k] -= 360 * std::round((phase[k] - phase[k - 1]) / 360);
}

/// A number as the user wrote it, with or without its unit.
bool read_number(const std::string& written, double& value) {
  char* end = nullptr;
  value = std::strtod(written.c_str(), &end);
  return end != written.c_str();
}

}  // namespace

Report begin_report(const std::string& verb, const nlohmann::json& answer) {
  Report report;
  report.title = verb + ": " + std::filesystem::path(answer.value("model", "")).filename().string();
  report.ended = "done";
  report.summary = {{"made by", std::string("coenergy ") + version}};
  if (answer.contains("operating_point")) {
    const nlohmann::json& point = answer["operating_point"];
    report.summary.insert(report.summary.begin(), {"operating point", point.value("kind", "")});
    if (point.contains("time"))
      report.summary.insert(report.summary.begin() + 1, {"at time", text(point["time"]) + " s"});
  }
  if (answer.contains("notes")) report.messages = answer["notes"].get<std::vector<std::string>>();
  return report;
}

Report report_response(const nlohmann::json& answer) {
  Report report = begin_report("bode", answer);
  ReportChart magnitude{"Magnitude", "frequency [Hz]", "[dB]", true}, phase{"Phase", "frequency [Hz]", "[deg]", true};
  std::map<std::string, std::size_t> curves;
  for (const nlohmann::json& row : answer["rows"]) {
    const std::string name = row["output"].get<std::string>() + " / " + row["input"].get<std::string>();
    const auto [place, is_new] = curves.emplace(name, curves.size());
    if (is_new)
      for (ReportChart* chart : {&magnitude, &phase}) chart->curves.push_back({name, {}, {}});
    const double f = row["frequency"].get<double>();
    magnitude.curves[place->second].x.push_back(f), phase.curves[place->second].x.push_back(f);
    magnitude.curves[place->second].y.push_back(number(row["decibel"]));
    phase.curves[place->second].y.push_back(number(row["phase"]));
  }
  for (ReportChart::Curve& curve : phase.curves) unwrap(curve.y);
  report.charts = {std::move(magnitude), std::move(phase)};
  return report;
}

Report report_poles(const nlohmann::json& answer) {
  Report report = begin_report("modes", answer);
  ReportChart plane{"Eigenvalues", "real part [1/s]", "imaginary part [1/s]", false, true};
  plane.curves.push_back({"eigenvalues", {}, {}, true});
  ReportTable table{"Modes", {"mode", "frequency (Hz)", "damping", "real (1/s)", "imaginary (1/s)", "moves most"}, {}};
  const auto names = answer["names"].get<std::vector<std::string>>();
  for (const nlohmann::json& mode : answer["modes"]) {
    const double real = number(mode["real"]), imaginary = number(mode["imaginary"]);
    for (const double side : {1.0, -1.0}) {
      if (side < 0 && !(imaginary > 0)) continue;
      plane.curves[0].x.push_back(real), plane.curves[0].y.push_back(side * imaginary);
    }
    std::string most;
    double largest = 0;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const double size = std::hypot(number(mode["shape"][k][0]), number(mode["shape"][k][1]));
      if (size > largest * (1 + 1e-9)) largest = size, most = names[k];
    }
    table.rows.push_back({std::to_string(table.rows.size() + 1), text(mode["frequency"]), text(mode["damping"]),
                          text(mode["real"]), text(mode["imaginary"]), most});
  }
  report.charts = {std::move(plane)};
  report.tables = {std::move(table)};
  return report;
}

Report report_sweep(const nlohmann::json& answer) {
  Report report = begin_report("sweep", answer);
  const std::string parameter = answer["parameter"];
  ReportTable table{"Values", {parameter}, {}};
  std::map<std::string, ReportChart> charts;  // one for each unit
  std::vector<std::string> signals;
  for (const auto& [name, unit] : answer["units"].items()) {
    signals.push_back(name);
    const std::string u = unit;
    table.columns.push_back(u.empty() ? name : name + " (" + u + ")");
    auto& chart =
        charts.try_emplace(u, ReportChart{"", parameter, "[" + (u.empty() ? std::string("–") : u) + "]"}).first->second;
    chart.title += (chart.title.empty() ? "" : ", ") + name;
    chart.curves.push_back({name, {}, {}});
  }
  bool has_numbers = true;
  for (const nlohmann::json& row : answer["rows"]) {
    double value = 0;
    has_numbers = has_numbers && read_number(row["value"], value);
    std::vector<std::string> cells{row["value"]};
    for (const std::string& name : signals) cells.push_back(text(row["signals"][name]));
    table.rows.push_back(std::move(cells));
    for (auto& [unit, chart] : charts)
      for (ReportChart::Curve& curve : chart.curves)
        curve.x.push_back(value), curve.y.push_back(number(row["signals"][curve.name]));
  }
  if (has_numbers)
    for (auto& [unit, chart] : charts) report.charts.push_back(std::move(chart));
  report.tables = {std::move(table)};
  return report;
}

Report report_signals(const std::string& verb, const nlohmann::json& answer) {
  Report report = begin_report(verb, answer);
  if (answer.contains("stable")) report.ended = answer["stable"].get<bool>() ? "stable" : "unstable";
  ReportTable table{"Signals", {"name", "value", "unit"}, {}};
  for (const auto& [name, value] : answer["signals"].items())
    table.rows.push_back(
        {name, value.is_number() ? format_number(value.get<double>()) : "–", answer["units"].value(name, "")});
  report.tables = {std::move(table)};
  return report;
}

void add_shapes(Report& report, const compile::Compiled& compiled, equations::Evaluator& evaluator,
                const equations::Point& at, const analyze::Modes& modes, int count, const std::string& model_file) {
  const equations::System& system = compiled.system;
  if (system.nv() == 0) return;
  solve::Result motion;
  for (const equations::SignalInfo& s : system.signals())
    motion.names.push_back(s.name), motion.units.push_back(s.unit);
  const std::size_t columns = motion.names.size();
  std::vector<std::size_t> places;  // columns of positions
  for (const std::string& name : io::scene_signals(compiled.scene))
    if (const int k = system.find_signal(name); k >= 0 && name.find(".p", name.rfind('.')) == std::string::npos)
      places.push_back(static_cast<std::size_t>(k));
  if (places.empty()) return;

  const auto nv = static_cast<std::size_t>(system.nv());
  std::vector<double> row(columns);
  const auto displaced = [&](const analyze::Mode& mode, double size, double phase) {
    std::vector<double> dq(nv);
    for (std::size_t k = 0; k < nv; ++k) dq[k] = size * std::real(mode.shape[k] * std::polar(1.0, phase));
    equations::Point point = at;
    evaluator.retract(point.q, dq);
    evaluator.signals(point, row);
    return row;
  };
  const analyze::Mode still{{}, 0, 0, std::vector<std::complex<double>>(modes.names.size())};
  const std::vector<double> rest = displaced(still, 0, 0);
  // the extent of what stands there, for the size of the swing
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const std::size_t k : places) low = std::min(low, rest[k]), high = std::max(high, rest[k]);

  constexpr int pictures = 24;
  int shown = 0;
  for (const analyze::Mode& mode : modes.modes) {
    if (shown == count) break;
    const double trial = 1e-4;
    const std::vector<double> moved = displaced(mode, trial, 0), across = displaced(mode, trial, std::numbers::pi / 2);
    double way = 0;
    for (const std::size_t k : places) way = std::max(way, std::hypot(moved[k] - rest[k], across[k] - rest[k]));
    double size = way > 0 ? trial * 0.1 * std::max(high - low, 1e-9) / way : 0.3;
    size = std::min(size, 0.5 * std::max(1.0, high - low));
    for (int k = 0; k < pictures; ++k) {
      const std::vector<double> values = displaced(mode, size, 4 * std::numbers::pi * k / pictures);
      motion.times.push_back(shown + static_cast<double>(k) / pictures);
      motion.values.insert(motion.values.end(), values.begin(), values.end());
    }
    ++shown;
  }
  if (shown == 0) return;
  motion.times.push_back(shown);
  motion.values.insert(motion.values.end(), rest.begin(), rest.end());
  report.time = report.frame_time = motion.times;
  ReportSignal which{"mode", "", {}, "the mode that the view shows, by its number in the table"};
  for (const double t : motion.times) which.values.push_back(std::min(std::floor(t) + 1, static_cast<double>(shown)));
  report.signals = {std::move(which)};
  io::add_scene(report, compiled.scene, motion, std::filesystem::path(model_file).parent_path());
  if (report.shapes.empty()) {
    report.time.clear(), report.frame_time.clear(), report.signals.clear();
    return;
  }
  report.description =
      "The view shows the modes in turn, each for one second of its clock; how far they swing is chosen to be seen.";
}

void write_page(const std::string& path, const Report& report) {
  try {
    io::OutputFile page(path);
    write_result([&] {
      page.write(to_html(report));
      page.commit();
    });
  } catch (const Error& e) {
    throw target_error("--report", path, e);
  }
  fmt::print(stderr, "report: {}\n", path);
}

}  // namespace coenergy::app
