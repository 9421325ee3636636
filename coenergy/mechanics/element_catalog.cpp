#include "coenergy/mechanics/element_catalog.hpp"

#include <algorithm>
#include <cstdio>

namespace coenergy::mechanics {

using equations::Binding;
using equations::EquationSet;
using equations::Source;
using equations::Variables;
using symbolic::Expr;
using symbolic::Vec3;

namespace {

/// How the parameters of an element become those of a shared kernel.
struct Pattern {
  std::string text;            ///< "=0", "=1", "p0", "p1", "p0" …
  std::vector<int> parameter;  ///< builder's parameter of each local one
  std::vector<int> local;      ///< local parameter of each entry; −1: a number
  bool shareable = true;
};

Pattern find_pattern(const Variables& variables, const std::vector<Expr>& parameters) {
  Pattern pattern;
  for (const Expr& e : parameters) {
    if (e.is_number()) {
      char number[40];
      std::snprintf(number, sizeof number, "=%.17g ", e.number());
      pattern.text += number;
      pattern.local.push_back(-1);
      continue;
    }
    if (e.op() != symbolic::Op::symbol || variables.address(e).source != Source::parameter) {
      pattern.shareable = false;
      return pattern;
    }
    const int index = variables.address(e).index;
    auto place = std::find(pattern.parameter.begin(), pattern.parameter.end(), index);
    pattern.local.push_back(static_cast<int>(place - pattern.parameter.begin()));
    if (place == pattern.parameter.end()) pattern.parameter.push_back(index);
    pattern.text += "p" + std::to_string(pattern.local.back()) + " ";
  }
  return pattern;
}

/// Gives an element its variables and lets it state its equations.
ElementEquations make_equations(Variables& variables, const Binding& at, const std::vector<Expr>& parameters,
                                const std::function<void(ElementEquations&)>& make) {
  ElementEquations e;
  e.graph = &variables.graph();
  for (int k : at.coordinates) e.coordinates.push_back(variables.coordinate(k));
  for (int k : at.rotations) e.rotations.push_back(variables.rotation(k));
  for (int k : at.multipliers) e.multipliers.push_back(variables.multiplier(k));
  e.parameters = parameters;
  e.balance.resize(e.coordinates.size());
  e.torque.resize(e.rotations.size());
  e.constraint.resize(e.multipliers.size());
  make(e);
  return e;
}

std::shared_ptr<EquationSet> make_set(const Binding& at, const Pattern& pattern, const std::vector<Expr>& parameters,
                                      const std::function<void(ElementEquations&)>& make) {
  auto set = std::make_shared<EquationSet>();
  Variables& v = set->variables;
  Binding local;
  for (std::size_t k = 0; k < at.coordinates.size(); ++k)
    local.coordinates.push_back(v.add_coordinate("q" + std::to_string(k)));
  for (std::size_t k = 0; k < at.rotations.size(); ++k)
    local.rotations.push_back(v.add_rotation("r" + std::to_string(k)));
  for (std::size_t k = 0; k < at.multipliers.size(); ++k)
    local.multipliers.push_back(v.add_multiplier("lambda" + std::to_string(k)));
  for (std::size_t k = 0; k < pattern.parameter.size(); ++k) v.add_parameter("p" + std::to_string(k));
  std::vector<Expr> values;
  for (std::size_t k = 0; k < parameters.size(); ++k)
    values.push_back(pattern.local[k] < 0 ? Expr(parameters[k].number()) : v.parameter(pattern.local[k]));

  const ElementEquations e = make_equations(v, local, values, make);
  for (std::size_t k = 0; k < e.balance.size(); ++k) set->balance.emplace_back(static_cast<int>(k), e.balance[k]);
  for (std::size_t k = 0; k < e.torque.size(); ++k)
    set->rotation_balance.emplace_back(static_cast<int>(k), e.torque[k]);
  for (std::size_t k = 0; k < e.constraint.size(); ++k) set->add_constraint(static_cast<int>(k), e.constraint[k]);
  set->stored = e.stored;
  set->dissipated = e.dissipated;
  return set;
}

}  // namespace

void ElementCatalog::add(const std::string& key, Binding at, const std::vector<Expr>& parameters,
                         const std::function<void(ElementEquations&)>& make) {
  const Pattern pattern = find_pattern(builder_.variables(), parameters);
  if (!pattern.shareable) return write_out(at, parameters, make);
  std::shared_ptr<EquationSet>& set = shared_[key + ": " + pattern.text];
  if (!set) set = make_set(at, pattern, parameters, make);
  at.parameters = pattern.parameter;
  builder_.add_instance(set, std::move(at));
}

void ElementCatalog::write_out(const Binding& at, const std::vector<Expr>& parameters,
                               const std::function<void(ElementEquations&)>& make) {
  const ElementEquations e = make_equations(builder_.variables(), at, parameters, make);
  for (std::size_t k = 0; k < e.balance.size(); ++k) builder_.add_balance(at.coordinates[k], e.balance[k]);
  for (std::size_t k = 0; k < e.torque.size(); ++k) builder_.add_rotation_balance(at.rotations[k], e.torque[k]);
  for (std::size_t k = 0; k < e.constraint.size(); ++k) builder_.set_constraint(at.multipliers[k], e.constraint[k]);
  builder_.add_stored_energy(e.stored);
  builder_.add_dissipated_power(e.dissipated);
}

}  // namespace coenergy::mechanics
