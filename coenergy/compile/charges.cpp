#include "coenergy/compile/charges.hpp"

#include <algorithm>
#include <stdexcept>

#include "coenergy/circuits/circuit.hpp"
#include "coenergy/compile/component_equations.hpp"
#include "coenergy/compile/component_probe.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::compile {

using circuits::BranchInfo;
using circuits::Circuit;
using model::BranchKind;
using model::Domain;
using symbolic::Expr;

namespace {

bool depends_on_any(const Expr& e, const std::vector<Expr>& symbols) {
  return !e.is_number() &&
         std::any_of(symbols.begin(), symbols.end(), [&](const Expr& s) { return symbolic::depends_on(e, s); });
}

Expr slope(const Expr& e, const Expr& symbol) { return e.is_number() ? Expr(0) : symbolic::derivative(e, symbol); }

/// Whether the slope of e along a symbol is at most linear in all of them.
bool is_quadratic(const Expr& e, const std::vector<Expr>& symbols) {
  return std::all_of(symbols.begin(), symbols.end(), [&](const Expr& a) {
    const Expr first = slope(e, a);
    return std::all_of(symbols.begin(), symbols.end(),
                       [&](const Expr& b) { return !depends_on_any(slope(first, b), symbols); });
  });
}

}  // namespace

ChargeFormulation Charges::write() {
  write_loops();
  write_inner_loops();
  write_charges();
  write_powers();
  result_.text = tell();
  return std::move(result_);
}

// ---- rows

void Charges::write_loops() {
  const std::vector<BranchInfo>& branches = m_.circuit->branches();
  for (std::size_t k = 0; k < branches.size(); ++k) {
    const BranchInfo& b = branches[k];
    const bool is_open = b.p == b.n && b.kind != BranchKind::inductive;  // of an element that is joined inside
    if (b.in_tree || is_open) continue;
    bool by_energy = false;
    std::vector<Expr> terms;
    const auto add = [&](const BranchInfo& branch, int sign) {
      const Voltage v = voltage(branch);
      by_energy = by_energy || v.by_energy;
      terms.push_back(sign * v.value);
    };
    add(b, 1);
    for (const Circuit::Term& term : m_.circuit->tree_path(static_cast<int>(k)))
      add(branches[static_cast<std::size_t>(term.branch)], -term.sign);
    // where the equations of nodes gave all voltages their sum vanishes by itself
    if (by_energy) add_row("mesh of " + m_.circuit->branch_name(static_cast<int>(k)), "V", terms);
  }
}

void Charges::write_inner_loops() {
  for (std::size_t c = 0; c < m_.components.size(); ++c) {
    const auto& variables = m_.components[c].type->description.variables;
    for (std::size_t v = 0; v < variables.size(); ++v) {
      if (!is_inner_current(static_cast<int>(c), static_cast<int>(v))) continue;
      if (const auto u = winding_voltage(static_cast<int>(c), variable(static_cast<int>(c), static_cast<int>(v))))
        add_row("mesh inside " + m_.components[c].name() + ", " + variables[v].name, "V", {*u});
    }
  }
}

void Charges::write_charges() {
  for (std::size_t c = 0; c < m_.components.size(); ++c) {
    const auto& ports = m_.components[c].type->description.ports;
    std::vector<std::vector<Expr>> terms(ports.size());
    std::vector<char> known(ports.size(), 0), unknown(ports.size(), 0);
    for (const BranchInfo& b : m_.circuit->branches()) {
      if (b.component != static_cast<int>(c)) continue;
      const model::Branch pins = m_.probe->branches(static_cast<int>(c))[static_cast<std::size_t>(b.index)];
      const auto current = b.kind == BranchKind::capacitive ? branch_current(b) : std::nullopt;
      for (const auto& [pin, sign] : {std::pair(pins.p.index, -1), {pins.n.index, 1}}) {
        (current ? known : unknown)[static_cast<std::size_t>(pin)] = 1;
        if (current) terms[static_cast<std::size_t>(pin)].push_back(sign * *current);
      }
    }
    for (std::size_t p = 0; p < ports.size(); ++p) {
      if (known[p] == 0 || unknown[p] != 0 || p >= r_.components[c].through.size()) continue;
      terms[p].push_back(r_.components[c].through[p]);
      add_row("charge of " + m_.components[c].name() + " at " + ports[p].name, "A", terms[p]);
    }
  }
}

void Charges::write_powers() {
  for (std::size_t root = 0; root < m_.components.size(); ++root) {
    std::vector<Expr> terms;
    std::string names;
    bool is_electrical = false;
    std::optional<Expr> stored = Expr(0);
    for (std::size_t c = root; c < m_.components.size(); ++c) {
      const EnergyRecords::Component& r = r_.components[c];
      if (r.group != static_cast<int>(root)) continue;
      is_electrical = is_electrical || has_pin(static_cast<int>(c));
      names += (names.empty() ? "" : ", ") + m_.components[c].name();
      terms.insert(terms.end(), {-r.delivered, -r.dissipated, r.supplied});
      const auto change = rate(r.stored);
      stored = stored && change ? std::optional<Expr>(*stored + *change) : std::nullopt;
      for (std::size_t p = 0; p < r.through.size() && stored; ++p) {
        const int k = m_.network.node_of[c][p];
        if (k < 0 || m_.network.nodes[k].fixed || r.through[p].is_zero()) continue;
        const Domain domain = m_.network.nodes[k].domain;
        const bool moves = domain == Domain::rotational || domain == Domain::translational;
        const auto across = moves ? rate(m_.across(k, 0)) : std::optional<Expr>(m_.across(k, 0));
        if (across)
          terms.push_back(*across * r.through[p]);
        else
          stored = std::nullopt;
      }
    }
    if (!is_electrical) continue;
    if (!stored) {
      result_.left_out.push_back("power of " + names);
      continue;
    }
    terms.push_back(-*stored);
    add_row("power of " + names, "W", terms);
  }
}

void Charges::add_row(const std::string& name, const std::string& unit, const std::vector<Expr>& terms) {
  Expr residual = 0, size = 0;
  for (const Expr& term : terms) residual += term, size += symbolic::abs(term);
  const ChargeFormulation::Row row{name, unit, "charges: " + name, "size of charges: " + name};
  m_.builder.add_signal(row.residual, unit, residual);
  m_.builder.add_signal(row.size, unit, size);
  result_.rows.push_back(row);
}

// ---- what they consist of

std::optional<Expr> Charges::rate(const Expr& e) const {
  try {
    return m_.builder.variables().time_derivative(e);
  } catch (const std::logic_error&) {
    return std::nullopt;  // of an algebraic variable whose rate no equation needs
  }
}

Charges::Voltage Charges::voltage(const BranchInfo& b) {
  if (b.kind == BranchKind::inductive)
    if (const auto v = winding_voltage(b.component, variable(b.component, b.state))) return {*v, true};
  if (b.kind == BranchKind::capacitive) return {variable(b.component, b.state), true};
  if (b.kind == BranchKind::voltage) {
    ComponentEquations eq(m_, b.component);
    return {*m_.components[b.component].type->branches(eq)[static_cast<std::size_t>(b.index)].value, true};
  }
  return {node(b.p) - node(b.n), false};
}

std::optional<Expr> Charges::winding_voltage(int component, const Expr& current) {
  const std::vector<Expr> currents = group_symbols(component, BranchKind::inductive);
  const int group = r_.components[static_cast<std::size_t>(component)].group;
  Expr energy = 0, coenergy = 0, loss = 0;
  for (const EnergyRecords::Component& c : r_.components) {
    if (c.group != group) continue;
    (c.coenergy.is_zero() ? energy : coenergy) += c.coenergy.is_zero() ? c.stored : c.coenergy;
    loss += c.dissipated;
  }
  if (!is_quadratic(energy, currents) || !is_quadratic(loss, currents)) return std::nullopt;
  const auto induced = rate(slope(coenergy + energy, current));
  const auto motional = motional_voltage(component, current);
  if (!induced || !motional) return std::nullopt;
  // ½ of what is quadratic, all of what is linear
  const Expr resistive = slope(loss, current);
  const std::vector<Expr> zeros(currents.size(), Expr(0));
  const Expr linear = resistive.is_number() ? resistive : symbolic::substitute(resistive, currents, zeros);
  return *induced + *motional + (resistive + linear) / 2;
}

/// Of a machine that states a torque instead of W'.
std::optional<Expr> Charges::motional_voltage(int component, const Expr& current) {
  const EnergyRecords::Component& r = r_.components[static_cast<std::size_t>(component)];
  if (!r.coenergy.is_zero()) return Expr(0);
  Expr power = 0;
  for (std::size_t p = 0; p < r.through.size(); ++p) {
    const int k = m_.network.node_of[static_cast<std::size_t>(component)][p];
    if (k < 0 || m_.network.nodes[k].fixed || m_.network.nodes[k].domain == Domain::electrical) continue;
    const Expr force = slope(r.through[p], current);
    if (force.is_zero()) continue;
    const auto speed = rate(m_.across(k, 0));
    if (!speed || depends_on_any(force, group_symbols(component, BranchKind::inductive))) return std::nullopt;
    power -= force * *speed;
  }
  return power;
}

/// Q̇ + ∂D/∂u of a capacitor, where its energies tell them.
std::optional<Expr> Charges::branch_current(const BranchInfo& b) {
  const std::vector<Expr> voltages = group_symbols(b.component, BranchKind::capacitive);
  const Expr u = variable(b.component, b.state);
  const int group = r_.components[static_cast<std::size_t>(b.component)].group;
  Expr energy = 0, coenergy = 0, loss = 0;
  for (const EnergyRecords::Component& c : r_.components) {
    if (c.group != group) continue;
    (c.coenergy.is_zero() ? energy : coenergy) += c.coenergy.is_zero() ? c.stored : c.coenergy;
    loss += c.dissipated;
  }
  if (!is_quadratic(energy, voltages) || depends_on_any(loss, voltages) || (energy + coenergy).is_zero())
    return std::nullopt;
  return rate(slope(coenergy + energy, u));
}

/// Currents (voltages) of all branches of a kind in the group of a component, and currents inside.
std::vector<Expr> Charges::group_symbols(int component, BranchKind kind) {
  std::vector<Expr> symbols;
  const int group = r_.components[static_cast<std::size_t>(component)].group;
  const char* unit = kind == BranchKind::inductive ? "A" : "V";
  for (std::size_t c = 0; c < m_.components.size(); ++c) {
    if (r_.components[c].group != group) continue;
    const auto& variables = m_.components[c].type->description.variables;
    for (std::size_t v = 0; v < variables.size(); ++v)
      if (variables[v].kind == model::VariableInfo::Kind::state && variables[v].unit == unit)
        if (const Expr e = variable(static_cast<int>(c), static_cast<int>(v)); !e.is_number()) symbols.push_back(e);
  }
  return symbols;
}

Expr Charges::variable(int component, int index) { return ComponentEquations(m_, component)[model::State{index}]; }

Expr Charges::node(int k) const { return k == m_.circuit->nodes() - 1 ? Expr(0) : m_.across(k, 0); }

/// A current that belongs to no branch, as that of a cage.
bool Charges::is_inner_current(int component, int index) {
  const auto& described = m_.components[component].type->description.variables;
  if (described[static_cast<std::size_t>(index)].kind != model::VariableInfo::Kind::state || !has_pin(component) ||
      m_.circuit->is_algebraic(component, index))
    return false;
  for (const BranchInfo& b : m_.circuit->branches())
    if (b.component == component && b.state == index) return false;
  const Expr& w = r_.components[static_cast<std::size_t>(component)].coenergy;
  const Expr current = variable(component, index);
  return !w.is_number() && !current.is_number() && symbolic::depends_on(w, current);
}

bool Charges::has_pin(int component) const {
  const auto& ports = m_.components[component].type->description.ports;
  return std::any_of(ports.begin(), ports.end(),
                     [](const model::PortInfo& p) { return p.domain == Domain::electrical; });
}

}  // namespace coenergy::compile
