#include "coenergy/io/model_nodes.hpp"

#include <algorithm>

namespace coenergy::io {

using model::Value;

Value to_value(const Node& node) {
  Value value;
  value.where = node.is_scalar() ? node.text_where : node.where;
  switch (node.kind) {
    case Node::Kind::scalar:
      value.text = node.text;
      break;
    case Node::Kind::sequence:
      value.kind = Value::Kind::list;
      for (const Node& item : node.items) value.list.push_back(to_value(item));
      break;
    case Node::Kind::mapping:
      value.kind = Value::Kind::map;
      for (const Node::Entry& entry : node.entries) value.map.emplace_back(entry.key, to_value(entry.value));
      break;
  }
  return value;
}

void read_named_values(const Node& value, const char* what, model::Entries& values) {
  if (value.is_null()) return;
  for (const Node::Entry& entry : value.to_mapping(what)) {
    auto same = [&](const auto& p) { return p.first == entry.key; };
    auto place = std::find_if(values.begin(), values.end(), same);
    if (place == values.end())
      values.emplace_back(entry.key, to_value(entry.value));
    else
      place->second = to_value(entry.value);
  }
}

model::Component read_component(const Node::Entry& entry, ErrorList& errors) {
  const Node& type = entry.value.at("type");
  model::Component c{entry.key, type.text, {}, entry.where, type.where, nullptr};
  for (const Node::Entry& item : entry.value.entries)
    if (item.key != "type") {
      c.values.emplace_back(item.key, to_value(item.value));
      if (item.value.is_null())
        errors.add(item.where, entry.key + "." + item.key + " has no value");
      else if (item.value.is_mapping() || item.value.is_sequence())
        c.values.back().second.where = item.value.where;
    }
  split_arrangement(c);
  return c;
}

std::vector<model::Component> read_components(const Node& value, ErrorList& errors) {
  std::vector<model::Component> components;
  for (const Node::Entry& entry : value.to_mapping("components")) {
    const Node* type = entry.value.find("type");
    if (type == nullptr || !type->is_scalar()) {
      errors.add(entry.where, entry.key + " has no type; write " + entry.key + ": {type: electrical.Resistor, …}");
      continue;
    }
    try {
      components.push_back(read_component(entry, errors));
    } catch (const Error& e) {
      errors.add(e);
    }
  }
  return components;
}

namespace {

std::vector<Value> read_plotted(const Node& group) {
  std::vector<Value> names;
  const auto add = [&](const Node& name) {
    name.to_text("a plotted signal");
    names.push_back(to_value(name));
  };
  if (group.is_scalar())
    add(group);
  else
    for (const Node& name : group.to_sequence("a plot")) add(name);
  return names;
}

/// {x: tip.x, y: [tip.z], title: Path, unit: mm, x_unit: mm}
model::Plot read_plot(const Node& value, ErrorList& errors) {
  check_keys(value, {"x", "y", "title", "unit", "x_unit"}, "a plot", errors);
  const Node* y = value.find("y");
  if (y == nullptr) throw Error(value.where, "a plot needs y: the signals that it shows, as in {x: tip.x, y: tip.z}");
  model::Plot plot(read_plotted(*y));
  const std::pair<const char*, std::optional<Value>*> others[] = {
      {"x", &plot.x}, {"title", &plot.title}, {"unit", &plot.unit}, {"x_unit", &plot.x_unit}};
  for (const auto& [key, target] : others)
    if (const Node* node = value.find(key)) {
      node->to_text(std::string(key) + " of a plot");
      *target = to_value(*node);
    }
  return plot;
}

}  // namespace

std::vector<model::Plot> read_plots(const Node& value, ErrorList& errors) {
  std::vector<model::Plot> plots;
  for (const Node& group : value.to_sequence("plots")) try {
      plots.push_back(group.is_mapping() ? read_plot(group, errors) : model::Plot(read_plotted(group)));
    } catch (const Error& e) {
      errors.add(e);
    }
  return plots;
}

namespace {

/// {inner: a, optional: true} or {inner: a, default: ground}.
model::Port read_port(const Node::Entry& entry) {
  model::Port port;
  port.name = entry.key;
  port.where = entry.where;
  port.inner = Value(entry.key);
  port.inner.where = entry.where;
  const std::string what = "port " + entry.key;
  if (entry.value.is_null()) return port;
  if (entry.value.is_scalar()) {
    port.inner = to_value(entry.value);
    return port;
  }
  ErrorList errors;
  entry.value.to_mapping(what);
  check_keys(entry.value, {"inner", "optional", "default"}, what, errors);
  errors.throw_if_any();
  if (const Node* inner = entry.value.find("inner")) {
    inner->to_text(what + ".inner");
    port.inner = to_value(*inner);
  }
  if (const Node* optional = entry.value.find("optional")) port.optional = optional->to_bool(what + ".optional");
  if (const Node* fallback = entry.value.find("default")) {
    fallback->to_text(what + ".default");
    port.fallback = to_value(*fallback);
  }
  return port;
}

}  // namespace

void read_ports(const Node& value, std::vector<model::Port>& ports, model::Entries& parameters) {
  const auto add = [&](model::Port port) {
    const auto is_same = [&](const model::Port& p) { return p.name == port.name; };
    if (std::any_of(ports.begin(), ports.end(), is_same)) throw Error(port.where, "two ports are named " + port.name);
    if (port.inner.text != "signal") {
      ports.push_back(std::move(port));
      return;
    }
    Value required(model::Part::required);
    required.where = port.where;
    parameters.emplace_back(port.name, port.fallback ? *port.fallback : required);
  };
  if (value.is_null()) return;
  if (value.is_sequence()) {
    for (const Node& item : value.items) add(read_port({item.to_text("a port"), item.where, Node{}}));
    return;
  }
  for (const Node::Entry& entry : value.to_mapping("ports")) add(read_port(entry));
}

std::filesystem::path find_file(const Node& item, const std::filesystem::path& folder, const char* verb) {
  const std::filesystem::path path = (folder / item.to_text(verb)).lexically_normal();
  const std::string refusal = "cannot " + std::string(verb) + " " + path.string() + ": ";
  if (!std::filesystem::exists(path)) throw Error(item.where, refusal + "there is no such file");
  if (std::filesystem::is_directory(path)) throw Error(item.where, refusal + "it is a folder");
  return path;
}

}  // namespace coenergy::io
