#include "coenergy/compile/mechanism_reader.hpp"

#include <cmath>

#include "coenergy/mechanics/kinematics.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::compile {

using mechanics::MechanismDescription;
using mechanics::SceneShape;
using symbolic::Expr;
using symbolic::Vec3;

namespace {

/// Learns the frames of a flexible body without building it.
class FrameRecorder : public model::FlexibleBody {
 public:
  symbolic::Graph& graph() override { return graph_; }
  int add_node(std::array<double, 3>, std::array<double, 4>, const Expr&) override { return nodes_++; }
  void add_frame(const std::string& name, int node) override { frames.emplace_back(name, node); }
  void add_element(const std::string&, std::vector<int>, std::vector<Expr>,
                   const std::function<void(Element&)>&) override {}
  Expr add_value(double) override { return {}; }
  void add_cut(const std::string&, int, int, double) override {}
  void add_shape_polyline(std::vector<int>, double) override {}
  void set_modal(model::ModalBody body) override { modal = std::make_shared<model::ModalBody>(std::move(body)); }
  /// Those that have names, then all nodes: n0, n1 …
  std::vector<std::pair<std::string, int>> all_frames() const {
    std::vector<std::pair<std::string, int>> all = frames;
    for (std::size_t k = 0; modal && k < modal->frames.size(); ++k)
      all.emplace_back(modal->frames[k].name, static_cast<int>(k) + 1);
    for (int k = 0; k < nodes_; ++k) all.emplace_back("n" + std::to_string(k), k);
    return all;
  }
  std::vector<std::pair<std::string, int>> frames;
  std::shared_ptr<const model::ModalBody> modal;

 private:
  symbolic::Graph graph_;
  int nodes_ = 0;
};

/// A body without inertia that no joint holds is a point: nothing turns it. The inertia of one that stands for its own
/// keeps its rotation, which stays zero, determined.
void mark_points(MechanismDescription& description) {
  std::vector<char> jointed(description.bodies.size(), 0);
  for (const MechanismDescription::Joint& joint : description.joints)
    for (const mechanics::FrameId& id : {joint.parent, joint.child})
      if (id.body >= 0) jointed[id.body] = 1;
  for (std::size_t b = 0; b < description.bodies.size(); ++b) {
    MechanismDescription::Body& body = description.bodies[b];
    if (jointed[b] || body.flexible || body.modal || !mechanics::is_zero(body.properties.com)) continue;
    bool has_inertia = false;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) has_inertia = has_inertia || !body.properties.inertia(i, k).is_zero();
    if (has_inertia) continue;
    if (body.angular_velocity != std::array<double, 3>{})
      throw Error(body.where, body.name + " turns and has no inertia; give it one, or leave out angular_velocity");
    body.is_point = true;
    body.properties.inertia = symbolic::Mat3::identity();
  }
}

}  // namespace

double MechanismReader::value_of(const Expr& e) {
  if (e.is_number()) return e.number();
  if (e.op() == symbolic::Op::symbol) return m_.builder.parameter_value(m_.builder.variables().address(e).index);
  std::vector<Expr> symbols = symbolic::free_symbols(std::span(&e, 1));
  std::vector<double> in;
  for (const Expr& s : symbols) in.push_back(m_.builder.parameter_value(m_.builder.variables().address(s).index));
  const symbolic::NamedExpr output{"value", e};
  return symbolic::evaluate(
      symbolic::Function(symbolic::make_program(symbols, std::span(&output, 1)), symbolic::Engine::interpreter), in)[0];
}
std::array<double, 3> MechanismReader::value_of(const Vec3& v) {
  return {value_of(v[0]), value_of(v[1]), value_of(v[2])};
}

MechanismDescription MechanismReader::read(std::vector<std::string>& notes) {
  MechanismDescription description;
  bool has_gravity = false;
  for (std::size_t c = 0; c < m_.components.size(); ++c)
    guard(m_, static_cast<int>(c), errors_, [&](ComponentEquations& eq) {
      const model::ComponentType& type = *m_.components[c].type;
      if (type.gravity) {
        if (has_gravity)
          eq.refuse("the model has another " + type.description.type + "; there is one field of gravity");
        description.gravity = type.gravity(eq);
        scene_.gravity = description.gravity_value = value_of(description.gravity);
        has_gravity = true;
      }
      if (type.body || type.flexible) add_body(static_cast<int>(c), eq, description);
    });
  errors_.throw_if_any();
  for (std::size_t c = 0; c < m_.components.size(); ++c)
    if (m_.components[c].type->joint)
      guard(m_, static_cast<int>(c), errors_,
            [&](ComponentEquations& eq) { add_joint(static_cast<int>(c), eq, description); });
  errors_.throw_if_any();
  mark_points(description);
  if (!has_gravity && !(description.bodies.empty() && description.joints.empty()))
    notes.push_back("the model has bodies and no multibody.Gravity: there is no gravity");
  return description;
}

void MechanismReader::add_body(int c, ComponentEquations& eq, MechanismDescription& description) {
  const model::ComponentType& type = *m_.components[c].type;
  MechanismDescription::Body body;
  body.name = m_.components[c].name();
  if (body.name == "ground" || body.name == "world")
    eq.refuse("a body cannot have this name, which means the fixed world; choose another");
  body.where = m_.components[c].component->where;
  m_.body_of[c] = static_cast<int>(description.bodies.size());
  m_.frame_names.emplace_back();
  if (type.body) {
    // of rigid bodies all that moves them is a symbol
    m_.reading = Compilation::Reading::checks;
    body.properties = type.body(eq);
    m_.reading = Compilation::Reading::equations;
    body.position = value_of(body.properties.position);
    body.angles = value_of(body.properties.angles);
    body.velocity = value_of(body.properties.velocity);
    body.angular_velocity = value_of(body.properties.angular_velocity);
    for (int i = 0; i < 3; ++i) body.placed = body.placed || body.position[i] != 0 || body.angles[i] != 0;
  } else {
    FrameRecorder recorder;
    type.flexible(eq, recorder);
    m_.frame_names.back() = recorder.all_frames();
    body.modal = recorder.modal;
    if (!body.modal)
      body.flexible = [this, c, &type](model::FlexibleBody& b) {
        ComponentEquations equations(m_, c);
        type.flexible(equations, b);
      };
  }
  m_.reading = Compilation::Reading::drawing;
  if (type.drawing)
    for (const model::Shape& shape : type.drawing(eq)) scene_.shapes.push_back({body.name, body.name, shape});
  m_.reading = Compilation::Reading::equations;
  scene_.bodies.push_back(body.name);
  description.bodies.push_back(std::move(body));
}

void MechanismReader::add_joint(int c, ComponentEquations& eq, MechanismDescription& description) {
  const BoundComponent& bound = m_.components[c];
  MechanismDescription::Joint joint;
  joint.name = bound.name();
  joint.where = bound.component->where;
  joint.properties = bound.type->joint(eq);
  model::Joint& p = joint.properties;
  joint.parent = m_.find_frame(*bound.connections[p.parent.index], joint.name + ".parent");
  joint.child = m_.find_frame(*bound.connections[p.child.index], joint.name + ".child");
  if (joint.parent.body == joint.child.body && joint.parent.node == joint.child.node)
    eq.refuse("parent and child are the same body, " + bound.connections[p.parent.index]->text);
  joint.parent_position = value_of(p.parent_position);
  joint.parent_angles = value_of(p.parent_angles);
  joint.child_position = value_of(p.child_position);
  joint.child_angles = value_of(p.child_angles);
  m_.joint_of[c] = static_cast<int>(description.joints.size());
  m_.motion_names.emplace_back();
  for (model::Motion& motion : p.motions) {
    m_.motion_names.back().push_back(motion.kind == model::Motion::Kind::spherical ? "" : motion.name);
    joint.axes.push_back(unit_axis(motion, eq));
    const bool guessed = motion.guess.index >= 0 && eq.has(motion.guess);
    joint.q0.push_back(guessed ? eq.number(motion.guess) : motion.start.index < 0 ? 0 : eq.number(motion.start));
    joint.v0.push_back(motion.start_rate.index < 0 ? 0 : eq.number(motion.start_rate));
    joint.start_law.push_back(m_.start_parameter(c, guessed ? motion.guess.index : motion.start.index));
    joint.rate_law.push_back(m_.start_parameter(c, motion.start_rate.index));
    joint.fixed.push_back(!guessed && motion.start.index >= 0 && bound.parameters[motion.start.index].given);
    joint.fixed_rate.push_back(motion.start_rate.index >= 0 && bound.parameters[motion.start_rate.index].given);
  }
  scene_.joints.push_back(
      make_scene_joint(joint, bound.connections[p.parent.index]->text, bound.connections[p.child.index]->text));
  description.joints.push_back(std::move(joint));
}

/// Lines and springs that components draw between points of bodies.
void MechanismReader::add_drawings() {
  for (std::size_t c = 0; c < m_.components.size(); ++c) {
    const BoundComponent& bound = m_.components[c];
    if (!bound.type->drawing || m_.body_of[c] >= 0) continue;
    guard(m_, static_cast<int>(c), errors_, [&](ComponentEquations& eq) {
      m_.reading = Compilation::Reading::drawing;
      const std::vector<model::Shape> shapes = bound.type->drawing(eq);
      m_.reading = Compilation::Reading::equations;
      for (const model::Shape& shape : shapes) {
        SceneShape drawn{bound.name(), "", shape};
        for (const model::Shape::Point& point : shape.points) {
          const std::string& body = bound.connections[point.frame.index]->text;
          drawn.points.push_back({body == "ground" || body == "world" ? "" : body, point.at});
        }
        scene_.shapes.push_back(std::move(drawn));
      }
    });
  }
}

/// Normalises a motion's axis; one that is not a unit vector is replaced by the numbers of its direction.
std::array<double, 3> MechanismReader::unit_axis(model::Motion& motion, ComponentEquations& eq) {
  if (motion.kind == model::Motion::Kind::spherical) return {};
  std::array<double, 3> a = value_of(motion.axis);
  const double norm = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  if (norm == 0) eq.refuse("the axis is zero; it needs a direction, such as z or [0, 0, 1]");
  bool principal = true;
  for (int i = 0; i < 3; ++i) {
    a[i] /= norm;
    principal = principal && motion.axis[i].is_number();
  }
  if (!principal || std::abs(norm - 1) > 1e-15)
    for (int i = 0; i < 3; ++i) motion.axis[i] = a[i];
  return a;
}

}  // namespace coenergy::compile
