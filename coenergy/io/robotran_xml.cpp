#include <map>

#include "coenergy/base/names.hpp"
#include "coenergy/io/robot_reader.hpp"
#include "coenergy/io/robotran.hpp"

namespace coenergy::io {

using model::Component;
using model::Value;
using pugi::xml_node;

namespace {

/// A point of a body: where it is in the body's axes.
struct Point {
  std::string body;  ///< component
  std::vector<double> at;
};

/// Something at a point of a body, by its name.
struct Load {
  std::string name;
  xml_node node;
  Point point;
};

class RobotranReader : RobotReader {
 public:
  using RobotReader::RobotReader;

  void read() {
    const xml_node root = xml_.root();
    if (std::string(root.name()) != "mbsDescR7")
      throw Error(xml_.where(root), "a Robotran model starts with <mbsDescR7>, not <" + std::string(root.name()) + ">");
    robot_.model.title = xml_.text(root, "mbsname");
    robot_.model.file = xml_.file();
    names_.make("gravity");
    const xml_node base = root.child("base");
    add("gravity", "multibody.Gravity", {{"g", coordinates(base.child("gravity"))}}, base ? base : root);
    guard([&] { add_points("base", "ground", base); });
    collect(root);
    for (const xml_node node : bodies_) guard([&] { add_body(node); });
    errors_.throw_if_any();
    for (const xml_node node : root.child("cuts").children()) guard([&] { add_cut(node); });
    for (const xml_node node : root.child("links").children()) guard([&] { add_link(node); });
    for (const Load& sensor : sensors_)
      add(sensor.name, "multibody.Sensor",
          {{"body", text(sensor.point.body, sensor.node)}, {"at", list(sensor.point.at, sensor.node)}}, sensor.node);
    for (const xml_node user : root.child("user_models").children("user_model"))
      robot_.notes.push_back("user model " + xml_.text(user, "name") + " is left out");
    errors_.throw_if_any();
  }

 private:
  std::vector<double> numbers(const xml_node& parent) const {
    const xml_node c = parent.child("coordinates");
    return {xml_.number(c, "x", 0), xml_.number(c, "y", 0), xml_.number(c, "z", 0)};
  }
  Value coordinates(const xml_node& parent) const { return list(numbers(parent), parent); }

  /// Names of bodies and the points on them, first, since a body may stand before its parent.
  void collect(const xml_node& root) {
    for (const xml_node node : root.child("bodytree").children("body")) {
      guard([&] {
        const std::string name = xml_.required_text(node, "bodyname");
        if (!body_.emplace(name, "").second || name == "base")
          throw Error(xml_.where(node), "body \"" + name + "\" is there twice");
        body_[name] = names_.make(name);
        add_points(name, body_[name], node);
        bodies_.push_back(node);
      });
    }
    if (bodies_.empty() && errors_.empty()) throw Error(xml_.where(root), "the model has no <body> in its <bodytree>");
    errors_.throw_if_any();
    check_circles();
  }

  /// Every body must lead to the base.
  void check_circles() {
    std::map<std::string, xml_node> node_of;
    for (const xml_node node : bodies_) node_of[xml_.text(node, "bodyname")] = node;
    for (const xml_node node : bodies_) {
      std::string name = xml_.text(node, "bodyname");
      for (std::size_t step = 0; name != "base" && node_of.contains(name); ++step) {
        if (step > bodies_.size()) {
          errors_.add(xml_.where(node),
                      "body " + xml_.text(node, "bodyname") +
                          " does not lead to the base: its parents form a circle; close loops by cuts");
          break;
        }
        name = xml_.text(node_of[name].child("parent"), "bodyname");
      }
    }
    errors_.throw_if_any();
  }

  void add_points(const std::string& body, const std::string& component, const xml_node& node) {
    points_[body]["origin"] = {component, {0, 0, 0}};
    for (const xml_node point : node.children("point")) {
      const std::string name = xml_.required_text(point, "pointname");
      points_[body][name] = {component, numbers(point)};
      if (const xml_node sensor = point.child("sensor"))
        sensors_.push_back(
            {names_.make(xml_.required_attribute(sensor, "name"), "_sensor"), sensor, points_[body][name]});
      if (const xml_node force = point.child("extforce")) add_load(force, points_[body][name]);
    }
  }

  void add_load(const xml_node& node, const Point& point) {
    loads_.push_back({names_.make(xml_.required_attribute(node, "name")), node, point});
  }

  const Point& find_point(const xml_node& node) const {
    const std::string body = xml_.required_text(node, "bodyname"), name = xml_.required_text(node, "pointname");
    const auto place = points_.find(body);
    std::vector<std::string> known;
    if (place == points_.end()) {
      for (const auto& [other, points] : points_) known.push_back(other);
      throw Error(xml_.where(node.child("bodyname")), "there is no body \"" + body + "\"" + did_you_mean(body, known));
    }
    const auto point = place->second.find(name);
    if (point != place->second.end()) return point->second;
    for (const auto& [other, at] : place->second) known.push_back(other);
    throw Error(xml_.where(node.child("pointname")),
                "body " + body + " has no point \"" + name + "\"" + did_you_mean(name, known));
  }

  void add_body(const xml_node& node) {
    const std::string source = xml_.text(node, "bodyname");
    const std::string& body = body_[source];
    const xml_node parent = node.child("parent");
    if (!parent) throw Error(xml_.where(node), "body " + source + " needs a <parent>");
    Point from = find_point(parent);
    const std::vector<xml_node> joints(node.children("joint").begin(), node.children("joint").end());
    for (std::size_t i = 0; i < joints.size(); ++i) {
      std::string child = body;
      if (i + 1 < joints.size()) {
        child = names_.make(body + "_" + xml_.required_text(joints[i], "jointname"));
        add(child, "multibody.Body", {{"mass", text("0", joints[i])}}, joints[i]);
      }
      add_joint(joints[i], from, child);
      from = {child, {0, 0, 0}};
    }
    if (joints.empty())
      add(names_.make(body + "_weld"), "multibody.Fixed",
          {{"parent", text(from.body, parent)}, {"parent_at", list(from.at, parent)}, {"child", text(body, node)}},
          node);
    add(body, "multibody.Body", read_inertia(node), node);
    for (const Load& load : loads_)
      if (load.point.body == body) write_load(load);
  }

  void write_load(const Load& load) {
    const Value zero = list(std::array{0.0, 0.0, 0.0}, load.node);
    add(load.name, "multibody.Force",
        {{"body", text(load.point.body, load.node)}, {"at", list(load.point.at, load.node)}, {"force", zero}},
        load.node);
    add(names_.make(load.name + "_torque"), "multibody.Torque",
        {{"body", text(load.point.body, load.node)}, {"torque", zero}}, load.node);
  }

  Entries read_inertia(const xml_node& node) const {
    const double mass = check_mass(xml_.number(node, "mass", 0), xml_.text(node, "bodyname"), node.child("mass"));
    const xml_node moments = node.child("inertia");
    std::vector<double> I;
    for (const char* name : {"Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"}) I.push_back(xml_.number(moments, name, 0));
    return {{"mass", number(mass, node.child("mass") ? node.child("mass") : node)},
            {"com", coordinates(node.child("com"))},
            {"inertia", inertia(I, moments ? moments : node)}};
  }

  void add_joint(const xml_node& node, const Point& from, const std::string& child) {
    const std::string source = xml_.required_text(node, "jointname"), type = xml_.required_text(node, "type"),
                      nature = xml_.text(node, "nature");
    if (type.size() != 2 || (type[0] != 'T' && type[0] != 'R') || type[1] < '1' || type[1] > '3')
      throw Error(xml_.where(node.child("type")),
                  "joint " + source + ": type \"" + type + "\" must be T1, T2, T3, R1, R2 or R3");
    const bool turns = type[0] == 'R';
    const int axis = type[1] - '1';
    const xml_node start = node.child("initialvalue");
    const double q = xml_.number(start, "q", 0), qd = xml_.number(start, "qd", 0), qdd = xml_.number(start, "qdd", 0);
    const std::string name = names_.make(source, "_joint");
    Entries entries{{"parent", text(from.body, node)}, {"child", text(child, node)}};
    std::vector<double> at = from.at;
    if (nature == "locked") {
      std::vector<double> angles(3, 0.0);
      (turns ? angles : at)[axis] += q;
      entries.emplace_back("parent_at", list(at, node));
      entries.emplace_back("parent_angles", list(angles, node));
      add(name, "multibody.Fixed", std::move(entries), node);
      return;
    }
    if (nature != "" && nature != "independent" && nature != "dependent" && nature != "driven")
      throw Error(xml_.where(node.child("nature")),
                  "joint " + source + ": nature \"" + nature + "\" must be independent, dependent, driven or locked");
    entries.emplace_back("parent_at", list(at, node));
    entries.emplace_back("axis", text(std::string(1, "xyz"[axis]), node));
    const bool guessed = nature == "dependent";
    if (q != 0 || !guessed) entries.emplace_back(guessed ? "guess" : "q0", number(q, node));
    if (!guessed) entries.emplace_back("qd0", number(qd, node));
    add(name, turns ? "multibody.Revolute" : "multibody.Prismatic", std::move(entries), node);
    if (nature == "driven") add_drive(node, name, turns, q, qd, qdd);
  }

  void add_drive(const xml_node& node, const std::string& joint, bool turns, double q, double qd, double qdd) {
    const std::string unit = turns ? "rad" : "m";
    const std::string motion = format_number(q) + " " + unit + " + (" + format_number(qd) + " " + unit +
                               "/s)*time + (" + format_number(qdd / 2) + " " + unit + "/s^2)*time^2";
    add(names_.make(joint + "_drive"), turns ? "mechanical.RotationalMotion" : "mechanical.TranslationalMotion",
        {{"flange", text(joint + ".shaft", node)}, {turns ? "phi" : "s", text(motion, node)}}, node);
  }

  void add_cut(const xml_node& node) {
    const std::string kind = node.name();
    if (kind != "ball" && kind != "rod" && kind != "solid") return;
    const std::string name = names_.make(xml_.required_text(node, "name"));
    for (const char* end : {"endpoint1", "endpoint2"})
      if (!node.child(end)) throw Error(xml_.where(node), "cut " + name + " needs <" + end + ">");
    const Point &a = find_point(node.child("endpoint1")), &b = find_point(node.child("endpoint2"));
    if (kind == "rod") {
      const double length = xml_.number(node, "length", 0);
      if (length <= 0)
        throw Error(xml_.where(node.child("length") ? node.child("length") : node),
                    "rod " + name + ": length = " + format_short(length) + " m must be > 0");
      add(name, "multibody.Strut",
          {{"a", text(a.body, node)},
           {"a_at", list(a.at, node)},
           {"b", text(b.body, node)},
           {"b_at", list(b.at, node)},
           {"rod", text(name + "_length", node)}},
          node);
      add(names_.make(name + "_hold"), "mechanical.TranslationalFixed",
          {{"flange", text(name + "_length", node)}, {"s", number(length, node)}}, node);
      return;
    }
    add(name, kind == "ball" ? "multibody.Spherical" : "multibody.Fixed",
        {{"parent", text(a.body, node)},
         {"parent_at", list(a.at, node)},
         {"child", text(b.body, node)},
         {"child_at", list(b.at, node)}},
        node);
  }

  /// The two points of a link; its law is a user's function, which no file holds.
  void add_link(const xml_node& node) {
    if (node.type() != pugi::node_element) return;
    const std::string name = names_.make(xml_.required_text(node, "name"));
    for (const char* end : {"endpoint1", "endpoint2"})
      if (!node.child(end)) throw Error(xml_.where(node), "link " + name + " needs <" + end + ">");
    const Point &a = find_point(node.child("endpoint1")), &b = find_point(node.child("endpoint2"));
    add(name, "multibody.PointSpringDamper",
        {{"a", text(a.body, node)}, {"a_at", list(a.at, node)}, {"b", text(b.body, node)}, {"b_at", list(b.at, node)}},
        node);
    robot_.notes.push_back("link " + name + " has no force yet, since its law is not part of the file; set " + name +
                           ".stiffness, .damping and .length, or " + name + ".force");
  }

  std::vector<xml_node> bodies_;
  std::map<std::string, std::string> body_;  ///< component of each body
  std::map<std::string, std::map<std::string, Point>> points_;
  std::vector<Load> loads_, sensors_;
};

}  // namespace

RobotFile parse_robotran_xml(std::string_view text, const std::string& file) {
  const XmlFile xml(text, file);
  RobotFile robot;
  RobotranReader(xml, robot).read();
  return robot;
}

RobotFile read_robotran(const std::filesystem::path& path) {
  const std::string text = read_source(path);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_xml = first == std::string::npos || text[first] == '<' || text.starts_with("\xEF\xBB\xBF");
  return is_xml ? parse_robotran_xml(text, path.string()) : parse_robotran_text(text, path.string());
}

}  // namespace coenergy::io
