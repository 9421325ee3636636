#include "coenergy/compile/compile.hpp"

#include <algorithm>
#include <numeric>

#include "coenergy/base/names.hpp"
#include "coenergy/circuits/circuit.hpp"
#include "coenergy/circuits/flux_couplings.hpp"
#include "coenergy/compile/charges.hpp"
#include "coenergy/compile/compilation.hpp"
#include "coenergy/compile/component_equations.hpp"
#include "coenergy/compile/component_probe.hpp"
#include "coenergy/compile/entry_uses.hpp"
#include "coenergy/compile/mechanism_reader.hpp"
#include "coenergy/compile/unknown_maker.hpp"
#include "coenergy/compile/vectors.hpp"
#include "coenergy/equations/rates.hpp"
#include "coenergy/mechanics/mechanism_model.hpp"
#include "coenergy/mechanics/momentum_signals.hpp"
#include "coenergy/model/expand.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::compile {

using circuits::Circuit;
using equations::AlgebraicRates;
using equations::Builder;
using equations::System;
using mechanics::Mechanism;
using mechanics::MechanismDescription;
using mechanics::MechanismModel;
using mechanics::Scene;
using symbolic::Expr;
using symbolic::Vec3;

namespace {

/// The steps of a compilation that need only be taken once, in order.
class Compiler {
 public:
  Compiler(const model::Model& model, const model::Registry& registry, const CompileOptions& options = {})
      : expanded_(is_hierarchical(model) ? std::make_unique<const model::Model>(expand(model, registry)) : nullptr),
        m_(expanded_ ? *expanded_ : model),
        registry_(registry),
        options_(options) {
    m_.cuts_inputs = options.cut;
  }

  Compiled run() {
    read_values();
    connect();
    formulate_mechanism();
    add_unknowns();
    write_equations();
    note_loose_ends();
    return finish();
  }

  /// The bodies and joints alone.
  MechanismDescription run_mechanism() {
    read_values();
    connect();
    return mechanism_reader_.read(summary_.notes);
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
    add_unknowns();
    write_equations();
  }
  Builder& builder() { return m_.builder; }
  const std::vector<std::string>& opened() const { return m_.opened; }

 private:
  void read_values() {
    m_.parameters = std::make_unique<ModelParameters>(m_.model, m_.builder.graph(), errors_);
    m_.bound = bind_components(m_.model, registry_, *m_.parameters, m_.builder.graph(), errors_);
    expand_vectors(m_.bound, *m_.parameters, errors_);
    for (const BoundComponent& c : m_.components) check_uses(c, errors_);
    m_.written.reserve(m_.components.size());
    for (const BoundComponent& c : m_.components) m_.written.emplace_back(c.type->description, m_.bound.memory.get());
    m_.body_of.assign(m_.components.size(), -1);
    m_.joint_of.assign(m_.components.size(), -1);
    if (m_.model.components.empty()) errors_.add({m_.model.file}, "the model has no components");
    for (const std::string& input : options_.inputs)
      if (!is_parameter(input) && !open_input(input, true)) refuse_input({}, input);
    for (const model::Value& input : m_.model.inputs)
      if (!is_parameter(input.text) && !open_input(input.text, false)) refuse_input(input.where, input.text);
    if (m_.model.energy) m_.builder.keep_energy_account();
  }

  bool is_parameter(const std::string& name) const { return m_.parameters->find(name).has_value(); }

  void refuse_input(const Location& where, const std::string& input) {
    std::vector<std::string> known = m_.parameters->names();
    for (const BoundComponent& bound : m_.components)
      for (std::size_t p = 0; p < bound.parameters.size(); ++p)
        for (std::size_t item = 0; item < bound.parameters[p].scalars.size(); ++item)
          known.push_back(item_name(bound, p, item));
    errors_.add(where, "there is no entry \"" + input + "\" to be an input" + did_you_mean(input, known));
  }

  /// Finds the entry an input names and, if `opens`, marks it.
  bool open_input(const std::string& input, bool opens) {
    for (std::size_t dot = input.find('.'); dot != std::string::npos; dot = input.find('.', dot + 1)) {
      const auto place = m_.index.find(std::string_view(input).substr(0, dot));
      if (place == m_.index.end() || place->second < 0) continue;
      BoundComponent& bound = m_.components[place->second];
      const auto& parameters = bound.type->description.parameters;
      for (std::size_t p = 0; p < parameters.size(); ++p)
        for (std::size_t item = 0; item < std::max<std::size_t>(1, bound.parameters[p].scalars.size()); ++item)
          if (item_name(bound, p, item) == input) {
            if (opens) open_item(bound, p, item, input);
            return true;
          }
    }
    return false;
  }

  static std::string item_name(const BoundComponent& bound, std::size_t p, std::size_t item) {
    const model::ParameterInfo& info = bound.type->description.parameters[p];
    const std::string name = bound.name() + "." + info.name;
    return info.kind == model::ParameterInfo::Kind::scalar ? name : name + "[" + std::to_string(item) + "]";
  }

  void open_item(BoundComponent& bound, std::size_t p, std::size_t item, const std::string& input) {
    if (item < bound.parameters[p].scalars.size())
      bound.parameters[p].scalars[item].opened = true;
    else if (bound.type->description.parameters[p].kind == model::ParameterInfo::Kind::scalar)
      errors_.add(bound.component->where, "input " + input + ": the model does not give this entry; give it a value");
  }

  void connect() {
    m_.network = make_network(m_.bound, m_.model.scopes.get(), errors_);
    errors_.throw_if_any();
    std::vector<JoinedPorts> joined;
    for (std::size_t c = 0; c < m_.components.size(); ++c)
      guard(static_cast<int>(c), [&](ComponentEquations&) { add_joined_pins(static_cast<int>(c), joined); });
    errors_.throw_if_any();
    summary_.notes = ground_islands(m_.network, joined);
    note_shorts(joined);
  }

  /// Two-poles that no current of the circuit passes; of sources this is refused.
  void note_shorts(const std::vector<JoinedPorts>& joined) {
    for (const auto& [c, p, n] : joined) {
      const int node = m_.network.node_of[c][p];
      if (p == n || node < 0 || node != m_.network.node_of[c][n]) continue;
      summary_.notes.push_back(m_.components[c].name() + " has both ends on node " + m_.network.nodes[node].name +
                               "; it is shorted");
    }
  }

  /// A shaft whose torque balance holds neither its own motion nor anything that follows at once: a motor with inductance
  /// and without inertia, often one on a misspelt joint.
  void check_shafts() {
    for (const NetworkNode& node : m_.network.nodes) {
      const bool moves = node.domain == model::Domain::rotational || node.domain == model::Domain::translational;
      if (!moves || node.fixed || node.constrained || node.holder >= 0 || node.state < 0) continue;
      const equations::Variables& variables = m_.builder.variables();
      bool is_held = false;
      for (const auto& [state, row] : m_.builder.equations().state) {
        if (state != node.state || row.is_number()) continue;
        for (const Expr& s : symbolic::free_symbols(std::span(&row, 1))) {
          const equations::Address at = variables.address(s);
          const bool is_own = at.source == equations::Source::x && at.index == state;
          is_held = is_held || is_own ||
                    (at.source != equations::Source::x && at.source != equations::Source::time &&
                     at.source != equations::Source::parameter && at.source != equations::Source::d);
        }
      }
      if (is_held || node.ports.empty()) continue;
      const auto [c, p] = node.ports.front();
      const std::string port = m_.components[c].name() + "." + m_.components[c].type->description.ports[p].name;
      const bool turns = node.domain == model::Domain::rotational;
      errors_.add(m_.components[c].component->where,
                  port + " on node " + node.name + ": nothing with inertia moves with it; give " +
                      (turns ? "J, a mechanical.Inertia or a joint" : "a mass, a mechanical.Mass or a joint") +
                      (node.ports.size() == 1 ? ", or is the name of the node misspelt?" : ""));
    }
    errors_.throw_if_any();
  }

  /// A label that stands once, and in no expression, is often a misspelt one.
  void note_loose_ends() {
    for (const NetworkNode& node : m_.network.nodes) {
      if (node.fixed || node.named || node.ports.size() != 1) continue;
      const auto [c, p] = node.ports.front();
      summary_.notes.push_back("node " + node.name + " is connected to " + m_.components[c].name() + "." +
                               m_.components[c].type->description.ports[p].name + " only; is its name right?");
    }
  }

  /// Pins between which the component conducts; all of them where it does not state its branches.
  void add_joined_pins(int c, std::vector<JoinedPorts>& joined) {
    const model::ComponentType& type = *m_.components[c].type;
    if (type.branches) {
      for (const model::Branch& b : m_.probe->branches(c)) joined.push_back({c, b.p.index, b.n.index});
      return;
    }
    int first = -1;
    for (std::size_t p = 0; p < type.description.ports.size(); ++p) {
      if (type.description.ports[p].domain != model::Domain::electrical) continue;
      if (first < 0) first = static_cast<int>(p);
      joined.push_back({c, first, static_cast<int>(p)});
    }
  }

  // ---- mechanism
  void formulate_mechanism() {
    check_formulation();
    MechanismDescription description = mechanism_reader_.read(summary_.notes);
    if (description.bodies.empty() && description.joints.empty()) return;
    m_.joints = description.joints;
    make_mechanism(std::move(description));
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
    const bool modal = std::any_of(description.bodies.begin(), description.bodies.end(),
                                   [](const MechanismDescription::Body& b) { return b.modal != nullptr; });
    const std::string& wish = m_.model.formulation;
    if ((wish == "relative" && flexible) || (wish == "lagrange" && (flexible || modal)))
      throw Error(m_.model.formulation_where,
                  "formulation: " + wish + " cannot hold flexible bodies; use absolute or auto");
    summary_.formulation = wish != "auto" ? wish : flexible ? "absolute" : "relative";
    if (wish == "lagrange")
      for (const MechanismDescription::Joint& joint : description.joints)
        if (joint.properties.reaction)
          summary_.notes.push_back(joint.name + ": Lagrange's equations do not show reactions; use formulation: auto");
    if (!flexible && !modal) rigid_bodies_ = description.bodies, gravity_ = description.gravity;
    const auto make = summary_.formulation == "absolute"   ? mechanics::make_absolute_mechanism
                      : summary_.formulation == "lagrange" ? mechanics::make_lagrange_mechanism
                                                           : mechanics::make_relative_mechanism;
    m_.mechanism = make(m_.builder, std::move(description));
    if (m_.model.energy && !rigid_bodies_.empty()) mechanics::declare_momentum_signals(m_.builder);
  }

  void add_unknowns() {
    UnknownMaker unknowns(m_, errors_);
    unknowns.add_variables();
    unknowns.add_nodes();
  }

  // ---- equations
  /// Gives rates to time and to parameters that sources in constraints depend on.
  void add_source_rates() {
    for (const Circuit::Constraint& constraint : m_.circuit->constraints())
      for (const Circuit::Term& term : constraint.terms) {
        const circuits::BranchInfo& branch = m_.circuit->branches()[term.branch];
        if (branch.state >= 0) continue;
        guard(branch.component, [&](ComponentEquations& eq) {
          const model::Branch source = m_.components[branch.component].type->branches(eq)[branch.index];
          if (!source.value || source.value->is_number()) return;
          for (const Expr& s : symbolic::free_symbols(std::span(&*source.value, 1))) give_rate(m_.builder, s);
        });
      }
    errors_.throw_if_any();
  }

  /// Rates of dependent capacitor voltages and inductor currents: sums of the rates of those they follow.
  void set_dependent_rates() {
    add_source_rates();
    m_.fluxes->set_rates();
    for (const Circuit::Constraint& constraint : m_.circuit->constraints()) {
      Expr rate = 0;
      for (const Circuit::Term& term : constraint.terms)
        guard(m_.circuit->branches()[term.branch].component, [&](ComponentEquations& eq) {
          rate += term.sign * branch_rate(m_.circuit->branches()[term.branch], eq);
        });
      const circuits::BranchInfo& b = m_.circuit->branches()[constraint.branch];
      m_.builder.variables().set_rate(m_.builder.variables().algebraic(m_.written[b.component].dependent.at(b.state)),
                                      rate);
    }
    errors_.throw_if_any();
  }

  Expr branch_rate(const circuits::BranchInfo& branch, ComponentEquations& eq) {
    if (branch.state >= 0) return eq.der(model::State{branch.state});
    const model::Branch source = m_.components[branch.component].type->branches(eq)[branch.index];
    return eq.time_derivative(source.value.value());
  }

  /// Rates of pressures that sources give to nodes with a volume.
  void set_held_rates() {
    for (const NetworkNode& node : m_.network.nodes) {
      if (node.holder < 0 || node.order < 1) continue;
      guard(node.holder, [&](ComponentEquations& eq) {
        const Expr value = m_.components[node.holder].type->held(eq).value;
        if (!value.is_number())
          for (const Expr& s : symbolic::free_symbols(std::span(&value, 1))) give_rate(m_.builder, s);
        m_.builder.variables().set_rate(m_.builder.variables().algebraic(node.algebraic), eq.time_derivative(value));
      });
    }
    errors_.throw_if_any();
  }

  /// Equations of the rates of algebraic variables that others have asked for.
  void write_algebraic_rates() {
    if (m_.rates.empty()) return;
    std::vector<Expr> values;
    for (const circuits::BranchInfo& branch : m_.circuit->branches()) {
      if (branch.kind != model::BranchKind::voltage && branch.kind != model::BranchKind::current) continue;
      ComponentEquations eq(m_, branch.component);
      const model::Branch source = m_.components[branch.component].type->branches(eq)[branch.index];
      if (source.value) values.push_back(*source.value);
    }
    for (const NetworkNode& node : m_.network.nodes)
      if (node.holder >= 0) {
        ComponentEquations eq(m_, node.holder);
        values.push_back(m_.components[node.holder].type->held(eq).value);
      }
    for (const AlgebraicRates::Refusal& refusal : m_.rates.write(values))
      guard(refusal.component, [&](ComponentEquations& eq) { eq.refuse(refusal.text); });
    errors_.throw_if_any();
  }

  void write_equations() {
    if (options_.charges) m_.records = std::make_unique<EnergyRecords>(m_.components.size());
    set_dependent_rates();
    set_held_rates();
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
    // flows that are given through ideal machines: motion follows, whatever the pressure
    for (const NetworkNode& node : m_.network.nodes)
      if (node.domain == model::Domain::hydraulic && !node.fixed && node.holder < 0 && node.state < 0 &&
          node.algebraic >= 0)
        m_.builder.follow_rates(node.algebraic, {node.name + ".lambda", "Pa"});
    if (m_.records) charges_ = Charges(m_, *m_.records).write();
    write_algebraic_rates();
    check_shafts();
    if (!m_.mechanism) return;
    m_.mechanism->finish();
    if (m_.model.energy && !rigid_bodies_.empty())
      mechanics::define_momentum_signals(m_.builder, *m_.mechanism, rigid_bodies_, gravity_);
  }

  template <class Action>
  void guard(int c, Action&& action) {
    compile::guard(m_, c, errors_, std::forward<Action>(action));
  }

  Compiled finish() {
    summary_.notes.insert(summary_.notes.end(), m_.notes.begin(), m_.notes.end());
    summary_.components = static_cast<int>(m_.components.size());
    summary_.nodes = static_cast<int>(m_.network.nodes.size());
    if (m_.mechanism) {
      summary_.mechanism = m_.mechanism->counts();
      scene_.polylines = m_.mechanism->polylines();
      mechanism_reader_.add_drawings();
    }
    summary_.circuit = make_summary(*m_.circuit, m_.fluxes->followers());
    m_.finish_parameters();
    System system = m_.builder.build();
    summary_.degrees_of_freedom = system.nv() - system.nl();
    if (const Mechanism::Counts& m = summary_.mechanism; m.bodies > 0 && m.is_rigid)
      summary_.freedom_count = {m.bodies, system.nv() - m.coordinates, system.nl() - m.constraints, m.joints_leaving};
    summary_.states = system.nx();
    summary_.algebraic = system.ny();
    summary_.constraints = system.nl();
    summary_.discrete = system.nd();
    return {std::move(system), std::move(summary_), std::move(scene_), std::move(charges_)};
  }

  const std::unique_ptr<const model::Model> expanded_;  ///< of a model with parts
  Compilation m_;
  const model::Registry& registry_;
  CompileOptions options_;
  ErrorList errors_;
  ModelSummary summary_;
  ChargeFormulation charges_;
  Scene scene_;
  MechanismReader mechanism_reader_{m_, errors_, scene_};
  std::vector<MechanismDescription::Body> rigid_bodies_;  ///< where no body is flexible
  Vec3 gravity_;
};

}  // namespace

Compiled compile(const model::Model& model, const model::Registry& registry, const CompileOptions& options) {
  return Compiler(model, registry, options).run();
}

namespace {

/// Whether forces were found at all; sensors, for one, exert none.
bool is_trivial(const MechanismModel::Forces& f) {
  return f.constraints.empty() && f.shafts.empty() && f.rate_constraint.empty() &&
         std::all_of(f.rows.begin(), f.rows.end(), [](const Expr& row) { return row.is_zero(); });
}

/// Parameters of the model and start values matter where forces are written with them.
bool is_wanted(Builder& builder, int k, const MechanismModel& model) {
  using Kind = equations::ParameterInfo::Kind;
  if (const Kind kind = builder.parameter_info(k).kind; kind != Kind::model && kind != Kind::start) return true;
  if (!model.forces) return false;
  const Expr symbol = builder.variables().parameter(k);
  const auto depends = [&](const Expr& e) { return !e.is_number() && symbolic::depends_on(e, symbol); };
  return std::any_of(model.forces->rows.begin(), model.forces->rows.end(), depends) ||
         std::any_of(model.forces->constraints.begin(), model.forces->constraints.end(),
                     [&](const auto& c) { return depends(c.h) || depends(c.rate) || depends(c.acceleration); });
}

MechanismModel read_mechanism(const model::Model& model, const model::Registry& registry, const CompileOptions& options,
                              bool with_forces) {
  const auto compiler = std::make_shared<Compiler>(model, registry, options);
  MechanismDescription description = compiler->run_mechanism();
  if (description.bodies.empty()) throw Error({model.file}, "the model has no bodies");
  for (const MechanismDescription::Body& body : description.bodies)
    if (body.flexible || body.modal) throw Error(body.where, body.name + " is flexible; this needs rigid bodies");
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
    if (is_trivial(*result.forces)) return read_mechanism(model, registry, options, false);
  }
  result.opened = compiler->opened();
  for (int k = 0; k < builder.variables().parameters(); ++k)
    if (is_wanted(builder, k, result))
      result.parameters.push_back(
          {builder.parameter_info(k), builder.variables().parameter(k), builder.parameter_value(k)});
  return result;
}

}  // namespace

MechanismModel read_mechanism(const model::Model& model, const model::Registry& registry,
                              const std::vector<std::string>& inputs) {
  return read_mechanism(model, registry, {.inputs = inputs, .cut = true}, true);
}

}  // namespace coenergy::compile
