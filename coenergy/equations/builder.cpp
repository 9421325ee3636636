#include "coenergy/equations/builder_impl.hpp"

#include <algorithm>
#include <optional>

#include "coenergy/equations/parameter_laws.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::equations {

Builder::Builder() : impl_(std::make_unique<Impl>()) {}
Builder::~Builder() = default;
symbolic::Graph& Builder::graph() { return impl_->set->graph; }
Variables& Builder::variables() { return impl_->set->variables; }

int Builder::add_coordinate(UnknownInfo info, double q0, double v0) {
  const int k = variables().add_coordinate(info.name);
  impl_->coordinates.push_back(std::move(info));
  impl_->q0.push_back(q0);
  impl_->v0.push_back(v0);
  return k;
}

int Builder::add_rotation(UnknownInfo info, std::array<double, 4> p0, std::array<double, 3> w0) {
  const int k = variables().add_rotation(info.name);
  impl_->rotations.push_back(std::move(info));
  impl_->p0.push_back(p0);
  impl_->w0.push_back(w0);
  return k;
}

int Builder::add_multiplier(UnknownInfo info) {
  const int k = variables().add_multiplier(info.name);
  impl_->multipliers.push_back(std::move(info));
  return k;
}

int Builder::add_state(UnknownInfo info, double x0) {
  const int k = variables().add_state(info.name);
  impl_->states.push_back(std::move(info));
  impl_->x0.push_back(x0);
  return k;
}

int Builder::add_algebraic(UnknownInfo info, double y0) {
  const int k = variables().add_algebraic(info.name);
  impl_->algebraics.push_back(std::move(info));
  impl_->y0.push_back(y0);
  return k;
}

void Builder::add_flexible_body(std::vector<NodeUnknowns> nodes) { impl_->flexible_bodies.push_back(std::move(nodes)); }
void Builder::add_dependent_start(DependentStart start) { impl_->dependent_starts.push_back(std::move(start)); }

int Builder::add_discrete(const std::string& name, double d0) {
  const int k = variables().add_discrete(name);
  impl_->discrete_names.push_back(name);
  impl_->d0.push_back(d0);
  return k;
}

int Builder::add_parameter(ParameterInfo info, double value) {
  const int k = variables().add_parameter(info.name);
  impl_->parameters.push_back(std::move(info));
  impl_->built_in.emplace_back();
  impl_->parameter_read.push_back(0);
  impl_->parameter_values.push_back(value);
  return k;
}

void Builder::set_law(int parameter, const Expr& value) { impl_->parameter_laws.push_back({parameter, value}); }
void Builder::mark_built_in(int parameter, const std::string& entry) { impl_->built_in[parameter] = entry; }

void Builder::set_start(const Expr& variable, const Expr& value) {
  if (value.is_number()) return;
  impl_->start_laws.push_back(variables().address(variable));
  impl_->start_values.push_back(value);
}

const EquationSet& Builder::equations() const { return *impl_->set; }
const UnknownInfo& Builder::coordinate_info(int k) const { return impl_->coordinates[k]; }
const UnknownInfo& Builder::algebraic_info(int k) const { return impl_->algebraics[k]; }
double Builder::coordinate_start(int k) const { return impl_->q0[k]; }
double Builder::coordinate_start_rate(int k) const { return impl_->v0[k]; }
std::string Builder::row_name(const Expr& unknown) const {
  const auto place = impl_->rows.find(unknown.id());
  return place == impl_->rows.end() ? "" : place->second.name;
}
std::optional<Expr> Builder::mode_value(int discrete) const {
  for (const DiscreteUpdate& u : impl_->updates)
    if (u.discrete == discrete && u.clock < 0) return u.value;
  return std::nullopt;
}
double Builder::parameter_value(int k) const {
  impl_->parameter_read[k] = made_by;
  return impl_->parameter_values[k];
}
void Builder::mark_checked(int k) {
  char& read = impl_->parameter_read[k];
  if (read == 0) read = checked;
}
const ParameterInfo& Builder::parameter_info(int k) const { return impl_->parameters[k]; }

void Builder::add_balance(int coordinate, const Expr& e) { impl_->set->balance.emplace_back(coordinate, e); }
void Builder::add_rotation_balance(int rotation, const Vec3& e) {
  impl_->set->rotation_balance.emplace_back(rotation, e);
}
void Builder::set_constraint(int multiplier, const Expr& phi) { impl_->set->add_constraint(multiplier, phi); }
void Builder::set_velocity_constraint(int multiplier, const Expr& psi) {
  impl_->set->add_velocity_constraint(multiplier, psi);
}
bool Builder::follow_rates(int algebraic, const UnknownInfo& multiplier) {
  auto& rows = impl_->set->algebraic;
  std::vector<Expr> terms;
  for (const auto& [k, e] : rows)
    if (k == algebraic) terms.push_back(e);
  const Expr psi = symbolic::sum(terms);
  if (psi.is_number()) return false;
  std::vector<Expr> rates;
  for (const Expr& s : symbolic::free_symbols(std::span(&psi, 1))) {
    const Source source = variables().address(s).source;
    if (source == Source::v || source == Source::rotation_v)
      rates.push_back(s);
    else if (source != Source::time && source != Source::q && source != Source::rotation_q && source != Source::x &&
             source != Source::d && source != Source::parameter)
      return false;
  }
  for (const Expr& slope : symbolic::gradient(psi, rates)) {
    if (slope.is_number()) continue;
    for (const Expr& s : symbolic::free_symbols(std::span(&slope, 1)))
      if (const Source source = variables().address(s).source; source == Source::v || source == Source::rotation_v)
        return false;
  }
  if (rates.empty()) return false;
  const int k = add_multiplier(multiplier);
  std::erase_if(rows, [&](const auto& row) { return row.first == algebraic; });
  add_algebraic_row(algebraic, variables().algebraic(algebraic) - variables().multiplier(k));
  impl_->set->velocity_constraint.emplace_back(k, psi);
  return true;
}

void Builder::add_state_row(int state, const Expr& e) { impl_->set->state.emplace_back(state, e); }
void Builder::add_algebraic_row(int algebraic, const Expr& e) { impl_->set->algebraic.emplace_back(algebraic, e); }
void Builder::set_row_name(const Expr& unknown, const std::string& name) { impl_->rows[unknown.id()] = {name}; }
void Builder::set_balance(const Expr& unknown, const std::string& owner, RowKind kind, const std::string& axis) {
  impl_->rows[unknown.id()] = {owner + " " + to_words(kind) + (axis.empty() ? "" : " " + axis), kind,
                               static_cast<int>(owner.size())};
}

void Builder::add_instance(std::shared_ptr<EquationSet> equations, Binding binding) {
  for (Impl::Shared& s : impl_->shared) {
    if (s.equations == equations) {
      s.bindings.push_back(std::move(binding));
      return;
    }
  }
  impl_->shared.push_back({std::move(equations), {std::move(binding)}});
}

void Builder::add_signal(SignalInfo info, const Expr& e) {
  impl_->signals.push_back(std::move(info));
  impl_->signal_values.push_back(e);
}

void Builder::declare_signal(SignalInfo info, std::function<Expr()> early) {
  const std::string name = info.name;
  impl_->declared.insert_or_assign(name, Impl::Declared{std::move(info), std::move(early)});
}

void Builder::define_signal(const std::string& name, const Expr& e) {
  auto place = impl_->declared.find(name);
  if (place == impl_->declared.end()) throw std::logic_error("signal " + name + " was not declared");
  Impl::Declared declared = std::move(place->second);
  impl_->declared.erase(place);
  if (declared.unknown < 0) return add_signal(std::move(declared.info), e);
  const Expr y = variables().algebraic(declared.unknown);
  add_algebraic_row(declared.unknown, y - e);
  add_signal(std::move(declared.info), y);
}

std::optional<Builder::DeclaredSignal> Builder::use_signal(const std::string& name) {
  auto place = impl_->declared.find(name);
  if (place == impl_->declared.end()) return std::nullopt;
  Impl::Declared& declared = place->second;
  if (declared.early) return DeclaredSignal{&declared.info, declared.early()};
  if (declared.unknown < 0) declared.unknown = add_algebraic({declared.info.name, declared.info.unit});
  return DeclaredSignal{&declared.info, variables().algebraic(declared.unknown)};
}

std::vector<std::string> Builder::declared_signals() const {
  std::vector<std::string> names;
  for (const auto& [name, declared] : impl_->declared) names.push_back(name);
  return names;
}

void Builder::begin_frame(const std::string& name) {
  impl_->frames.push_back({name, static_cast<int>(impl_->signals.size())});
}

Expr Builder::add_opened_input(ParameterInfo info, const Expr& value, const std::string& was) {
  if (impl_->closed_parameter < 0)
    impl_->closed_parameter = add_parameter({"closed", "", ParameterInfo::Kind::other}, 1);
  const Expr closed = variables().parameter(impl_->closed_parameter);
  const int k = add_parameter(std::move(info), 0);
  impl_->opened.push_back({k, was});
  impl_->opened_values.push_back(value);
  return closed * value + (1 - closed) * variables().parameter(k);
}

void Builder::add_stored_energy(const Expr& e) { impl_->stored.push_back(e); }
void Builder::add_supplied_power(const Expr& e) { impl_->supplied.push_back(e); }
void Builder::add_dissipated_power(const Expr& e) { impl_->dissipated.push_back(e); }

void Builder::keep_energy_account() {
  impl_->energy_account = true;
  const auto info = [](const char* field) { return make_signal_info("energy", field, "J", SignalKind::energy); };
  // an expression that uses a collected energy reads its state
  declare_signal(info("supplied"), [this] {
    return variables().state(impl_->account_state(impl_->supplied_state, "energy.supplied")).x;
  });
  declare_signal(info("dissipated"), [this] {
    return variables().state(impl_->account_state(impl_->dissipated_state, "energy.dissipated")).x;
  });
  declare_signal(info("stored"));
}

int Builder::add_clock(const Expr& period, const Expr& offset) {
  std::vector<Expr>& laws = impl_->clock_laws;
  for (std::size_t k = 0; k < laws.size(); k += 2)
    if (same(laws[k], period) && same(laws[k + 1], offset)) return static_cast<int>(k / 2);
  laws.insert(laws.end(), {period, offset});
  return static_cast<int>(laws.size() / 2) - 1;
}

void Builder::set_clocked_update(int discrete, int clock, const Expr& value, int owner) {
  impl_->updates.push_back({.discrete = discrete, .clock = clock, .value = value, .owner = owner});
}
void Builder::set_mode(int discrete, const Expr& value) {
  impl_->updates.push_back({.discrete = discrete, .clock = -1, .value = value});
}

void Builder::add_indicator(const std::string& name, const Expr& g) {
  if (g.is_number()) return;
  impl_->indicator_names.push_back(name);
  impl_->indicators.push_back(g);
}

void Builder::add_requirement(const std::string& name, const Expr& g, const std::string& text, Location where,
                              bool excludes_zero) {
  if (g.is_number()) return;
  where.inside = nullptr;  // the system outlives the model
  impl_->requirements.push_back({static_cast<int>(impl_->indicators.size()), text, where, excludes_zero});
  add_indicator(name, g);
}

void Builder::add_contact(Contact contact) { impl_->contacts.push_back(std::move(contact)); }
void Builder::set_mode_at_impact(int discrete, double value) { impl_->modes_at_impact.emplace_back(discrete, value); }

Expr Builder::relation(const std::string& name, const Expr& g) {
  if (g.is_number()) return g.number() > 0 ? 1 : 0;
  auto place = impl_->relations.find(g.id());
  if (place != impl_->relations.end()) return place->second;
  const int d = add_discrete("relation" + std::to_string(impl_->relations.size()) + "." + name, 0);
  const Expr mode = variables().discrete(d);
  impl_->relations.emplace(g.id(), mode);
  impl_->updates.push_back({d, -1, symbolic::less(0, g), static_cast<int>(impl_->indicators.size())});
  add_indicator(name, g);
  return mode;
}

Expr Builder::add_delay(const Delay& delay) {
  Impl& m = *impl_;
  if (m.history_parameter < 0)
    m.history_parameter = add_parameter({"pasts of delays", "", ParameterInfo::Kind::other}, 0);
  const Expr address = variables().parameter(m.history_parameter), passed = variables().discrete(delay.passed);
  const int k = static_cast<int>(m.delays.size());
  const std::vector<Expr> symbols = symbolic::free_symbols(std::span(&delay.at, 1));
  const bool varies = std::any_of(symbols.begin(), symbols.end(), [&](const Expr& s) {
    const Source source = variables().address(s).source;
    return source != Source::time && source != Source::parameter;
  });
  const int added = add_parameter({delay.input + " added", "", ParameterInfo::Kind::other}, 0);
  m.delays.push_back(
      {delay.name, delay.longest, delay.passed, static_cast<int>(m.indicators.size()), delay.input, added, varies});
  m.delay_values.push_back(delay.u), m.delay_values.push_back(delay.at);
  add_indicator(delay.name + " arrival", has_left(graph(), address, k, delay.at, passed));
  set_mode(delay.passed, find_stretch(graph(), address, k, delay.at, passed));
  return read_history(graph(), address, k, delay.at, passed, delay.before, delay.u) + variables().parameter(added);
}

std::size_t Builder::balances() const { return impl_->set->balance.size(); }

void Builder::set_mass_solver(MassSolverMaker make) { impl_->make_mass_solver = std::move(make); }

}  // namespace coenergy::equations
