#include "coenergy/model/model.hpp"

#include <cctype>
#include <optional>

#include "coenergy/base/names.hpp"

namespace coenergy::model {

Value::Value(double number) : text(format_number(number)) {}

const Value* Value::find(const std::string& key) const {
  for (const auto& [name, value] : map)
    if (name == key) return &value;
  return nullptr;
}

Component& Model::add(std::string name, std::string type, std::vector<std::pair<std::string, Value>> values) {
  components.push_back({std::move(name), std::move(type), std::move(values), {}, {}});
  return components.back();
}

Component* Model::find(const std::string& name) {
  for (Component& c : components)
    if (c.name == name) return &c;
  return nullptr;
}

const Component* Model::find(const std::string& name) const { return const_cast<Model*>(this)->find(name); }

namespace {

/// Replaces or adds an entry; `shape.sphere` is the entry sphere of the map shape, where there is one.
void assign(std::vector<std::pair<std::string, Value>>& entries, const std::string& key, Value value) {
  for (auto& [name, old] : entries) {
    if (name == key) {
      old = std::move(value);
      return;
    }
    if (old.kind == Value::Kind::map && key.starts_with(name + "."))
      return assign(old.map, key.substr(name.size() + 1), std::move(value));
  }
  entries.emplace_back(key, std::move(value));
}

}  // namespace

namespace {

/// Where the component stands, or the first entry that names the node.
std::optional<Location> find_place(const Model& model, const std::string& name) {
  if (const Component* c = model.find(name)) return c->where;
  for (const Component& c : model.components)
    for (const auto& [key, value] : c.values)
      if (value.text == name) return value.where;
  return std::nullopt;
}

Location find_first_place(const Model& model, const std::string& text) {
  auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    // a name before a dot, not a number
    const bool is_name = end > begin && end + 1 < text.size() && text[end] == '.' && is_word(text[end + 1]);
    if (is_name && is_identifier(text.substr(begin, end - begin)))
      if (auto place = find_place(model, text.substr(begin, end - begin))) return *place;
    begin = end + 1;
  }
  // "constraint j2 position x"
  if (const std::size_t at = text.find("constraint "); at != std::string::npos) {
    const std::size_t begin = at + std::string("constraint ").size();
    if (const Component* c = model.find(text.substr(begin, text.find(' ', begin) - begin))) return c->where;
  }
  return {model.file};
}

}  // namespace

namespace {

/// A path without a dot: a parameter, or an entry of the model itself.
void set_top(Model& model, const std::string& path, Value value) {
  std::vector<std::string> known;
  for (auto& [name, old] : model.parameters) {
    known.push_back(name);
    if (name != path) continue;
    old = std::move(value);
    return;
  }
  if (path == "formulation") {
    model.formulation = value.text;
    model.formulation_where = value.where;
  } else if (path == "energy" &&
             (value.text == "true" || value.text == "yes" || value.text == "false" || value.text == "no")) {
    model.energy = value.text == "true" || value.text == "yes";
  } else if (path == "energy") {
    throw Error(value.where, "energy = " + value.text + " must be true or false");
  } else {
    throw Error(value.where, "the model has no parameter \"" + path + "\"" + did_you_mean(path, known));
  }
}

}  // namespace

Error locate(const Error& e, const Model& model) {
  auto items = e.items();
  for (Error::Item& item : items)
    if (!item.where.known()) item.where = find_first_place(model, item.text);
  return Error(std::move(items));
}

void Model::set(const std::string& path, Value value) {
  if (!value.where.known()) value.where.file = "--set " + path;
  const Location where = value.where;
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) return set_top(*this, path, std::move(value));
  const std::string owner = path.substr(0, dot), key = path.substr(dot + 1);
  if (owner == "simulate") return assign(simulate, key, std::move(value));
  Component* c = find(owner);
  if (c == nullptr) {
    std::vector<std::string> known;
    for (const Component& other : components) known.push_back(other.name);
    throw Error(where, "the model has no component \"" + owner + "\"" + did_you_mean(owner, known));
  }
  if (key == "type") {
    c->type = value.text;
    c->type_where = where;
    return;
  }
  assign(c->values, key, std::move(value));
}

}  // namespace coenergy::model
