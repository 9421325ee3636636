#include <algorithm>
#include <cmath>

#include "coenergy/equations/evaluator_impl.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::equations {

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

}  // namespace coenergy::equations
