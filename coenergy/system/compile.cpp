#include "coenergy/system/compile.hpp"

#include <algorithm>
#include <numeric>

#include "coenergy/base/names.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/system/circuit.hpp"
#include "coenergy/system/compilation.hpp"
#include "coenergy/system/component_equations.hpp"
#include "coenergy/system/component_probe.hpp"
#include "coenergy/system/flux_couplings.hpp"
#include "coenergy/system/mechanism_model.hpp"
#include "coenergy/system/mechanism_reader.hpp"
#include "coenergy/system/momentum_signals.hpp"
#include "coenergy/system/rates.hpp"
#include "coenergy/system/unknown_maker.hpp"

namespace coenergy::system {

using symbolic::Expr;
using symbolic::Vec3;

namespace {

/// The steps of a compilation that need only be taken once, in order.
class Compiler {
 public:
  Compiler(const model::Model& model, const model::Registry& registry) : m_(model), registry_(registry) {}

  Compiled run() {
    read_values();
    connect();
    formulate_mechanism();
    add_unknowns();
    write_equations();
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

 private:
  void read_values() {
    m_.parameters = std::make_unique<ModelParameters>(m_.model, m_.builder.graph(), errors_);
    m_.bound = bind_components(m_.model, registry_, *m_.parameters, m_.builder.graph(), errors_);
    m_.written.reserve(m_.components.size());
    for (const BoundComponent& c : m_.components) m_.written.emplace_back(c.type->description, m_.bound.memory.get());
    m_.body_of.assign(m_.components.size(), -1);
    m_.joint_of.assign(m_.components.size(), -1);
    if (m_.model.components.empty()) errors_.add({m_.model.file}, "the model has no components");
  }

  void connect() {
    m_.network = make_network(m_.bound, errors_);
    errors_.throw_if_any();
    std::vector<JoinedPorts> joined;
    for (std::size_t c = 0; c < m_.components.size(); ++c)
      guard(static_cast<int>(c), [&](ComponentEquations&) { add_joined_pins(static_cast<int>(c), joined); });
    errors_.throw_if_any();
    summary_.notes = ground_islands(m_.network, joined);
    note_loose_ends();
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
        const Circuit::BranchInfo& branch = m_.circuit->branches()[term.branch];
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

  /// Equations of the rates of algebraic variables that others have asked for.
  void write_algebraic_rates() {
    if (m_.rates.empty()) return;
    std::vector<Expr> values;
    for (const Circuit::BranchInfo& branch : m_.circuit->branches()) {
      if (branch.kind != model::BranchKind::voltage && branch.kind != model::BranchKind::current) continue;
      ComponentEquations eq(m_, branch.component);
      const model::Branch source = m_.components[branch.component].type->branches(eq)[branch.index];
      if (source.value) values.push_back(*source.value);
    }
    for (const AlgebraicRates::Refusal& refusal : m_.rates.write(values))
      guard(refusal.component, [&](ComponentEquations& eq) { eq.refuse(refusal.text); });
    errors_.throw_if_any();
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
    write_algebraic_rates();
    if (!m_.mechanism) return;
    m_.mechanism->finish();
    if (m_.model.energy && !rigid_bodies_.empty())
      add_momentum_signals(m_.builder, *m_.mechanism, rigid_bodies_, gravity_);
  }

  template <class Action>
  void guard(int c, Action&& action) {
    system::guard(m_, c, errors_, std::forward<Action>(action));
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
    summary_.circuit = {{},
                        static_cast<int>(m_.network.nodes.size()) + 1,
                        m_.circuit->order() - m_.fluxes->followers(),
                        m_.circuit->tree(),
                        {}};
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
  MechanismReader mechanism_reader_{m_, errors_, scene_};
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
