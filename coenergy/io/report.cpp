#include "coenergy/io/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "coenergy/base/error.hpp"
#include "coenergy/io/output_file.hpp"
#include "coenergy/io/thinning.hpp"

namespace coenergy {
namespace {

using Json = nlohmann::ordered_json;

// sizes of a page that a browser still opens at once
constexpr std::size_t max_points = 20'000, max_signal_numbers = 2'000'000, max_pose_numbers = 1'000'000;
constexpr std::string_view placeholder = "@COENERGY_DATA@";

struct Kind {
  std::string_view name;
  std::size_t min_size, max_size, min_points, max_points;
};

constexpr Kind kinds[] = {{"box", 3, 3, 0, 0},        {"cylinder", 2, 2, 0, 0}, {"sphere", 1, 1, 0, 0},
                          {"mesh", 0, 0, 0, 0},       {"frame", 0, 1, 0, 0},    {"ground", 0, 2, 0, 0},
                          {"line", 0, 1, 2, 100'000}, {"spring", 0, 2, 2, 2},   {"arrow", 0, 1, 2, 2},
                          {"trace", 0, 1, 1, 1}};

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

void check_signals(const Report& report, ErrorList& errors) {
  if (!std::is_sorted(report.time.begin(), report.time.end())) errors.add({}, "report: time must never decrease");
  std::vector<std::string> names;
  for (const ReportSignal& signal : report.signals) {
    names.push_back(signal.name);
    if (signal.values.size() != report.time.size())
      errors.add({}, fmt::format("report: signal {} has {} values for {} times", signal.name, signal.values.size(),
                                 report.time.size()));
  }
  const auto check = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      errors.add({}, fmt::format("report: a plot names the unknown signal \"{}\"{}", name, did_you_mean(name, names)));
  };
  for (const ReportPlot& plot : report.plots) {
    for (const std::string& name : plot.signals) check(name);
    if (!plot.x.empty()) check(plot.x);
  }
}

void check_charts(const Report& report, ErrorList& errors) {
  for (const ReportChart& chart : report.charts)
    for (const ReportChart::Curve& curve : chart.curves)
      if (curve.x.size() != curve.y.size())
        errors.add({}, fmt::format("report: the curve {} of {} has {} values of x for {} of y", curve.name, chart.title,
                                   curve.x.size(), curve.y.size()));
}

void check_shape(const ReportShape& shape, std::size_t frames, ErrorList& errors) {
  const std::string what = fmt::format("report: shape {} ({})", shape.name, shape.kind);
  const Kind* kind =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& k) { return k.name == shape.kind; });
  if (kind == std::end(kinds)) {
    errors.add({}, fmt::format("report: shape {} has the unknown kind \"{}\"; known are {}{}", shape.name, shape.kind,
                               fmt::join(kind_names(), ", "), did_you_mean(shape.kind, kind_names())));
    return;
  }
  // numbers that make a picture
  if (shape.size.size() < kind->min_size || shape.size.size() > kind->max_size)
    errors.add(
        {}, fmt::format("{} has {} sizes; it takes {} to {}", what, shape.size.size(), kind->min_size, kind->max_size));
  for (double size : shape.size)
    if (!(size > 0) || !std::isfinite(size))
      errors.add({}, fmt::format("{} has size {} m; it must be > 0", what, size));
  if (shape.points.size() < kind->min_points || shape.points.size() > kind->max_points)
    errors.add({}, fmt::format("{} has {} points; it takes {} to {}", what, shape.points.size(), kind->min_points,
                               kind->max_points));
  if ((shape.kind == "mesh") != !shape.triangles.empty() || shape.triangles.size() % 9 != 0)
    errors.add({},
               fmt::format("{} has {} numbers of triangles; a mesh takes nine for each", what, shape.triangles.size()));
  // frames that exist
  const auto exists = [&](int frame) { return frame >= -1 && frame < static_cast<int>(frames); };
  bool all_exist = exists(shape.frame);
  for (const ReportPoint& point : shape.points) all_exist = all_exist && exists(point.frame);
  if (!all_exist) errors.add({}, fmt::format("{} names a frame outside -1 … {}", what, static_cast<int>(frames) - 1));
}

/// `x` rounded to `digits` significant decimal digits, so that its shortest text has no more of them.
double round_to(double x, int digits) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, x, std::chars_format::scientific, digits - 1).ptr;
  std::from_chars(text, end, x);
  return x;
}

/// Digits that resolve a millionth of the range of the values, at least seven: zooming shows no stairs.
int needed_digits(const std::vector<double>& values) {
  double low = INFINITY, high = -INFINITY;
  for (double v : values) {
    if (!std::isfinite(v)) continue;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  if (!(high > low)) return 9;
  const double ratio = std::max(std::abs(low), std::abs(high)) / (high - low);
  return std::clamp(7 + static_cast<int>(std::floor(std::log10(ratio))), 7, 12);
}

/// JSON has no NaN and no infinity: both become null, a gap in the plot.
Json to_numbers(const std::vector<double>& values, int digits) {
  Json numbers = Json::array();
  for (double v : values) numbers.push_back(std::isfinite(v) ? Json(round_to(v, digits)) : Json());
  return numbers;
}

Json to_signals(const Report& report, const Thinning& thinning) {
  Json signals = Json::array();
  for (const ReportSignal& signal : report.signals) {
    const std::vector<double> values = thinning.values(signal.values);
    Json item{{"name", signal.name}, {"unit", signal.unit}, {"values", to_numbers(values, needed_digits(values))}};
    if (!signal.help.empty()) item["help"] = signal.help;
    signals.push_back(std::move(item));
  }
  return signals;
}

Json to_frames(const Report& report, const std::vector<std::size_t>& indices) {
  Json frames = Json::array();
  for (const ReportFrame& frame : report.frames) {
    std::vector<double> pose = frame.pose;
    if (pose.size() != 7) {
      pose.clear();
      for (std::size_t i : indices) pose.insert(pose.end(), &frame.pose[7 * i], &frame.pose[7 * i] + 7);
    }
    frames.push_back({{"name", frame.name}, {"pose", to_numbers(pose, 7)}});
  }
  return frames;
}

/// Corners of a mesh, to four digits of its size: enough for a picture.
Json to_corners(const std::vector<float>& triangles) {
  double size = 0;
  for (float x : triangles) size = std::max(size, std::abs(double(x)));
  const double step = size > 0 ? std::pow(10, std::floor(std::log10(size)) - 4) : 1;
  Json numbers = Json::array();
  for (float x : triangles) numbers.push_back(round_to(std::round(x / step) * step, 6));
  return numbers;
}

Json to_shapes(const Report& report) {
  Json shapes = Json::array();
  for (const ReportShape& shape : report.shapes) {
    Json points = Json::array();
    for (const ReportPoint& point : shape.points) points.push_back({{"frame", point.frame}, {"offset", point.offset}});
    shapes.push_back({{"kind", shape.kind},
                      {"size", shape.size},
                      {"color", shape.color},
                      {"name", shape.name},
                      {"frame", shape.frame},
                      {"pose", shape.pose},
                      {"points", points}});
    if (!shape.triangles.empty()) shapes.back()["triangles"] = to_corners(shape.triangles);
  }
  return shapes;
}

Json to_tables(const Report& report) {
  Json tables = Json::array();
  for (const ReportTable& table : report.tables)
    tables.push_back({{"title", table.title}, {"columns", table.columns}, {"rows", table.rows}});
  return tables;
}

Json to_plots(const Report& report) {
  const auto axis = [](const ReportPlot::Axis& a) {
    return Json{{"unit", a.unit}, {"scale", a.scale}, {"shift", a.shift}};
  };
  Json plots = Json::array();
  for (const ReportPlot& plot : report.plots)
    plots.push_back({{"signals", plot.signals},
                     {"x", plot.x},
                     {"title", plot.title},
                     {"yAxis", axis(plot.y_axis)},
                     {"xAxis", axis(plot.x_axis)}});
  return plots;
}

Json to_charts(const Report& report) {
  Json charts = Json::array();
  for (const ReportChart& chart : report.charts) {
    Json curves = Json::array();
    for (const ReportChart::Curve& curve : chart.curves)
      curves.push_back({{"name", curve.name},
                        {"x", to_numbers(curve.x, 9)},
                        {"y", to_numbers(curve.y, 9)},
                        {"points", curve.points}});
    charts.push_back({{"title", chart.title},
                      {"xLabel", chart.x_label},
                      {"yLabel", chart.y_label},
                      {"logarithmic", chart.logarithmic},
                      {"equal", chart.equal},
                      {"curves", curves}});
  }
  return charts;
}

}  // namespace

std::size_t most_rows(std::size_t signals) {
  return std::clamp<std::size_t>(max_signal_numbers / std::max<std::size_t>(1, signals), 1'000, max_points);
}

void Report::check() const {
  ErrorList errors;
  check_signals(*this, errors);
  check_charts(*this, errors);
  const std::size_t poses = frame_time.empty() ? time.size() : frame_time.size();
  if (!std::is_sorted(frame_time.begin(), frame_time.end()))
    errors.add({}, "report: the time of the frames must never decrease");
  for (const ReportFrame& frame : frames)
    if (frame.pose.empty() || (frame.pose.size() != 7 && frame.pose.size() != 7 * poses))
      errors.add({}, fmt::format("report: frame {} has {} pose numbers; it takes 7, or 7 for each of {} times",
                                 frame.name, frame.pose.size(), poses));
  if (!(std::hypot(up[0], up[1], up[2]) > 0)) errors.add({}, "report: the upward direction must not be zero");
  for (const ReportShape& shape : shapes) check_shape(shape, frames.size(), errors);
  for (const ReportTable& table : tables)
    for (const std::vector<std::string>& row : table.rows)
      if (row.size() != table.columns.size())
        errors.add({}, fmt::format("report: table {} has a row of {} cells for {} columns", table.title, row.size(),
                                   table.columns.size()));
  errors.throw_if_any();
}

std::string to_json(const Report& report) {
  report.check();
  // as many points as a page can carry
  // rows thinned before come with the first and the last row besides
  const Thinning thinning(report.time.size(), most_rows(report.signals.size()) + (report.samples > 0 ? 2 : 0));
  const std::vector<double>& times_of_frames = report.frame_time.empty() ? report.time : report.frame_time;
  const std::size_t frames = std::max<std::size_t>(1, report.frames.size());
  const auto indices =
      spread_indices(times_of_frames.size(), std::clamp<std::size_t>(max_pose_numbers / (7 * frames), 200, max_points));
  std::vector<double> frame_time;
  for (std::size_t i : indices) frame_time.push_back(times_of_frames[i]);

  Json data{{"title", report.title},
            {"description", report.description},
            {"ended", report.ended},
            {"succeeded", report.succeeded},
            {"summary", report.summary},
            {"messages", report.messages},
            {"tables", to_tables(report)},
            {"samples", report.samples > 0 ? report.samples : report.time.size()},
            {"time", to_numbers(thinning.time(report.time), 12)},
            {"signals", to_signals(report, thinning)},
            {"plots", to_plots(report)},
            {"charts", to_charts(report)},
            {"frameTime", to_numbers(frame_time, 12)},
            {"frames", to_frames(report, indices)},
            {"shapes", to_shapes(report)},
            {"up", report.up}};
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);

  // "<" occurs in strings only; escaped, no text can end the script element that holds the data
  std::string safe;
  for (char c : text) c == '<' ? safe += "\\u003c" : safe += c;
  return safe;
}

std::string to_html(const Report& report) {
  const std::size_t at = report_template.find(placeholder);
  if (at == std::string_view::npos)
    throw Error("report: this build has no report page; install nodejs and npm, then configure and build again");
  std::string html(report_template.substr(0, at));
  html += to_json(report);
  html += report_template.substr(at + placeholder.size());
  return html;
}

void write_report(const std::filesystem::path& path, const Report& report) { io::write_file(path, to_html(report)); }

}  // namespace coenergy
