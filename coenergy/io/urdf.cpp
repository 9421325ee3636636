#include "coenergy/io/urdf.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "coenergy/base/names.hpp"
#include "coenergy/io/robot_reader.hpp"
#include "coenergy/math/rotation.hpp"

namespace coenergy::io {

using model::Component;
using model::Value;
using pugi::xml_node;

namespace {

using Vector = std::array<double, 3>;

bool is_zero(const Vector& v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

using Rotation = math::Matrix3;

Rotation make_rotation(const Vector& rpy) { return math::rotation_matrix(math::quaternion_of_angles(rpy)); }

Rotation operator*(const Rotation& a, const Rotation& b) {
  Rotation c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

Vector find_angles(const Rotation& R) {
  return {std::atan2(R[2][1], R[2][2]), std::atan2(-R[2][0], std::hypot(R[0][0], R[1][0])),
          std::atan2(R[1][0], R[0][0])};
}

/// R I Rᵀ: from the axes of <inertial> to those of the link.
std::array<double, 6> rotate_inertia(const std::array<double, 6>& I, const Vector& rpy) {
  const Rotation R = make_rotation(rpy), m{{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
  const Rotation Rm = R * m;
  auto entry = [&](int i, int j) { return Rm[i][0] * R[j][0] + Rm[i][1] * R[j][1] + Rm[i][2] * R[j][2]; };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

/// A mesh of a robot: its path as written, or below a folder at or above the file for "package://robot/meshes/a.stl".
/// Empty if there is none.
std::filesystem::path find_mesh(std::string name, const std::filesystem::path& folder) {
  for (const char* scheme : {"package://", "file://", "model://"})
    if (name.starts_with(scheme)) name = name.substr(std::string(scheme).size());
  const std::filesystem::path path = name;
  std::error_code ignored;
  if (path.is_absolute()) return std::filesystem::exists(path, ignored) ? path : std::filesystem::path();
  // the package may be a folder above the file, or be one of them under another name
  std::filesystem::path inside;
  for (auto part = path.begin(); part != path.end(); ++part)
    if (part != path.begin()) inside /= *part;
  std::filesystem::path up = ".";
  for (int level = 0; level < 4; ++level, up /= "..")
    for (const std::filesystem::path& wish : {path, inside})
      if (!wish.empty() && std::filesystem::is_regular_file(folder / up / wish, ignored))
        return (up / wish).lexically_normal();
  return {};
}

class UrdfReader : RobotReader {
 public:
  using RobotReader::RobotReader;

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
    const double mass = check_mass(xml_.attribute(inertial.child("mass"), "value", 0), name, inertial.child("mass"));
    Entries entries{{"mass", number(mass, place)}};
    if (inertial) {
      entries.emplace_back("com", list(xml_.attribute3(inertial.child("origin"), "xyz"), place));
      entries.emplace_back("inertia", read_inertia(inertial));
    }
    if (auto shape = find_shape(node)) entries.emplace_back("shape", std::move(*shape));
    add(body, "multibody.Body", std::move(entries), node);
    if (name == root_)
      add(names_.make(name + "_base"), "multibody.Fixed",
          {{"parent", text("ground", node)}, {"child", text(body, node)}}, node);
  }

  /// Programs that make these files leave round-off where a moment is zero: moments of no more than that are none.
  Value read_inertia(const xml_node& inertial) {
    constexpr double round_off = 1e-15;  // kg.m2; that of a grain of sand is 1e-13
    const xml_node node = inertial.child("inertia");
    std::array<double, 6> I;
    const char* names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    for (int i = 0; i < 6; ++i) I[i] = xml_.attribute(node, names[i], 0);
    const Vector rpy = xml_.attribute3(inertial.child("origin"), "rpy");
    if (!is_zero(rpy)) I = rotate_inertia(I, rpy);
    const double size = std::max({std::abs(I[0]), std::abs(I[1]), std::abs(I[2])});
    if (size <= round_off && std::any_of(I.begin(), I.end(), [](double x) { return x != 0; })) I = {}, ++flat_links_;
    return inertia({I.begin(), I.end()}, node ? node : inertial);
  }

  /// The first visual that can be drawn: a mesh that is found, or a simple shape.
  std::optional<Value> find_shape(const xml_node& link) {
    std::optional<Value> shape;
    for (const xml_node visual : link.children("visual")) {
      if (shape) break;
      const xml_node geometry = visual.child("geometry");
      Value map;
      map.kind = Value::Kind::map;
      map.where = xml_.where(visual);
      if (const xml_node box = geometry.child("box"))
        map.map.emplace_back("box", list(xml_.attribute3(box, "size"), box));
      else if (const xml_node cylinder = geometry.child("cylinder"))
        map.map.emplace_back(
            "cylinder",
            list(std::array{xml_.attribute(cylinder, "radius", 0), xml_.attribute(cylinder, "length", 0)}, cylinder));
      else if (const xml_node sphere = geometry.child("sphere"))
        map.map.emplace_back("sphere", number(xml_.attribute(sphere, "radius", 0), sphere));
      else if (const xml_node mesh = geometry.child("mesh"); !mesh || !add_mesh(mesh, map))
        continue;
      const xml_node origin = visual.child("origin");
      map.map.emplace_back("at", list(xml_.attribute3(origin, "xyz"), visual));
      map.map.emplace_back("angles", list(xml_.attribute3(origin, "rpy"), visual));
      shape = std::move(map);
    }
    return shape;
  }

  bool add_mesh(const xml_node& mesh, Value& shape) {
    const std::string name = xml_.required_attribute(mesh, "filename");
    const std::filesystem::path file = find_mesh(name, std::filesystem::path(xml_.file()).parent_path());
    if (file.empty()) {
      ++meshes_;
      return false;
    }
    shape.map.emplace_back("mesh", text(file.string(), mesh));
    shape.map.emplace_back("scale", list(xml_.attribute3(mesh, "scale", {1, 1, 1}), mesh));
    return true;
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
    Entries entries{{"parent", text(body_[find_link(node, "parent")], node.child("parent"))},
                    {"child", text(body_[find_link(node, "child")], node.child("child"))}};
    const xml_node origin = node.child("origin");
    const Vector xyz = xml_.attribute3(origin, "xyz"), rpy = xml_.attribute3(origin, "rpy");
    if (!is_zero(xyz)) entries.emplace_back("parent_at", list(xyz, origin));
    if (type == "planar")
      add_plane(node, rpy, entries);
    else if (!is_zero(rpy))
      entries.emplace_back("parent_angles", list(rpy, origin));
    const bool moves = kind->second == "multibody.Revolute" || kind->second == "multibody.Prismatic";
    if (moves) {
      const xml_node axis = node.child("axis"), dynamics = node.child("dynamics");
      entries.emplace_back("axis", list(xml_.attribute3(axis, "xyz", {1, 0, 0}), axis ? axis : node));
      for (const char* loss : {"damping", "friction"})
        if (const double value = xml_.attribute(dynamics, loss, 0); value != 0)
          entries.emplace_back(loss, number(value, dynamics));
      // where a joint that mimics another starts follows from the other's start
      if (const xml_node mimic = node.child("mimic")) {
        // beside a joint that is fixed at zero it stays at its offset
        entries.emplace_back(follows(mimic) ? "guess" : "q0", number(xml_.attribute(mimic, "offset", 0), mimic));
        if (!follows(mimic)) entries.emplace_back("locked", text("yes", mimic));
      } else {
        add_limits(node, name, entries);
      }
    }
    add(name, kind->second, std::move(entries), node);
  }

  /// The plane of motion is normal to the axis; ours is the x-y plane of the joint frame.
  void add_plane(const xml_node& node, const Vector& rpy, Entries& entries) const {
    Vector z = xml_.attribute3(node.child("axis"), "xyz", {1, 0, 0});
    const double norm = std::hypot(z[0], z[1], z[2]);
    if (norm == 0) throw Error(xml_.where(node.child("axis")), "the axis is zero; it needs a direction");
    for (double& c : z) c /= norm;
    const Vector to_axis{0, std::atan2(std::hypot(z[0], z[1]), z[2]), std::atan2(z[1], z[0])};
    entries.emplace_back("parent_angles", list(find_angles(make_rotation(rpy) * make_rotation(to_axis)), node));
    entries.emplace_back("child_angles", list(to_axis, node));
  }

  struct Range {
    double lower = -INFINITY, upper = INFINITY;
  };

  /// Where a joint may be: its own limits, and those of all that mimic it, which it would take beyond theirs.
  Range find_range(const xml_node& joint, int depth = 0) {
    Range range;
    const std::string name = joint.attribute("name").value();
    const double lower = xml_.attribute(joint.child("limit"), "lower", 0),
                 upper = xml_.attribute(joint.child("limit"), "upper", 0);
    if (std::string(joint.attribute("type").value()) != "continuous" && lower < upper) range = {lower, upper};
    if (depth == static_cast<int>(joints_.size())) return range;  // they mimic each other in a circle
    for (const xml_node& follower : joints_) {
      const xml_node mimic = follower.child("mimic");
      if (!mimic || mimic.attribute("joint").value() != name) continue;
      const std::string type = follower.attribute("type").value();
      const double factor = xml_.attribute(mimic, "multiplier", 1), offset = xml_.attribute(mimic, "offset", 0);
      if (type == "fixed" || factor == 0) continue;
      const Range other = find_range(follower, depth + 1);
      const double a = (other.lower - offset) / factor, b = (other.upper - offset) / factor;
      const Range both{std::max(range.lower, std::min(a, b)), std::min(range.upper, std::max(a, b))};
      if (both.lower < both.upper)
        range = both;
      else
        robot_.notes.push_back(std::string("joint ") + follower.attribute("name").value() + " mimics " + name +
                               " but has no range in common with it: its limits are left out");
    }
    return range;
  }

  /// Rigid stops without rebound; a joint whose range does not hold zero starts in the middle of it.
  void add_limits(const xml_node& node, const std::string& joint, Entries& entries) {
    const xml_node limit = node.child("limit") ? node.child("limit") : node;
    const auto [lower, upper] = find_range(node);
    if (!std::isfinite(lower) || !std::isfinite(upper)) return;
    entries.emplace_back("lower", number(lower, limit));
    entries.emplace_back("upper", number(upper, limit));
    entries.emplace_back("stop_restitution", number(0, limit));
    if (lower <= 0 && upper >= 0) return;
    const double middle = (lower + upper) / 2;
    entries.emplace_back("q0", number(middle, limit));
    robot_.notes.push_back("joint " + joint + " starts at " + format_short(middle) + ", since its range " +
                           format_short(lower) + " … " + format_short(upper) + " does not hold 0");
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
    if (std::string(node.attribute("type").value()) == "fixed")
      fixed_mimics_ += (fixed_mimics_.empty() ? "" : ", ") + source;
    if (std::string(node.attribute("type").value()) == "fixed" || !follows(mimic)) return;
    const Component* own = robot_.model.find(joint_[source]);
    const Component* lead = robot_.model.find(joint_[other]);
    const auto is = [](const Component* c, const char* type) { return c != nullptr && c->type == type; };
    const bool turns = is(own, "multibody.Revolute"), lead_turns = is(lead, "multibody.Revolute");
    if ((!turns && !is(own, "multibody.Prismatic")) || (!lead_turns && !is(lead, "multibody.Prismatic")))
      throw Error(xml_.where(mimic), "joint " + source + ": only revolute and prismatic joints can mimic each other");
    const std::string unit = turns == lead_turns ? "" : turns ? " rad/m" : " m/rad";
    const std::string motion = format_number(xml_.attribute(mimic, "multiplier", 1)) + unit + "*" + lead->name +
                               ".q + (" + format_number(xml_.attribute(mimic, "offset", 0)) + (turns ? " rad)" : " m)");
    Entries entries{{"flange", text(own->name + ".shaft", mimic)}, {turns ? "phi" : "s", text(motion, mimic)}};
    add(names_.make(own->name + "_mimic"), turns ? "mechanical.RotationalMotion" : "mechanical.TranslationalMotion",
        std::move(entries), mimic);
  }

  /// Whether the joint that is mimicked moves at all.
  bool follows(const xml_node& mimic) const {
    const std::string other = mimic.attribute("joint").value();
    return std::none_of(joints_.begin(), joints_.end(), [&](const xml_node& joint) {
      return joint.attribute("name").value() == other && std::string(joint.attribute("type").value()) == "fixed";
    });
  }

  void note_leftovers() {
    if (flat_links_ > 0)
      robot_.notes.push_back(std::to_string(flat_links_) +
                             " links have moments of inertia of the size of round-off, which are read as zero");
    if (!fixed_mimics_.empty())
      robot_.notes.push_back("fixed joints cannot mimic others, as these should: " + fixed_mimics_);
    if (meshes_ > 0)
      robot_.notes.push_back(std::to_string(meshes_) + " meshes are not drawn: their files were not found");
  }

  std::vector<std::pair<std::string, xml_node>> links_;
  std::vector<xml_node> joints_;
  std::map<std::string, std::string> body_, joint_;  ///< component of each link and joint
  std::string root_;
  int meshes_ = 0, flat_links_ = 0;
  std::string fixed_mimics_;
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
