#include "coenergy/model/scopes.hpp"

namespace coenergy::model {

const std::string* Scopes::Instance::find_alias(const std::string& name) const {
  for (const auto& [own, meaning] : aliases)
    if (own == name) return &meaning;
  return nullptr;
}

void Scopes::add(Instance instance) {
  index_.emplace(instance.path, static_cast<int>(instances_.size()));
  instances_.push_back(std::move(instance));
}

void Scopes::add_indexed(const std::string& name, const Way* inside, std::string meaning) {
  indexed_.insert_or_assign({inside, name}, std::move(meaning));
}

const Scopes::Instance* Scopes::find(const std::string& path) const {
  const auto place = index_.find(path);
  return place == index_.end() ? nullptr : &instances_[place->second];
}

std::optional<int> Scopes::find_index(const std::string& name, const Way* inside) {
  for (; inside != nullptr && inside->is_element(); inside = inside->outer)
    for (const auto& [index, value] : inside->indices)
      if (index == name) return value;
  return std::nullopt;
}

std::string Scopes::resolve(const std::string& name, const Way* inside) const {
  std::string own = name;
  for (; inside != nullptr && inside->is_element(); inside = inside->outer) {
    if (const auto place = indexed_.find({inside, own}); place != indexed_.end()) own = place->second;
    for (const auto& [word, neighbour] : {std::pair("previous.", &inside->previous), std::pair("next.", &inside->next)})
      if (own.starts_with(word) && !neighbour->empty()) own = *neighbour + own.substr(std::string(word).size() - 1);
  }
  if (inside == nullptr) return follow_ports(std::move(own));
  const Instance* instance = find(inside->path);
  const std::size_t dot = own.find('.');
  const std::string first = own.substr(0, dot);
  if (instance == nullptr || (instance->locals->count(first) == 0 && instance->find_alias(first) == nullptr))
    return own;
  return follow_ports(inside->path + "." + own);
}

std::string Scopes::follow_ports(std::string name) const {
  // each instance on the way may say what its next word means
  for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
    const Instance* instance = find(name.substr(0, dot));
    if (instance == nullptr) continue;
    const std::size_t end = std::min(name.find('.', dot + 1), name.size());
    if (const std::string* meaning = instance->find_alias(name.substr(dot + 1, end - dot - 1)))
      return *meaning + name.substr(end);
  }
  return name;
}

}  // namespace coenergy::model
