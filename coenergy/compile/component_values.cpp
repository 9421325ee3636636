#include "coenergy/compile/component_values.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "coenergy/base/names.hpp"
#include "coenergy/compile/user_functions.hpp"
#include "coenergy/model/expand.hpp"

namespace coenergy::compile {

using model::Description;
using model::Expression;
using model::ParameterInfo;
using model::Quantity;
using model::Value;

ModelParameters::ModelParameters(const model::Model& model, symbolic::Graph& graph, ErrorList& errors)
    : scopes_(model.scopes.get()), functions_(load_user_functions(model, errors)) {
  for (const auto& [name, value] : model.parameters) texts_[name] = &value;
  for (const auto& [name, value] : texts_) names_.push_back(name);
  for (const auto& [name, value] : model.parameters) {
    if (failed_.count(name) != 0) continue;
    try {
      evaluate(name, graph);
    } catch (const Error& e) {
      errors.add(e);
      failed_.insert(open_.begin(), open_.end());
      failed_.insert(name);
      open_.clear();
    }
  }
}

/// Each parameter may use the others: evaluated on first use, cycles refused.
std::optional<Quantity> ModelParameters::evaluate(const std::string& name, symbolic::Graph& graph) {
  if (auto place = values_.find(name); place != values_.end()) return place->second;
  if (varying_.count(name) != 0) return std::nullopt;
  const auto text = texts_.find(name);
  if (text == texts_.end()) return std::nullopt;
  const Value& value = *text->second;
  if (value.kind != Value::Kind::text)
    throw Error(value.where, "parameter " + name + " must be one quantity, not a list");
  if (std::find(open_.begin(), open_.end(), name) != open_.end())
    throw Error(value.where, "parameter " + name + " is defined by itself");
  constexpr std::size_t longest_chain = 200;
  if (open_.size() >= longest_chain)
    throw Error(value.where, "parameter " + name + ": more than " + std::to_string(longest_chain) +
                                 " parameters use each other in a chain; write some of them as numbers");
  std::optional<Quantity> q = model::find_quantity(value.text);
  if (!q) {
    open_.push_back(name);
    const Way* inside = value.where.inside;
    Expression e = Expression::parse(value.text, value.where, "parameter " + name, &parsed_);
    const bool is_of_instance = name.find('.') != std::string::npos;
    // what it uses comes first, and tells whether it varies
    if (is_of_instance)
      for (const std::string& used : e.names())
        if (!model::Scopes::find_index(used, inside)) evaluate(resolve(used, inside), graph);
    if (is_of_instance && !first_signal(e).empty()) {
      open_.pop_back();
      varying_.emplace(name, std::make_shared<const Expression>(std::move(e)));
      return std::nullopt;
    }
    const auto find_used = [&](const std::string& n) -> std::optional<Quantity> {
      if (const auto index = model::Scopes::find_index(n, inside)) return model::make_plain(*index);
      return evaluate(resolve(n, inside), graph);
    };
    q = e.evaluate(graph, find_used, names_, functions_);
    open_.pop_back();
    if (uses_any(e)) laws_.emplace(name, std::move(e));
  }
  if (!q->value.is_number())
    throw Error(value.where,
                "parameter " + name + " must be a constant; only parameters of components may vary in time");
  return values_.emplace(name, *q).first->second;
}

bool ModelParameters::uses_failed(const Expression& e) const {
  return std::any_of(e.names().begin(), e.names().end(),
                     [&](const std::string& n) { return failed_.count(resolve(n, e.where().inside)) != 0; });
}

std::string ModelParameters::resolve(const std::string& name, const Way* inside) const {
  return scopes_ == nullptr ? name : scopes_->resolve(name, inside);
}

std::optional<Quantity> ModelParameters::find(const std::string& name, const Way* inside) const {
  if (const auto index = model::Scopes::find_index(name, inside)) return model::make_plain(*index);
  return find(resolve(name, inside));
}

std::shared_ptr<const Expression> ModelParameters::find_varying(const std::string& name) const {
  const auto place = varying_.find(name);
  return place == varying_.end() ? nullptr : place->second;
}

std::string ModelParameters::first_signal(const Expression& e) const {
  for (const std::string& n : e.names()) {
    if (n == "time") return n;
    if (scopes_ == nullptr && n.find('.') == std::string::npos) continue;
    const Way* inside = e.where().inside;
    if (model::Scopes::find_index(n, inside)) continue;
    const std::string meant = resolve(n, inside);
    // names with a dot are signals, unless they are parameters
    if (meant.find('.') != std::string::npos && texts_.count(meant) == 0) return n;
    if (varying_.count(meant) != 0) return n;
  }
  return "";
}

std::optional<Quantity> ModelParameters::find(const std::string& name) const {
  auto place = values_.find(name);
  return place == values_.end() ? std::nullopt : std::optional(place->second);
}

const Expression* ModelParameters::find_law(const std::string& name) const {
  const auto place = laws_.find(name);
  return place == laws_.end() ? nullptr : &place->second;
}

bool ModelParameters::uses_any(const Expression& e) const {
  return std::any_of(e.names().begin(), e.names().end(), [&](const std::string& n) {
    return !model::Scopes::find_index(n, e.where().inside) && values_.count(resolve(n, e.where().inside)) != 0;
  });
}

namespace {

/// Reads one component's entries by its description.
class ComponentReader {
 public:
  ComponentReader(const model::Component& component, const model::ComponentType& type,
                  const ModelParameters& parameters, symbolic::Graph& graph, std::pmr::memory_resource& memory,
                  ErrorList& errors)
      : component_(component), type_(type), parameters_(parameters), graph_(graph), memory_(memory), errors_(errors) {}

  BoundComponent read() {
    BoundComponent bound{&component_, &type_, std::pmr::vector<ParameterValue>(&memory_),
                         std::pmr::vector<const Value*>(&memory_)};
    entries_.reserve(component_.values.size());
    flatten("", component_.values);
    check_names();
    bound.parameters.reserve(type_.description.parameters.size());
    for (const ParameterInfo& info : type_.description.parameters) bound.parameters.push_back(read_parameter(info));
    bound.connections.reserve(type_.description.ports.size());
    for (const model::PortInfo& port : type_.description.ports) bound.connections.push_back(read_port(port));
    return bound;
  }

 private:
  /// `section: {tube: …}` is the entry section.tube. A name that is an entry and begins others, such as friction and
  /// friction.law, may be written either way.
  void flatten(const std::string& prefix, const std::vector<std::pair<std::string, Value>>& values) {
    for (const auto& [key, value] : values) {
      if (value.kind == Value::Kind::map && (!is_known(prefix + key) || begins_others(prefix + key + ".")))
        flatten(prefix + key + ".", value.map);
      else
        entries_.emplace_back(prefix + key, &value);
    }
  }

  bool begins_others(const std::string& prefix) const {
    return has_name([&](const std::string& n) { return n.starts_with(prefix); });
  }

  const Value* find(const std::string& name) const {
    for (const auto& [key, value] : entries_)
      if (key == name) return value;
    return nullptr;
  }

  /// Whether the name of a port or parameter is such.
  template <class Predicate>
  bool has_name(const Predicate& is_such) const {
    const auto of_item = [&](const auto& item) { return is_such(item.name); };
    const Description& d = type_.description;
    return std::any_of(d.ports.begin(), d.ports.end(), of_item) ||
           std::any_of(d.parameters.begin(), d.parameters.end(), of_item);
  }
  bool is_known(const std::string& name) const {
    return has_name([&](const std::string& n) { return n == name; });
  }

  void check_names() {
    for (const auto& [key, value] : entries_) {
      if (is_known(key)) continue;
      std::vector<std::string> known;
      for (const model::PortInfo& port : type_.description.ports) known.push_back(port.name);
      for (const ParameterInfo& info : type_.description.parameters) known.push_back(info.name);
      errors_.add(value->where,
                  component_.name + " (" + type_.description.type + ") has no entry \"" + key + "\"" +
                      (suggest(key, known).empty() ? "; it has " + join(known) : did_you_mean(key, known)));
    }
  }

  static std::string join(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& n : names) text += (text.empty() ? "" : ", ") + n;
    return text;
  }

  const Value* read_port(const model::PortInfo& port) {
    const Value* value = find(port.name);
    if (value == nullptr) {
      if (!port.optional)
        errors_.add(component_.where, component_.name + "." + port.name + " (" + to_string(port.domain) + ", " +
                                          port.help + ") is not connected");
      return nullptr;
    }
    if (value->kind != Value::Kind::text || value->text.empty()) {
      errors_.add(value->where, component_.name + "." + port.name + " must be the name of a node or component");
      return nullptr;
    }
    return value;
  }

  ParameterValue read_parameter(const ParameterInfo& info) {
    ParameterValue result(&memory_);
    const Value* value = find(info.name);
    Value fallback;
    result.given = value != nullptr;
    if (value == nullptr) {
      if (!info.fallback) {
        if (!info.optional)
          errors_.add(component_.where, component_.name + "." + info.name + " is missing (" + info.help +
                                            (info.unit.empty() ? "" : ", in " + info.unit) + ")");
        return result;
      }
      fallback = default_value(info);
      value = &fallback;
    }
    result.present = true;
    result.where = value->where;
    try {
      fill(info, *value, result);
    } catch (const Error& e) {
      errors_.add(e);
      result.present = false;
    }
    return result;
  }

  /// A default is written as a user would write it; a list default is split at its commas.
  Value default_value(const ParameterInfo& info) const {
    const std::string& text = *info.fallback;
    if (text.empty() || text.front() != '[') return Value(text);
    std::vector<Value> items;
    std::string item;
    for (char c : text.substr(1)) {
      if (c == ',' || c == ']') {
        if (!item.empty()) items.emplace_back(item);
        item.clear();
      } else if (c != ' ' || !item.empty()) {
        item += c;
      }
    }
    return Value(items);
  }

  void fill(const ParameterInfo& info, const Value& value, ParameterValue& result) {
    const std::string name = component_.name + "." + info.name;
    switch (info.kind) {
      case ParameterInfo::Kind::choice:
        return fill_choice(info, value, name, result);
      case ParameterInfo::Kind::scalar:
        if (value.kind != Value::Kind::text)
          throw Error(value.where,
                      name + " must be one quantity, not a " + (value.kind == Value::Kind::map ? "mapping" : "list"));
        result.scalars.push_back(read_scalar(info, value, name));
        return;
      case ParameterInfo::Kind::vector:
        return fill_vector(info, value, name, result);
      case ParameterInfo::Kind::list: {
        if (value.kind == Value::Kind::map) throw Error(value.where, name + " must be a list, not a mapping");
        if (value.kind == Value::Kind::text)
          result.scalars.push_back(read_scalar(info, value, name));
        else
          fill_list(info, value, name, result);
        const int n = static_cast<int>(result.scalars.size());
        if (!info.sizes.empty() && std::find(info.sizes.begin(), info.sizes.end(), n) == info.sizes.end()) {
          std::string allowed;
          for (int size : info.sizes) allowed += (allowed.empty() ? "" : " or ") + std::to_string(size);
          throw Error(value.where, name + " has " + std::to_string(n) + " values; it needs " + allowed);
        }
        return;
      }
    }
  }

  void fill_choice(const ParameterInfo& info, const Value& value, const std::string& name, ParameterValue& result) {
    if (value.kind != Value::Kind::text) throw Error(value.where, name + " must be a word");
    const auto has = [&](const std::string& word) {
      return std::find(info.words.begin(), info.words.end(), word) != info.words.end();
    };
    result.word = value.text;
    if (info.words.empty() || has(value.text)) return;
    // YAML's own words for yes and no
    const std::string meant = value.text == "true" ? "yes" : value.text == "false" ? "no" : "";
    if (!has(meant))
      throw Error(value.where, name + " = " + value.text + " must be one of " + join(info.words) +
                                   did_you_mean(value.text, info.words));
    result.word = meant;
  }

  void fill_list(const ParameterInfo& info, const Value& value, const std::string& name, ParameterValue& result) {
    for (const Value& item : value.list) {
      if (item.kind == Value::Kind::list)
        fill_list(info, item, name, result);
      else
        result.scalars.push_back(read_scalar(info, item, name));
    }
  }

  void fill_vector(const ParameterInfo& info, const Value& value, const std::string& name, ParameterValue& result) {
    static const std::map<std::string, std::array<double, 3>> words = {{"x", {1, 0, 0}},   {"y", {0, 1, 0}},
                                                                       {"z", {0, 0, 1}},   {"-x", {-1, 0, 0}},
                                                                       {"-y", {0, -1, 0}}, {"-z", {0, 0, -1}}};
    if (value.kind == Value::Kind::text) {
      auto word = words.find(value.text);
      if (word == words.end() || !info.unit.empty())
        throw Error(value.where, name + " = " + value.text + " must be a list of three values" +
                                     (info.unit.empty() ? ", or x, y, z, -x, -y, -z" : " in " + info.unit));
      for (double component : word->second) result.scalars.push_back({nullptr, component, value.where, value.text});
      return;
    }
    if (value.kind == Value::Kind::map)
      throw Error(value.where, name + " must be a list of three values, not a mapping");
    if (value.list.size() != 3)
      throw Error(value.where, name + " has " + std::to_string(value.list.size()) + " values; a vector has three");
    fill_list(info, value, name, result);
    if (result.scalars.size() != 3) throw Error(value.where, name + " must be a list of three values");
  }

  ScalarValue read_scalar(const ParameterInfo& info, const Value& value, const std::string& name) {
    if (value.kind != Value::Kind::text) throw Error(value.where, name + " must be a quantity");
    ScalarValue result{nullptr, 0, value.where, value.text};
    if (const std::optional<Quantity> q = model::find_quantity(value.text)) {
      take_number(info, *q, name, result);
      return result;
    }
    Expression e = Expression::parse(value.text, value.where, name, &parameters_.parsed());
    if (parameters_.uses_failed(e)) return result;
    if (const std::string signal = parameters_.first_signal(e); !signal.empty()) {
      if (!info.varying)
        throw Error(value.where, name + " = " + value.text + " must be a constant; it may not depend on " + signal);
      result.varying = std::make_shared<const Expression>(std::move(e));
      return result;
    }
    const auto find_parameter = [&](const std::string& n) { return parameters_.find(n, value.where.inside); };
    const Quantity q = e.evaluate(graph_, find_parameter, parameters_.names(), parameters_.functions());
    take_number(info, q, name, result, !e.is_constant());
    if (parameters_.uses_any(e)) result.law = std::make_shared<const Expression>(std::move(e));
    return result;
  }

  void take_number(const ParameterInfo& info, const Quantity& q, const std::string& name, ScalarValue& result,
                   bool has_names = false) const {
    model::check_unit(q, info.unit, result.where, name, result.text);
    if (!q.value.is_number()) throw Error(result.where, name + " = " + result.text + " is not a number");
    result.number = q.value.number();
    check_bounds(info, result, name, has_names);
  }

  void check_bounds(const ParameterInfo& info, const ScalarValue& value, const std::string& name,
                    bool has_names) const {
    const double x = value.number;
    const std::string unit = info.unit.empty() ? "" : " " + info.unit;
    if (!std::isfinite(x)) throw Error(value.where, name + " = " + value.text + " is not finite");
    // a text with names does not tell the value
    const std::string is = has_names ? "; it is " + format_short(x) + unit : "";
    if (x < info.minimum || (info.open && x <= info.minimum))
      throw Error(value.where, name + " = " + value.text + " must be " + (info.open ? "> " : ">= ") +
                                   format_short(info.minimum) + (info.minimum == 0 ? "" : unit) + is);
    if (x > info.maximum || (info.open && x >= info.maximum))
      throw Error(value.where, name + " = " + value.text + " must be " + (info.open ? "< " : "<= ") +
                                   format_short(info.maximum) + unit + is);
  }

  const model::Component& component_;
  const model::ComponentType& type_;
  const ModelParameters& parameters_;
  symbolic::Graph& graph_;
  std::pmr::memory_resource& memory_;
  ErrorList& errors_;
  std::vector<std::pair<std::string, const Value*>> entries_;
};

}  // namespace

std::string type_hint(const std::string& type, const std::vector<std::string>& names) {
  if (std::string hint = did_you_mean(type, names); !hint.empty()) return hint;
  std::vector<std::string> last;
  for (const std::string& name : names) last.push_back(name.substr(name.rfind('.') + 1));
  const std::string near = suggest(type.substr(type.rfind('.') + 1), last);
  for (const std::string& name : names)
    if (!near.empty() && name.ends_with("." + near)) return "; did you mean " + name + "?";
  return "; `coenergy list` shows all types";
}

BoundModel bind_components(const model::Model& model, const model::Registry& registry,
                           const ModelParameters& parameters, symbolic::Graph& graph, ErrorList& errors) {
  BoundModel bound;
  bound.components.reserve(model.components.size());
  bound.index.reserve(model.components.size());
  // names of an expanded model have been checked, and are dotted now
  const auto is_checked = [&](const std::string& name) {
    return model.scopes != nullptr && name.find('.') != std::string::npos;
  };
  for (const auto& [name, value] : model.parameters)
    if (!is_checked(name)) model::check_name("parameter", name, value.where, {}, errors);
  for (const model::Component& c : model.components) {
    if (!is_checked(c.name)) model::check_name("component", c.name, c.where, {"simulate", "energy"}, errors);
    const auto [place, is_new] = bound.index.try_emplace(c.name, BoundModel::unknown_type);
    if (!is_new) errors.add(c.where, "two components are named " + c.name);
    const model::ComponentType* type = registry.find(c.type);
    if (type == nullptr) {
      errors.add(c.type_where, "unknown component type \"" + c.type + "\"" + type_hint(c.type, registry.names()));
      continue;
    }
    place->second = static_cast<int>(bound.components.size());
    bound.components.push_back(ComponentReader(c, *type, parameters, graph, *bound.memory, errors).read());
  }
  return bound;
}

}  // namespace coenergy::compile
