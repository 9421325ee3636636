#include "coenergy/model/model.hpp"

#include <algorithm>
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
  components.push_back({std::move(name), std::move(type), std::move(values), {}, {}, nullptr});
  return components.back();
}

Component* Model::find(const std::string& name) {
  for (Component& c : components)
    if (c.name == name) return &c;
  return nullptr;
}

const Component* Model::find(const std::string& name) const { return const_cast<Model*>(this)->find(name); }

const Part* Model::find_part(const std::string& name) const {
  for (const Part& part : parts)
    if (part.name == name) return &part;
  return nullptr;
}

std::pair<const Component*, std::string> Model::find_owner(const std::string& path) const {
  for (std::size_t dot = path.rfind('.'); dot != std::string::npos && dot > 0; dot = path.rfind('.', dot - 1))
    if (const Component* c = find(path.substr(0, dot))) return {c, path.substr(dot + 1)};
  return {nullptr, ""};
}

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
    // words joined by dots: the longest beginning that names something
    std::size_t end = begin;
    std::vector<std::size_t> dots;
    while (end < text.size() &&
           (is_word(text[end]) || (text[end] == '.' && end + 1 < text.size() && is_word(text[end + 1])))) {
      if (text[end] == '.') dots.push_back(end);
      ++end;
    }
    for (auto dot = dots.rbegin(); dot != dots.rend(); ++dot) {
      const std::string name = text.substr(begin, *dot - begin);
      // a number has no letter first
      if (!is_identifier(name.substr(0, name.find('.')))) break;
      if (auto place = find_place(model, name)) return *place;
    }
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

namespace {

/// The name without the digits of an element's number: "s" of "s12", "grid" of "grid2_3".
std::string array_name(const std::string& element) {
  return element.substr(0, element.find_last_not_of("0123456789_") + 1);
}

}  // namespace

void Model::set(const std::string& path, Value value) {
  if (!value.where.known()) value.where.file = "set " + path;
  const Location where = value.where;
  const auto is_path = [&](const auto& p) { return p.first == path; };
  const bool is_parameter = std::any_of(parameters.begin(), parameters.end(), is_path);
  if (is_parameter || path.find('.') == std::string::npos) return set_top(*this, path, std::move(value));
  if (path.starts_with("simulate.")) return set_entry(simulate, path.substr(path.find('.') + 1), std::move(value));

  const auto [owner, key] = find_owner(path);
  const std::string first = path.substr(0, path.find('.'));
  const Component* array = find(array_name(first));
  const bool is_element = array != nullptr && array->arrangement && array->arrangement->repeat;
  // what is inside instances and arrays is found when they are expanded
  if (owner == nullptr ? is_element : (find_part(owner->type) != nullptr || owner->arrangement)) {
    std::erase_if(overrides, is_path);
    overrides.emplace_back(path, std::move(value));
    return;
  }
  if (owner == nullptr) {
    std::vector<std::string> known;
    for (const Component& other : components) known.push_back(other.name);
    throw Error(where, "the model has no component \"" + first + "\"" + did_you_mean(first, known));
  }
  Component& c = *find(owner->name);
  if (key == "type") {
    c.type = value.text;
    c.type_where = where;
    return;
  }
  set_entry(c.values, key, std::move(value));
}

}  // namespace coenergy::model
