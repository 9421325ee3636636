// Values in a netlist: parameters where they are used, and how a model says them
#include "coenergy/base/names.hpp"
#include "coenergy/io/spice_expander.hpp"

namespace coenergy::io::spice {

using model::Value;

/// What simulators know besides parameters: the temperature of the circuit, °C, its voltage kT/q, and gmin.
ExpressionPtr Expander::find_quantity(const std::string& name) const {
  constexpr double thermal = 1.380649e-23 / 1.602176634e-19;
  if (name == "temper" || name == "temp") return make_number(temperature_);
  if (name == "vt") return make_number(thermal * (temperature_ + 273.15));
  return name == "gmin" ? make_number(option("gmin", 1e-12)) : nullptr;
}

ExpressionPtr Expander::find_name(const Instance& instance, const std::string& name) const {
  if (auto place = instance.values.find(name); place != instance.values.end()) return place->second;
  if (instance.outer == nullptr) {
    auto place = parameter_names_.find(name);
    if (place == parameter_names_.end()) return find_quantity(name);
    auto symbol = std::make_shared<Expression>();
    symbol->kind = Expression::Kind::name;
    symbol->text = place->second;
    return symbol;
  }
  const auto place = instance.definition->parameters.find(name);
  if (place == instance.definition->parameters.end()) return find_name(*instance.outer, name);
  const InnerName key(&instance, name);
  if (const auto known = inner_values_.find(key); known != inner_values_.end()) return known->second;
  // a parameter may use others of its subcircuit; its own name means the one outside
  if (!open_.insert(key).second) {
    cut_.insert(key);
    return find_name(*instance.outer, name);
  }
  std::set<InnerName> cut_before = std::exchange(cut_, {});
  ExpressionPtr value;
  try {
    value = spice::resolve(place->second.value, make_scope(instance));
  } catch (const Error&) {
    open_.erase(key);
    throw;
  }
  open_.erase(key);
  // what was found while another was open may be different elsewhere
  cut_.erase(key);
  if (cut_.empty()) inner_values_.emplace(key, value);
  cut_.merge(cut_before);
  return value;
}

ExpressionScope Expander::make_scope(const Instance& instance) const {
  return {[this, &instance](const std::string& name) { return find_name(instance, name); },
          [&instance](const std::string& name) -> const UserFunction* {
            for (const Instance* i = &instance; i != nullptr; i = i->outer)
              if (auto place = i->definition->functions.find(name); place != i->definition->functions.end())
                return &place->second;
            return nullptr;
          },
          &work_};
}

ExpressionPtr Expander::resolve(const Element& e, const ExpressionPtr& value) const {
  return spice::resolve(value, make_scope(*e.instance));
}

double Expander::global_value(const std::string& name, const Location& where) {
  if (auto place = global_values_.find(name); place != global_values_.end()) return place->second;
  for (const auto& [key, model_name] : parameter_names_) {
    if (model_name != name) continue;
    if (!open_globals_.insert(name).second) throw Error(where, "parameter " + key + " is defined by itself");
    const Element here{nullptr, &instances_.front(), ""};
    const double x = number(resolve(here, cards_.top->parameters.at(key).value), where);
    open_globals_.erase(name);
    return global_values_[name] = x;
  }
  throw Error(where, "there is no parameter \"" + name + "\"");
}

double Expander::number(const ExpressionPtr& resolved, const Location& where) {
  if (resolved->is_number()) return resolved->value;
  if (is_varying(resolved)) throw Error(where, "this value must be a constant");
  const ExpressionPtr e =
      spice::resolve(resolved, {[&](const std::string& name) { return make_number(global_value(name, where)); }, {}});
  if (!e->is_number()) throw Error(where, "this value must be a constant");
  return e->value;
}

std::string Expander::current(const Element& e, const Token& name) const {
  const std::string all = find_element(*e.instance, name.text, name.where) + ".i";
  const double parts = multiplier_of(*e.instance, name.text);
  return parts == 1 ? all : "(" + all + "/" + format_number(parts) + ")";
}

Value Expander::quantity(double value, const std::string& unit, const Location& where) const {
  Value v(format_number(value) + (unit.empty() ? "" : " " + unit));
  v.where = where;
  return v;
}

Value Expander::quantity(const Element& e, const ExpressionPtr& resolved, const std::string& unit,
                         const Location& where, const std::pair<std::string, std::string>* own_pins) {
  if (resolved->is_number()) return quantity(resolved->value, unit, where);
  ModelNames names{[&](const std::string& n, const Location& at) {
                     const std::string label = find_node(*e.instance, n, at);
                     return label == "gnd" ? std::string("0 V") : label + ".v";
                   },
                   [&](const std::string& n, const Location& at) { return current(e, Token{.text = n, .where = at}); }};
  if (own_pins != nullptr)
    names.between = [&](const std::string& p, const std::string& n, const Location& at) -> std::string {
      const std::pair nodes(find_node(*e.instance, p, at), n.empty() ? "gnd" : find_node(*e.instance, n, at));
      if (nodes == *own_pins) return e.name + ".v";
      return nodes == std::pair(own_pins->second, own_pins->first) ? "(-" + e.name + ".v)" : "";
    };
  std::string text = to_model_text(resolved, names);
  if (is_varying(resolved) && !unit.empty()) text = "1 " + unit + "*(" + text + ")";
  Value v(text);
  v.where = where;
  return v;
}

void Expander::name_parameters() {
  static const std::set<std::string> reserved = {"time", "pi", "true", "false", "e"};
  for (const auto& [name, a] : cards_.top->parameters) {
    std::string model_name;
    for (char c : name) model_name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
    if (!is_identifier(model_name) || reserved.count(model_name) != 0) model_name = "p_" + model_name;
    parameter_names_[name] = model_name;
  }
}

void Expander::read_parameters() {
  const Element here{nullptr, &instances_.front(), ""};
  for (const auto& [name, a] : cards_.top->parameters) {
    try {
      work_ = 0;
      const ExpressionPtr e = resolve(here, a.value);
      number(e, a.where);
      netlist_.model.parameters.emplace_back(parameter_names_[name], quantity(here, e, "", a.where));
    } catch (const Error& error) {
      add_error(error, a.where);
      open_globals_.clear();
    }
  }
}

}  // namespace coenergy::io::spice
