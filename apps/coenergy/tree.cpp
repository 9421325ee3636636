#include "apps/coenergy/tree.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

namespace coenergy::app {

namespace {

/// An instance or a component.
struct Branch {
  std::string name, type;
  std::vector<std::unique_ptr<Branch>> inside;
};

/// A type or the instances on the way to a component, from its own name.
std::unique_ptr<Branch> make_tree(const model::Model& flat) {
  auto root = std::make_unique<Branch>();
  std::map<std::string, Branch*> known{{"", root.get()}};
  for (const model::Component& c : flat.components) {
    Branch* at = root.get();
    std::size_t begin = 0;
    for (std::size_t dot = c.name.find('.'); dot != std::string::npos; dot = c.name.find('.', dot + 1)) {
      const std::string path = c.name.substr(0, dot);
      Branch*& branch = known[path];
      if (branch == nullptr) {
        const model::Scopes::Instance* instance = flat.scopes ? flat.scopes->find(path) : nullptr;
        at->inside.push_back(std::make_unique<Branch>());
        branch = at->inside.back().get();
        branch->name = path.substr(begin);
        branch->type = instance == nullptr ? "" : instance->part;
      }
      at = branch;
      begin = dot + 1;
    }
    at->inside.push_back(std::make_unique<Branch>());
    at->inside.back()->name = c.name.substr(begin);
    at->inside.back()->type = c.type;
  }
  return root;
}

bool is_alike(const Branch& a, const Branch& b) {
  if (a.type != b.type || a.inside.size() != b.inside.size()) return false;
  for (std::size_t k = 0; k < a.inside.size(); ++k)
    if (a.inside[k]->name != b.inside[k]->name || !is_alike(*a.inside[k], *b.inside[k])) return false;
  return true;
}

/// "s" and 12 of "s12"; −1: no number at the end.
std::pair<std::string, int> split_number(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789") + 1;
  const bool is_short = name.size() - end > 0 && name.size() - end < 9;
  return {name.substr(0, end), is_short ? std::stoi(name.substr(end)) : -1};
}

void write(const Branch& branch, int depth, std::string& text) {
  constexpr std::size_t column = 28, fewest = 3;
  for (std::size_t k = 0; k < branch.inside.size();) {
    const Branch& first = *branch.inside[k];
    std::size_t end = k + 1;
    const auto [array, number] = split_number(first.name);
    while (number >= 0 && end < branch.inside.size() && is_alike(first, *branch.inside[end]) &&
           split_number(branch.inside[end]->name) == std::pair(array, number + static_cast<int>(end - k)))
      ++end;
    if (end - k < fewest) end = k + 1;
    std::string name = std::string(2 * depth + 2, ' ') + first.name;
    if (end > k + 1) name += " … " + branch.inside[end - 1]->name;
    text += fmt::format("{:<{}} {}\n", name, column, first.type);
    write(first, depth + 1, text);
    k = end;
  }
}

nlohmann::json to_json(const Branch& branch) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& b : branch.inside) {
    nlohmann::json entry = {{"name", b->name}, {"type", b->type}};
    if (!b->inside.empty()) entry["inside"] = to_json(*b);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::string make_tree_text(const model::Model& flat) {
  std::string text;
  write(*make_tree(flat), 0, text);
  return text;
}

nlohmann::json make_tree_json(const model::Model& flat) { return to_json(*make_tree(flat)); }

}  // namespace coenergy::app
