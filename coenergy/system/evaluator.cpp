#include <algorithm>
#include <cmath>

#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/system/data.hpp"

namespace coenergy::system {

struct Evaluator::Impl {
  explicit Impl(System s);
  const double* load(const Point& p);
  /// Inputs of an instance: the value array itself, or gathered from it.
  const double* inputs(const Instance& instance);
  /// The outputs of a function, until the next call.
  const double* call(const symbolic::Function& f, const double* in);

  System system;
  const System::Data& data;
  std::vector<double> values, gathered;
  Workspace memory;
};

namespace {

/// p ← p ∘ exp(r): the quaternion turned by the rotation vector r given in body axes.
void turn(double* p, const double* r) {
  const double angle = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  // sin(angle/2)/angle by series near zero
  const double c = std::cos(angle / 2), s = angle < 1e-4 ? 0.5 - angle * angle / 48 : std::sin(angle / 2) / angle;
  const double e[4] = {c, s * r[0], s * r[1], s * r[2]};
  const double a[4] = {p[0], p[1], p[2], p[3]};
  p[0] = a[0] * e[0] - a[1] * e[1] - a[2] * e[2] - a[3] * e[3];
  p[1] = a[0] * e[1] + a[1] * e[0] + a[2] * e[3] - a[3] * e[2];
  p[2] = a[0] * e[2] - a[1] * e[3] + a[2] * e[0] + a[3] * e[1];
  p[3] = a[0] * e[3] + a[1] * e[2] - a[2] * e[1] + a[3] * e[0];
}

}  // namespace

Evaluator::Impl::Impl(System s) : system(std::move(s)), data(system.data()) {
  values.assign(data.layout.values(), 0);
  std::copy(data.parameter_values.begin(), data.parameter_values.end(), values.end() - data.layout.parameters);
  std::size_t inputs = 1;
  for (const auto& k : data.kernels) inputs = std::max(inputs, static_cast<std::size_t>(k->layout.values()));
  gathered.resize(inputs);
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
void Evaluator::set_parameter(int k, double value) {
  *(impl_->values.end() - impl_->data.layout.parameters + k) = value;
}
double Evaluator::parameter(int k) const { return *(impl_->values.end() - impl_->data.layout.parameters + k); }

void Evaluator::residual(const Point& p, Level level, std::span<double> r) {
  Impl& m = *impl_;
  m.load(p);
  std::fill(r.begin(), r.end(), 0.0);
  for (const Instance& instance : m.data.instances) {
    const Kernel& k = *instance.kernel;
    const double* in = m.inputs(instance);
    const double* out = m.call(k.residual, in);
    const std::size_t ordinary = k.rows.size() - k.constraint_rows;
    const std::size_t count = level == Level::position ? k.rows.size() : ordinary;
    for (std::size_t i = 0; i < count; ++i) r[instance.rows[i]] += out[i];
    if (level == Level::position || k.constraint_rows == 0) continue;
    out = m.call(k.constraints(level).rows.get(), in);
    for (int i = 0; i < k.constraint_rows; ++i) r[instance.rows[ordinary + i]] += out[i];
  }
}

void Evaluator::jacobian(const Point& p, Level level, const Weights& w, std::span<double> values) {
  Impl& m = *impl_;
  m.load(p);
  std::fill(values.begin(), values.end(), 0.0);
  for (const Instance& instance : m.data.instances) {
    const Kernel& k = *instance.kernel;
    const double* in = m.inputs(instance);
    k.balances.add_to(values, instance.places, in, w, m.memory);
    const auto& places = level == Level::position   ? instance.position_places
                         : level == Level::velocity ? instance.velocity_places
                                                    : instance.acceleration_places;
    k.constraints(level).derivatives.add_to(values, places, in, w, m.memory);
  }
}

void Evaluator::parameter_derivative(const Point& p, Level level, int parameter, std::span<double> r) {
  Impl& m = *impl_;
  m.load(p);
  std::fill(r.begin(), r.end(), 0.0);
  for (const Instance& instance : m.data.instances) {
    const Kernel& k = *instance.kernel;
    const double* in = m.inputs(instance);
    const int local_count = instance.gather.empty() ? 1 : static_cast<int>(instance.parameters.size());
    for (int local = 0; local < local_count; ++local) {
      if (!instance.gather.empty() && instance.parameters[local] != parameter) continue;
      const System::Data::SensitivityKey key{&k, instance.gather.empty() ? parameter : local, static_cast<int>(level)};
      const symbolic::Function* f = nullptr;
      {
        const std::scoped_lock lock(m.data.sensitivity_mutex, k.set->mutex);
        auto& entry = m.data.sensitivities[key];
        if (!entry)
          entry =
              std::make_unique<symbolic::Function>(k.make_function(k.parameter_derivative(key.parameter, key.level)));
        f = entry.get();
      }
      const double* out = m.call(*f, in);
      for (std::size_t i = 0; i < k.rows.size(); ++i) r[instance.rows[i]] += out[i];
    }
  }
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

void Evaluator::signals(const Point& p, std::span<double> values) {
  const symbolic::Function& f = impl_->data.signal_function.get();
  f(impl_->load(p), values.data(), impl_->memory.work.fit(f.work_size()));
  if (impl_->data.energy_signal >= 0) values[impl_->data.energy_signal] = energy(p).stored;
}

namespace {

/// The gradient of a signal to everything it depends on, as a program; made once.
const System::Data::Gradient& gradient_of(const System::Data& data, int signal) {
  const std::scoped_lock lock(data.sensitivity_mutex, data.kernels.front()->set->mutex);
  auto& entry = data.gradients[signal];
  if (entry) return *entry;
  entry = std::make_unique<System::Data::Gradient>();
  const symbolic::Expr& e = data.signal_values[signal];
  if (e.is_number()) return *entry;
  const Kernel& own = *data.kernels.front();
  const std::vector<symbolic::Expr> symbols = symbolic::free_symbols(std::span(&e, 1));
  for (const symbolic::Expr& s : symbols)
    entry->indices.push_back(data.layout.value_index(own.set->variables.address(s)));
  entry->function = own.make_function(symbolic::gradient(e, symbols));
  return *entry;
}

}  // namespace

Evaluator::SignalGradient Evaluator::signal_gradient(const Point& p, int signal) {
  Impl& m = *impl_;
  const Layout& l = m.data.layout;
  const System::Data::Gradient& gradient = gradient_of(m.data, signal);
  std::vector<double> partial(gradient.indices.size()), all(l.values(), 0.0), work(gradient.function.work_size() + 1);
  if (!partial.empty()) gradient.function(m.load(p), partial.data(), work.data());
  for (std::size_t i = 0; i < partial.size(); ++i) all[gradient.indices[i]] = partial[i];

  // split the value array; quaternions are projected on the body axes
  auto from = all.begin() + 1;
  auto take = [&](int count) {
    std::vector<double> part(from, from + count);
    from += count;
    return part;
  };
  SignalGradient g;
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
  take(l.discretes);
  g.parameters = take(l.parameters);
  return g;
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
double same_instant(double t) { return 1e-12 * std::max(1.0, std::abs(t)); }
}  // namespace

double Evaluator::next_clock_time(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Clock& c : impl_->data.clocks) {
    double at = c.offset;
    if (c.period > 0 && at <= t) {
      const double ticks = std::floor((t + same_instant(t) - c.offset) / c.period);
      at = c.offset + c.period * (ticks + 1);
      if (at <= t + same_instant(t)) at = c.offset + c.period * (ticks + 2);
      // a period below the resolution of time
      if (at <= t + same_instant(t)) at = t + 2 * same_instant(t);
    }
    if (at > t + same_instant(t)) next = std::min(next, at);
  }
  return next;
}

void Evaluator::indicators(const Point& p, std::span<double> g) {
  if (g.empty()) return;
  const symbolic::Function& f = impl_->data.indicator_function.get();
  f(impl_->load(p), g.data(), impl_->memory.work.fit(f.work_size()));
}

bool Evaluator::is_time_indicator(int k) const { return impl_->data.indicator_time_only[k] != 0; }

bool Evaluator::update_clocks(Point& p) {
  Impl& m = *impl_;
  auto is_due = [&](const Clock& c) {
    const double tolerance = same_instant(p.t);
    if (c.period == 0) return std::abs(p.t - c.offset) <= tolerance;
    if (p.t < c.offset - tolerance) return false;
    const double phase = (p.t - c.offset) / c.period;
    return std::abs(phase - std::round(phase)) * c.period <= tolerance;
  };
  bool any = false;
  for (std::size_t i = 0; i < m.data.update_clock.size(); ++i)
    any = any || (m.data.update_clock[i] >= 0 && is_due(m.data.clocks[m.data.update_clock[i]]));
  if (!any) return false;
  const double* out = m.call(m.data.update_function.get(), m.load(p));
  for (std::size_t i = 0; i < m.data.update_clock.size(); ++i)
    if (m.data.update_clock[i] >= 0 && is_due(m.data.clocks[m.data.update_clock[i]]))
      p.d[m.data.update_discrete[i]] = out[i];
  return true;
}

void Evaluator::contacts(const Point& p, std::span<double> values) {
  if (values.empty()) return;
  const symbolic::Function& f = impl_->data.contact_function.get();
  f(impl_->load(p), values.data(), impl_->memory.work.fit(f.work_size()));
}

bool Evaluator::update_modes(Point& p) {
  Impl& m = *impl_;
  if (m.data.update_clock.empty()) return false;
  const double* out = m.call(m.data.update_function.get(), m.load(p));
  bool changed = false;
  for (std::size_t i = 0; i < m.data.update_clock.size(); ++i) {
    if (m.data.update_clock[i] >= 0) continue;
    double& d = p.d[m.data.update_discrete[i]];
    changed = changed || d != out[i];
    d = out[i];
  }
  return changed;
}

}  // namespace coenergy::system
