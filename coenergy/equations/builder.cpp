#include "coenergy/equations/builder.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "coenergy/equations/data.hpp"
#include "coenergy/equations/sample_order.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::equations {

using symbolic::Expr;
using symbolic::Vec3;

struct Builder::Impl {
  struct Shared {
    std::shared_ptr<EquationSet> equations;
    std::vector<Binding> bindings;
  };
  std::shared_ptr<EquationSet> set = std::make_shared<EquationSet>();
  std::vector<UnknownInfo> coordinates, rotations, multipliers, states, algebraics;
  std::vector<double> q0, v0, x0, y0, d0;
  std::vector<std::array<double, 4>> p0;
  std::vector<std::array<double, 3>> w0;
  std::vector<ParameterInfo> parameters;
  std::vector<double> parameter_values;
  std::vector<std::string> discrete_names;
  std::vector<DependentStart> dependent_starts;
  std::vector<std::vector<NodeUnknowns>> flexible_bodies;
  std::unordered_map<std::uint32_t, RowInfo> rows;
  std::vector<SignalInfo> signals;
  std::vector<Expr> signal_values;
  /// Signals that will be defined, in the order of their declaration.
  struct Declared {
    SignalInfo info;
    std::function<Expr()> early;
    int unknown = -1;  ///< algebraic unknown that stands for it, where it was used before it had a value
  };
  std::map<std::string, Declared> declared;
  std::vector<System::Data::ParameterLaw> parameter_laws;
  std::vector<std::string> built_in;
  mutable std::vector<char> parameter_read;
  std::vector<System::Data::StartLaw> start_laws;
  std::vector<Expr> start_values;
  std::vector<FrameSignals> frames;
  std::vector<OpenedInput> opened;
  std::vector<Expr> opened_values;
  int closed_parameter = -1;
  std::vector<Expr> clock_laws;  ///< period and offset of each clock
  std::vector<DiscreteUpdate> updates;
  std::vector<std::string> indicator_names;
  std::vector<Expr> indicators;
  std::unordered_map<std::uint32_t, Expr> relations;
  std::vector<Shared> shared;
  std::vector<Expr> stored, supplied, dissipated;  ///< terms of the energy, and of the powers
  std::vector<Contact> contacts;
  std::vector<System::Data::Requirement> requirements;
  std::vector<std::pair<int, double>> modes_at_impact;
  bool energy_account = false;
  int supplied_state = -1, dissipated_state = -1;  ///< of the account, once used or built
  MassSolverMaker make_mass_solver;

  /// A state of the energy account, added when it is first asked for.
  int account_state(int& state, const char* name) {
    if (state >= 0) return state;
    states.push_back({name, "J"});
    x0.push_back(0);
    return state = set->variables.add_state(name);
  }
};

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
  const Address at = variables().address(variable);
  std::vector<double> Point::*const part = at.source == Source::q   ? &Point::q
                                           : at.source == Source::v ? &Point::v
                                           : at.source == Source::x ? &Point::x
                                                                    : &Point::y;
  impl_->start_laws.push_back({part, at.index});
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
  impl_->parameter_read[k] = 1;
  return impl_->parameter_values[k];
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

namespace {

/// The sum of many terms, in groups that fit in a node each.
Expr add_up(std::vector<Expr> terms) {
  constexpr std::size_t group = symbolic::Graph::flatten_width;
  while (terms.size() > 1) {
    std::vector<Expr> sums;
    for (std::size_t k = 0; k < terms.size(); k += group)
      sums.push_back(symbolic::sum(std::span(terms).subspan(k, std::min(group, terms.size() - k))));
    terms = std::move(sums);
  }
  return terms.empty() ? Expr(0) : terms.front();
}

/// Rows of the energy account: d(supplied)/dt and d(dissipated)/dt collect the powers of all equation sets.
void write_account(EquationSet& set, int supplied, int dissipated) {
  set.state.emplace_back(supplied, -set.supplied);
  set.state.emplace_back(dissipated, -set.dissipated);
}

}  // namespace

void Builder::add_account() {
  const int supplied = impl_->account_state(impl_->supplied_state, "energy.supplied");
  const int dissipated = impl_->account_state(impl_->dissipated_state, "energy.dissipated");
  for (int k : {supplied, dissipated}) {
    const Variables::State& s = variables().state(k);
    add_state_row(k, s.xd);
    define_signal(k == supplied ? "energy.supplied" : "energy.dissipated", s.x);
  }
  write_account(*impl_->set, supplied, dissipated);
  for (Impl::Shared& shared : impl_->shared) {
    if (shared.equations->supplied.is_zero() && shared.equations->dissipated.is_zero()) continue;
    const int s = shared.equations->variables.add_state("energy.supplied");
    const int d = shared.equations->variables.add_state("energy.dissipated");
    write_account(*shared.equations, s, d);
    for (Binding& b : shared.bindings) b.states.insert(b.states.end(), {supplied, dissipated});
  }
  // its value comes from Evaluator::energy, or is an unknown where expressions use it
  const int stored = impl_->declared.at("energy.stored").unknown;
  define_signal("energy.stored", stored < 0 ? Expr(0) : impl_->set->stored);
  if (stored < 0) return;
  for (Impl::Shared& shared : impl_->shared) {
    if (shared.equations->stored.is_zero()) continue;
    const int y = shared.equations->variables.add_algebraic("energy.stored");
    shared.equations->algebraic.emplace_back(y, -shared.equations->stored);
    for (Binding& b : shared.bindings) b.algebraics.push_back(stored);
  }
}

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

std::size_t Builder::balances() const { return impl_->set->balance.size(); }

void Builder::set_mass_solver(MassSolverMaker make) { impl_->make_mass_solver = std::move(make); }

namespace {

/// System value index of every kernel input, and system unknown of every kernel unknown, for a binding.
struct BindingMap {
  std::vector<int> gather, unknown;
};

BindingMap map_binding(const Layout& local, const Layout& global, const Binding& b) {
  BindingMap map;
  map.gather.resize(local.values());
  map.unknown.resize(local.n());
  auto bind = [&](Source source, const std::vector<int>& target, int count, int parts) {
    if (static_cast<int>(target.size()) != count) throw std::logic_error("a binding does not fit its equation set");
    for (int k = 0; k < count; ++k)
      for (int part = 0; part < parts; ++part)
        map.gather[local.value_index({source, k, part})] = global.value_index({source, target[k], part});
  };
  map.gather[0] = 0;
  for (Source s : {Source::q, Source::v, Source::a}) bind(s, b.coordinates, local.coordinates, 1);
  bind(Source::rotation_q, b.rotations, local.rotations, 4);
  for (Source s : {Source::rotation_v, Source::rotation_a}) bind(s, b.rotations, local.rotations, 3);
  bind(Source::lambda, b.multipliers, local.multipliers, 1);
  for (Source s : {Source::x, Source::xd}) bind(s, b.states, local.states, 1);
  bind(Source::y, b.algebraics, local.algebraics, 1);
  bind(Source::d, b.discretes, local.discretes, 1);
  bind(Source::parameter, b.parameters, local.parameters, 1);

  auto unknown = [&](Source source, const std::vector<int>& target, int parts) {
    for (std::size_t k = 0; k < target.size(); ++k)
      for (int part = 0; part < parts; ++part)
        map.unknown[local.unknown_index({source, static_cast<int>(k), part})] =
            global.unknown_index({source, target[k], part});
  };
  unknown(Source::q, b.coordinates, 1);
  unknown(Source::rotation_q, b.rotations, 3);
  unknown(Source::lambda, b.multipliers, 1);
  unknown(Source::x, b.states, 1);
  unknown(Source::y, b.algebraics, 1);
  return map;
}

/// Rows and matrix places of the instances; the pattern is the union over all of them.
void assemble_pattern(System::Data& data, const std::vector<std::vector<int>>& unknown_of) {
  const int n = data.layout.n();
  auto for_each_list = [](const Kernel& k, auto&& action) {
    action(k.balances.entries());
    for (const Kernel::Constraints* c : {&k.position, &k.velocity, &k.acceleration}) action(c->derivatives.entries());
  };
  // rows of each column, one column behind the other
  std::vector<int> first(n + 1, 0), rows;
  const auto for_each_entry = [&](auto&& action) {
    for (std::size_t i = 0; i < data.instances.size(); ++i)
      for_each_list(*data.instances[i].kernel, [&](const std::vector<PartialDerivatives::Entry>& list) {
        for (const PartialDerivatives::Entry& e : list) action(unknown_of[i][e.row], unknown_of[i][e.column]);
      });
  };
  for_each_entry([&](int, int column) { ++first[column + 1]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  rows.resize(first.back());
  std::vector<int> next(first.begin(), first.end() - 1);
  for_each_entry([&](int row, int column) { rows[next[column]++] = row; });

  SparsePattern& pattern = data.pattern;
  pattern.n = n;
  pattern.column_start.assign(1, 0);
  for (int column = 0; column < n; ++column) {
    const auto begin = rows.begin() + first[column], end = rows.begin() + first[column + 1];
    std::sort(begin, end);
    pattern.row.insert(pattern.row.end(), begin, std::unique(begin, end));
    pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
  }
  auto place = [&](int row, int column) {
    const auto first = pattern.row.begin() + pattern.column_start[column];
    const auto last = pattern.row.begin() + pattern.column_start[column + 1];
    return static_cast<int>(std::lower_bound(first, last, row) - pattern.row.begin());
  };
  for (std::size_t i = 0; i < data.instances.size(); ++i) {
    Instance& instance = data.instances[i];
    for (int row : instance.kernel->rows) instance.rows.push_back(unknown_of[i][row]);
    instance.fills_rows = data.instances.size() == 1 && static_cast<int>(instance.rows.size()) == n;
    for (int k = 0; k < n && instance.fills_rows; ++k) instance.fills_rows = instance.rows[k] == k;
    auto places = [&](const std::vector<PartialDerivatives::Entry>& list, std::vector<int>& to) {
      for (const PartialDerivatives::Entry& e : list)
        to.push_back(place(unknown_of[i][e.row], unknown_of[i][e.column]));
    };
    places(instance.kernel->balances.entries(), instance.places);
    places(instance.kernel->position.derivatives.entries(), instance.position_places);
    places(instance.kernel->velocity.derivatives.entries(), instance.velocity_places);
    places(instance.kernel->acceleration.derivatives.entries(), instance.acceleration_places);
  }
}

void find_matrix_modes(System::Data& data) {
  for (const Instance& instance : data.instances)
    for (const int k : instance.kernel->balances.modes()) {
      const int place = instance.kernel->layout.value_index({Source::d, k, 0});
      data.matrix_modes.push_back(instance.gather.empty() ? k : data.layout.address(instance.gather[place]).index);
    }
  std::sort(data.matrix_modes.begin(), data.matrix_modes.end());
  data.matrix_modes.erase(std::unique(data.matrix_modes.begin(), data.matrix_modes.end()), data.matrix_modes.end());
}

bool depends_on_time_only(const Variables& variables, const Expr& e) {
  for (const Expr& s : symbolic::free_symbols(std::span(&e, 1))) {
    const Source source = variables.address(s).source;
    if (source != Source::time && source != Source::parameter && source != Source::d) return false;
  }
  return true;
}

bool is_unknown(const Variables& variables, const Expr& e) {
  return !e.is_number() && e.op() == symbolic::Op::symbol && variables.address(e).source == Source::y;
}

/// The clocks, with their values for the parameters as the model gives them.
void add_clocks(System::Data& data, const Kernel& own, const Variables& variables, const std::vector<Expr>& laws) {
  data.clock_laws = laws;
  data.clock_function = own.make_lazy(laws);
  data.sets_clock.assign(data.parameters.size(), 0);
  std::vector<double> values(data.layout.values(), 0.0);
  std::copy(data.parameter_values.begin(), data.parameter_values.end(), values.end() - data.layout.parameters);
  for (const Expr& s : symbolic::free_symbols(laws)) data.sets_clock[variables.address(s).index] = 1;
  const auto number = [&](const Expr& law) {
    return law.is_number() ? law.number() : symbolic::evaluate(own.make_function({law}), values)[0];
  };
  for (std::size_t k = 0; k < laws.size(); k += 2) data.clocks.push_back({number(laws[k]), number(laws[k + 1])});
}

/// Contacts as one program: depth, rate, restitution and rest rate of each, then the entries of ∂δ̇/∂v.
void add_contacts(System::Data& data, const Kernel& own, const Variables& variables,
                  const std::vector<Builder::Contact>& contacts) {
  std::vector<Expr> values, slopes;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Builder::Contact& c = contacts[k];
    data.contacts.push_back({c.name, c.closed});
    values.insert(values.end(), {c.depth, c.rate, c.restitution, c.rest_rate});
    for (const Expr& s : symbolic::free_symbols(std::span(&c.rate, 1))) {
      const Address at = variables.address(s);
      if (at.source != Source::v && at.source != Source::rotation_v) continue;
      data.contact_entries.push_back({static_cast<int>(k), data.layout.unknown_index(at)});
      slopes.push_back(symbolic::derivative(c.rate, s));
    }
  }
  values.insert(values.end(), slopes.begin(), slopes.end());
  data.contact_values = values;
  data.contact_function = own.make_lazy(values);
}

}  // namespace

System Builder::build() {
  auto data = std::make_shared<System::Data>();
  impl_->set->stored = add_up(std::move(impl_->stored));
  impl_->set->supplied = add_up(std::move(impl_->supplied));
  impl_->set->dissipated = add_up(std::move(impl_->dissipated));
  if (impl_->energy_account) add_account();
  Impl& m = *impl_;
  data->layout = Layout(m.set->variables);

  // kernels and their instances
  std::vector<std::vector<int>> unknown_of;
  data->kernels.push_back(std::make_unique<Kernel>(m.set));
  const Kernel& own = *data->kernels.front();
  data->instances.push_back({.kernel = &own});
  unknown_of.emplace_back(data->layout.n());
  for (int i = 0; i < data->layout.n(); ++i) unknown_of.back()[i] = i;
  for (Impl::Shared& shared : m.shared) {
    data->kernels.push_back(std::make_unique<Kernel>(shared.equations));
    const Kernel& kernel = *data->kernels.back();
    for (const Binding& b : shared.bindings) {
      BindingMap map = map_binding(kernel.layout, data->layout, b);
      data->instances.push_back({.kernel = &kernel, .gather = std::move(map.gather), .parameters = b.parameters});
      unknown_of.push_back(std::move(map.unknown));
    }
  }
  assemble_pattern(*data, unknown_of);
  find_matrix_modes(*data);

  // unknowns, their rows and start values
  auto add_row = [&](const Expr& symbol, const std::string& fallback) {
    auto place = m.rows.find(symbol.id());
    data->rows.push_back(place == m.rows.end() ? RowInfo{fallback} : place->second);
  };
  const Variables& v = m.set->variables;
  for (int k = 0; k < v.coordinates(); ++k) {
    data->unknowns.push_back(m.coordinates[k]);
    add_row(v.coordinate(k).q, m.coordinates[k].name);
  }
  const char* axis[] = {"x", "y", "z"};
  for (int k = 0; k < v.rotations(); ++k)
    for (int j = 0; j < 3; ++j) {
      UnknownInfo info = m.rotations[k];
      info.owner_size = static_cast<int>(info.name.size());
      info.turns = true;
      info.name += std::string(".w") + axis[j];
      data->unknowns.push_back(info);
      add_row(v.rotation(k).p[0], info.name);
    }
  auto append = [&](std::vector<UnknownInfo>& infos, auto&& symbol) {
    for (std::size_t k = 0; k < infos.size(); ++k) {
      add_row(symbol(static_cast<int>(k)), infos[k].name);
      data->unknowns.push_back(std::move(infos[k]));
    }
  };
  append(m.multipliers, [&](int k) { return v.multiplier(k); });
  append(m.states, [&](int k) { return v.state(k).x; });
  append(m.algebraics, [&](int k) { return v.algebraic(k); });

  if (m.make_mass_solver) data->mass_solver = m.make_mass_solver(m.set, data->layout);
  data->is_velocity_constraint.assign(v.multipliers(), 0);
  for (const auto& [k, psi] : m.set->velocity_constraint) data->is_velocity_constraint[k] = 1;

  Point& start = data->start;
  start.q = m.q0;
  start.v = m.v0;
  for (const auto& p : m.p0) start.q.insert(start.q.end(), p.begin(), p.end());
  for (const auto& w : m.w0) start.v.insert(start.v.end(), w.begin(), w.end());
  start.a.assign(start.v.size(), 0);
  start.lambda.assign(v.multipliers(), 0);
  start.x = m.x0;
  start.xd.assign(m.x0.size(), 0);
  start.y = m.y0;
  start.d = m.d0;
  data->dependent_starts = m.dependent_starts;
  for (const std::vector<NodeUnknowns>& body : m.flexible_bodies) {
    std::vector<FlexibleNode>& nodes = data->flexible_bodies.emplace_back();
    for (const NodeUnknowns& n : body)
      nodes.push_back({n.x, data->layout.unknown_index({Source::rotation_v, n.rotation, 0})});
  }

  // signals, parameters, events
  data->signals = std::move(m.signals);
  // a stored energy that is no unknown is the sum over all kernels
  if (m.energy_account && !is_unknown(v, m.signal_values.back()))
    data->energy_signal = static_cast<int>(data->signals.size()) - 1;
  data->frames = std::move(m.frames);
  data->signal_values = m.signal_values;
  data->signal_function = own.make_lazy_rows(m.signal_values);
  data->parameters = std::move(m.parameters);
  data->parameter_values = m.parameter_values;
  data->parameter_laws = m.parameter_laws;
  data->built_in = m.built_in;
  data->parameter_read = m.parameter_read;
  data->start_laws = m.start_laws;
  data->start_values = m.start_values;
  data->start_function = own.make_lazy(m.start_values);
  data->opened = m.opened;
  data->opened_values = m.opened_values;
  data->closed_parameter = m.closed_parameter;
  data->discrete_names = m.discrete_names;
  add_clocks(*data, own, v, m.clock_laws);
  std::vector<Expr> updates;
  for (const DiscreteUpdate& u : m.updates) {
    data->update_discrete.push_back(u.discrete);
    data->update_clock.push_back(u.clock);
    data->update_comparison.push_back(u.comparison);
    updates.push_back(u.value);
  }
  data->update_turn = order_samples(v, m.updates);
  data->update_values = updates;
  data->update_function = own.make_lazy(std::move(updates));
  data->indicator_names = m.indicator_names;
  data->indicator_mode.assign(m.indicators.size(), -1);
  for (const DiscreteUpdate& u : m.updates)
    if (u.comparison >= 0) data->indicator_mode[u.comparison] = u.discrete;
  for (const Expr& g : m.indicators) data->indicator_time_only.push_back(depends_on_time_only(v, g));
  data->indicator_function = own.make_lazy(m.indicators);
  data->indicator_values = m.indicators;

  add_contacts(*data, own, v, m.contacts);
  data->requirements = std::move(m.requirements);
  data->modes_at_impact = m.modes_at_impact;
  data->dissipated_state = m.dissipated_state;

  impl_ = std::make_unique<Impl>();
  return System(std::move(data));
}

}  // namespace coenergy::equations
