#include "coenergy/compile/unknown_maker.hpp"

#include <algorithm>

#include "coenergy/base/names.hpp"
#include "coenergy/circuits/circuit.hpp"
#include "coenergy/circuits/circuit_summary.hpp"
#include "coenergy/circuits/flux_couplings.hpp"
#include "coenergy/compile/circuit_elements.hpp"
#include "coenergy/compile/component_probe.hpp"
#include "coenergy/model/fluid.hpp"

namespace coenergy::compile {

using circuits::Circuit;
using circuits::FluxCouplings;
using equations::balance_of;
using equations::Builder;
using equations::make_signal_info;
using equations::SignalInfo;
using equations::SignalKind;
using equations::UnknownInfo;
using mechanics::MechanismDescription;
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
  m_.elements = std::make_unique<CircuitElements>(m_);
  m_.circuit = std::make_unique<Circuit>(*m_.elements, errors_);
  errors_.throw_if_any();
  m_.fluxes = std::make_unique<FluxCouplings>(*m_.elements, *m_.circuit, m_.builder, errors_);
  errors_.throw_if_any();
  for (std::size_t c = 0; c < m_.components.size(); ++c) {
    const BoundComponent& bound = m_.components[c];
    for (const VariableInfo& v : bound.type->description.variables) {
      bool given = false;
      const double start = start_of(bound, v.start, given);
      const symbolic::Expr law = given ? m_.start_parameter(static_cast<int>(c), v.start) : symbolic::Expr(0);
      const std::string name = bound.name() + "." + v.name;
      UnknownInfo info{name, v.unit, v.nominal, given};
      info.owner_size = static_cast<int>(bound.name().size());
      const int k = static_cast<int>(m_.written[c].variables.size());
      if (m_.circuit->find_constraint(static_cast<int>(c), k) >= 0 ||
          m_.circuit->is_algebraic(static_cast<int>(c), k)) {
        const int algebraic = add_variable(VariableInfo::Kind::algebraic, info, start, law);
        m_.written[c].dependent[k] = algebraic;
        m_.written[c].variables.push_back(-1);
        if (given && m_.circuit->is_algebraic(static_cast<int>(c), k))
          m_.notes.push_back(bound.name() + "." + bound.type->description.parameters[v.start].name +
                             " is a guess only: without a storage " + name + " is no state");
        if (const int j = m_.circuit->find_constraint(static_cast<int>(c), k); j >= 0 && given)
          m_.builder.add_dependent_start({algebraic,
                                          bound.name() + "." + bound.type->description.parameters[v.start].name,
                                          circuits::make_relation_text(m_.circuit->row(m_.circuit->constraints()[j]))});
        continue;
      }
      if (m_.fluxes->shares_all(static_cast<int>(c), k)) {
        m_.written[c].dependent[k] = add_variable(
            VariableInfo::Kind::algebraic, {name, v.unit, v.nominal, false, false, false, info.owner_size}, start);
        m_.fluxes->set_current(static_cast<int>(c), m_.written[c].dependent[k]);
        m_.written[c].variables.push_back(-1);
        if (const auto magnetising = m_.fluxes->magnetising_start(static_cast<int>(c)))
          m_.fluxes->set_state(
              static_cast<int>(c),
              add_variable(VariableInfo::Kind::state,
                           {name + "_m", v.unit, v.nominal, given, false, false, info.owner_size}, *magnetising));
        continue;
      }
      m_.written[c].variables.push_back(add_variable(v.kind, info, start, law));
    }
  }
  errors_.throw_if_any();
}

int UnknownMaker::add_variable(VariableInfo::Kind kind, const UnknownInfo& info, double start,
                               const symbolic::Expr& law) {
  Builder& b = m_.builder;
  const auto signal = [&](SignalKind of) { return SignalInfo{info.name, info.unit, of, {}, info.owner_size}; };
  switch (kind) {
    case VariableInfo::Kind::state: {
      const int k = b.add_state(info, start);
      b.add_signal(signal(SignalKind::state), b.variables().state(k).x);
      b.set_start(b.variables().state(k).x, law);
      return k;
    }
    case VariableInfo::Kind::algebraic: {
      const int k = b.add_algebraic(info, start);
      b.add_signal(signal(SignalKind::algebraic), b.variables().algebraic(k));
      b.set_start(b.variables().algebraic(k), law);
      return k;
    }
    case VariableInfo::Kind::discrete: {
      const int k = b.add_discrete(info.name, start);
      b.add_signal(signal(SignalKind::discrete), b.variables().discrete(k));
      return k;
    }
    case VariableInfo::Kind::multiplier: {
      const int k = b.add_multiplier(info);
      b.add_signal(signal(SignalKind::multiplier), b.variables().multiplier(k));
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
  bind_sources();
  errors_.throw_if_any();
  for (NetworkNode& node : m_.network.nodes) {
    find_start(node);
    if (!node.fixed && node.coordinate < 0 && node.state < 0) add_node(node);
    // the user may ask for the voltage of a node without knowing that it is the reference
    if (node.chosen) m_.builder.add_signal(signal_of(node, SignalKind::algebraic), 0);
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
  for (const circuits::BranchInfo& b : m_.circuit->branches()) {
    if (!b.in_tree || b.kind != model::BranchKind::capacitive || b.state < 0 || b.n != ground) continue;
    NetworkNode& node = m_.network.nodes[b.p];
    node.state = m_.written[b.component].variables[b.state];
    name_state(node);
  }
}

/// A node whose pressure a source gives is algebraic, also where volumes use its rate.
void UnknownMaker::bind_sources() {
  for (std::size_t c = 0; c < m_.components.size(); ++c) {
    if (!m_.components[c].type->held) continue;
    guard(m_, static_cast<int>(c), errors_, [&](ComponentEquations& eq) {
      const int k = m_.network.node_of[c][m_.probe->held_port(static_cast<int>(c))];
      if (k < 0) return;
      NetworkNode& node = m_.network.nodes[k];
      if (node.holder >= 0)
        eq.refuse("the pressure of node " + node.name + " is given by " + m_.components[node.holder].name() +
                  " already; put an orifice between them");
      node.holder = static_cast<int>(c);
    });
  }
}

/// Start value and start rate of a node, from whichever of its components give them.
void UnknownMaker::find_start(NetworkNode& node) {
  std::string value_giver, rate_giver;
  for (const auto& [c, p] : node.ports) {
    const model::PortInfo& port = m_.components[c].type->description.ports[p];
    take_start(node, c, port.start, node.start, node.start_law, value_giver);
    take_start(node, c, port.start_rate, node.start_rate, node.start_rate_law, rate_giver);
  }
  node.start_giver = value_giver;
}

void UnknownMaker::take_start(NetworkNode& node, int c, int parameter, double& start, symbolic::Expr& law,
                              std::string& giver) {
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
  law = m_.start_parameter(c, parameter);
  giver = name;
  node.start_given = true;
}

/// The across variable of a node.
SignalInfo UnknownMaker::signal_of(const NetworkNode& node, SignalKind kind) {
  return make_signal_info(node.name, across_name(node.domain), across_unit(node.domain), kind, node.domain);
}

void UnknownMaker::add_node(NetworkNode& node) {
  const bool turning = node.domain == model::Domain::rotational;
  const bool mechanical = turning || node.domain == model::Domain::translational;
  // there is air everywhere
  if (node.domain == model::Domain::pneumatic && !node.start_given) node.start = model::atmosphere;
  const SignalInfo signal = signal_of(node, SignalKind::algebraic);
  UnknownInfo info{signal.name, signal.unit, 1, node.start_given, false, turning, signal.owner_size, !node.start_given};
  if (node.domain == model::Domain::hydraulic || node.domain == model::Domain::pneumatic) info.nominal = 1e5;
  Builder& b = m_.builder;
  if (mechanical && (node.order == 2 || node.constrained)) {
    node.coordinate = b.add_coordinate(info, node.start, node.start_rate);
    const auto& q = b.variables().coordinate(node.coordinate);
    b.add_signal(signal_of(node, SignalKind::coordinate), q.q);
    b.add_signal(
        make_signal_info(node.name, rate_name(node.domain), rate_unit(node.domain), SignalKind::rate, node.domain),
        q.v);
    b.set_balance(q.q, node.name, balance_of(node.domain));
    b.set_start(q.q, node.start_law);
    b.set_start(q.v, node.start_rate_law);
  } else if (node.order >= 1 && node.holder < 0) {
    node.state = b.add_state(info, node.start);
    b.set_start(b.variables().state(node.state).x, node.start_law);
    name_state(node);
  } else {
    node.algebraic = b.add_algebraic(info, node.start);
    b.set_start(b.variables().algebraic(node.algebraic), node.start_law);
    b.add_signal(signal, b.variables().algebraic(node.algebraic));
    b.set_balance(b.variables().algebraic(node.algebraic), node.name, balance_of(node.domain));
    if (node.domain == model::Domain::hydraulic && node.holder < 0) forbid_vacuum(node);
    if (node.holder >= 0 && node.start_given)
      b.add_dependent_start(
          {node.algebraic, node.start_giver, signal.name + " = " + m_.components[node.holder].name() + ".p"});
  }
}

/// Where no oil is stored nothing can evaporate: the flows that meet have no solution then.
void UnknownMaker::forbid_vacuum(const NetworkNode& node) {
  constexpr double round_off = 1e-6;
  const auto [c, p] = node.ports.front();
  m_.builder.add_requirement(
      node.name + " vacuum", (1 + round_off) * model::vacuum - m_.builder.variables().algebraic(node.algebraic),
      "node " + node.name +
          ": its pressure falls below vacuum, which oil cannot have; more is drawn than flows in. "
          "Where it may evaporate, connect a hydraulic.Volume",
      m_.components[c].component->where);
}

void UnknownMaker::name_state(const NetworkNode& node) {
  const symbolic::Expr x = m_.builder.variables().state(node.state).x;
  m_.builder.add_signal(signal_of(node, SignalKind::state), m_.state_of(node));
  m_.builder.set_balance(x, node.name, balance_of(node.domain));
}

}  // namespace coenergy::compile
