#include "coenergy/io/run_report.hpp"

#include <cmath>
#include <map>

#include "coenergy/base/names.hpp"

namespace coenergy::io {

namespace {

/// Quaternion of rotations about x, then y, then z (R = Rz Ry Rx).
std::array<double, 4> quaternion_of_angles(const std::array<double, 3>& a) {
  const double cx = std::cos(a[0] / 2), sx = std::sin(a[0] / 2), cy = std::cos(a[1] / 2), sy = std::sin(a[1] / 2),
               cz = std::cos(a[2] / 2), sz = std::sin(a[2] / 2);
  return {cz * cy * cx + sz * sy * sx, cz * cy * sx - sz * sy * cx, cz * sy * cx + sz * cy * sx,
          sz * cy * cx - cz * sy * sx};
}

/// Adds moving frames on demand, one per body or node.
class Frames {
 public:
  Frames(Report& report, const solve::Result& result) : report_(report), result_(result) {}

  /// Frame with the pose in signals prefix.x … prefix.p3; −1 if they were not recorded.
  int find(const std::string& prefix) {
    if (prefix.empty()) return -1;
    if (auto place = index_.find(prefix); place != index_.end()) return place->second;
    static const char* fields[] = {"x", "y", "z", "p0", "p1", "p2", "p3"};
    std::array<int, 7> column;
    for (int k = 0; k < 7; ++k) column[k] = result_.find(prefix + "." + fields[k]);
    if (column[0] < 0 || column[1] < 0 || column[2] < 0) return index_[prefix] = -1;
    ReportFrame frame{prefix, {}};
    const bool turns = column[3] >= 0;
    for (std::size_t i = 0; i < result_.times.size(); ++i) {
      const auto row = result_.row(i);
      for (int k = 0; k < 7; ++k) frame.pose.push_back(k < 3 || turns ? row[column[k]] : k == 3 ? 1.0 : 0.0);
    }
    report_.frames.push_back(std::move(frame));
    return index_[prefix] = static_cast<int>(report_.frames.size()) - 1;
  }

 private:
  Report& report_;
  const solve::Result& result_;
  std::map<std::string, int> index_;
};

void add_scene(Report& report, const system::Scene& scene, const solve::Result& result) {
  Frames frames(report, result);
  for (const system::SceneShape& s : scene.shapes) {
    const int frame = frames.find(s.body);
    if (frame < 0) continue;
    ReportShape shape;
    shape.kind = s.shape.kind;
    shape.name = s.name;
    shape.color = s.shape.color;
    shape.frame = frame;
    const int count = s.shape.kind == "box" ? 3 : s.shape.kind == "cylinder" ? 2 : 1;
    shape.size.assign(s.shape.size.begin(), s.shape.size.begin() + count);
    const auto q = quaternion_of_angles(s.shape.angles);
    shape.pose = {s.shape.position[0], s.shape.position[1], s.shape.position[2], q[0], q[1], q[2], q[3]};
    report.shapes.push_back(std::move(shape));
  }
  for (const system::Mechanism::Polyline& line : scene.polylines) {
    ReportShape shape;
    shape.kind = "line";
    shape.name = line.name;
    shape.size = {line.radius};
    for (const std::string& node : line.nodes)
      if (const int frame = frames.find(node); frame >= 0) shape.points.push_back({frame, {}});
    if (shape.points.size() >= 2) report.shapes.push_back(std::move(shape));
  }
  if (report.shapes.empty()) report.frames.clear();
}

void add_summary(Report& report, const system::Compiled& compiled, const solve::Options& options,
                 const solve::Result& result) {
  const system::ModelSummary& s = compiled.summary;
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
  add("method", options.method);
  count("steps", result.statistics.steps);
  count("rejected steps", result.statistics.rejected);
  count("Newton iterations", result.statistics.newton_iterations);
  count("events", result.statistics.events);
  add("wall time", format_short(result.statistics.wall_time) + " s");
}

}  // namespace

Report make_report(const model::Model& model, const system::Compiled& compiled, const solve::Options& options,
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
  report.plots = model.plots;
  add_scene(report, compiled.scene, result);
  return report;
}

}  // namespace coenergy::io
