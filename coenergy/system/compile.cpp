#include "coenergy/system/compile.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coenergy/base/names.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/function.hpp"
#include "coenergy/system/circuit.hpp"
#include "coenergy/system/compilation.hpp"
#include "coenergy/system/component_equations.hpp"
#include "coenergy/system/component_probe.hpp"
#include "coenergy/system/mechanism_model.hpp"
#include "coenergy/system/momentum_signals.hpp"

namespace coenergy::system {

using model::VariableInfo;
using symbolic::Expr;
using symbolic::Vec3;

namespace {

/// Learns the frames of a flexible body without building it.
class FrameRecorder : public model::FlexibleBody {
 public:
  symbolic::Graph& graph() override { return graph_; }
  int add_node(std::array<double, 3>, std::array<double, 4>) override { return nodes_++; }
  void add_frame(const std::string& name, int node) override { frames.emplace_back(name, node); }
  void add_element(const std::string&, std::vector<int>, std::vector<Expr>,
                   const std::function<void(Element&)>&) override {}
  void add_shape_polyline(std::vector<int>, double) override {}
  std::vector<std::pair<std::string, int>> frames;

 private:
  symbolic::Graph graph_;
  int nodes_ = 0;
};

/// The steps of a compilation that need only be taken once, in order.
class Compiler {
 public:
  Compiler(const model::Model& model, const model::Registry& registry) : m_(model), registry_(registry) {}

  Compiled run() {
    read_values();
    connect();
    formulate_mechanism();
    allocate_variables();
    allocate_nodes();
    write_equations();
    return finish();
  }

  /// The bodies and joints alone.
  MechanismDescription run_mechanism() {
    read_values();
    connect();
    return describe_mechanism();
  }
  /// Whether anything but bodies, joints and gravity is there: other components, or joints with springs and the like.
  bool has_forces() const {
    for (const BoundComponent& c : m_.components) {
      if (!c.type->body && !c.type->joint && !c.type->gravity) return true;
      const auto& parameters = c.type->description.parameters;
      for (std::size_t k = 0; k < parameters.size() && c.type->joint; ++k) {
        if (parameters[k].optional && c.parameters[k].present) return true;
        const std::vector<std::string>& words = parameters[k].words;
        if (!words.empty() && parameters[k].name != "reaction" && c.parameters[k].word != words[0]) return true;
      }
    }
    return false;
  }
  /// Writes what acts on the coordinates, without inertia and gravity, into the builder.
  void write_forces(MechanismDescription description) {
    m_.joints = description.joints;
    m_.mechanism = make_force_mechanism(m_.builder, std::move(description));
    allocate_variables();
    allocate_nodes();
    write_equations();
  }
  Builder& builder() { return m_.builder; }

 private:
  void read_values() {
    m_.parameters = std::make_unique<ModelParameters>(m_.model, m_.builder.graph(), errors_);
    m_.components = bind_components(m_.model, registry_, *m_.parameters, m_.builder.graph(), errors_);
    for (std::size_t c = 0; c < m_.components.size(); ++c)
      m_.index.emplace(m_.components[c].name(), static_cast<int>(c));
    m_.written.resize(m_.components.size());
    m_.body_of.assign(m_.components.size(), -1);
    m_.joint_of.assign(m_.components.size(), -1);
    if (m_.model.components.empty()) errors_.add({m_.model.file}, "the model has no components");
  }

  void connect() {
    m_.network = make_network(m_.model, m_.components, errors_);
    errors_.throw_if_any();
    std::vector<PortPairs> joined(m_.components.size());
    for (std::size_t c = 0; c < joined.size(); ++c)
      guard(static_cast<int>(c), [&](ComponentEquations&) { joined[c] = find_joined_pins(static_cast<int>(c)); });
    errors_.throw_if_any();
    summary_.notes = ground_islands(m_.network, m_.components, joined);
    note_loose_ends();
  }

  /// A label that stands once is often a misspelt one.
  void note_loose_ends() {
    for (const NetworkNode& node : m_.network.nodes) {
      if (node.fixed || node.ports.size() != 1) continue;
      const auto [c, p] = node.ports.front();
      summary_.notes.push_back("node " + node.name + " is connected to " + m_.components[c].name() + "." +
                               m_.components[c].type->description.ports[p].name + " only; is its name right?");
    }
  }

  /// Pins between which the component conducts; all of them where it does not state its branches.
  PortPairs find_joined_pins(int c) {
    PortPairs pairs;
    const model::ComponentType& type = *m_.components[c].type;
    if (type.branches) {
      for (const model::Branch& b : m_.probe->branches(c)) pairs.emplace_back(b.p.index, b.n.index);
      return pairs;
    }
    int first = -1;
    for (std::size_t p = 0; p < type.description.ports.size(); ++p) {
      if (type.description.ports[p].domain != model::Domain::electrical) continue;
      if (first < 0) first = static_cast<int>(p);
      pairs.emplace_back(first, static_cast<int>(p));
    }
    return pairs;
  }

  // ---- mechanism
  double value_of(const Expr& e) {
    if (e.is_number()) return e.number();
    if (e.op() == symbolic::Op::symbol) return m_.builder.parameter_value(m_.builder.variables().address(e).index);
    std::vector<Expr> symbols = symbolic::free_symbols(std::span(&e, 1));
    std::vector<double> in;
    for (const Expr& s : symbols) in.push_back(m_.builder.parameter_value(m_.builder.variables().address(s).index));
    const symbolic::NamedExpr output{"value", e};
    return symbolic::evaluate(
        symbolic::Function(symbolic::make_program(symbols, std::span(&output, 1)), symbolic::Engine::interpreter),
        in)[0];
  }
  std::array<double, 3> value_of(const Vec3& v) { return {value_of(v[0]), value_of(v[1]), value_of(v[2])}; }

  void formulate_mechanism() {
    check_formulation();
    MechanismDescription description = describe_mechanism();
    if (description.bodies.empty() && description.joints.empty()) return;
    m_.joints = description.joints;
    make_mechanism(std::move(description));
  }

  MechanismDescription describe_mechanism() {
    MechanismDescription description;
    bool has_gravity = false;
    for (std::size_t c = 0; c < m_.components.size(); ++c)
      guard(static_cast<int>(c), [&](ComponentEquations& eq) {
        const model::ComponentType& type = *m_.components[c].type;
        if (type.gravity) {
          if (has_gravity)
            eq.refuse("the model has another " + type.description.type + "; there is one field of gravity");
          description.gravity = type.gravity(eq);
          description.gravity_value = value_of(description.gravity);
          has_gravity = true;
        }
        if (type.body || type.flexible) add_body(static_cast<int>(c), eq, description);
      });
    errors_.throw_if_any();
    for (std::size_t c = 0; c < m_.components.size(); ++c)
      if (m_.components[c].type->joint)
        guard(static_cast<int>(c), [&](ComponentEquations& eq) { add_joint(static_cast<int>(c), eq, description); });
    errors_.throw_if_any();
    if (!has_gravity && !(description.bodies.empty() && description.joints.empty()))
      summary_.notes.push_back("the model has bodies and no multibody.Gravity: there is no gravity");
    return description;
  }

  void check_formulation() {
    const std::string& wish = m_.model.formulation;
    if (wish != "auto" && wish != "relative" && wish != "absolute" && wish != "lagrange")
      throw Error(m_.model.formulation_where, "formulation = " + wish +
                                                  " must be auto, relative, absolute or lagrange" +
                                                  did_you_mean(wish, {"auto", "relative", "absolute", "lagrange"}));
  }

  void make_mechanism(MechanismDescription description) {
    const bool flexible = std::any_of(description.bodies.begin(), description.bodies.end(),
                                      [](const MechanismDescription::Body& b) { return b.flexible != nullptr; });
    const std::string& wish = m_.model.formulation;
    if ((wish == "relative" || wish == "lagrange") && flexible)
      throw Error(m_.model.formulation_where,
                  "formulation: " + wish + " cannot hold flexible bodies; use absolute or auto");
    summary_.formulation = wish != "auto" ? wish : flexible ? "absolute" : "relative";
    if (wish == "lagrange")
      for (const MechanismDescription::Joint& joint : description.joints)
        if (joint.properties.reaction)
          summary_.notes.push_back(joint.name + ": Lagrange's equations do not show reactions; use formulation: auto");
    if (!flexible) rigid_bodies_ = description.bodies, gravity_ = description.gravity;
    const auto make = summary_.formulation == "absolute"   ? make_absolute_mechanism
                      : summary_.formulation == "lagrange" ? make_lagrange_mechanism
                                                           : make_relative_mechanism;
    m_.mechanism = make(m_.builder, std::move(description));
  }

  void add_body(int c, ComponentEquations& eq, MechanismDescription& description) {
    const model::ComponentType& type = *m_.components[c].type;
    MechanismDescription::Body body;
    body.name = m_.components[c].name();
    if (body.name == "ground" || body.name == "world")
      eq.refuse("a body cannot have this name, which means the fixed world; choose another");
    body.where = m_.components[c].component->where;
    m_.body_of[c] = static_cast<int>(description.bodies.size());
    m_.frame_names.emplace_back();
    if (type.body) {
      body.properties = type.body(eq);
      body.position = value_of(body.properties.position);
      body.angles = value_of(body.properties.angles);
      body.velocity = value_of(body.properties.velocity);
      body.angular_velocity = value_of(body.properties.angular_velocity);
      for (int i = 0; i < 3; ++i) body.placed = body.placed || body.position[i] != 0 || body.angles[i] != 0;
    } else {
      FrameRecorder recorder;
      type.flexible(eq, recorder);
      m_.frame_names.back() = recorder.frames;
      body.flexible = [this, c, &type](model::FlexibleBody& b) {
        ComponentEquations equations(m_, c);
        type.flexible(equations, b);
      };
    }
    if (type.drawing)
      for (const model::Shape& shape : type.drawing(eq)) scene_.shapes.push_back({body.name, body.name, shape});
    scene_.bodies.push_back(body.name);
    description.bodies.push_back(std::move(body));
  }

  void add_joint(int c, ComponentEquations& eq, MechanismDescription& description) {
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
      joint.fixed.push_back(!guessed && motion.start.index >= 0 && bound.parameters[motion.start.index].given);
      joint.fixed_rate.push_back(motion.start_rate.index >= 0 && bound.parameters[motion.start_rate.index].given);
    }
    scene_.joints.push_back(
        make_scene_joint(joint, bound.connections[p.parent.index]->text, bound.connections[p.child.index]->text));
    description.joints.push_back(std::move(joint));
  }

  /// Lines and springs that components draw between points of bodies.
  void add_drawings() {
    for (std::size_t c = 0; c < m_.components.size(); ++c) {
      const BoundComponent& bound = m_.components[c];
      if (!bound.type->drawing || m_.body_of[c] >= 0) continue;
      guard(static_cast<int>(c), [&](ComponentEquations& eq) {
        for (const model::Shape& shape : bound.type->drawing(eq)) {
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
  std::array<double, 3> unit_axis(model::Motion& motion, ComponentEquations& eq) {
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

  // ---- unknowns
  double start_of(const BoundComponent& bound, int parameter, bool& given) {
    given = false;
    if (parameter < 0 || !bound.parameters[parameter].present) return 0;
    const ScalarValue& value = bound.parameters[parameter].scalars[0];
    if (value.varying) {
      errors_.add(value.where,
                  bound.name() + "." + bound.type->description.parameters[parameter].name + " must be a constant");
      return 0;
    }
    given = bound.parameters[parameter].given;
    return value.number;
  }

  void allocate_variables() {
    m_.circuit = std::make_unique<Circuit>(m_, errors_);
    errors_.throw_if_any();
    for (std::size_t c = 0; c < m_.components.size(); ++c) {
      const BoundComponent& bound = m_.components[c];
      for (const VariableInfo& v : bound.type->description.variables) {
        bool given = false;
        const double start = start_of(bound, v.start, given);
        const std::string name = bound.name() + "." + v.name;
        UnknownInfo info{name, v.unit, v.nominal, given};
        const int k = static_cast<int>(m_.written[c].variables.size());
        if (m_.circuit->find_constraint(static_cast<int>(c), k) >= 0 ||
            m_.circuit->is_algebraic(static_cast<int>(c), k)) {
          const int algebraic = add_variable(VariableInfo::Kind::algebraic, info, start);
          m_.written[c].dependent[k] = algebraic;
          m_.written[c].variables.push_back(-1);
          if (const int j = m_.circuit->find_constraint(static_cast<int>(c), k); j >= 0 && given)
            m_.builder.add_dependent_start({algebraic,
                                            bound.name() + "." + bound.type->description.parameters[v.start].name,
                                            make_relation_text(m_.circuit->row(m_.circuit->constraints()[j]))});
          continue;
        }
        m_.written[c].variables.push_back(add_variable(v.kind, info, start));
      }
    }
    errors_.throw_if_any();
  }

  int add_variable(VariableInfo::Kind kind, const UnknownInfo& info, double start) {
    Builder& b = m_.builder;
    switch (kind) {
      case VariableInfo::Kind::state: {
        const int k = b.add_state(info, start);
        b.add_signal(info.name, info.unit, b.variables().state(k).x);
        return k;
      }
      case VariableInfo::Kind::algebraic: {
        const int k = b.add_algebraic(info, start);
        b.add_signal(info.name, info.unit, b.variables().algebraic(k));
        return k;
      }
      case VariableInfo::Kind::discrete: {
        const int k = b.add_discrete(info.name, start);
        b.add_signal(info.name, info.unit, b.variables().discrete(k));
        return k;
      }
      case VariableInfo::Kind::multiplier: {
        const int k = b.add_multiplier(info);
        b.add_signal(info.name, info.unit, b.variables().multiplier(k));
        return k;
      }
    }
    return -1;
  }

  void allocate_nodes() {
    for (std::size_t c = 0; c < m_.components.size(); ++c)
      if (m_.components[c].type->equations)
        guard(static_cast<int>(c), [&](ComponentEquations&) { note_orders(static_cast<int>(c)); });
    bind_shafts();
    errors_.throw_if_any();
    for (NetworkNode& node : m_.network.nodes) {
      find_start(node);
      if (!node.fixed && node.coordinate < 0) allocate_node(node);
    }
    errors_.throw_if_any();
  }

  /// Which derivatives of its nodes' variables a component uses.
  void note_orders(int c) {
    const std::vector<ComponentProbe::PortNeed>& needs = m_.probe->needs(c);
    for (std::size_t p = 0; p < needs.size(); ++p) {
      const int k = m_.network.node_of[c][p];
      if (k < 0) continue;
      NetworkNode& node = m_.network.nodes[k];
      node.order = std::max(node.order, needs[p].order);
      node.constrained = node.constrained || needs[p].constrained;
    }
  }

  /// A node that holds the shaft of a joint is the joint's coordinate.
  void bind_shafts() {
    for (std::size_t c = 0; c < m_.components.size(); ++c) {
      if (m_.joint_of[c] < 0) continue;
      const MechanismDescription::Joint& joint = m_.joints[m_.joint_of[c]];
      if (joint.properties.shaft < 0) continue;
      const int k = m_.network.node_of[c][joint.properties.shaft];
      if (k < 0) continue;
      NetworkNode& node = m_.network.nodes[k];
      if (node.fixed)
        errors_.add(joint.where, joint.name + ": its shaft is connected to ground; use multibody.Fixed instead");
      else if (node.coordinate >= 0)
        errors_.add(joint.where, joint.name + ": two joints share the node " + node.name + "; put a gear between them");
      else
        node.coordinate = m_.mechanism->coordinate(m_.joint_of[c], 0);
    }
  }

  /// Start value and start rate of a node, from whichever of its components give them.
  void find_start(NetworkNode& node) {
    std::string value_giver, rate_giver;
    for (const auto& [c, p] : node.ports) {
      const model::PortInfo& port = m_.components[c].type->description.ports[p];
      take_start(node, c, port.start, node.start, value_giver);
      take_start(node, c, port.start_rate, node.start_rate, rate_giver);
    }
  }

  void take_start(NetworkNode& node, int c, int parameter, double& start, std::string& giver) {
    const BoundComponent& bound = m_.components[c];
    bool given = false;
    const double value = start_of(bound, parameter, given);
    if (!given) return;
    const std::string name = bound.name() + "." + bound.type->description.parameters[parameter].name;
    const std::string unit = " " + bound.type->description.parameters[parameter].unit;
    if (!giver.empty() && value != start)
      errors_.add(bound.parameters[parameter].where, name + " = " + format_short(value) + unit + " differs from " +
                                                         giver + " = " + format_short(start) + unit +
                                                         " at the same node " + node.name + "; give one of them only");
    start = value;
    giver = name;
    node.start_given = true;
  }

  void allocate_node(NetworkNode& node) {
    const bool mechanical = node.domain == model::Domain::rotational || node.domain == model::Domain::translational;
    const std::string name = node.name + "." + across_name(node.domain);
    UnknownInfo info{name, across_unit(node.domain), 1, node.start_given};
    if (node.domain == model::Domain::hydraulic) info.nominal = 1e5;
    Builder& b = m_.builder;
    if (mechanical && (node.order == 2 || node.constrained)) {
      node.coordinate = b.add_coordinate(info, node.start, node.start_rate);
      const auto& q = b.variables().coordinate(node.coordinate);
      b.add_signal(name, info.unit, q.q);
      const bool turning = node.domain == model::Domain::rotational;
      b.add_signal(node.name + (turning ? ".w" : ".v"), turning ? "rad/s" : "m/s", q.v);
      b.set_row_name(q.q, node.name + (turning ? " torque balance" : " force balance"));
    } else if (node.order >= 1) {
      node.state = b.add_state(info, node.start);
      b.add_signal(name, info.unit, b.variables().state(node.state).x);
      b.set_row_name(b.variables().state(node.state).x, node.name + balance_name(node.domain));
    } else {
      node.algebraic = b.add_algebraic(info, node.start);
      b.add_signal(name, info.unit, b.variables().algebraic(node.algebraic));
      b.set_row_name(b.variables().algebraic(node.algebraic), node.name + balance_name(node.domain));
    }
  }

  static const char* balance_name(model::Domain domain) {
    switch (domain) {
      case model::Domain::electrical:
        return " current balance";
      case model::Domain::hydraulic:
        return " flow balance";
      case model::Domain::rotational:
        return " torque balance";
      default:
        return " force balance";
    }
  }

  // ---- equations
  /// Rates of dependent capacitor voltages and inductor currents: sums of the rates of those they follow.
  void set_dependent_rates() {
    for (const Circuit::Constraint& constraint : m_.circuit->constraints()) {
      Expr rate = 0;
      for (const Circuit::Term& term : constraint.terms)
        guard(m_.circuit->branches()[term.branch].component, [&](ComponentEquations& eq) {
          rate += term.sign * branch_rate(m_.circuit->branches()[term.branch], eq);
        });
      const Circuit::BranchInfo& b = m_.circuit->branches()[constraint.branch];
      m_.builder.variables().set_rate(m_.builder.variables().algebraic(m_.written[b.component].dependent.at(b.state)),
                                      rate);
    }
    errors_.throw_if_any();
  }

  Expr branch_rate(const Circuit::BranchInfo& branch, ComponentEquations& eq) {
    if (branch.state >= 0) return eq.der(model::State{branch.state});
    const model::Branch source = m_.components[branch.component].type->branches(eq)[branch.index];
    return source.value ? eq.time_derivative(*source.value) : Expr(0);
  }

  void write_equations() {
    set_dependent_rates();
    // components that add to others come before those
    std::vector<std::size_t> order(m_.components.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_partition(order.begin(), order.end(), [&](std::size_t c) {
      const auto& parameters = m_.components[c].type->description.parameters;
      return std::any_of(parameters.begin(), parameters.end(), [](const model::ParameterInfo& p) {
        return p.kind == model::ParameterInfo::Kind::choice && p.words.empty();
      });
    });
    for (std::size_t c : order)
      guard(static_cast<int>(c), [&](ComponentEquations&) { m_.write_component(static_cast<int>(c)); });
    errors_.throw_if_any();
    if (!m_.mechanism) return;
    m_.mechanism->finish();
    if (m_.model.energy && !rigid_bodies_.empty())
      add_momentum_signals(m_.builder, *m_.mechanism, rigid_bodies_, gravity_);
  }

  /// Runs a step of one component; its mistake is noted and the others go on.
  template <class Action>
  void guard(int c, Action&& action) {
    try {
      ComponentEquations equations(m_, c);
      action(equations);
    } catch (const Error& e) {
      if (e.items().size() == 1 && !e.items()[0].where.known())
        errors_.add(m_.components[c].component->where, m_.components[c].name() + ": " + e.items()[0].text);
      else
        errors_.add(e);
    }
  }

  Compiled finish() {
    summary_.notes.insert(summary_.notes.end(), m_.notes.begin(), m_.notes.end());
    summary_.components = static_cast<int>(m_.components.size());
    summary_.nodes = static_cast<int>(m_.network.nodes.size());
    if (m_.mechanism) {
      summary_.mechanism = m_.mechanism->counts();
      scene_.polylines = m_.mechanism->polylines();
      add_drawings();
    }
    summary_.circuit = {{}, static_cast<int>(m_.network.nodes.size()) + 1, m_.circuit->order(), m_.circuit->tree(), {}};
    for (std::size_t b = 0; b < m_.circuit->branches().size(); ++b) {
      const Circuit::BranchInfo& info = m_.circuit->branches()[b];
      summary_.circuit.branches.push_back({m_.circuit->branch_name(static_cast<int>(b)), info.kind, info.p, info.n});
    }
    for (const Circuit::Constraint& constraint : m_.circuit->constraints())
      summary_.circuit.constraints.push_back(m_.circuit->row(constraint));
    if (m_.model.energy) m_.builder.keep_energy_account();
    System system = m_.builder.build();
    summary_.degrees_of_freedom = system.nv() - system.nl();
    if (const Mechanism::Counts& m = summary_.mechanism; m.bodies > 0 && m.is_rigid)
      summary_.freedom_count = {m.bodies, system.nv() - m.coordinates, system.nl() - m.constraints, m.joints_leaving};
    summary_.states = system.nx();
    summary_.algebraic = system.ny();
    summary_.constraints = system.nl();
    summary_.discrete = system.nd();
    return {std::move(system), std::move(summary_), std::move(scene_)};
  }

  Compilation m_;
  const model::Registry& registry_;
  ErrorList errors_;
  ModelSummary summary_;
  Scene scene_;
  std::vector<MechanismDescription::Body> rigid_bodies_;  ///< where no body is flexible
  Vec3 gravity_;
};

}  // namespace

std::string make_relation_text(const std::vector<std::pair<std::string, int>>& row) {
  std::string text = row.front().first + " =";
  for (std::size_t k = 1; k < row.size(); ++k)
    text += (row[k].second < 0 ? (k == 1 ? " " : " + ") : (k == 1 ? " -" : " - ")) + row[k].first;
  return row.size() == 1 ? text + " 0" : text;
}

Compiled compile(const model::Model& model, const model::Registry& registry) { return Compiler(model, registry).run(); }

namespace {

/// Whether forces were found at all; sensors, for one, exert none.
bool is_trivial(const MechanismModel::Forces& f) {
  return f.constraints.empty() && f.shafts.empty() && f.rate_constraint.empty() &&
         std::all_of(f.rows.begin(), f.rows.end(), [](const Expr& row) { return row.is_zero(); });
}

MechanismModel read_mechanism(const model::Model& model, const model::Registry& registry, bool with_forces) {
  const auto compiler = std::make_shared<Compiler>(model, registry);
  MechanismDescription description = compiler->run_mechanism();
  if (description.bodies.empty()) throw Error({model.file}, "the model has no bodies");
  for (const MechanismDescription::Body& body : description.bodies)
    if (body.flexible) throw Error(body.where, body.name + " is flexible; this needs rigid bodies");
  MechanismModel result;
  result.owner = compiler;
  Builder& builder = compiler->builder();
  // a body without mass stays one: its mass is no parameter
  for (MechanismDescription::Body& body : description.bodies) {
    Expr& mass = body.properties.mass;
    if (!mass.is_number() && mass.op() == symbolic::Op::symbol &&
        builder.parameter_value(builder.variables().address(mass).index) == 0)
      mass = 0;
  }
  result.tree.graph = &builder.graph();
  add_links(result, description);
  if (with_forces && (compiler->has_forces() || !result.cut_joints.empty())) {
    compiler->write_forces(std::move(description));
    result.forces = read_forces(builder, result);
    // a graph without what came to nothing: the order of its nodes decides how sums are shared
    if (is_trivial(*result.forces)) return read_mechanism(model, registry, false);
  }
  for (int k = 0; k < builder.variables().parameters(); ++k)
    result.parameters.push_back(
        {builder.parameter_info(k), builder.variables().parameter(k), builder.parameter_value(k)});
  return result;
}

}  // namespace

MechanismModel read_mechanism(const model::Model& model, const model::Registry& registry) {
  return read_mechanism(model, registry, true);
}

}  // namespace coenergy::system
