#include "coenergy/compile/component_equations.hpp"

#include <algorithm>
#include <filesystem>

#include "coenergy/base/names.hpp"
#include "coenergy/circuits/circuit.hpp"
#include "coenergy/circuits/flux_couplings.hpp"
#include "coenergy/model/held_motion.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::compile {

using equations::Address;
using equations::make_signal_info;
using equations::SignalKind;
using equations::Source;
using equations::UnknownInfo;
using equations::Variables;
using mechanics::FrameId;
using model::Expr;
using model::Vec3;

Vec3 ComponentEquations::operator[](model::Vector h) {
  return {{m_.parameter(c_, h.index, 0), m_.parameter(c_, h.index, 1), m_.parameter(c_, h.index, 2)}};
}

std::vector<Expr> ComponentEquations::operator[](model::List h) {
  std::vector<Expr> items;
  for (std::size_t k = 0; k < bound().parameters[h.index].scalars.size(); ++k)
    items.push_back(m_.parameter(c_, h.index, static_cast<int>(k)));
  return items;
}

double ComponentEquations::number(model::Parameter h) {
  const ParameterValue& value = bound().parameters[h.index];
  if (!value.present) return 0;
  if (value.scalars[0].varying)
    throw Error(value.where, component() + "." + description().parameters[h.index].name + " must be a constant here");
  m_.note_read(c_, h.index, 0);
  return value.scalars[0].number;
}

std::vector<double> ComponentEquations::numbers(model::List h) {
  const ParameterValue& value = bound().parameters[h.index];
  std::vector<double> result;
  for (const ScalarValue& scalar : value.scalars) {
    if (scalar.varying)
      throw Error(scalar.where, component() + "." + description().parameters[h.index].name + " must be constants here");
    m_.note_read(c_, h.index, static_cast<int>(result.size()));
    result.push_back(scalar.number);
  }
  return result;
}

std::string ComponentEquations::path(const std::string& file) const {
  return (std::filesystem::path(m_.model.file).parent_path() / file).string();
}

std::string ComponentEquations::unknown_name(const std::string& name) const {
  // the plain name is taken where an algebraic loop asked for the signal before
  return component() + "." + name + (m_.written[c_].aliases.count(name) != 0 ? "_" : "");
}

UnknownInfo ComponentEquations::unknown_info(const std::string& name, const std::string& unit) const {
  return {unknown_name(name), unit, 1, false, false, false, static_cast<int>(component().size())};
}

int ComponentEquations::add_variable(int builder_index) {
  std::pmr::vector<int>& variables = m_.written[c_].variables;
  variables.push_back(builder_index);
  return static_cast<int>(variables.size()) - 1;
}

model::State ComponentEquations::make_state(const std::string& name, const std::string& unit, double start,
                                            double nominal) {
  UnknownInfo info = unknown_info(name, unit);
  info.nominal = nominal;
  const model::State s{add_variable(m_.builder.add_state(info, start))};
  show(name, unit, (*this)[s], SignalKind::state);
  return s;
}

model::Algebraic ComponentEquations::make_algebraic(const std::string& name, const std::string& unit) {
  const model::Algebraic y{add_variable(m_.builder.add_algebraic(unknown_info(name, unit)))};
  show(name, unit, (*this)[y], SignalKind::algebraic);
  return y;
}

model::Discrete ComponentEquations::make_discrete(const std::string& name, const std::string& unit, double start) {
  const model::Discrete d{add_variable(m_.builder.add_discrete(unknown_name(name), start))};
  show(name, unit, (*this)[d], SignalKind::discrete);
  return d;
}

model::Multiplier ComponentEquations::make_multiplier(const std::string& name, const std::string& unit) {
  const model::Multiplier m{add_variable(m_.builder.add_multiplier(unknown_info(name, unit)))};
  show(name, unit, (*this)[m], SignalKind::multiplier);
  return m;
}

void ComponentEquations::refuse(const std::string& text) const {
  throw Error(bound().component->where, bound().name() + ": " + text);
}

void ComponentEquations::note(const std::string& text) {
  const std::string whole = component() + ": " + text;
  if (std::find(m_.notes.begin(), m_.notes.end(), whole) == m_.notes.end()) m_.notes.push_back(whole);
}

Expr ComponentEquations::operator[](model::State h) {
  const auto& dependent = m_.written[c_].dependent;
  if (auto y = dependent.find(h.index); y != dependent.end()) return m_.builder.variables().algebraic(y->second);
  return m_.builder.variables().state(variable(h.index)).x;
}

Expr ComponentEquations::der(model::State h) {
  if (m_.written[c_].dependent.count(h.index) != 0) return time_derivative((*this)[h]);
  return m_.builder.variables().state(variable(h.index)).xd;
}

void ComponentEquations::zero(model::State h, const Expr& e) {
  const auto& dependent = m_.written[c_].dependent;
  if (auto y = dependent.find(h.index); y != dependent.end())
    m_.builder.add_algebraic_row(y->second, e);
  else if (!e.is_zero())  // void where the state is the voltage of a node
    m_.builder.add_state_row(variable(h.index), e);
}

void ComponentEquations::constraint(model::Multiplier h, const Expr& phi) {
  // Φ is differentiated twice, so only time, positions and what is constant may stand in it
  bool moves = false;
  if (!phi.is_number())
    for (const Expr& s : symbolic::free_symbols(std::span(&phi, 1))) {
      const Source source = m_.builder.variables().address(s).source;
      moves = moves || source == Source::q || source == Source::rotation_q;
      if (source == Source::time || source == Source::q || source == Source::rotation_q || source == Source::d ||
          source == Source::parameter)
        continue;
      refuse("its constraint depends on " + to_string(s) +
             ", but it must be twice differentiable in time: use time, positions and angles only");
    }
  if (!moves) refuse("its constraint depends on no position or angle that can move");
  m_.builder.set_constraint(variable(h.index), locate_kinks(phi));
}

/// Where a drive has a corner, |u| or one of a polygon, its velocity jumps: each is a mode of its own, so that a step
/// ends there and the restart knows of the jump.
Expr ComponentEquations::locate_kinks(Expr e) {
  constexpr std::size_t longest_polygon = 200;  // with as many modes
  symbolic::Graph& g = m_.builder.graph();
  std::size_t polygons_left = 0;  // too long
  for (const symbolic::Op op : {symbolic::Op::abs, symbolic::Op::min, symbolic::Op::max, symbolic::Op::table}) {
    while (!e.is_number()) {
      const std::vector<Expr> nodes = symbolic::find_nodes(std::span(&e, 1), op);
      if (nodes.size() <= polygons_left) break;
      const Expr node = nodes[polygons_left];
      const auto arguments = g.arguments(node.id());
      const Expr a = g.at(arguments[0]), b = arguments.size() > 1 ? g.at(arguments[1]) : Expr(0);
      Expr smooth;
      if (op == symbolic::Op::table) {
        const symbolic::Table& table = *g.table_of(node.id());
        if (table.method != symbolic::Table::Method::linear || !table.y.empty() || table.x.size() > longest_polygon ||
            g.table_derivative(node.id(), 0) != 0) {
          ++polygons_left;
          continue;
        }
        // the first side, and at every corner the change of the slope
        double slope = (table.values[1] - table.values[0]) / (table.x[1] - table.x[0]);
        smooth = table.values[0] + slope * (a - table.x[0]);
        for (std::size_t k = 1; k + 1 < table.x.size(); ++k) {
          const double next = (table.values[k + 1] - table.values[k]) / (table.x[k + 1] - table.x[k]);
          if (next != slope) smooth += (next - slope) * relation("corner", a - table.x[k]) * (a - table.x[k]);
          slope = next;
        }
      } else if (op == symbolic::Op::abs) {
        smooth = (2 * relation("corner", a) - 1) * a;
      } else {
        const Expr first = relation("corner", op == symbolic::Op::min ? b - a : a - b);
        smooth = symbolic::select(first, a, b);
      }
      e = symbolic::substitute(e, std::span(&node, 1), std::span(&smooth, 1));
    }
    polygons_left = 0;
  }
  return e;
}

void ComponentEquations::velocity_constraint(model::Multiplier h, const Expr& psi) {
  const Variables& v = m_.builder.variables();
  auto is_rate = [&](const Expr& s) {
    const Source source = v.address(s).source;
    return source == Source::v || source == Source::rotation_v;
  };
  std::vector<Expr> rates;
  if (!psi.is_number())
    for (const Expr& s : symbolic::free_symbols(std::span(&psi, 1))) {
      const Source source = v.address(s).source;
      if (is_rate(s))
        rates.push_back(s);
      else if (source != Source::time && source != Source::q && source != Source::rotation_q && source != Source::x &&
               source != Source::d && source != Source::parameter)
        refuse(
            "its constraint depends on " + to_string(s) +
            ", but it must be differentiable in time: use time, positions, angles, their velocities and states only");
    }
  if (rates.empty()) refuse("its constraint depends on no velocity");
  for (const Expr& slope : symbolic::gradient(psi, rates)) {
    if (slope.is_number()) continue;
    for (const Expr& s : symbolic::free_symbols(std::span(&slope, 1)))
      if (is_rate(s)) refuse("its constraint is not linear in the velocity " + to_string(s));
  }
  m_.builder.set_velocity_constraint(variable(h.index), psi);
}

bool ComponentEquations::follow_voltage(model::State current, const Expr& e) {
  const circuits::Circuit::Constraint* loop = m_.circuit->find_followed(c_);
  if (loop == nullptr) return false;
  // without inertia the voltage tells the rate, and no multiplier is needed
  const Variables& v = m_.builder.variables();
  if (e.is_number()) refuse("sources alone hold its voltage, and it cannot move");
  const auto has = [&](const Expr& of, Source source) {
    if (of.is_number()) return false;
    const std::vector<Expr> symbols = symbolic::free_symbols(std::span(&of, 1));
    return std::any_of(symbols.begin(), symbols.end(), [&](const Expr& s) { return v.address(s).source == source; });
  };
  if (has(e, Source::xd)) return false;
  Expr u = 0;
  for (const circuits::Circuit::Term& term : loop->terms) {
    const circuits::BranchInfo& branch = m_.circuit->branches()[term.branch];
    ComponentEquations source(m_, branch.component);
    u += term.sign * *m_.components[branch.component].type->branches(source)[branch.index].value;
  }
  // its current would act on what the source reads
  if (has(u, Source::v) || has(u, Source::rotation_v))
    refuse(
        "the voltage that sources hold depends on a velocity, and its motion follows that voltage; give it a "
        "resistance");
  const model::Multiplier i = make_multiplier("lambda", "A");
  velocity_constraint(i, u - e);
  zero(current, (*this)[current] - (*this)[i]);
  return true;
}

FrameId ComponentEquations::frame_id(model::Frame h) {
  if (!m_.mechanism) refuse("the model has no bodies; add a multibody.Body");
  return m_.find_frame(*bound().connections[h.index], component() + "." + description().ports[h.index].name);
}

model::FrameMotion ComponentEquations::frame(model::Frame h) {
  const FrameId id = frame_id(h);
  return m_.mechanism ? m_.mechanism->frame(id) : model::FrameMotion{.R_WB = model::Mat3::identity()};
}
void ComponentEquations::apply(model::Frame h, const Vec3& force_W, const Vec3& torque_W) {
  const FrameId id = frame_id(h);
  if (!m_.mechanism) return;
  m_.mechanism->apply(id, force_W, torque_W);
  if (record() == nullptr) return;
  const model::FrameMotion at = m_.mechanism->frame(id);
  record()->delivered += dot(at.v_WB, force_W) + dot(at.R_WB * at.w_WB_B, torque_W);
}

/// The mechanical node without inertia whose position is a state or an algebraic unknown; its row is a balance too.
const NetworkNode* ComponentEquations::find_shaft(const Address& at) const {
  if (at.source != Source::x && at.source != Source::y) return nullptr;
  for (const NetworkNode& node : m_.network.nodes)
    if ((node.domain == model::Domain::rotational || node.domain == model::Domain::translational) && !node.fixed &&
        node.coordinate < 0 && (at.source == Source::x ? node.state : node.algebraic) == at.index)
      return &node;
  return nullptr;
}

EnergyRecords::Component* ComponentEquations::record() const {
  return m_.records ? &m_.records->components[static_cast<std::size_t>(c_)] : nullptr;
}

void ComponentEquations::join(int other) const {
  if (m_.records) m_.records->join(c_, other);
}

void ComponentEquations::stored(const Expr& energy) {
  m_.builder.add_stored_energy(energy);
  if (record() != nullptr) record()->stored += energy;
}

void ComponentEquations::dissipated(const Expr& power) {
  m_.builder.add_dissipated_power(power);
  if (record() != nullptr) record()->dissipated += power;
}

void ComponentEquations::supplied(const Expr& power) {
  m_.builder.add_supplied_power(power);
  if (record() != nullptr) record()->supplied += power;
}

Expr ComponentEquations::coenergy(const Expr& w) {
  const Expr power = add_forces(w);
  if (record() != nullptr) record()->coenergy += w, record()->delivered += power;
  return power;
}

Expr ComponentEquations::add_forces(const Expr& w) {
  Expr power = 0;
  if (w.is_number()) return power;
  const Variables& variables = m_.builder.variables();
  const std::vector<Expr> symbols = symbolic::free_symbols(std::span(&w, 1));
  const std::vector<Expr> slope = symbolic::gradient(w, symbols);
  std::map<int, Vec3> torque;  // of each rotation, along its body axes
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const Address at = variables.address(symbols[i]);
    if (at.source == Source::q) {
      m_.builder.add_balance(at.index, -slope[i]);
      power += slope[i] * variables.coordinate(at.index).v;
    } else if (const NetworkNode* node = find_shaft(at); node != nullptr) {
      at.source == Source::x ? m_.builder.add_state_row(at.index, -slope[i])
                             : m_.builder.add_algebraic_row(at.index, -slope[i]);
      power += slope[i] * time_derivative(symbols[i]);
    } else if (at.source == Source::rotation_q) {
      for (int j = 0; j < 3; ++j) {
        Vec3 unit;
        unit[j] = 1;
        torque[at.index][j] += slope[i] * symbolic::quaternion_rate(variables.rotation(at.index).p,
                                                                    unit)[static_cast<std::size_t>(at.part)];
      }
    }
  }
  for (const auto& [index, t] : torque) {
    m_.builder.add_rotation_balance(index, -t);
    for (int j = 0; j < 3; ++j) power += t[j] * variables.rotation(index).w[j];
  }
  return power;
}

void ComponentEquations::output(const std::string& name, const std::string& unit, const Expr& e) {
  show(name, unit, e, SignalKind::output);
}

void ComponentEquations::show(const std::string& name, const std::string& unit, const Expr& own, SignalKind kind) {
  Compilation::Written& w = m_.written[c_];
  const auto added = w.additions.find(name);
  const Expr e = added == w.additions.end() ? own : own + added->second;
  if (const auto* known = w.find_output(name); known != nullptr)
    w.outputs[known - w.outputs.data()] = {name, unit, e};
  else
    w.outputs.push_back({name, unit, e});
  if (auto alias = w.aliases.find(name); alias != w.aliases.end()) {
    m_.builder.add_algebraic_row(alias->second, m_.builder.variables().algebraic(alias->second) - e);
    return;
  }
  m_.builder.add_signal(make_signal_info(component(), name, unit, kind), e);
}

Expr ComponentEquations::signal(const std::string& name) {
  if (auto q = m_.find_signal(name)) return q->value;
  ComponentEquations::refuse("there is no signal \"" + name + "\"" +
                             did_you_mean(name, m_.known_signals(bound().component->where.inside)));
}

int ComponentEquations::find_other(const std::string& other) const {
  if (auto place = m_.index.find(other); place != m_.index.end()) return place->second;
  std::vector<std::string> known;
  for (const BoundComponent& c : m_.components) known.push_back(c.name());
  ComponentEquations::refuse("there is no component \"" + other + "\"" + did_you_mean(other, known));
}

void ComponentEquations::add_to_row(const std::string& other, const std::string& variable, const Expr& e) {
  const int c = find_other(other);
  join(c);
  const auto& variables = m_.components[c].type->description.variables;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    if (variables[k].name != variable) continue;
    ComponentEquations equations(m_, c);
    if (variables[k].kind == model::VariableInfo::Kind::state)
      return equations.zero(model::State{static_cast<int>(k)}, e);
    if (variables[k].kind == model::VariableInfo::Kind::algebraic)
      return equations.zero(model::Algebraic{static_cast<int>(k)}, e);
  }
  refuse(other + " (" + m_.components[c].type->description.type + ") has no variable \"" + variable + "\"");
}

void ComponentEquations::add_to_output(const std::string& other, const std::string& name, const Expr& e) {
  join(find_other(other));
  m_.written[find_other(other)].additions[name] += e;
}

void ComponentEquations::add_to_port(const std::string& other, const std::string& port, const Expr& e) {
  const int c = find_other(other);
  join(c);
  const auto& ports = m_.components[c].type->description.ports;
  for (std::size_t k = 0; k < ports.size(); ++k)
    if (ports[k].name == port) return ComponentEquations(m_, c).add_through(static_cast<int>(k), e);
  refuse(other + " (" + m_.components[c].type->description.type + ") has no port \"" + port + "\"");
}

std::optional<double> ComponentEquations::number(const std::string& other, const std::string& parameter) const {
  const auto place = m_.index.find(other);
  if (place == m_.index.end()) return std::nullopt;
  const BoundComponent& bound = m_.components[place->second];
  const auto& parameters = bound.type->description.parameters;
  for (std::size_t k = 0; k < parameters.size(); ++k)
    if (parameters[k].name == parameter && bound.parameters[k].present && !bound.parameters[k].scalars[0].varying)
      return bound.parameters[k].scalars[0].number;
  return std::nullopt;
}

std::optional<Expr> ComponentEquations::parameter(const std::string& other, const std::string& parameter) {
  const auto place = m_.index.find(other);
  if (place == m_.index.end()) return std::nullopt;
  const BoundComponent& bound = m_.components[place->second];
  const auto& parameters = bound.type->description.parameters;
  for (std::size_t k = 0; k < parameters.size(); ++k)
    if (parameters[k].name == parameter && parameters[k].kind == model::ParameterInfo::Kind::scalar &&
        bound.parameters[k].present)
      return m_.parameter(place->second, static_cast<int>(k), 0);
  return std::nullopt;
}

std::optional<Expr> ComponentEquations::flux_deviation(const std::string& coil) {
  if (m_.fluxes == nullptr || m_.fluxes->empty()) return std::nullopt;
  return m_.fluxes->deviation(find_other(coil));
}

void ComponentEquations::add_deviating_flux(const std::string& coil, const Expr& flux) {
  m_.fluxes->add_flux(find_other(coil), flux);
}

Expr ComponentEquations::time_derivative(const Expr& e) {
  const auto reason = [&] {
    return "its equations need the time derivative of " + to_string(e) +
           ", which depends on rates or forces itself; use a signal that is a state or a coordinate";
  };
  try {
    m_.rates.require(e, c_, reason);
    return m_.builder.variables().time_derivative(e);
  } catch (const std::logic_error&) {
    ComponentEquations::refuse(reason());
  }
}

Expr ComponentEquations::delayed(const std::string& name, const Expr& u, const Expr& delay, double longest,
                                 const Expr& before) {
  const Expr now = time(), at = now - delay;
  for (const Expr& s : symbolic::free_symbols(std::span(&before, 1))) {
    const equations::Source source = m_.builder.variables().address(s).source;
    if (source != equations::Source::time && source != equations::Source::parameter)
      refuse("what is before the start may depend on time only");
  }
  require(name + " delay", -delay, "the delay is not positive any more");
  // a delay that just reaches its bound is none too long
  require(name + " longest", delay - longest * (1 + 1e-9), "the delay is longer than " + format_short(longest) + " s");
  const model::Discrete passed = make_discrete(name, "", -1);
  output(name + "_input", "", u);
  const Expr from[] = {now}, to[] = {at};
  return m_.builder.add_delay({component(), u, at, symbolic::substitute(before, from, to), longest,
                               variable(passed.index), component() + "." + name + "_input"});
}

Expr ComponentEquations::relation(const std::string& name, const Expr& g) {
  return m_.builder.relation(component() + "." + name, g);
}

void ComponentEquations::sample(model::Discrete h, const Expr& period, const Expr& offset, const Expr& value) {
  constexpr double shortest = 1e-12;
  const std::optional<double> found = m_.find_value(period);
  if (!found || !m_.find_value(offset)) refuse("the times of its samples must be constants");
  const double length = *found;
  if (length != 0 && !(length >= shortest))
    refuse("its period of " + format_short(length) + " s is too short; it must be >= 1e-12 s");
  m_.builder.set_clocked_update(variable(h.index), m_.builder.add_clock(period, offset), value, c_);
}

void ComponentEquations::indicator(const std::string& name, const Expr& g) {
  m_.builder.add_indicator(component() + "." + name, g);
}

void ComponentEquations::require(const std::string& name, const Expr& g, const std::string& text) {
  if (const auto constant = m_.find_value(g); constant && *constant > 0) refuse(text);
  m_.builder.add_requirement(component() + "." + name, g, component() + ": " + text, bound().component->where);
}

void ComponentEquations::contact(const std::string& name, const std::string& force_unit, const Expr& depth,
                                 const Expr& restitution, const Expr& rest_rate) {
  const Expr rate = time_derivative(depth), acceleration = time_derivative(rate);
  const model::Discrete closed = make_discrete(name + "_closed", "", 0);
  const model::Algebraic force = make_algebraic(name + "_force", force_unit);
  const Expr c = (*this)[closed], f = (*this)[force];
  zero(force, symbolic::select(c, model::make_held_motion(acceleration, rate, f), f));
  coenergy(-f * depth);
  mode(closed, symbolic::select(c, symbolic::logical_not(symbolic::less(f, 0)), 0));
  at_impact(closed, 0);
  // open: touches and approaches; closed: would have to pull
  indicator(name, symbolic::select(c, -f, symbolic::min(depth, rate)));
  m_.builder.add_contact({component() + "." + name, depth, rate, restitution, rest_rate, variable(closed.index)});
}

bool ComponentEquations::is_own_shaft(int port) const {
  return m_.joint_of[c_] >= 0 && m_.joints[m_.joint_of[c_]].properties.shaft == port;
}

Expr ComponentEquations::stretched(model::Fluid h) {
  const int k = m_.network.node_of[c_][h.index];
  if (k < 0 || m_.network.nodes[k].state < 0) return across(h.index, 0);
  return m_.builder.variables().state(m_.network.nodes[k].state).x;
}

Expr ComponentEquations::across(int port, int order) {
  const int node = m_.network.node_of[c_][port];
  if (node >= 0) return m_.across(node, order);
  if (!is_own_shaft(port)) return 0;
  // a joint whose shaft is connected to nothing still has its coordinate
  const Variables::Coordinate& q = m_.builder.variables().coordinate(m_.mechanism->coordinate(m_.joint_of[c_], 0));
  return order == 0 ? q.q : order == 1 ? q.v : q.a;
}

void ComponentEquations::add_through(int port, const Expr& e) {
  if (record() != nullptr) {
    record()->through.resize(description().ports.size(), Expr(0));
    record()->through[static_cast<std::size_t>(port)] += e;
  }
  const int k = m_.network.node_of[c_][port];
  if (k < 0 && is_own_shaft(port)) m_.builder.add_balance(m_.mechanism->coordinate(m_.joint_of[c_], 0), e);
  if (k < 0) return;
  const NetworkNode& node = m_.network.nodes[k];
  if (node.fixed) return;
  if (node.coordinate >= 0)
    m_.builder.add_balance(node.coordinate, e);
  else if (node.state >= 0)
    m_.builder.add_state_row(node.state, e);
  else
    m_.builder.add_algebraic_row(node.algebraic, e);
}

}  // namespace coenergy::compile
