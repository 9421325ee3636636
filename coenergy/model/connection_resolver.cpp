#include <algorithm>
#include <filesystem>

#include "coenergy/base/names.hpp"
#include "coenergy/model/container.hpp"
#include "coenergy/model/expression.hpp"

namespace coenergy::model {

namespace {

/// Words that mean the same everywhere; of any domain, where it is not known.
bool is_ground(const std::string& text, const Domain* domain) {
  if (domain == nullptr) return text == "gnd" || text == "ground" || text == "0" || text == "world";
  switch (*domain) {
    case Domain::electrical:
      return text == "gnd" || text == "ground" || text == "0";
    case Domain::frame:
      return text == "ground" || text == "world";
    default:
      return text == "ground" || text == "gnd";
  }
}

const Port* find_port(const Part& part, const std::string& name) {
  const auto place = std::find_if(part.ports.begin(), part.ports.end(), [&](const Port& p) { return p.name == name; });
  return place == part.ports.end() ? nullptr : &*place;
}

template <class Items>
auto find_entry(Items& entries, const std::string& name) {
  return std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.first == name; });
}

std::string ports_of(const Part& part, const std::string& name) {
  std::vector<std::string> known;
  std::string all;
  for (const Port& p : part.ports) {
    known.push_back(p.name);
    all += (all.empty() ? "" : ", ") + p.name;
  }
  const std::string hint = did_you_mean(name, known);
  return !hint.empty() ? hint : all.empty() ? "; it has no ports" : "; its ports are " + all;
}

}  // namespace

void ConnectionResolver::bind_port(Container& instance, const Port& port, const Value& value) {
  if (value.kind != Value::Kind::text)
    throw Error(value.where, instance.path + "." + port.name + " must be the name of a node, port or body");
  bind(instance, port, port.inner.text, value, 0);
}

void ConnectionResolver::bind(Container& in, const Port& port, const std::string& target, const Value& value,
                              int depth) {
  const auto [first, rest] = split_name(target);
  const Container::Element* e = in.find(first);
  constexpr int deepest = 50;
  if (depth > deepest) throw Error(port.where, "port " + port.name + " of " + in.title() + " leads to itself");
  if (e == nullptr) {
    if (!rest.empty())
      throw Error(port.inner.where, "port " + port.name + " of " + in.title() + ": there is no component \"" + first +
                                        "\"" + did_you_mean(first, in.element_names()));
    if (!in.bound.try_emplace(target, Container::Bound{value, Container::Bound::State::waiting, ""}).second)
      throw Error(value.where, "two ports of " + in.title() + " are its node " + target + "; connect one of them");
    return;
  }
  if (e->inside) {
    const Port* inner = find_port(*e->inside->part, rest);
    if (inner == nullptr)
      throw Error(port.inner.where, "port " + port.name + " of " + in.title() + ": " + first + " (" +
                                        e->inside->part->name + ") has no port \"" + rest + "\"" +
                                        ports_of(*e->inside->part, rest));
    e->inside->used.insert(inner->name);
    return bind(*e->inside, *inner, inner->inner.text, value, depth + 1);
  }
  Component& c = components_[e->component];
  const ComponentType* type = registry_.find(c.type);
  if (type == nullptr) return;
  const auto& ports = type->description.ports;
  const bool is_port =
      std::any_of(ports.begin(), ports.end(), [&rest = rest](const PortInfo& p) { return p.name == rest; });
  if (!is_port)
    throw Error(value.where, in.path + "." + port.name + " is " + target + " inside the part, which cannot be given; " +
                                 "name it outside, as in parent: " + in.path + "." + port.name);
  const auto own = find_entry(c.values, rest);
  if (own == c.values.end())
    c.values.emplace_back(rest, value);
  else
    bind(in, port, own->second.text, value, depth + 1);
}

std::string ConnectionResolver::port_meaning(Container& instance, const Port& port) {
  return connect_in(instance, port.inner.text, port.inner.where, "port " + port.name + " of " + instance.title(),
                    nullptr);
}

std::string ConnectionResolver::connect(const std::string& text, const Location& where, const std::string& what,
                                        const Domain* domain) {
  return connect_in(*containers_.at(where.inside), place_indices(text, where, what), where, what, domain);
}

std::string ConnectionResolver::connect_in(Container& in, const std::string& text, const Location& where,
                                           const std::string& what, const Domain* domain) {
  const auto [first, rest] = split_name(text);
  const Container::Element* e = in.find(first);
  if (e != nullptr && !e->inside) return in.full(text);
  if (e != nullptr) return step_inside(*e->inside, rest, where, what, domain);
  if (in.arrays.count(first) != 0)
    throw Error(where, what + ": " + first + " is an array; name one of its elements, as in " + first + "1 or \"" +
                           first + "[k]\"");
  if (const auto bound = in.bound.find(first); bound != in.bound.end()) {
    const std::string meaning = resolve_bound(in, first, domain);
    return rest.empty() ? meaning : meaning + "." + rest;
  }
  if (!rest.empty())
    throw Error(where, what + ": there is no component \"" + first + "\"" + did_you_mean(first, in.element_names()));
  if (is_ground(text, domain)) return text;
  if (in.part != nullptr && !is_identifier("_" + text))
    throw Error(where, what + ": node name \"" + text + "\" must be letters, digits and _");
  const bool stands_here = containers_.at(where.inside) == &in;
  if (in.locals && !in.shares_locals && stands_here) in.locals->insert(text);
  return in.full(text);
}

std::string ConnectionResolver::step_inside(Container& instance, const std::string& rest, const Location& where,
                                            const std::string& what, const Domain* domain) {
  const auto [second, behind] = split_name(rest);
  const std::string name = instance.title();
  if (rest.empty())
    throw Error(
        where,
        what + ": " + name + " is an instance of a part; name one of its ports" +
            (instance.part->ports.empty() ? "" : ", as in " + instance.path + "." + instance.part->ports.front().name));
  if (const Port* port = find_port(*instance.part, second)) {
    instance.used.insert(second);
    const std::string target = port->inner.text + (behind.empty() ? "" : "." + behind);
    return connect_in(instance, target, where, what, domain);
  }
  const bool is_node = instance.locals && instance.locals->count(second) != 0;
  if (instance.find(second) == nullptr && !(is_node && behind.empty()))
    throw Error(where, what + ": " + name + " has no port \"" + second + "\"" + ports_of(*instance.part, second));
  return connect_in(instance, rest, where, what, domain);
}

std::string ConnectionResolver::resolve_bound(Container& in, const std::string& label, const Domain* domain) {
  Container::Bound& bound = in.bound.at(label);
  using State = Container::Bound::State;
  if (bound.state == State::running)
    throw Error(bound.value.where, in.path + "." + label + " is connected to itself by way of other ports");
  if (bound.state == State::waiting) {
    bound.state = State::running;
    bound.meaning = connect(bound.value.text, bound.value.where, in.full(label), domain);
    bound.state = State::done;
  }
  return bound.meaning;
}

std::string ConnectionResolver::place_indices(const std::string& text, const Location& where, const std::string& what) {
  std::string result = text;
  for (const Way* w = where.inside; w != nullptr && w->is_element(); w = w->outer)
    for (const auto& [word, neighbour] : {std::pair("previous", &w->previous), std::pair("next", &w->next)}) {
      if (split_name(result).first != word) continue;
      if (neighbour->empty())
        throw Error(where, what + ": " + w->path + " has no " + word + " element; give the entry in " +
                               (std::string(word) == "previous" ? "first" : "last") + ": {…}");
      result = *neighbour + result.substr(std::string(word).size());
    }
  // s[k-1, 2] is s3_2
  for (std::size_t open = result.find('['); open != std::string::npos; open = result.find('[', open)) {
    const std::size_t close = result.find(']', open);
    if (close == std::string::npos) throw Error(where, what + ": the [ in " + text + " is not closed; ] is missing");
    std::string numbers, inner = result.substr(open + 1, close - open - 1);
    for (std::size_t begin = 0; begin <= inner.size();) {
      const std::size_t end = std::min(inner.find(',', begin), inner.size());
      numbers += (begin == 0 ? "" : "_") +
                 std::to_string(constants_.evaluate_whole(inner.substr(begin, end - begin), where, what + ": index"));
      begin = end + 1;
    }
    result = result.substr(0, open) + numbers + result.substr(close + 1);
  }
  return result;
}

void ConnectionResolver::keep_indexed(const Value& value, const std::string& what) {
  if (value.kind != Value::Kind::text) {
    for (const Value& item : value.list) keep_indexed(item, what);
    for (const auto& [key, item] : value.map) keep_indexed(item, what);
    return;
  }
  if (value.where.inside == nullptr || value.text.find_first_of("[pn") == std::string::npos) return;
  if (!value.where.inside->is_element()) return;
  const Expression e = Expression::parse(value.text, value.where, what);
  for (const std::string& name : e.names())
    if (name.find('[') != std::string::npos || name.starts_with("previous.") || name.starts_with("next."))
      scopes_.add_indexed(name, value.where.inside, place_indices(name, value.where, what));
}

std::string ConnectionResolver::place_file(const Value& value) const {
  namespace fs = std::filesystem;
  const fs::path path = value.text, from = fs::path(value.where.file.text()).parent_path();
  if (path.is_absolute() || from == folder_) return value.text;
  return (from / path).lexically_proximate(folder_).string();
}

void ConnectionResolver::resolve_component(Component& component, Container& owner) {
  const ComponentType* type = registry_.find(component.type);
  if (type != nullptr) resolve_entries(owner, type->description, "", component.name, component.values);
}

void ConnectionResolver::resolve_entries(Container& owner, const Description& d, const std::string& prefix,
                                         const std::string& name, Entries& entries) {
  const auto find = [](const auto& items, const std::string& key) {
    const auto place = std::find_if(items.begin(), items.end(), [&](const auto& i) { return i.name == key; });
    return place == items.end() ? nullptr : &*place;
  };
  for (auto& [key, value] : entries) {
    const std::string what = name + "." + prefix + key;
    const PortInfo* port = find(d.ports, prefix + key);
    const ParameterInfo* parameter = find(d.parameters, prefix + key);
    try {
      // a list or a word that is a parameter of the part
      Container& scope = *containers_.at(value.where.inside);
      const Value* given = value.kind == Value::Kind::text ? scope.find_parameter(value.text) : nullptr;
      const bool is_word =
          parameter != nullptr && port == nullptr &&
          (parameter->kind == ParameterInfo::Kind::choice || parameter->kind == ParameterInfo::Kind::vector);
      if (given != nullptr && (is_word || given->kind != Value::Kind::text)) {
        scope.words.insert(value.text);
        value = *given;
      }
      if (port != nullptr && value.kind == Value::Kind::text)
        value.text = connect(value.text, value.where, what, &port->domain);
      else if (parameter != nullptr && parameter->is_file)
        value.text = place_file(value);
      else if (parameter != nullptr && parameter->kind == ParameterInfo::Kind::choice && parameter->words.empty() &&
               value.kind == Value::Kind::text)
        value.text = connect(value.text, value.where, what, nullptr);
      else if (value.kind == Value::Kind::map && parameter == nullptr)
        resolve_entries(owner, d, prefix + key + ".", name, value.map);
      else if (!is_word)
        keep_indexed(value, what);
    } catch (const Error& e) {
      errors_.add(e);
    }
  }
}

}  // namespace coenergy::model
