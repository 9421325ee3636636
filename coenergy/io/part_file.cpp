#include "coenergy/io/part_file.hpp"

#include <algorithm>
#include <cctype>

#include "coenergy/io/electran.hpp"
#include "coenergy/io/fmu_model.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/io/model_nodes.hpp"
#include "coenergy/io/robotran.hpp"
#include "coenergy/io/spice.hpp"
#include "coenergy/io/spice_lines.hpp"
#include "coenergy/io/urdf.hpp"

namespace coenergy::io {

using model::Model;
using model::Part;
using model::Value;

namespace {

/// The node of the model that the netlist calls so, or the name itself.
std::string find_node(const Netlist& netlist, const std::string& name) {
  for (const auto& [label, own] : netlist.nodes)
    if (spice::to_lower(own) == spice::to_lower(name)) return label;
  return name;
}

void take_netlist(Part& part, const Node& entry, const std::filesystem::path& path, Model& model) {
  const Node* subcircuit = entry.find("subckt");
  std::vector<std::string> pins;
  Netlist netlist = subcircuit == nullptr ? read_netlist(path) : Netlist{};
  if (subcircuit != nullptr) {
    try {
      netlist = read_subcircuit(path, subcircuit->to_text("subckt"), pins);
    } catch (const Error& e) {
      if (!e.items().front().where.known()) throw Error(subcircuit->where, e.items().front().text);
      throw;
    }
  }
  for (const std::string& note : netlist.notes) model.notes.push_back(note);
  for (const auto& [key, value] : netlist.model.simulate)
    if (key == "hold" || key == "guess")
      model.notes.push_back(path.string() + ": voltages of .ic and .nodeset are left out; the part " + part.name +
                            " starts as the model that uses it says");
  part.components = std::move(netlist.model.components);
  part.parameters = std::move(netlist.model.parameters);
  for (model::Port& port : part.ports) port.inner.text = find_node(netlist, port.inner.text);
  if (entry.find("ports") != nullptr) return;
  for (const std::string& pin : pins) {
    model::Port port;
    port.name = pin;
    port.inner = Value(find_node(netlist, pin));
    port.where = port.inner.where = subcircuit->where;
    part.ports.push_back(std::move(port));
  }
}

/// The ground that robots stand on becomes the port base, or stand where a link has that name.
void take_robot(Part& part, RobotFile robot, Model& model) {
  for (const std::string& note : robot.notes) model.notes.push_back(note);
  part.parameters = std::move(robot.model.parameters);
  std::erase_if(robot.model.components, [](const auto& c) { return c.type == "multibody.Gravity"; });
  part.components = std::move(robot.model.components);
  const bool has_base = std::any_of(part.components.begin(), part.components.end(),
                                    [](const model::Component& c) { return c.name == "base"; });
  const std::string name = has_base ? "stand" : "base";
  bool stands = false;
  for (model::Component& c : part.components)
    for (auto& [key, value] : c.values)
      if ((key == "parent" || key == "child" || key == "a" || key == "b" || key == "frame") &&
          (value.text == "ground" || value.text == "world")) {
        value.text = name;
        stands = true;
      }
  const auto is_base = [&](const model::Port& p) { return p.name == name; };
  if (!stands || std::any_of(part.ports.begin(), part.ports.end(), is_base)) return;
  model::Port base;
  base.name = name;
  base.where = part.where;
  base.inner = Value(name);
  base.inner.where = part.where;
  base.fallback = Value("ground");
  base.fallback->where = part.where;
  part.ports.push_back(std::move(base));
}

void take_model(Part& part, const std::vector<std::filesystem::path>& open_files, Model& model) {
  Model own = read_model_of_part(open_files);
  for (model::Port& port : own.ports) part.ports.push_back(std::move(port));
  part.parameters = std::move(own.parameters);
  part.components = std::move(own.components);
  part.overrides = std::move(own.overrides);
  add_parts(own, part.name, part.components, model);
}

/// Whether a value holds a word of that name.
bool names(const Value& value, const std::string& name) {
  if (std::any_of(value.list.begin(), value.list.end(), [&](const Value& v) { return names(v, name); })) return true;
  if (std::any_of(value.map.begin(), value.map.end(), [&](const auto& v) { return names(v.second, name); }))
    return true;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  const std::string& text = value.text;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

/// Values of the file's parameters, and others that overrides use: what stands in the file knows none but its own.
void give_parameters(Part& part, const Node& given, const std::string& file) {
  const std::size_t own = part.parameters.size();
  std::vector<std::string> known;
  for (const auto& [name, value] : part.parameters) known.push_back(name);
  read_named_values(given, "parameters", part.parameters);
  ErrorList errors;
  for (std::size_t k = own; k < part.parameters.size(); ++k) {
    const std::string& name = part.parameters[k].first;
    const auto uses = [&](const auto& entry) { return names(entry.second, name); };
    if (std::any_of(part.overrides.begin(), part.overrides.end(), uses) ||
        std::any_of(part.parameters.begin() + static_cast<std::ptrdiff_t>(own), part.parameters.end(), uses))
      continue;
    errors.add(part.parameters[k].second.where,
               "parameter " + name + ": neither " + file + " nor an override uses it" + did_you_mean(name, known));
  }
  errors.throw_if_any();
}

}  // namespace

bool is_netlist_ending(const std::string& ending) {
  return ending == ".cir" || ending == ".sp" || ending == ".net" || ending == ".spice";
}

Model read_any_model(const std::filesystem::path& path, ErrorList* unknown_keys) {
  const std::string ending = path.extension().string();
  if (ending == ".urdf" || ending == ".mbs") {
    RobotFile robot = ending == ".urdf" ? read_urdf(path) : read_robotran(path);
    robot.model.notes = std::move(robot.notes);
    return std::move(robot.model);
  }
  if (ending == ".electran") return read_electran(path);
  if (ending == ".fmu") return read_fmu(path);
  if (is_netlist_ending(ending)) {
    Netlist netlist = read_netlist(path);
    netlist.model.notes = std::move(netlist.notes);
    return std::move(netlist.model);
  }
  return read_model(path, unknown_keys);
}

Part read_part_file(const std::string& name, const Node& entry, const std::vector<std::filesystem::path>& open_files,
                    Model& model) {
  ErrorList errors;
  check_keys(entry, {"file", "subckt", "ports", "parameters", "override", "plots"}, "the part " + name, errors);
  errors.throw_if_any();
  const Node& file = entry.at("file");
  const std::filesystem::path& path = open_files.back();
  const std::string ending = path.extension().string();
  Part part;
  part.name = name;
  part.where = file.where;
  model::Entries parameters;
  if (const Node* ports = entry.find("ports")) read_ports(*ports, part.ports, parameters);
  if (entry.find("subckt") != nullptr && !is_netlist_ending(ending))
    throw Error(entry.at("subckt").where, "subckt: only netlists have subcircuits; " + path.string() + " is none");
  if (is_netlist_ending(ending)) {
    take_netlist(part, entry, path, model);
  } else if (ending == ".urdf" || ending == ".mbs") {
    take_robot(part, ending == ".urdf" ? read_urdf(path) : read_robotran(path), model);
  } else if (ending == ".electran") {
    part.components = read_electran(path).components;
  } else {
    take_model(part, open_files, model);
  }
  for (auto& p : parameters) part.parameters.push_back(std::move(p));
  if (const Node* overrides = entry.find("override")) read_named_values(*overrides, "override", part.overrides);
  if (const Node* own = entry.find("parameters")) give_parameters(part, *own, path.filename().string());
  if (const Node* plots = entry.find("plots")) {
    ErrorList errors;
    part.plots = read_plots(*plots, errors);
    errors.throw_if_any();
  }
  return part;
}

}  // namespace coenergy::io
