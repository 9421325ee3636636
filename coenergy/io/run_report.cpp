#include "coenergy/io/run_report.hpp"

#include <cmath>
#include <filesystem>
#include <map>

#include "coenergy/base/names.hpp"
#include "coenergy/base/units.hpp"
#include "coenergy/base/version.hpp"
#include "coenergy/io/scene_report.hpp"
#include "coenergy/model/data_column.hpp"

namespace coenergy::io {

namespace {

void add_summary(Report& report, const compile::Compiled& compiled, const solve::Options& options,
                 const solve::Result& result) {
  const compile::ModelSummary& s = compiled.summary;
  auto add = [&](const std::string& what, const std::string& value) { report.summary.emplace_back(what, value); };
  auto count = [&](const std::string& what, long n) {
    if (n > 0) add(what, std::to_string(n));
  };
  count("components", s.components);
  count("bodies", s.mechanism.bodies);
  count("joints", s.mechanism.joints);
  if (compiled.system.nv() > 0) add("degrees of freedom", std::to_string(s.degrees_of_freedom));
  count("states", s.states);
  count("algebraic variables", s.algebraic);
  count("constraints", s.constraints);
  add("method", solve::describe_method(options));
  count("steps", result.statistics.steps);
  count("rejected steps", result.statistics.rejected);
  count("repeated steps", result.statistics.newton_failures);
  count("Newton iterations", result.statistics.newton_iterations);
  count("events", result.statistics.events);
  add("wall time", format_short(result.statistics.wall_time) + " s");
  add("made by", std::string("coenergy ") + version);
}

/// What to draw of a mechanism when the model names no plots: coordinates and rates of its joints, those of one unit
/// together. Other models leave the choice to the page.
std::vector<ReportPlot> choose_plots(const mechanics::Scene& scene, const solve::Result& result) {
  constexpr std::size_t most_in_plot = 6;
  std::map<std::string, std::vector<std::string>> by_unit;
  for (const mechanics::SceneJoint& joint : scene.joints)
    for (const char* field : {".q", ".q1", ".q2", ".q3", ".qd", ".q1d", ".q2d", ".q3d"})
      if (const int k = result.find(joint.name + field); k >= 0) {
        auto& plot = by_unit[result.units[k]];
        if (plot.size() < most_in_plot) plot.push_back(joint.name + field);
      }
  std::vector<ReportPlot> plots;
  for (const char* unit : {"rad", "m", "rad/s", "m/s"})
    if (const auto place = by_unit.find(unit); place != by_unit.end()) plots.emplace_back(place->second);
  return plots;
}

/// What the model asks for; chosen units as scales.
ReportPlot make_plot(const model::Plot& plot) {
  ReportPlot made;
  for (const model::Value& name : plot.y) made.signals.push_back(name.text);
  if (plot.x) made.x = plot.x->text;
  if (plot.title) made.title = plot.title->text;
  const auto set = [](const std::optional<model::Value>& wanted, ReportPlot::Axis& axis) {
    if (!wanted) return;
    const Unit unit = parse_unit(wanted->text);
    axis = {wanted->text, unit.factor, unit.offset / unit.factor};
  };
  set(plot.unit, made.y_axis);
  set(plot.x_unit, made.x_axis);
  return made;
}

/// A curve of a data file at the times of the run, no value where it has none; its name in the report.
std::string add_measured(Report& report, const model::DataColumn& column) {
  const std::string name = std::filesystem::path(column.path).filename().string() + ": " + column.name;
  for (const ReportSignal& known : report.signals)
    if (known.name == name) return name;
  const std::string unit = column.unit.empty() ? "" : unit_name(parse_unit(column.unit).dimension);
  ReportSignal signal{name, unit == "1" ? "" : unit, {}, "from " + column.path};
  const auto table = column.linear();
  for (const double t : report.time)
    signal.values.push_back(t < column.times.front() || t > column.times.back() ? std::nan("") : table->evaluate(t));
  report.signals.push_back(std::move(signal));
  return name;
}

/// All but the moving bodies.
Report make_plots(const model::Model& model, const compile::Compiled& compiled, const solve::Options& options,
                  const solve::Result& result) {
  Report report;
  report.title = model.title.empty() ? model.file : model.title;
  report.ended = result.text;
  report.succeeded = result.status == solve::Status::done;
  add_summary(report, compiled, options, result);
  report.messages = compiled.summary.notes;
  report.messages.insert(report.messages.end(), result.notes.begin(), result.notes.end());
  ReportTable parameters{"Parameters", {"name", "value", "unit"}, {}};
  for (int k = 0; k < compiled.system.parameters(); ++k)
    parameters.rows.push_back({compiled.system.parameter_name(k), format_number(compiled.system.parameter(k)),
                               compiled.system.parameter_unit(k)});
  if (!parameters.rows.empty()) report.tables.push_back(std::move(parameters));
  report.time = result.times;
  for (std::size_t c = 0; c < result.names.size(); ++c) {
    ReportSignal signal{result.names[c], result.units[c], {}};
    signal.values.reserve(result.times.size());
    for (std::size_t i = 0; i < result.times.size(); ++i) signal.values.push_back(result.row(i)[c]);
    report.signals.push_back(std::move(signal));
  }
  for (const model::Plot& plot : model.plots) {
    report.plots.push_back(make_plot(plot));
    for (std::size_t k = 0; k < plot.y.size(); ++k)
      if (const auto data = model::find_data_column(plot.y[k].text))
        report.plots.back().signals[k] =
            add_measured(report, *model::read_data_column(plot.y[k].where.file, data->first, data->second));
  }
  if (model.plots.empty()) report.plots = choose_plots(compiled.scene, result);
  return report;
}

}  // namespace

Report make_report(const model::Model& model, const compile::Compiled& compiled, const solve::Options& options,
                   const solve::Result& result) {
  Report report = make_plots(model, compiled, options, result);
  add_scene(report, compiled.scene, result, std::filesystem::path(model.file).parent_path());
  return report;
}

Report make_report(const model::Model& model, const compile::Compiled& compiled, const solve::Options& options,
                   solve::Result result, const RowThinner& rows) {
  rows.set_extremes(result);
  Report report = make_plots(model, compiled, options, result);
  report.samples = rows.rows();
  rows.set_samples(result);
  report.frame_time = result.times;
  add_scene(report, compiled.scene, result, std::filesystem::path(model.file).parent_path());
  return report;
}

}  // namespace coenergy::io
