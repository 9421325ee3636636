#include "coenergy/system/unknown_maker.hpp"

#include <algorithm>

#include "coenergy/base/names.hpp"
#include "coenergy/system/circuit.hpp"
#include "coenergy/system/compile.hpp"
#include "coenergy/system/component_probe.hpp"
#include "coenergy/system/flux_couplings.hpp"

namespace coenergy::system {

using model::VariableInfo;

double UnknownMaker::start_of(const BoundComponent& bound, int parameter, bool& given) {
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

void UnknownMaker::add_variables() {
  m_.circuit = std::make_unique<Circuit>(m_, errors_);
  errors_.throw_if_any();
  m_.fluxes = std::make_unique<FluxCouplings>(m_, errors_);
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
      if (m_.fluxes->shares_all(static_cast<int>(c), k)) {
        m_.written[c].dependent[k] =
            add_variable(VariableInfo::Kind::algebraic, {name, v.unit, v.nominal, false}, start);
        m_.written[c].variables.push_back(-1);
        if (const auto magnetising = m_.fluxes->magnetising_start(static_cast<int>(c)))
          m_.fluxes->set_state(
              static_cast<int>(c),
              add_variable(VariableInfo::Kind::state, {name + "_m", v.unit, v.nominal, given}, *magnetising));
        continue;
      }
      m_.written[c].variables.push_back(add_variable(v.kind, info, start));
    }
  }
  errors_.throw_if_any();
}

int UnknownMaker::add_variable(VariableInfo::Kind kind, const UnknownInfo& info, double start) {
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

void UnknownMaker::add_nodes() {
  for (std::size_t c = 0; c < m_.components.size(); ++c)
    if (m_.components[c].type->equations)
      guard(m_, static_cast<int>(c), errors_, [&](ComponentEquations&) { note_orders(static_cast<int>(c)); });
  bind_shafts();
  bind_capacitors();
  errors_.throw_if_any();
  for (NetworkNode& node : m_.network.nodes) {
    find_start(node);
    if (!node.fixed && node.coordinate < 0 && node.state < 0) add_node(node);
    // the user may ask for the voltage of a node without knowing that it is the reference
    if (node.chosen) m_.builder.add_signal(node.name + "." + across_name(node.domain), across_unit(node.domain), 0);
  }
  errors_.throw_if_any();
}

/// Which derivatives of its nodes' variables a component uses.
void UnknownMaker::note_orders(int c) {
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
void UnknownMaker::bind_shafts() {
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

/// A node that a capacitor of the normal tree holds against ground is the capacitor's state.
void UnknownMaker::bind_capacitors() {
  const int ground = static_cast<int>(m_.network.nodes.size());
  for (const Circuit::BranchInfo& b : m_.circuit->branches()) {
    if (!b.in_tree || b.kind != model::BranchKind::capacitive || b.state < 0 || b.n != ground) continue;
    NetworkNode& node = m_.network.nodes[b.p];
    node.state = m_.written[b.component].variables[b.state];
    name_state(node);
  }
}

/// Start value and start rate of a node, from whichever of its components give them.
void UnknownMaker::find_start(NetworkNode& node) {
  std::string value_giver, rate_giver;
  for (const auto& [c, p] : node.ports) {
    const model::PortInfo& port = m_.components[c].type->description.ports[p];
    take_start(node, c, port.start, node.start, value_giver);
    take_start(node, c, port.start_rate, node.start_rate, rate_giver);
  }
}

void UnknownMaker::take_start(NetworkNode& node, int c, int parameter, double& start, std::string& giver) {
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

void UnknownMaker::add_node(NetworkNode& node) {
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
    name_state(node);
  } else {
    node.algebraic = b.add_algebraic(info, node.start);
    b.add_signal(name, info.unit, b.variables().algebraic(node.algebraic));
    b.set_row_name(b.variables().algebraic(node.algebraic), node.name + balance_name(node.domain));
  }
}

void UnknownMaker::name_state(const NetworkNode& node) {
  const symbolic::Expr x = m_.builder.variables().state(node.state).x;
  m_.builder.add_signal(node.name + "." + across_name(node.domain), across_unit(node.domain), x);
  m_.builder.set_row_name(x, node.name + balance_name(node.domain));
}

const char* UnknownMaker::balance_name(model::Domain domain) {
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

}  // namespace coenergy::system
