#include "coenergy/model/model.hpp"

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
void assign(std::vector<std::pair<std::string, Value>>& entries, const std::string& key, Value value) {
  for (auto& [name, old] : entries) {
    if (name == key) {
      old = std::move(value);
      return;
    }
  }
  entries.emplace_back(key, std::move(value));
}
}  // namespace

void Model::set(const std::string& path, const std::string& text) {
  Value value(text);
  value.where.file = "--set " + path;
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) {
    std::vector<std::string> known;
    for (auto& [name, old] : parameters) {
      known.push_back(name);
      if (name == path) {
        old = std::move(value);
        return;
      }
    }
    throw Error("--set " + path + ": the model has no parameter of this name" + did_you_mean(path, known));
  }
  const std::string owner = path.substr(0, dot), key = path.substr(dot + 1);
  if (owner == "simulate") return assign(simulate, key, std::move(value));
  Component* c = find(owner);
  if (c == nullptr) {
    std::vector<std::string> known;
    for (const Component& other : components) known.push_back(other.name);
    throw Error("--set " + path + ": the model has no component \"" + owner + "\"" + did_you_mean(owner, known));
  }
  assign(c->values, key, std::move(value));
}

}  // namespace coenergy::model
