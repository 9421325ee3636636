#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/equations/parameter_laws.hpp"
#include "coenergy/equations/solver_form.hpp"
#include "coenergy/math/rotation.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::equations {

struct Evaluator::Impl {
  explicit Impl(System s);
  const double* load(const Point& p);
  bool update_modes(Point& p, bool comparisons_only, std::span<const char> held);
  /// Inputs of an instance: the value array itself, or gathered from it.
  const double* inputs(const Instance& instance);
  /// The outputs of a function, until the next call.
  const double* call(const symbolic::Function& f, const double* in);
  /// r = ∂R/∂(a value that is no unknown), by its place in the value array.
  void add_partials(const Point& p, Level level, int input, std::span<double> r);
  Gradient gradient(const Point& p, const symbolic::Expr& e);
  Gradient energy_gradient(const Point& p);
  /// Adds the partial derivatives of an expression of an instance to those by all values.
  void add_gradient(const Instance& instance, const symbolic::Expr& e, std::vector<double>& all);
  Gradient split(const Point& p, const std::vector<double>& all) const;

  System system;
  const System::Data& data;
  std::vector<double> values, gathered;
  void follow_clocks(int parameter);
  Workspace memory;
  std::vector<Clock> clocks;  ///< for the present parameters
};

namespace {

/// p ← p ∘ exp(r): the quaternion turned by the rotation vector r given in body axes.
void turn(double* p, const double* r) {
  const math::Quaternion turned = math::multiply({p[0], p[1], p[2], p[3]}, math::exponential({r[0], r[1], r[2]}));
  std::copy(turned.begin(), turned.end(), p);
}

}  // namespace

Evaluator::Impl::Impl(System s) : system(std::move(s)), data(system.data()) {
  values.assign(data.layout.values(), 0);
  std::copy(data.parameter_values.begin(), data.parameter_values.end(), values.end() - data.layout.parameters);
  std::size_t inputs = 1;
  for (const auto& k : data.kernels) inputs = std::max(inputs, static_cast<std::size_t>(k->layout.values()));
  gathered.resize(inputs);
  clocks = data.clocks;
}

/// Clocks follow the parameter that has been set.
void Evaluator::Impl::follow_clocks(int parameter) {
  if (!data.sets_clock[parameter]) return;
  const double* out = call(data.clock_function.get(), values.data());
  for (std::size_t k = 0; k < clocks.size(); ++k) clocks[k] = {out[2 * k], out[2 * k + 1]};
}

const double* Evaluator::Impl::load(const Point& p) {
  double* to = values.data();
  *to++ = p.t;
  for (const std::vector<double>* part : {&p.q, &p.v, &p.a, &p.lambda, &p.x, &p.xd, &p.y, &p.d})
    to = std::copy(part->begin(), part->end(), to);
  return values.data();
}

const double* Evaluator::Impl::inputs(const Instance& instance) {
  if (instance.gather.empty()) return values.data();
  for (std::size_t i = 0; i < instance.gather.size(); ++i) gathered[i] = values[instance.gather[i]];
  return gathered.data();
}

const double* Evaluator::Impl::call(const symbolic::Function& f, const double* in) {
  double* const out = memory.out.fit(f.program().outputs.size());
  f(in, out, memory.work.fit(f.work_size()));
  return out;
}

Evaluator::Evaluator(System system) : impl_(std::make_unique<Impl>(std::move(system))) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

const System& Evaluator::system() const { return impl_->system; }
void Evaluator::set_parameter_alone(int k, double value) {
  *(impl_->values.end() - impl_->data.layout.parameters + k) = value;
  impl_->follow_clocks(k);
}

void Evaluator::set_parameter(int k, double value) {
  Impl& m = *impl_;
  double* const parameters = m.values.data() + m.values.size() - m.data.layout.parameters;
  parameters[k] = value;
  m.follow_clocks(k);
  if (m.data.parameter_laws.empty()) return;
  const Followers& followers = followers_of(m.data, k);
  if (followers.parameters.empty()) return;
  const double* out = m.call(followers.values, m.values.data());
  for (std::size_t i = 0; i < followers.parameters.size(); ++i) parameters[followers.parameters[i]] = out[i];
  for (int follower : followers.parameters) m.follow_clocks(follower);
}

void Evaluator::set_parameter(const std::string& name, double value) {
  const System& s = system();
  const int k = s.find_parameter(name);
  if (k < 0) {
    std::vector<std::string> known;
    for (int i = 0; i < s.parameters(); ++i) known.push_back(s.parameter_name(i));
    throw Error("there is no parameter \"" + name + "\"" + did_you_mean(name, known));
  }
  if (const std::string entry = s.find_built_in(k); !entry.empty())
    throw Error("parameter " + name + " is built into the equations" + (entry == name ? "" : " by " + entry) +
                "; compile the model with another value");
  set_parameter(k, value);
}

std::vector<std::pair<int, double>> Evaluator::parameter_slopes(int k) const {
  std::vector<std::pair<int, double>> slopes{{k, 1.0}};
  if (impl_->data.parameter_laws.empty()) return slopes;
  const Followers& followers = followers_of(impl_->data, k);
  if (followers.parameters.empty()) return slopes;
  const double* out = impl_->call(followers.slopes, impl_->values.data());
  for (std::size_t i = 0; i < followers.parameters.size(); ++i) slopes.emplace_back(followers.parameters[i], out[i]);
  return slopes;
}

Point Evaluator::start() const {
  Point p = impl_->data.start;
  const auto& laws = impl_->data.start_laws;
  if (laws.empty()) return p;
  const double* out = impl_->call(impl_->data.start_function.get(), impl_->values.data());
  for (std::size_t i = 0; i < laws.size(); ++i) (p.*laws[i].part)[laws[i].index] = out[i];
  return p;
}

Point Evaluator::start_slope(int k) const {
  Point p = impl_->data.start;
  for (auto* part : {&p.q, &p.v, &p.a, &p.lambda, &p.x, &p.xd, &p.y, &p.d}) std::fill(part->begin(), part->end(), 0.0);
  const auto& laws = impl_->data.start_laws;
  if (laws.empty()) return p;
  const Followers& followers = followers_of(impl_->data, k);
  if (followers.starts.empty()) return p;
  const double* out = impl_->call(followers.start_slopes, impl_->values.data());
  for (std::size_t i = 0; i < followers.starts.size(); ++i) {
    const System::Data::StartLaw& law = laws[followers.starts[i]];
    (p.*law.part)[law.index] = out[i];
  }
  return p;
}
double Evaluator::parameter(int k) const { return *(impl_->values.end() - impl_->data.layout.parameters + k); }

std::span<const double> Evaluator::parameters() const {
  return std::span(impl_->values).last(impl_->data.layout.parameters);
}

void Evaluator::open_inputs(const Point& p) {
  const System::Data& data = impl_->data;
  if (data.opened.empty()) return;
  set_parameter(data.closed_parameter, 1);
  const Kernel& own = *data.kernels.front();
  symbolic::Function function;
  {
    const std::lock_guard lock(own.set->mutex);  // a graph serves one derivation at a time
    function = own.make_function(data.opened_values);
  }
  const double* out = impl_->call(function, impl_->load(p));
  const std::vector<double> values(out, out + data.opened.size());
  for (std::size_t k = 0; k < values.size(); ++k) set_parameter(data.opened[k].parameter, values[k]);
  set_parameter(data.closed_parameter, 0);
}

void Evaluator::residual(const Point& p, Level level, std::span<double> r) {
  Impl& m = *impl_;
  m.load(p);
  if (const Instance& own = m.data.instances.front(); own.fills_rows && own.kernel->constraint_rows == 0)
    return own.kernel->residual(m.inputs(own), r.data(), m.memory.work);
  std::fill(r.begin(), r.end(), 0.0);
  for (const Instance& instance : m.data.instances) {
    const Kernel& k = *instance.kernel;
    const double* in = m.inputs(instance);
    double* const rows = m.memory.out.fit(k.residual.size());
    k.residual(in, rows, m.memory.work);
    const double* out = rows;
    const std::size_t ordinary = k.rows.size() - k.constraint_rows;
    const std::size_t count = level == Level::position ? k.rows.size() : ordinary;
    for (std::size_t i = 0; i < count; ++i) r[instance.rows[i]] += out[i];
    if (level == Level::position || k.constraint_rows == 0) continue;
    out = m.call(k.constraints(level).rows.get(), in);
    for (int i = 0; i < k.constraint_rows; ++i) r[instance.rows[ordinary + i]] += out[i];
  }
}

void Evaluator::constraints(const Point& p, Level level, std::span<double> r) {
  Impl& m = *impl_;
  m.load(p);
  std::fill(r.begin(), r.end(), 0.0);
  const int first = m.data.layout.nv();
  for (const Instance& instance : m.data.instances) {
    const Kernel& k = *instance.kernel;
    if (k.constraint_rows == 0) continue;
    const double* out = m.call(k.constraints(level).rows.get(), m.inputs(instance));
    const std::size_t ordinary = k.rows.size() - k.constraint_rows;
    for (int i = 0; i < k.constraint_rows; ++i) r[instance.rows[ordinary + i] - first] += out[i];
  }
}

namespace {
/// A law with a vertical tangent, as a root has at zero: steep will do, and the solution does not depend on it.
void limit_slopes(std::span<const MatrixPart> parts) {
  constexpr double steep = 1e8;
  for (const MatrixPart& part : parts)
    for (double& value : part.values)
      if (std::isinf(value)) value = std::copysign(steep, value);
}
}  // namespace

void Evaluator::jacobian(const Point& p, Level level, const Weights& w, std::span<double> values) {
  const MatrixPart part{w, values};
  jacobian(p, level, std::span(&part, 1));
}

void Evaluator::jacobian(const Point& p, Level level, std::span<const MatrixPart> parts) {
  Impl& m = *impl_;
  m.load(p);
  for (const MatrixPart& part : parts) std::fill(part.values.begin(), part.values.end(), 0.0);
  for (const Instance& instance : m.data.instances) {
    const double* in = m.inputs(instance);
    instance.kernel->balances.add_to(parts, instance.places, in, m.memory);
    instance.kernel->constraints(level).derivatives.add_to(parts, instance.constraint_places(level), in, m.memory);
  }
  limit_slopes(parts);
}

void Evaluator::solver_matrix(const Point& p, Level level, std::span<const MatrixPart> parts) {
  Impl& m = *impl_;
  const SolverForm* form = solver_form(m.data);
  if (form == nullptr) return jacobian(p, level, parts);
  for (const MatrixPart& part : parts) std::fill(part.values.begin(), part.values.end(), 0.0);
  form->cascade.add_to(parts, form->places, m.load(p), m.memory);
  limit_slopes(parts);
}

void Evaluator::bound_values(const Point& p, std::span<double> z) {
  const SolverForm* form = solver_form(impl_->data);
  if (form != nullptr) form->cascade.evaluate(impl_->load(p), z, impl_->memory);
}

void Evaluator::constraint_jacobian(const Point& p, Level level, const Weights& w, std::span<double> values) {
  Impl& m = *impl_;
  m.load(p);
  std::fill(values.begin(), values.end(), 0.0);
  const MatrixPart part{w, values};
  for (const Instance& instance : m.data.instances)
    instance.kernel->constraints(level).derivatives.add_to(std::span(&part, 1), instance.constraint_places(level),
                                                           m.inputs(instance), m.memory);
}

void Evaluator::solve_mass(const Point& p, std::span<double> r) {
  Impl& m = *impl_;
  const double* values = m.load(p);
  const symbolic::Function& f = m.data.mass_solver.get();
  double* const in = m.memory.in.fit(m.values.size() + r.size());
  std::copy(r.begin(), r.end(), std::copy(values, values + m.values.size(), in));
  f(in, r.data(), m.memory.work.fit(f.work_size()));
}

namespace {

/// The symbol of a set that stands at a place of its value array; only of what is no unknown.
symbolic::Expr symbol_at(const Kernel& kernel, int input) {
  Variables& v = kernel.set->variables;
  if (input == 0) return v.time();
  const int parameter = input - (kernel.layout.values() - kernel.layout.parameters);
  return parameter >= 0 ? v.parameter(parameter) : v.discrete(parameter + kernel.layout.discretes);
}

const symbolic::Function& partial_of(const System::Data& data, const Kernel& kernel, int input, Level level) {
  const std::scoped_lock lock(data.sensitivity_mutex, kernel.set->mutex);
  auto& entry = data.sensitivities[{&kernel, input, static_cast<int>(level)}];
  if (!entry)
    entry = std::make_unique<symbolic::Function>(
        kernel.make_function(kernel.partial_derivative(symbol_at(kernel, input), static_cast<int>(level))));
  return *entry;
}

}  // namespace

void Evaluator::Impl::add_partials(const Point& p, Level level, int input, std::span<double> r) {
  load(p);
  std::fill(r.begin(), r.end(), 0.0);
  for (const Instance& instance : data.instances) {
    const Kernel& k = *instance.kernel;
    const double* in = inputs(instance);
    // the places of the kernel's own array that read this value
    const int count = instance.gather.empty() ? 1 : static_cast<int>(instance.gather.size());
    for (int j = 0; j < count; ++j) {
      if (!instance.gather.empty() && instance.gather[j] != input) continue;
      const double* out = call(partial_of(data, k, instance.gather.empty() ? input : j, level), in);
      for (std::size_t i = 0; i < k.rows.size(); ++i) r[instance.rows[i]] += out[i];
    }
  }
}

void Evaluator::parameter_derivative(const Point& p, Level level, int k, std::span<double> r) {
  const Layout& l = impl_->data.layout;
  impl_->add_partials(p, level, l.values() - l.parameters + k, r);
}
void Evaluator::discrete_derivative(const Point& p, Level level, int k, std::span<double> r) {
  const Layout& l = impl_->data.layout;
  impl_->add_partials(p, level, l.values() - l.parameters - l.discretes + k, r);
}
void Evaluator::time_derivative(const Point& p, Level level, std::span<double> r) {
  impl_->add_partials(p, level, 0, r);
}

void Evaluator::retract(std::vector<double>& q, std::span<const double> dq) const {
  const Layout& layout = impl_->data.layout;
  for (int k = 0; k < layout.coordinates; ++k) q[k] += dq[k];
  for (int k = 0; k < layout.rotations; ++k)
    turn(q.data() + layout.coordinates + 4 * k, dq.data() + layout.coordinates + 3 * k);
  normalize(q);
}

void Evaluator::configuration_rate(const Point& p, std::span<double> qd) const {
  const Layout& layout = impl_->data.layout;
  for (int k = 0; k < layout.coordinates; ++k) qd[k] = p.v[k];
  for (int k = 0; k < layout.rotations; ++k) {
    const double* a = p.q.data() + layout.coordinates + 4 * k;
    const double* w = p.v.data() + layout.coordinates + 3 * k;
    double* to = qd.data() + layout.coordinates + 4 * k;
    to[0] = 0.5 * (-a[1] * w[0] - a[2] * w[1] - a[3] * w[2]);
    to[1] = 0.5 * (a[0] * w[0] + a[2] * w[2] - a[3] * w[1]);
    to[2] = 0.5 * (a[0] * w[1] - a[1] * w[2] + a[3] * w[0]);
    to[3] = 0.5 * (a[0] * w[2] + a[1] * w[1] - a[2] * w[0]);
  }
}

void Evaluator::normalize(std::vector<double>& q) const {
  const Layout& layout = impl_->data.layout;
  for (int k = 0; k < layout.rotations; ++k) {
    double* p = q.data() + layout.coordinates + 4 * k;
    const double norm = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int i = 0; i < 4; ++i) p[i] /= norm;
  }
}

std::span<const double> Evaluator::values(const Point& p) {
  impl_->load(p);
  return impl_->values;
}

void Evaluator::signals(const Point& p, std::span<double> values) {
  impl_->data.signal_function.get()(impl_->load(p), values.data(), impl_->memory.work);
  if (impl_->data.energy_signal >= 0) values[impl_->data.energy_signal] = energy(p).stored;
}

namespace {

/// The gradient of an expression to everything it depends on, as a program; made once.
const System::Data::Gradient& gradient_of(const System::Data& data, const Kernel& kernel, const symbolic::Expr& e) {
  const std::scoped_lock lock(data.sensitivity_mutex, kernel.set->mutex);
  auto& entry = data.gradients[{&kernel, e.id()}];
  if (entry) return *entry;
  entry = std::make_unique<System::Data::Gradient>();
  const std::vector<symbolic::Expr> symbols = symbolic::free_symbols(std::span(&e, 1));
  for (const symbolic::Expr& s : symbols)
    entry->indices.push_back(kernel.layout.value_index(kernel.set->variables.address(s)));
  entry->function = kernel.make_function(symbolic::gradient(e, symbols));
  return *entry;
}

}  // namespace

void Evaluator::Impl::add_gradient(const Instance& instance, const symbolic::Expr& e, std::vector<double>& all) {
  if (e.is_number()) return;
  const System::Data::Gradient& parts = gradient_of(data, *instance.kernel, e);
  std::vector<double> partial(parts.indices.size()), memory(parts.function.work_size() + 1);
  if (partial.empty()) return;
  parts.function(inputs(instance), partial.data(), memory.data());
  for (std::size_t i = 0; i < partial.size(); ++i)
    all[instance.gather.empty() ? parts.indices[i] : instance.gather[parts.indices[i]]] += partial[i];
}

Evaluator::Gradient Evaluator::Impl::gradient(const Point& p, const symbolic::Expr& e) {
  std::vector<double> all(data.layout.values(), 0.0);
  load(p);
  add_gradient(data.instances.front(), e, all);
  return split(p, all);
}

Evaluator::Gradient Evaluator::Impl::energy_gradient(const Point& p) {
  std::vector<double> all(data.layout.values(), 0.0);
  load(p);
  for (const Instance& instance : data.instances) add_gradient(instance, instance.kernel->set->stored, all);
  return split(p, all);
}

/// The value array by parts; quaternions are projected on the body axes.
Evaluator::Gradient Evaluator::Impl::split(const Point& p, const std::vector<double>& all) const {
  const Layout& l = data.layout;
  auto from = all.begin() + 1;
  auto take = [&](int count) {
    std::vector<double> part(from, from + count);
    from += count;
    return part;
  };
  Gradient g;
  g.t = all[0];
  g.q = take(l.coordinates);
  for (int k = 0; k < l.rotations; ++k) {
    const std::vector<double> slope = take(4);
    const double* a = p.q.data() + l.coordinates + 4 * k;
    g.q.push_back(0.5 * (-a[1] * slope[0] + a[0] * slope[1] + a[3] * slope[2] - a[2] * slope[3]));
    g.q.push_back(0.5 * (-a[2] * slope[0] - a[3] * slope[1] + a[0] * slope[2] + a[1] * slope[3]));
    g.q.push_back(0.5 * (-a[3] * slope[0] + a[2] * slope[1] - a[1] * slope[2] + a[0] * slope[3]));
  }
  g.v = take(l.nv());
  g.a = take(l.nv());
  g.lambda = take(l.multipliers);
  g.x = take(l.states);
  g.xd = take(l.states);
  g.y = take(l.algebraics);
  g.d = take(l.discretes);
  g.parameters = take(l.parameters);
  return g;
}

Evaluator::Gradient Evaluator::signal_gradient(const Point& p, int signal) {
  if (signal == impl_->data.energy_signal) return impl_->energy_gradient(p);
  return impl_->gradient(p, impl_->data.signal_values[signal]);
}
Evaluator::Gradient Evaluator::indicator_gradient(const Point& p, int indicator) {
  return impl_->gradient(p, impl_->data.indicator_values[indicator]);
}

Evaluator::Energy Evaluator::energy(const Point& p) {
  Impl& m = *impl_;
  m.load(p);
  Energy total;
  for (const Instance& instance : m.data.instances) {
    const double* out = m.call(instance.kernel->energy.get(), m.inputs(instance));
    total.stored += out[0];
    total.supplied_power += out[1];
    total.dissipated_power += out[2];
  }
  return total;
}

namespace {
/// Two instants closer than this are one.
double same_instant(const Clock& c, double t) { return 1e-12 * std::max(c.period, std::abs(t)); }
}  // namespace

double Evaluator::next_clock_time(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Clock& c : impl_->clocks) {
    double at = c.offset;
    const double same = same_instant(c, t);
    if (c.period > 0 && at <= t) {
      const double ticks = std::floor((t + same - c.offset) / c.period);
      at = c.offset + c.period * (ticks + 1);
      if (at <= t + same) at = c.offset + c.period * (ticks + 2);
      // a period below the resolution of time
      if (at <= t + same) at = t + 2 * same;
    }
    if (at > t + same) next = std::min(next, at);
  }
  return next;
}

void Evaluator::indicators(const Point& p, std::span<double> g) {
  if (g.empty()) return;
  const symbolic::Function& f = impl_->data.indicator_function.get();
  f(impl_->load(p), g.data(), impl_->memory.work.fit(f.work_size()));
}

bool Evaluator::is_time_indicator(int k) const { return impl_->data.indicator_time_only[k] != 0; }

namespace {

bool is_due(const Clock& c, double t) {
  const double tolerance = same_instant(c, t);
  if (c.period == 0) return std::abs(t - c.offset) <= tolerance;
  if (t < c.offset - tolerance) return false;
  const double phase = (t - c.offset) / c.period;
  return std::abs(phase - std::round(phase)) * c.period <= tolerance;
}

}  // namespace

bool Evaluator::is_clock_due(double t) const {
  return std::any_of(impl_->clocks.begin(), impl_->clocks.end(), [t](const Clock& c) { return is_due(c, t); });
}

std::vector<Evaluator::Tick> Evaluator::ticks(const Point& p) {
  Impl& m = *impl_;
  std::vector<Tick> all;
  for (std::size_t i = 0; i < m.data.update_clock.size(); ++i) {
    const int k = m.data.update_clock[i];
    const bool known = std::any_of(all.begin(), all.end(), [k](const Tick& tick) { return tick.clock == k; });
    if (k < 0 || known || !is_due(m.clocks[k], p.t)) continue;
    const Clock& c = m.clocks[k];
    const double count = c.period > 0 ? std::round((p.t - c.offset) / c.period) : 0;
    Tick tick{k, m.data.discrete_names[m.data.update_discrete[i]],
              m.gradient(p, m.data.clock_laws[2 * k + 1]).parameters};
    const std::vector<double> by_period = m.gradient(p, m.data.clock_laws[2 * k]).parameters;
    for (std::size_t j = 0; j < by_period.size(); ++j) tick.slope[j] += count * by_period[j];
    all.push_back(std::move(tick));
  }
  return all;
}

bool Evaluator::update_clocks(Point& p) {
  Impl& m = *impl_;
  auto is_due_now = [&](std::size_t i) {
    return m.data.update_clock[i] >= 0 && is_due(m.clocks[m.data.update_clock[i]], p.t);
  };
  bool any = false;
  int done = -1;  // last turn
  for (;;) {
    // the next turn in which anything is due
    int turn = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < m.data.update_clock.size(); ++i)
      if (m.data.update_turn[i] > done && m.data.update_turn[i] < turn && is_due_now(i)) turn = m.data.update_turn[i];
    if (turn == std::numeric_limits<int>::max()) return any;
    // comparisons of what has just been sampled
    if (any) update_comparisons(p);
    const double* out = m.call(m.data.update_function.get(), m.load(p));
    for (std::size_t i = 0; i < m.data.update_clock.size(); ++i)
      if (m.data.update_turn[i] == turn && is_due_now(i)) p.d[m.data.update_discrete[i]] = out[i];
    any = true, done = turn;
  }
}

void Evaluator::contacts(const Point& p, std::span<double> values) {
  if (values.empty()) return;
  const symbolic::Function& f = impl_->data.contact_function.get();
  f(impl_->load(p), values.data(), impl_->memory.work.fit(f.work_size()));
}

std::vector<Evaluator::Update> Evaluator::updates(const Point& given, bool clocks) {
  Impl& m = *impl_;
  Point p = given;
  std::vector<double> values(m.data.update_clock.size());
  std::vector<Update> all;
  int last = 0;
  for (int turn : m.data.update_turn) last = std::max(last, turn);
  for (int turn = 0; turn <= last && !values.empty(); ++turn) {
    const double* out = m.call(m.data.update_function.get(), m.load(p));
    std::copy(out, out + values.size(), values.begin());
    const std::size_t before = all.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const int clock = m.data.update_clock[i];
      if (m.data.update_turn[i] != turn) continue;
      if (clocks ? clock < 0 || !is_due(m.clocks[clock], p.t) : clock >= 0) continue;
      all.push_back({m.data.update_discrete[i], values[i], m.gradient(p, m.data.update_values[i]), turn});
    }
    for (std::size_t k = before; k < all.size(); ++k) p.d[all[k].discrete] = all[k].value;
    if (all.size() > before && turn < last) update_comparisons(p);
  }
  return all;
}

bool Evaluator::update_modes(Point& p, std::span<const char> held) { return impl_->update_modes(p, false, held); }
bool Evaluator::update_comparisons(Point& p) { return impl_->update_modes(p, true, {}); }

bool Evaluator::Impl::update_modes(Point& p, bool comparisons_only, std::span<const char> held) {
  Impl& m = *this;
  if (m.data.update_clock.empty()) return false;
  const double* out = m.call(m.data.update_function.get(), m.load(p));
  bool changed = false;
  for (std::size_t i = 0; i < m.data.update_clock.size(); ++i) {
    const int comparison = m.data.update_comparison[i];
    if (m.data.update_clock[i] >= 0 || (comparisons_only && comparison < 0)) continue;
    if (!held.empty() && comparison >= 0 && held[comparison]) continue;
    double& d = p.d[m.data.update_discrete[i]];
    changed = changed || d != out[i];
    d = out[i];
  }
  return changed;
}

}  // namespace coenergy::equations
