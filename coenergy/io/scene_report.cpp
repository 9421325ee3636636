#include "coenergy/io/scene_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "coenergy/base/error.hpp"
#include "coenergy/io/mesh_file.hpp"
#include "coenergy/math/rotation.hpp"

namespace coenergy::io {

namespace {

constexpr const char* joint_color = "#7b8490";
constexpr std::array<const char*, 7> pose_fields{"x", "y", "z", "p0", "p1", "p2", "p3"};

/// Adds moving frames on demand, one per body or node.
class Frames {
 public:
  Frames(Report& report, const solve::Result& result) : report_(report), result_(result) {}

  /// Frame with the pose in signals prefix.x … prefix.p3; −1 if they were not recorded.
  int find(const std::string& prefix) {
    if (prefix.empty()) return -1;
    if (auto place = index_.find(prefix); place != index_.end()) return place->second;
    std::array<int, 7> column;
    for (std::size_t k = 0; k < 7; ++k) column[k] = result_.find(prefix + "." + pose_fields[k]);
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

/// The quaternion that turns z into the direction d.
std::array<double, 4> quaternion_to(const std::array<double, 3>& d) {
  const double norm = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  if (norm == 0) return {1, 0, 0, 0};
  const double c = d[2] / norm;
  if (c < -1 + 1e-12) return {0, 1, 0, 0};
  const double w = std::sqrt((1 + c) / 2);
  return {w, -d[1] / norm / (2 * w), d[0] / norm / (2 * w), 0};
}

class ScenePainter {
 public:
  ScenePainter(Report& report, const mechanics::Scene& scene, const solve::Result& result,
               const std::filesystem::path& folder)
      : report_(report), scene_(scene), result_(result), frames_(report, result), folder_(folder) {}

  void paint() {
    const auto& [x, y, z] = scene_.gravity;
    if (const double g = std::hypot(x, y, z); g > 0) report_.up = {-x / g, -y / g, -z / g};
    size_ = measure();
    for (const mechanics::SceneShape& s : scene_.shapes) s.points.empty() ? add_body_shape(s) : add_link(s);
    for (const mechanics::Mechanism::Polyline& line : scene_.polylines) {
      std::vector<ReportPoint> points;
      for (const std::string& node : line.nodes)
        if (const int frame = frames_.find(node); frame >= 0) points.push_back({frame, {}});
      if (points.size() >= 2) add_line("line", line.name, "", {line.radius}, std::move(points));
    }
    for (const std::string& body : scene_.bodies) add_rods(body);
    for (const mechanics::SceneJoint& joint : scene_.joints) add_mark(joint);
    add_forces();
    if (report_.shapes.empty()) report_.frames.clear();
  }

 private:
  void add_body_shape(const mechanics::SceneShape& s) {
    const int frame = frames_.find(s.body);
    if (frame < 0) return;
    ReportShape shape;
    shape.kind = s.shape.kind == "mass" ? "sphere" : s.shape.kind;
    shape.name = s.name;
    shape.color = s.shape.color;
    shape.frame = frame;
    if (shape.kind == "mesh") {
      try {
        shape.triangles = read_mesh(folder_ / s.shape.file, s.shape.size);
      } catch (const Error& e) {
        report_.messages.push_back(s.name + ": " + e.what());
        return;
      }
    } else {
      const int count = shape.kind == "box" ? 3 : shape.kind == "cylinder" ? 2 : 1;
      shape.size.assign(s.shape.size.begin(), s.shape.size.begin() + count);
      // a heavy ball must not hide the mechanism
      if (s.shape.kind == "mass" && size_ > 0) shape.size[0] = std::min(shape.size[0], 0.06 * size_);
    }
    const auto q = math::quaternion_of_angles(s.shape.angles);
    shape.pose = {s.shape.position[0], s.shape.position[1], s.shape.position[2], q[0], q[1], q[2], q[3]};
    report_.shapes.push_back(std::move(shape));
  }

  void add_line(const char* kind, const std::string& name, const std::string& color, std::vector<double> size,
                std::vector<ReportPoint> points) {
    ReportShape shape;
    shape.kind = kind;
    shape.name = name;
    shape.color = color;
    shape.size = std::move(size);
    shape.points = std::move(points);
    report_.shapes.push_back(std::move(shape));
  }

  /// The point in the report; false where the pose of its body was not recorded.
  bool locate(const mechanics::ScenePoint& point, ReportPoint& at) {
    at = {point.body.empty() ? -1 : frames_.find(point.body), point.at};
    return point.body.empty() || at.frame >= 0;
  }

  void add_link(const mechanics::SceneShape& s) {
    if (s.shape.kind == "force") return;
    std::vector<ReportPoint> points(s.points.size());
    for (std::size_t k = 0; k < points.size(); ++k)
      if (!locate(s.points[k], points[k])) return;
    add_line(s.shape.kind.c_str(), s.name, s.shape.color, {}, std::move(points));
  }

  /// Arrows that end where forces act; the largest of all is a quarter of the picture.
  void add_forces() {
    std::vector<Force> forces;
    const auto find = [&](const std::string& name, const mechanics::ScenePoint& point) {
      Force force{name, {}, {result_.find(name + ".fx"), result_.find(name + ".fy"), result_.find(name + ".fz")}};
      if (*std::min_element(force.column.begin(), force.column.end()) >= 0 && locate(point, force.at))
        forces.push_back(force);
    };
    for (const mechanics::SceneShape& s : scene_.shapes)
      if (s.shape.kind == "force") find(s.name, s.points[0]);
    for (const mechanics::SceneJoint& joint : scene_.joints) find(joint.name, joint.child);
    double largest = 0;
    for (const Force& force : forces)
      for (std::size_t row = 0; row < result_.times.size(); ++row) {
        const auto [x, y, z] = value_of(force, row);
        if (const double f = std::hypot(x, y, z); std::isfinite(f)) largest = std::max(largest, f);
      }
    if (!(largest > 0) || size_ == 0) return;
    for (const Force& force : forces) add_arrow(force, 0.25 * size_ / largest);
  }

  struct Force {
    std::string name;
    ReportPoint at;
    std::array<int, 3> column;  ///< of its components in the world
  };

  std::array<double, 3> value_of(const Force& force, std::size_t row) const {
    const auto values = result_.row(row);
    return {values[force.column[0]], values[force.column[1]], values[force.column[2]]};
  }

  /// `scale` in m/N. The tail moves as a frame of its own, which has no name.
  void add_arrow(const Force& force, double scale) {
    ReportFrame tail{"", {}};
    for (std::size_t row = 0; row < result_.times.size(); ++row) {
      const std::array<double, 3> tip = place(force.at, row), f = value_of(force, row);
      for (std::size_t i = 0; i < 3; ++i) tail.pose.push_back(tip[i] - scale * f[i]);
      tail.pose.insert(tail.pose.end(), {1, 0, 0, 0});
    }
    report_.frames.push_back(std::move(tail));
    add_line("arrow", force.name, "", {}, {{static_cast<int>(report_.frames.size()) - 1, {}}, force.at});
  }

  /// Where a point is at a row.
  std::array<double, 3> place(const ReportPoint& point, std::size_t row) const {
    if (point.frame < 0) return point.offset;
    const double* pose = report_.frames[static_cast<std::size_t>(point.frame)].pose.data() + 7 * row;
    const math::Vector3 arm = math::rotate({pose[3], pose[4], pose[5], pose[6]}, point.offset);
    return {pose[0] + arm[0], pose[1] + arm[1], pose[2] + arm[2]};
  }

  /// The extent of all joints and bodies over the run (m), for sizes of marks.
  double measure() {
    std::array<double, 3> low{}, high{};
    bool any = false;
    auto take = [&](double x, double y, double z, double margin) {
      const double at[] = {x, y, z};
      for (int i = 0; i < 3; ++i) {
        low[i] = any ? std::min(low[i], at[i] - margin) : at[i] - margin;
        high[i] = any ? std::max(high[i], at[i] + margin) : at[i] + margin;
      }
      any = true;
    };
    double reach = 0;  // of what is fixed to the bodies
    for (const mechanics::SceneJoint& j : scene_.joints) {
      if (j.parent.body.empty()) take(j.parent.at[0], j.parent.at[1], j.parent.at[2], 0);
      for (const mechanics::ScenePoint* p : {&j.parent, &j.child})
        if (!p->body.empty()) reach = std::max(reach, std::hypot(p->at[0], p->at[1], p->at[2]));
    }
    for (const mechanics::SceneShape& s : scene_.shapes)
      if (s.shape.kind == "force")
        reach = std::max(reach, std::hypot(s.points[0].at[0], s.points[0].at[1], s.points[0].at[2]));
    for (const std::string& body : scene_.bodies)
      if (const int frame = frames_.find(body); frame >= 0) {
        const std::vector<double>& pose = report_.frames[frame].pose;
        take(pose[0], pose[1], pose[2], 0);
      }
    double size = 0;
    for (int i = 0; i < 3; ++i) size += (high[i] - low[i]) * (high[i] - low[i]);
    return std::max(std::sqrt(size), reach);
  }

  /// Rods from the joints of a body to its centre of mass (to its origin, if it has no mass); of a body that states
  /// shapes only to the middle of the nearest one, and only where none of them reaches the joint.
  void add_rods(const std::string& body) {
    const int frame = frames_.find(body);
    if (frame < 0 || size_ == 0) return;
    std::vector<const model::Shape*> shapes;
    for (const mechanics::SceneShape& s : scene_.shapes)
      if (s.body == body) shapes.push_back(&s.shape);
    for (const mechanics::SceneJoint& joint : scene_.joints)
      for (const mechanics::ScenePoint* end : {&joint.parent, &joint.child}) {
        if (end->body != body) continue;
        std::array<double, 3> middle{};
        double nearest = std::numeric_limits<double>::infinity();
        for (const model::Shape* s : shapes) {
          const double distance =
              std::hypot(end->at[0] - s->position[0], end->at[1] - s->position[1], end->at[2] - s->position[2]);
          if (distance < nearest) nearest = distance, middle = s->position;
          if (distance <= reach_of(*s)) nearest = -1, middle = end->at;
        }
        if (end->at != middle) add_line("line", body, "#8b95a3", {0.009 * size_}, {{frame, end->at}, {frame, middle}});
      }
  }

  /// How far a shape goes from its middle; a mesh is taken to go everywhere.
  static double reach_of(const model::Shape& s) {
    if (s.kind == "mass") return 0;
    if (s.kind == "box") return 0.51 * std::hypot(s.size[0], s.size[1], s.size[2]);
    if (s.kind == "cylinder") return 1.01 * std::hypot(s.size[0], s.size[1] / 2);
    if (s.kind == "sphere") return 1.01 * s.size[0];
    return std::numeric_limits<double>::infinity();
  }

  /// A pin along the axis of a hinge, a sleeve along that of a slide, a ball where the joint turns freely.
  void add_mark(const mechanics::SceneJoint& joint) {
    ReportPoint at;
    if (!locate(joint.child, at) || size_ == 0) return;
    const bool turns = joint.kind == model::Motion::Kind::rotation,
               slides = joint.kind == model::Motion::Kind::translation;
    ReportShape shape;
    shape.kind = turns ? "cylinder" : slides ? "box" : "sphere";
    shape.size = turns    ? std::vector{0.012 * size_, 0.05 * size_}
                 : slides ? std::vector{0.02 * size_, 0.02 * size_, 0.05 * size_}
                          : std::vector{0.014 * size_};
    shape.name = joint.name;
    shape.color = joint_color;
    shape.frame = at.frame;
    const auto q = quaternion_to(joint.axis);
    shape.pose = {at.offset[0], at.offset[1], at.offset[2], q[0], q[1], q[2], q[3]};
    report_.shapes.push_back(std::move(shape));
  }

  Report& report_;
  const mechanics::Scene& scene_;
  const solve::Result& result_;
  Frames frames_;
  std::filesystem::path folder_;
  double size_ = 0;
};

}  // namespace

void add_scene(Report& report, const mechanics::Scene& scene, const solve::Result& result,
               const std::filesystem::path& folder) {
  ScenePainter(report, scene, result, folder).paint();
}

std::vector<std::string> scene_signals(const mechanics::Scene& scene) {
  std::set<std::string> moving(scene.bodies.begin(), scene.bodies.end());
  for (const mechanics::SceneShape& shape : scene.shapes) {
    moving.insert(shape.body);
    for (const mechanics::ScenePoint& point : shape.points) moving.insert(point.body);
  }
  for (const mechanics::SceneJoint& joint : scene.joints)
    for (const mechanics::ScenePoint* end : {&joint.parent, &joint.child}) moving.insert(end->body);
  for (const mechanics::Mechanism::Polyline& line : scene.polylines)
    moving.insert(line.nodes.begin(), line.nodes.end());
  moving.erase("");
  std::vector<std::string> signals;
  for (const std::string& name : moving)
    for (const char* field : pose_fields) signals.push_back(name + "." + field);
  return signals;
}

std::vector<std::string> force_signals(const mechanics::Scene& scene) {
  std::vector<std::string> signals;
  const auto add_force = [&](const std::string& name) {
    for (const char* field : {".fx", ".fy", ".fz"}) signals.push_back(name + field);
  };
  for (const mechanics::SceneShape& shape : scene.shapes)
    if (shape.shape.kind == "force") add_force(shape.name);
  for (const mechanics::SceneJoint& joint : scene.joints) add_force(joint.name);
  return signals;
}

}  // namespace coenergy::io
