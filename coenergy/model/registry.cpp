#include "coenergy/model/registry.hpp"

#include <stdexcept>

namespace coenergy::model {

void Registry::add(ComponentType type) {
  const std::string name = type.description.type;
  if (!types_.emplace(name, std::move(type)).second) throw std::logic_error("component type registered twice: " + name);
}

const ComponentType* Registry::find(const std::string& type) const {
  auto place = types_.find(type);
  return place == types_.end() ? nullptr : &place->second;
}

std::vector<std::string> Registry::names() const {
  std::vector<std::string> names;
  for (const auto& [name, type] : types_) names.push_back(name);
  return names;
}

}  // namespace coenergy::model
