#include <algorithm>
#include <fstream>
#include <sstream>

#include "coenergy/io/spice.hpp"
#include "coenergy/io/spice_expander.hpp"

namespace coenergy::io {

namespace {

/// Makes a subcircuit the netlist itself: its parameters and those of the netlist are global ones, other subcircuits
/// stay known, control cards are left out.
void make_top(spice::Cards& cards, const std::string& name) {
  spice::Definition& old = *cards.top;
  auto node = old.subcircuits.extract(name);
  std::unique_ptr<spice::Definition> top = std::move(node.mapped());
  for (const spice::Assignment& a : top->defaults) top->parameters.emplace(a.name, a);
  top->defaults.clear();
  top->parameters.merge(old.parameters);
  top->functions.merge(old.functions);
  top->models.merge(old.models);
  top->subcircuits.merge(old.subcircuits);
  for (auto& [key, other] : top->subcircuits) other->parent = top.get();
  top->parent = nullptr;
  cards.controls.clear();
  cards.top = std::move(top);
}

}  // namespace

Netlist read_subcircuit(const std::filesystem::path& path, const std::string& name, std::vector<std::string>& pins) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Error("cannot read " + path.string() + ": there is no such file");
  std::stringstream content;
  content << stream.rdbuf();
  const std::string text = content.str();
  ErrorList errors;
  Netlist netlist;
  netlist.model.file = path.string();
  spice::Cards cards = spice::read_cards(text, path.string(), errors);
  errors.throw_if_any();
  const std::string key = spice::to_lower(name);
  if (cards.top->subcircuits.count(key) == 0) {
    std::vector<std::string> known;
    for (const auto& [other, definition] : cards.top->subcircuits) known.push_back(other);
    throw Error(path.string() + " has no subcircuit \"" + name + "\"" + did_you_mean(key, known));
  }
  make_top(cards, key);
  pins = cards.top->pins;
  spice::Expander(cards, netlist, errors).run();
  errors.throw_if_any();
  return netlist;
}

}  // namespace coenergy::io
