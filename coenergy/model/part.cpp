#include "coenergy/model/part.hpp"

#include <algorithm>

namespace coenergy::model {

void set_entry(Entries& entries, const std::string& key, Value value) {
  for (auto& [name, old] : entries) {
    if (name == key) {
      old = std::move(value);
      return;
    }
    if (old.kind == Value::Kind::map && key.starts_with(name + "."))
      return set_entry(old.map, key.substr(name.size() + 1), std::move(value));
  }
  entries.emplace_back(key, std::move(value));
}

Arrangement& Component::arrange() {
  auto own = arrangement ? std::make_shared<Arrangement>(*arrangement) : std::make_shared<Arrangement>();
  Arrangement& result = *own;
  arrangement = std::move(own);
  return result;
}

namespace {

constexpr const char* words[] = {"if", "repeat", "first", "last", "override"};

const Entries& to_entries(const Component& c, const std::string& word, const Value& value) {
  if (value.kind != Value::Kind::map)
    throw Error(value.where, c.name + "." + word + " must be a mapping of entries, such as {R: 5 ohm}");
  return value.map;
}

}  // namespace

void split_arrangement(Component& component) {
  const auto is_word = [](const auto& entry) {
    return std::find(std::begin(words), std::end(words), entry.first) != std::end(words);
  };
  if (std::none_of(component.values.begin(), component.values.end(), is_word)) return;
  Arrangement& a = component.arrange();
  for (auto& [key, value] : component.values) {
    if (key == "if") a.condition = value;
    if (key == "repeat") a.repeat = value;
    if (key == "first") a.first = to_entries(component, key, value);
    if (key == "last") a.last = to_entries(component, key, value);
    if (key == "override") a.overrides = to_entries(component, key, value);
  }
  std::erase_if(component.values, is_word);
  if (!a.repeat && !a.first.empty())
    throw Error(a.first.front().second.where, component.name + ".first needs repeat, which says how many there are");
  if (!a.repeat && !a.last.empty())
    throw Error(a.last.front().second.where, component.name + ".last needs repeat, which says how many there are");
}

}  // namespace coenergy::model
