#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>

#include <nlohmann/json.hpp>

#include "apps/coenergy/verbs.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/compile/component_values.hpp"
#include "coenergy/compile/entry_uses.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/simulation_options.hpp"

namespace coenergy::app {

namespace {

using model::Description;
using model::ParameterInfo;

std::string bounds(const ParameterInfo& p) {
  std::string text;
  if (p.minimum > -1e300) text += (p.open ? "> " : ">= ") + format_short(p.minimum);
  if (p.maximum < 1e300)
    text += (text.empty() ? "" : ", ") + std::string(p.open ? "< " : "<= ") + format_short(p.maximum);
  return text;
}

/// What bodies and joints show beside their described outputs.
std::vector<std::array<std::string, 3>> mechanism_signals(const model::ComponentType& type) {
  if (type.body)
    return {{"x y z", "m", "position of the origin, world axes"},
            {"vx vy vz", "m/s", "its velocity"},
            {"p0 p1 p2 p3", "", "orientation: unit quaternion"},
            {"wx wy wz", "rad/s", "angular velocity, body axes"}};
  if (type.joint) return {{"q qd qdd", "", "coordinate, rate and acceleration; of several motions q1 q1d q1dd, q2 …"}};
  return {};
}

/// "used with law: lugre" and the like; "" where nothing is to be said.
std::string uses(const Description& d, const ParameterInfo& p) {
  const std::string text = compile::describe_uses(d, p);
  return text.empty() ? "" : "used " + text;
}

void print_text(const model::ComponentType& type) {
  const Description& d = type.description;
  fmt::print("{}\n  {}\n", d.type, d.help);
  std::size_t width = 18;
  for (const ParameterInfo& p : d.parameters) width = std::max(width, p.name.size() + 1);
  if (!d.ports.empty()) fmt::print("\nports\n");
  for (const model::PortInfo& p : d.ports)
    fmt::print("  {:<{}}{:<14}{}{}\n", p.name, width, to_string(p.domain), p.help, p.optional ? " (optional)" : "");
  if (!d.parameters.empty()) fmt::print("\nparameters\n");
  for (const ParameterInfo& p : d.parameters) {
    std::string remark = p.fallback ? "default " + *p.fallback : p.optional ? "optional" : "required";
    if (!bounds(p).empty()) remark += ", " + bounds(p);
    if (p.varying) remark += p.limited ? ", may vary, held within its bounds" : ", may vary";
    if (const std::string text = uses(d, p); !text.empty()) remark += ", " + text;
    if (!p.words.empty()) {
      remark += "; one of";
      for (const std::string& word : p.words) remark += " " + word;
    }
    fmt::print("  {:<{}}{:<14}{} ({})\n", p.name, width, p.unit, p.help, remark);
  }
  const auto more = mechanism_signals(type);
  if (!d.variables.empty() || !d.outputs.empty() || !more.empty()) fmt::print("\nsignals\n");
  for (const auto& [name, unit, help] : more) fmt::print("  {:<{}}{:<14}{}\n", name, width, unit, help);
  for (const model::VariableInfo& v : d.variables) fmt::print("  {:<{}}{:<14}{}\n", v.name, width, v.unit, v.help);
  for (const Description::OutputInfo& o : d.outputs) fmt::print("  {:<{}}{:<14}{}\n", o.name, width, o.unit, o.help);
}

void print_json(const Description& d) {
  nlohmann::json j = {{"type", d.type}, {"help", d.help}};
  for (const model::PortInfo& p : d.ports)
    j["ports"].push_back(
        {{"name", p.name}, {"domain", to_string(p.domain)}, {"help", p.help}, {"optional", p.optional}});
  for (const ParameterInfo& p : d.parameters) {
    nlohmann::json entry = {{"name", p.name}, {"unit", p.unit}, {"help", p.help}, {"varying", p.varying}};
    if (p.fallback) entry["default"] = *p.fallback;
    if (!p.words.empty()) entry["words"] = p.words;
    if (!bounds(p).empty()) entry["bounds"] = bounds(p);
    if (p.limited) entry["limited"] = true;
    if (const std::string text = uses(d, p); !text.empty()) entry["used"] = text;
    j["parameters"].push_back(entry);
  }
  for (const model::VariableInfo& v : d.variables)
    j["signals"].push_back({{"name", v.name}, {"unit", v.unit}, {"help", v.help}});
  for (const Description::OutputInfo& o : d.outputs)
    j["signals"].push_back({{"name", o.name}, {"unit", o.unit}, {"help", o.help}});
  fmt::print("{}\n", j.dump(2));
}

int describe_simulate(bool json) {
  nlohmann::json j = nlohmann::json::array();
  for (const io::SimulationEntry& e : io::simulation_entries()) {
    if (json)
      j.push_back({{"name", e.name}, {"unit", e.unit}, {"help", e.help}, {"default", e.fallback}});
    else
      fmt::print("  {:<18}{:<4}{} (default {})\n", e.name, e.unit == "word" ? "" : e.unit, e.help, e.fallback);
  }
  if (json) fmt::print("{}\n", j.dump(2));
  return 0;
}

struct Word {
  const char *name, *help;
};
constexpr Word part_words[] = {
    {"ports", "[a, b]: nodes of the part; {tip: arm}: name for the outside and what it is inside; {u: signal}"},
    {"", "{a: {inner: n1, optional: true}}: may stay open; {default: ground}: connected so unless the instance says"},
    {"parameters", "{gear: 100, R: required}: defaults, which an instance may change"},
    {"components", "as those of a model; their names, nodes and parameters are the part's own"},
    {"plots", "groups of signals, shown of every instance"},
    {"file", "a netlist, robot (.urdf, .mbs), Electran circuit or model file instead of components"},
    {"subckt", "of a netlist: this subcircuit, whose pins are the ports"},
    {"override", "of a file: {j1.friction: 2}, entries of what is in it"}};
constexpr Word instance_words[] = {
    {"type", "name of the part"},
    {"PORT", "what it is connected to; also from outside as x.PORT"},
    {"PARAMETER", "its value; may depend on signals"},
    {"override", "{motor.R: 3 ohm}: entries of what is inside"},
    {"repeat", "30 or {k: 30}: elements x1 … x30; k is known in their entries, previous and next name neighbours"},
    {"first, last", "{…}: entries of the first and the last element"},
    {"if", "the component is there where this constant expression is not 0"}};

int describe_parts(bool json) {
  nlohmann::json j;
  const auto show = [&](const char* title, std::span<const Word> words) {
    if (!json) fmt::print("{}\n", title);
    for (const Word& w : words)
      if (json)
        j[title].push_back({{"name", w.name}, {"help", w.help}});
      else
        fmt::print("  {:<14}{}\n", w.name, w.help);
  };
  show("parts: {Axis: {…}}", part_words);
  show("components: {x: {type: Axis, …}}", instance_words);
  if (json) fmt::print("{}\n", j.dump(2));
  return 0;
}

}  // namespace

int describe(const std::string& type, bool json) {
  if (type == "simulate") return describe_simulate(json);
  if (type == "parts") return describe_parts(json);
  const model::Registry registry = domains::make_standard_registry();
  const model::ComponentType* found = registry.find(type);
  if (found == nullptr)
    throw Error("unknown component type \"" + type + "\"" + compile::type_hint(type, registry.names()));
  json ? print_json(found->description) : print_text(*found);
  return 0;
}

}  // namespace coenergy::app
