#include "coenergy/study/formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/names.hpp"
#include "coenergy/compile/component_values.hpp"
#include "coenergy/model/expression.hpp"
#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::study {

using model::Quantity;
using symbolic::Expr;

std::string Variable::unit() const {
  return kind.dimension_known && !kind.dimension.is_none() ? unit_name(kind.dimension) : "";
}

const model::Value* find_section(const model::Model& model, const std::string& name) {
  for (const auto& [key, value] : model.problems)
    if (key == name) return &value;
  return nullptr;
}

Relation split_relation(const std::string& text, const Location& where, const std::string& what) {
  // signs inside parentheses, and < and > alone, belong to conditions
  Relation relation{text, ""};
  std::size_t at = std::string::npos, right = 0;
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    depth += (text[k] == '(' || text[k] == '[') - (text[k] == ')' || text[k] == ']');
    const bool equal = k + 1 < text.size() && text[k + 1] == '=', before = text[k] == '<' || text[k] == '>';
    if (equal && (text[k] == '!' || text[k] == '=')) {
      ++k;
      continue;
    }
    if (depth != 0 || !(text[k] == '=' || (before && equal))) continue;
    if (at != std::string::npos)
      throw Error(where, what + ": \"" + text + "\" has more than one of =, <= and >=; write one relation each");
    at = k, right = before ? k + 2 : k + 1;
    relation.sign = text.substr(at, right - at);
    k = right - 1;
  }
  if (at == std::string::npos) return relation;
  if (text.find_first_not_of(' ') >= at || text.find_first_not_of(' ', right) == std::string::npos)
    throw Error(where, what + ": \"" + text + "\" has nothing on one side of " + relation.sign);
  // columns stay what they are where a space follows the sign
  while (right < at + 2 || (text[right] == ' ' && right < at + 3)) ++right;
  std::string left = text.substr(0, at) + std::string(right - at - 2, ' ');
  if (right == at + 2 && relation.sign == "=" && text[at + 1] != ' ') --right;
  relation.zero = std::move(left) + "-(" + text.substr(right) + ")";
  return relation;
}

struct Formulas::Impl {
  symbolic::Graph graph;
  std::unique_ptr<compile::ModelParameters> parameters;
  std::vector<Variable> variables;
  std::vector<Expr> symbols;
  std::vector<Expr> formulas;
  std::vector<std::string> names, units;
  // made when first needed
  mutable std::unique_ptr<symbolic::Function> values, derivatives;
  mutable std::vector<symbolic::JacobianEntry> entries;
  mutable std::vector<double> work, out;

  std::vector<std::string> known() const {
    std::vector<std::string> list = parameters->names();
    for (const Variable& v : variables) list.push_back(v.name);
    return list;
  }
  std::optional<Quantity> find(const std::string& name) const {
    for (std::size_t k = 0; k < variables.size(); ++k)
      if (variables[k].name == name) {
        Quantity q = variables[k].kind;
        q.value = symbols[k];
        return q;
      }
    if (const std::string variable = find_followed(name); !variable.empty())
      throw Error(name + " follows " + variable + ", which varies; write its formula instead");
    return parameters->find(name);
  }
  /// The variable that a parameter of the model is written with, also by way of others; "" where there is none.
  std::string find_followed(const std::string& name) const {
    const model::Expression* law = parameters->find_law(name);
    if (law == nullptr) return "";
    for (const std::string& used : law->names()) {
      for (const Variable& v : variables)
        if (v.name == used) return used;
      if (const std::string further = find_followed(used); !further.empty()) return further;
    }
    return "";
  }
  void make_values() const {
    if (values) return;
    std::vector<symbolic::NamedExpr> outputs;
    for (std::size_t k = 0; k < formulas.size(); ++k) outputs.push_back({names[k], formulas[k]});
    values = std::make_unique<symbolic::Function>(symbolic::make_program(symbols, outputs));
    work.resize(std::max(work.size(), values->work_size()));
  }
  void make_derivatives() const {
    if (derivatives) return;
    entries = symbolic::jacobian(formulas, symbols);
    std::erase_if(entries, [&](const symbolic::JacobianEntry& e) { return !variables[e.column].differentiated; });
    std::vector<symbolic::NamedExpr> outputs;
    for (const symbolic::JacobianEntry& e : entries) outputs.push_back({names[e.row], e.value});
    derivatives = std::make_unique<symbolic::Function>(symbolic::make_program(symbols, outputs));
    work.resize(std::max(work.size(), derivatives->work_size()));
    out.resize(entries.size());
  }
};

Formulas::Formulas(const model::Model& model) : impl_(std::make_unique<Impl>()) {
  ErrorList errors;
  impl_->parameters = std::make_unique<compile::ModelParameters>(model, impl_->graph, errors);
  errors.throw_if_any();
}
Formulas::~Formulas() = default;
Formulas::Formulas(Formulas&&) noexcept = default;
Formulas& Formulas::operator=(Formulas&&) noexcept = default;

void Formulas::add_variable(Variable v, bool hides) {
  const auto is_same = [&](const Variable& other) { return other.name == v.name; };
  const bool is_taken = std::any_of(impl_->variables.begin(), impl_->variables.end(), is_same);
  if (is_taken || (!hides && impl_->parameters->find(v.name)))
    throw Error(v.where, v.name + " is the name of " + (is_taken ? "two variables" : "a parameter of the model") +
                             "; rename one of them");
  impl_->symbols.push_back(impl_->graph.symbol(v.name));
  impl_->variables.push_back(std::move(v));
}

double Formulas::evaluate_constant(const model::Value& value, const std::string& what, const std::string* unit) const {
  if (value.kind != model::Value::Kind::text) throw Error(value.where, what + " must be one quantity");
  const model::Expression e = model::Expression::parse(value.text, value.where, what);
  const Quantity q = e.evaluate(
      impl_->graph, [&](const std::string& name) { return impl_->parameters->find(name); }, impl_->parameters->names(),
      impl_->parameters->functions());
  if (!q.value.is_number()) throw Error(value.where, what + " = " + value.text + " must be a number");
  if (unit != nullptr) model::check_unit(q, *unit, value.where, what, value.text);
  return q.value.number();
}

void Formulas::add_variables(const model::Value& section, const std::string& what, bool of_model) {
  if (section.kind != model::Value::Kind::map || section.map.empty())
    throw Error(section.where, what + " must be a mapping of names to guesses, such as " + what +
                                   ": {x: 1 m, y: {guess: 2 m, min: 0 m, max: 5 m}}");
  ErrorList errors;
  for (const auto& [name, value] : section.map) try {
      const bool good = of_model ? name.find(' ') == std::string::npos : is_identifier(name);
      if (!good) throw Error(value.where, what + ": \"" + name + "\" must be letters, digits and _");
      Variable v{name, {}};
      v.where = value.where;
      v.kind.dimension_known = false;
      std::vector<std::pair<std::string, model::Value>> given{{"guess", value}};
      if (value.kind == model::Value::Kind::map) given = value.map;
      bool has_guess = false;
      const auto learn = [&](const model::Value& from, const std::string& entry) {
        const std::string path = what + "." + name + (entry == "guess" ? "" : "." + entry);
        const Quantity q = model::Expression::parse(from.text, from.where, path)
                               .evaluate(
                                   impl_->graph, [&](const std::string& n) { return impl_->parameters->find(n); },
                                   impl_->parameters->names(), impl_->parameters->functions());
        if (!q.value.is_number()) throw Error(from.where, path + " = " + from.text + " must be a number");
        if (v.kind.dimension_known && !model::fits(q, v.kind.dimension))
          throw Error(from.where, path + " = " + from.text + " must be in " + unit_name(v.kind.dimension) +
                                      ", not in " + model::dimension_text(q));
        if (!q.plain_number) v.kind.dimension = q.dimension, v.kind.dimension_known = q.dimension_known;
        return q.value.number();
      };
      for (const auto& [entry, from] : given) {
        if (from.kind != model::Value::Kind::text) throw Error(from.where, what + "." + name + " must be one quantity");
        if (entry == "unit") {
          const Dimension dimension = parse_unit(from.text).dimension;
          if (v.kind.dimension_known && !(v.kind.dimension == dimension))
            throw Error(from.where, what + "." + name + ".unit = " + from.text + " is not the unit of its values");
          v.kind.dimension = dimension, v.kind.dimension_known = true;
        } else if (entry == "guess" || entry == "value") {
          v.guess = learn(from, "guess"), has_guess = true;
        } else if (entry == "min") {
          v.lower = learn(from, entry);
        } else if (entry == "max") {
          v.upper = learn(from, entry);
        } else {
          throw Error(from.where, what + "." + name + " has no entry \"" + entry + "\"" +
                                      did_you_mean(entry, {"guess", "min", "max", "unit"}));
        }
      }
      if (!(v.lower < v.upper))
        throw Error(value.where, fmt::format("{}.{}: min = {:g} must be < max = {:g}", what, name, v.lower, v.upper));
      if (!has_guess && !v.is_bounded()) throw Error(value.where, what + "." + name + " needs a guess, or min and max");
      if (!has_guess) v.guess = v.lower + (v.upper - v.lower) / 2;
      if (!(v.guess >= v.lower && v.guess <= v.upper))
        throw Error(value.where, fmt::format("{}.{}: the guess {:g} must lie in [{:g}, {:g}]", what, name, v.guess,
                                             v.lower, v.upper));
      add_variable(std::move(v), of_model);
    } catch (const Error& e) {
      errors.add(e);
    }
  errors.throw_if_any();
}

void Formulas::add(const std::string& name, const std::string& text, const Location& where) {
  const model::Expression e = model::Expression::parse(text, where, name);
  const Quantity q = e.evaluate(
      impl_->graph, [&](const std::string& n) { return impl_->find(n); }, impl_->known(),
      impl_->parameters->functions());
  impl_->formulas.push_back(q.value);
  impl_->names.push_back(name);
  impl_->units.push_back(q.dimension_known && !q.plain_number && !q.dimension.is_none() ? unit_name(q.dimension) : "");
  impl_->values.reset(), impl_->derivatives.reset();
}

void Formulas::add_residuals(const model::Value& section) {
  std::vector<std::pair<std::string, model::Value>> list = section.map;
  if (section.kind == model::Value::Kind::text) list = {{"residual 1", section}};
  for (const model::Value& value : section.list) list.emplace_back(fmt::format("residual {}", list.size() + 1), value);
  ErrorList errors;
  for (const auto& [name, value] : list) try {
      if (value.kind != model::Value::Kind::text)
        throw Error(value.where, name + " must be one expression or equation");
      const Relation relation = split_relation(value.text, value.where, name);
      if (relation.sign.size() == 2)
        throw Error(value.where, name + ": " + relation.sign + " is a constraint, no equation; write =");
      add(name, relation.zero, value.where);
    } catch (const Error& e) {
      errors.add(e);
    }
  errors.throw_if_any();
}

const std::vector<Variable>& Formulas::variables() const { return impl_->variables; }
std::vector<Variable>& Formulas::variables() { return impl_->variables; }
int Formulas::size() const { return static_cast<int>(impl_->formulas.size()); }
const std::string& Formulas::name(int k) const { return impl_->names[static_cast<std::size_t>(k)]; }
const std::string& Formulas::unit(int k) const { return impl_->units[static_cast<std::size_t>(k)]; }
int Formulas::find_variable(const std::string& name) const {
  for (std::size_t k = 0; k < impl_->variables.size(); ++k)
    if (impl_->variables[k].name == name) return static_cast<int>(k);
  return -1;
}

void Formulas::values(std::span<const double> x, std::span<double> f) const {
  impl_->make_values();
  (*impl_->values)(x.data(), f.data(), impl_->work.data());
}

math::Matrix Formulas::jacobian(std::span<const double> x) const {
  impl_->make_derivatives();
  math::Matrix j(size(), static_cast<int>(impl_->variables.size()));
  (*impl_->derivatives)(x.data(), impl_->out.data(), impl_->work.data());
  for (std::size_t k = 0; k < impl_->entries.size(); ++k)
    j(impl_->entries[k].row, impl_->entries[k].column) = impl_->out[k];
  return j;
}

bool Formulas::is_linear() const {
  impl_->make_derivatives();
  std::vector<Expr> slopes, variable;
  for (const symbolic::JacobianEntry& e : impl_->entries) slopes.push_back(e.value);
  for (std::size_t k = 0; k < impl_->variables.size(); ++k)
    if (impl_->variables[k].differentiated) variable.push_back(impl_->symbols[k]);
  return symbolic::jacobian(slopes, variable).empty();
}

std::string describe_values(const std::vector<Variable>& variables, std::span<const double> x) {
  std::string text;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const std::string unit = variables[k].unit();
    text += (k > 0 ? ", " : "") + variables[k].name + " = " + format_short(x[k]) + (unit.empty() ? "" : " " + unit);
  }
  return text;
}

}  // namespace coenergy::study
