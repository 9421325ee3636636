#include "coenergy/equations/parameter_laws.hpp"

#include <algorithm>

#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::equations {

using symbolic::Expr;

namespace {

/// Expressions that depend on parameter k, with everything that follows k put in its place.
class Substitution {
 public:
  Substitution(const Variables& variables, int k) : k_(variables.parameter(k)) {}

  bool concerns(const Expr& e) const {
    if (e.is_number()) return false;
    return symbolic::depends_on(e, k_) ||
           std::any_of(from_.begin(), from_.end(), [&](const Expr& s) { return symbolic::depends_on(e, s); });
  }
  Expr operator()(const Expr& e) const { return from_.empty() ? e : symbolic::substitute(e, from_, to_); }
  void add(const Expr& symbol, const Expr& value) { from_.push_back(symbol), to_.push_back(value); }
  Expr slope(const Expr& e) const { return e.is_number() ? Expr(0) : symbolic::derivative(e, k_); }

 private:
  Expr k_;
  std::vector<Expr> from_, to_;
};

}  // namespace

const Followers& followers_of(const System::Data& data, int k) {
  const Kernel& own = *data.kernels.front();
  const std::scoped_lock lock(data.sensitivity_mutex, own.set->mutex);
  auto& entry = data.followers[k];
  if (entry) return *entry;
  entry = std::make_shared<Followers>();
  const Variables& v = own.set->variables;
  Substitution put(v, k);
  std::vector<Expr> values, slopes, start_slopes;
  for (const System::Data::ParameterLaw& law : data.parameter_laws) {
    if (law.parameter == k || !put.concerns(law.value)) continue;
    values.push_back(put(law.value));
    slopes.push_back(put.slope(values.back()));
    put.add(v.parameter(law.parameter), values.back());
    entry->parameters.push_back(law.parameter);
  }
  for (std::size_t i = 0; i < data.start_values.size(); ++i) {
    if (!put.concerns(data.start_values[i])) continue;
    entry->starts.push_back(i);
    start_slopes.push_back(put.slope(put(data.start_values[i])));
  }
  if (!values.empty()) entry->values = own.make_function(values), entry->slopes = own.make_function(slopes);
  if (!start_slopes.empty()) entry->start_slopes = own.make_function(start_slopes);
  return *entry;
}

namespace {

/// Parameters that stand in the equations, or in what is computed from their solution.
std::vector<char> find_used(const System::Data& data) {
  const Kernel& own = *data.kernels.front();
  std::vector<char> used(data.parameters.size(), 0);
  const auto add = [&](std::span<const Expr> list) {
    for (const Expr& s : symbolic::free_symbols(list))
      if (const Address at = own.set->variables.address(s); at.source == Source::parameter) used[at.index] = 1;
  };
  for (const auto* list : {&own.row_expr, &data.signal_values, &data.update_values, &data.indicator_values,
                           &data.contact_values, &data.start_values, &data.opened_values, &data.clock_laws})
    add(*list);
  const Expr energies[] = {own.set->stored, own.set->supplied, own.set->dissipated};
  add(energies);
  for (const Instance& instance : data.instances)
    for (int k : instance.parameters) used[k] = 1;
  return used;
}

}  // namespace

std::string find_built_in(const System::Data& data, int k) {
  const Followers& followers = followers_of(data, k);
  std::call_once(data.used_once, [&] {
    const std::lock_guard lock(data.kernels.front()->set->mutex);
    data.parameter_used = find_used(data);
  });
  std::vector<int> all{k};
  all.insert(all.end(), followers.parameters.begin(), followers.parameters.end());
  for (int i : all) {
    if (!data.built_in[i].empty()) return data.built_in[i];
    if (data.parameter_read[i] == made_by && !data.parameter_used[i]) return data.parameters[i].name;
  }
  return "";
}

std::string find_clocked(const System::Data& data, int k) {
  const Followers& followers = followers_of(data, k);
  std::vector<int> all{k};
  all.insert(all.end(), followers.parameters.begin(), followers.parameters.end());
  const bool sets_clock = std::any_of(all.begin(), all.end(), [&](int i) { return data.sets_clock[i] != 0; });
  if (!sets_clock) return "";
  const Kernel& own = *data.kernels.front();
  const std::lock_guard lock(own.set->mutex);
  for (std::size_t i = 0; i < data.update_clock.size(); ++i) {
    if (data.update_clock[i] < 0) continue;
    const std::span<const Expr> laws(data.clock_laws.data() + 2 * data.update_clock[i], 2);
    for (const Expr& s : symbolic::free_symbols(laws))
      if (std::find(all.begin(), all.end(), own.set->variables.address(s).index) != all.end())
        return data.discrete_names[data.update_discrete[i]];
  }
  return "";
}

}  // namespace coenergy::equations
