#include "coenergy/io/urdf.hpp"

#include <cmath>
#include <map>
#include <optional>

#include "coenergy/base/names.hpp"

namespace coenergy::io {

using model::Component;
using model::Value;
using pugi::xml_node;

namespace {

using Entries = std::vector<std::pair<std::string, Value>>;
using Vector = std::array<double, 3>;

bool is_zero(const Vector& v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }
std::vector<double> list(const Vector& v) { return {v.begin(), v.end()}; }

/// R I Rᵀ with R = Rz Ry Rx of the angles: from the axes of <inertial> to those of the link.
std::array<double, 6> rotate_inertia(const std::array<double, 6>& I, const Vector& rpy) {
  const double cr = std::cos(rpy[0]), sr = std::sin(rpy[0]), cp = std::cos(rpy[1]), sp = std::sin(rpy[1]),
               cy = std::cos(rpy[2]), sy = std::sin(rpy[2]);
  const double R[3][3] = {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                          {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                          {-sp, cp * sr, cp * cr}};
  const double m[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
  double r[3][3] = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) r[i][j] += R[i][k] * m[k][l] * R[j][l];
  return {r[0][0], r[1][1], r[2][2], r[0][1], r[0][2], r[1][2]};
}

class UrdfReader {
 public:
  UrdfReader(const XmlFile& xml, RobotFile& robot) : xml_(xml), robot_(robot) {}

  void read() {
    const xml_node root = xml_.root();
    if (std::string(root.name()) != "robot")
      throw Error(xml_.where(root), "a URDF file starts with <robot>, not <" + std::string(root.name()) + ">");
    robot_.model.title = root.attribute("name").value();
    robot_.model.file = xml_.file();
    add("gravity", "multibody.Gravity", {}, root);
    collect(root);
    for (const auto& [name, node] : links_) guard([&, node = node] { add_link(node); });
    for (const xml_node node : joints_) guard([&] { add_joint(node); });
    for (const xml_node node : joints_) guard([&] { add_mimic(node); });
    note_leftovers();
    errors_.throw_if_any();
  }

 private:
  template <class Action>
  void guard(Action&& action) {
    try {
      action();
    } catch (const Error& e) {
      errors_.add(e);
    }
  }

  Component& add(const std::string& name, const std::string& type, Entries entries, const xml_node& node) {
    Component& c = robot_.model.add(name, type, std::move(entries));
    c.where = c.type_where = xml_.where(node);
    return c;
  }
  Value number(double x, const xml_node& node) const { return make_value(x, xml_.where(node)); }
  Value vector(const Vector& v, const xml_node& node) const { return make_list(list(v), xml_.where(node)); }

  /// Names and tree: every joint has one parent and one child, every link but one is a child.
  void collect(const xml_node& root) {
    names_.make("gravity");
    for (const xml_node node : root.children("link")) {
      const std::string name = xml_.required_attribute(node, "name");
      for (const auto& [other, place] : links_)
        if (other == name)
          errors_.add(xml_.where(node), "link \"" + name + "\" is there twice; the other one stands at line " +
                                            std::to_string(xml_.where(place).line));
      links_.emplace_back(name, node);
    }
    if (links_.empty()) throw Error(xml_.where(root), "the robot has no <link>");
    std::map<std::string, std::string> parent_of;
    for (const xml_node node : root.children("joint")) {
      guard([&] {
        const std::string name = xml_.required_attribute(node, "name");
        const std::string parent = find_link(node, "parent"), child = find_link(node, "child");
        if (!parent_of.emplace(child, parent).second)
          throw Error(xml_.where(node),
                      "joint " + name + ": link " + child + " hangs on another joint already; a URDF robot is a tree");
        joints_.push_back(node);
      });
    }
    errors_.throw_if_any();
    for (const auto& [name, node] : links_) {
      if (!parent_of.contains(name)) {
        if (!root_.empty())
          errors_.add(xml_.where(node),
                      "link " + name + " hangs on no joint, nor does " + root_ + "; only one link is the root");
        else
          root_ = name;
      }
    }
    if (root_.empty())
      throw Error(xml_.where(root), "the joints form a circle; one link must be the child of no joint");
    errors_.throw_if_any();
    for (const auto& [name, node] : links_)
      body_[name] = name == root_ && name == "world" ? "ground" : names_.make(name);
    for (const xml_node node : joints_) {
      const std::string name = node.attribute("name").value();
      if (!joint_.emplace(name, names_.make(name, "_joint")).second)
        errors_.add(xml_.where(node), "joint \"" + name + "\" is there twice");
    }
    errors_.throw_if_any();
  }

  std::string find_link(const xml_node& joint, const char* side) const {
    const xml_node node = joint.child(side);
    if (!node)
      throw Error(xml_.where(joint),
                  "joint " + std::string(joint.attribute("name").value()) + " needs <" + side + " link=\"…\"/>");
    const std::string name = xml_.required_attribute(node, "link");
    std::vector<std::string> known;
    for (const auto& [other, place] : links_) {
      if (other == name) return name;
      known.push_back(other);
    }
    throw Error(xml_.where(node), "there is no link \"" + name + "\"" + did_you_mean(name, known));
  }

  void add_link(const xml_node& node) {
    const std::string name = node.attribute("name").value();
    const std::string& body = body_[name];
    if (body == "ground") return;
    const xml_node inertial = node.child("inertial");
    const xml_node place = inertial ? inertial : node;
    const double mass = xml_.attribute(inertial.child("mass"), "value", 0);
    if (mass < 0)
      throw Error(xml_.where(inertial.child("mass")), name + ": mass = " + format_short(mass) + " kg must be >= 0");
    Entries entries{{"mass", number(mass, place)}};
    if (inertial) {
      entries.emplace_back("com", vector(xml_.attribute3(inertial.child("origin"), "xyz"), place));
      entries.emplace_back("inertia", read_inertia(inertial));
    }
    if (auto shape = find_shape(node)) entries.emplace_back("shape", std::move(*shape));
    add(body, "multibody.Body", std::move(entries), node);
    if (name == root_)
      add(names_.make(name + "_base"), "multibody.Fixed",
          {{"parent", make_value("ground", xml_.where(node))}, {"child", make_value(body, xml_.where(node))}}, node);
  }

  Value read_inertia(const xml_node& inertial) const {
    const xml_node node = inertial.child("inertia");
    std::array<double, 6> I;
    const char* names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    for (int i = 0; i < 6; ++i) I[i] = xml_.attribute(node, names[i], 0);
    const Vector rpy = xml_.attribute3(inertial.child("origin"), "rpy");
    if (!is_zero(rpy)) I = rotate_inertia(I, rpy);
    const bool diagonal = I[3] == 0 && I[4] == 0 && I[5] == 0;
    return make_list({I.begin(), diagonal ? I.begin() + 3 : I.end()}, xml_.where(node ? node : inertial));
  }

  /// The first simple shape of the visuals; meshes are counted.
  std::optional<Value> find_shape(const xml_node& link) {
    std::optional<Value> shape;
    for (const xml_node visual : link.children("visual")) {
      const xml_node geometry = visual.child("geometry");
      if (geometry.child("mesh")) ++meshes_;
      if (shape) continue;
      Value map;
      map.kind = Value::Kind::map;
      map.where = xml_.where(visual);
      if (const xml_node box = geometry.child("box"))
        map.map.emplace_back("box", vector(xml_.attribute3(box, "size"), box));
      else if (const xml_node cylinder = geometry.child("cylinder"))
        map.map.emplace_back("cylinder",
                             make_list({xml_.attribute(cylinder, "radius", 0), xml_.attribute(cylinder, "length", 0)},
                                       xml_.where(cylinder)));
      else if (const xml_node sphere = geometry.child("sphere"))
        map.map.emplace_back("sphere", number(xml_.attribute(sphere, "radius", 0), sphere));
      else
        continue;
      const xml_node origin = visual.child("origin");
      map.map.emplace_back("at", vector(xml_.attribute3(origin, "xyz"), visual));
      map.map.emplace_back("angles", vector(xml_.attribute3(origin, "rpy"), visual));
      shape = std::move(map);
    }
    return shape;
  }

  void add_joint(const xml_node& node) {
    const std::string type = xml_.required_attribute(node, "type");
    static const std::map<std::string, std::string> types = {
        {"revolute", "multibody.Revolute"}, {"continuous", "multibody.Revolute"}, {"prismatic", "multibody.Prismatic"},
        {"fixed", "multibody.Fixed"},       {"floating", "multibody.Free"},       {"planar", "multibody.Planar"}};
    const std::string source = node.attribute("name").value();
    const auto kind = types.find(type);
    if (kind == types.end()) {
      std::vector<std::string> known;
      for (const auto& [name, mapped] : types) known.push_back(name);
      throw Error(xml_.where(node), "joint " + source + ": type \"" + type +
                                        "\" must be revolute, continuous, prismatic, fixed, floating or planar" +
                                        did_you_mean(type, known));
    }
    const std::string& name = joint_[source];
    Entries entries{{"parent", make_value(body_[find_link(node, "parent")], xml_.where(node.child("parent")))},
                    {"child", make_value(body_[find_link(node, "child")], xml_.where(node.child("child")))}};
    const xml_node origin = node.child("origin");
    const Vector xyz = xml_.attribute3(origin, "xyz"), rpy = xml_.attribute3(origin, "rpy");
    if (!is_zero(xyz)) entries.emplace_back("parent_at", vector(xyz, origin));
    if (!is_zero(rpy)) entries.emplace_back("parent_angles", vector(rpy, origin));
    const bool moves = kind->second == "multibody.Revolute" || kind->second == "multibody.Prismatic";
    if (moves) {
      entries.emplace_back("axis", vector(xml_.attribute3(node.child("axis"), "xyz", {1, 0, 0}),
                                          node.child("axis") ? node.child("axis") : node));
      const xml_node dynamics = node.child("dynamics");
      if (const double damping = xml_.attribute(dynamics, "damping", 0); damping != 0)
        entries.emplace_back("damping", number(damping, dynamics));
      if (const double friction = xml_.attribute(dynamics, "friction", 0); friction != 0)
        robot_.notes.push_back("joint " + source + ": friction = " + format_short(friction) +
                               " is left out; add a friction at " + name + ".shaft");
      if (node.child("limit")) ++limits_;
    }
    add(name, kind->second, std::move(entries), node);
  }

  /// q = multiplier·q_other + offset, held by a drive on the joint's shaft.
  void add_mimic(const xml_node& node) {
    const xml_node mimic = node.child("mimic");
    if (!mimic) return;
    const std::string source = node.attribute("name").value(), other = xml_.required_attribute(mimic, "joint");
    std::vector<std::string> known;
    for (const auto& [name, mapped] : joint_) known.push_back(name);
    if (!joint_.contains(other))
      throw Error(xml_.where(mimic),
                  "joint " + source + " mimics \"" + other + "\", which is no joint" + did_you_mean(other, known));
    if (other == source) throw Error(xml_.where(mimic), "joint " + source + " mimics itself");
    const Component* own = robot_.model.find(joint_[source]);
    const Component* lead = robot_.model.find(joint_[other]);
    const auto is = [](const Component* c, const char* type) { return c != nullptr && c->type == type; };
    const bool turns = is(own, "multibody.Revolute"), lead_turns = is(lead, "multibody.Revolute");
    if ((!turns && !is(own, "multibody.Prismatic")) || (!lead_turns && !is(lead, "multibody.Prismatic")))
      throw Error(xml_.where(mimic), "joint " + source + ": only revolute and prismatic joints can mimic each other");
    const std::string unit = turns == lead_turns ? "" : turns ? " rad/m" : " m/rad";
    const std::string text = format_number(xml_.attribute(mimic, "multiplier", 1)) + unit + "*" + lead->name +
                             ".q + (" + format_number(xml_.attribute(mimic, "offset", 0)) + (turns ? " rad)" : " m)");
    Entries entries{{"flange", make_value(own->name + ".shaft", xml_.where(mimic))},
                    {turns ? "phi" : "s", make_value(text, xml_.where(mimic))}};
    add(names_.make(own->name + "_mimic"), turns ? "mechanical.RotationalMotion" : "mechanical.TranslationalMotion",
        std::move(entries), mimic);
  }

  void note_leftovers() {
    if (meshes_ > 0) robot_.notes.push_back(std::to_string(meshes_) + " meshes are not drawn");
    if (limits_ > 0)
      robot_.notes.push_back("the limits of " + std::to_string(limits_) + " joints are not part of the model");
  }

  const XmlFile& xml_;
  RobotFile& robot_;
  ErrorList errors_;
  ComponentNames names_;
  std::vector<std::pair<std::string, xml_node>> links_;
  std::vector<xml_node> joints_;
  std::map<std::string, std::string> body_, joint_;  ///< component of each link and joint
  std::string root_;
  int meshes_ = 0, limits_ = 0;
};

}  // namespace

RobotFile parse_urdf(std::string_view text, const std::string& file) {
  const XmlFile xml(text, file);
  RobotFile robot;
  UrdfReader(xml, robot).read();
  return robot;
}

RobotFile read_urdf(const std::filesystem::path& path) { return parse_urdf(read_source(path), path.string()); }

}  // namespace coenergy::io
