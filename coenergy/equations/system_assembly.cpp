#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

#include "coenergy/equations/builder_impl.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::equations {

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

/// Whether states and time do not tell its value.
bool is_solved_for(const Variables& variables, const Expr& e) {
  const std::vector<Expr> symbols = symbolic::free_symbols(std::span(&e, 1));
  return std::any_of(symbols.begin(), symbols.end(), [&](const Expr& s) {
    const Source source = variables.address(s).source;
    return source == Source::a || source == Source::rotation_a || source == Source::lambda || source == Source::xd ||
           source == Source::y;
  });
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

namespace {

/// Where a start value stands in a Point: rates of rotations come after those of coordinates.
System::Data::StartLaw make_start_law(const Variables& v, const Address& at) {
  switch (at.source) {
    case Source::q:
      return {&Point::q, at.index};
    case Source::v:
      return {&Point::v, at.index};
    case Source::rotation_v:
      return {&Point::v, v.coordinates() + 3 * at.index + at.part};
    case Source::x:
      return {&Point::x, at.index};
    default:
      return {&Point::y, at.index};
  }
}

}  // namespace

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
  for (const Address& at : m.start_laws) data->start_laws.push_back(make_start_law(v, at));
  data->start_values = m.start_values;
  data->start_function = own.make_lazy(m.start_values);
  data->opened = m.opened;
  data->opened_values = m.opened_values;
  data->closed_parameter = m.closed_parameter;
  data->history_parameter = m.history_parameter;
  data->delays = m.delays;
  data->delay_function = own.make_lazy(m.delay_values);
  for (const Expr& e : m.delay_values) data->delays_are_solved_for |= is_solved_for(v, e);
  data->delays_are_reflected = data->delays_are_solved_for || reads_history(m.delay_values);
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
