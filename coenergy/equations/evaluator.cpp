#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/evaluator_impl.hpp"
#include "coenergy/equations/parameter_laws.hpp"
#include "coenergy/equations/solver_form.hpp"
#include "coenergy/math/rotation.hpp"

namespace coenergy::equations {

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

}  // namespace coenergy::equations
