#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/topics.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/compile/component_values.hpp"
#include "coenergy/compile/entry_uses.hpp"
#include "coenergy/domains/standard.hpp"

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

nlohmann::json to_json(const model::ComponentType& type) {
  const Description& d = type.description;
  nlohmann::json j = begin_answer();
  j["type"] = d.type, j["help"] = d.help;
  j["ports"] = j["parameters"] = j["signals"] = nlohmann::json::array();
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
  for (const auto& [name, unit, help] : mechanism_signals(type))
    j["signals"].push_back({{"name", name}, {"unit", unit}, {"help", help}});
  for (const model::VariableInfo& v : d.variables)
    j["signals"].push_back({{"name", v.name}, {"unit", v.unit}, {"help", v.help}});
  for (const Description::OutputInfo& o : d.outputs)
    j["signals"].push_back({{"name", o.name}, {"unit", o.unit}, {"help", o.help}});
  return j;
}

}  // namespace

int describe(const std::string& type, bool json) {
  if (type.ends_with(".fmu")) return describe_fmu(type, json);
  std::vector<std::string> topics;
  for (const Topic::Word& topic : topic_names()) topics.push_back(topic.name);
  if (std::find(topics.begin(), topics.end(), type) != topics.end()) {
    print_topic(make_topic(type), json);
    return 0;
  }
  const model::Registry registry = domains::make_standard_registry();
  const model::ComponentType* found = registry.find(type);
  if (found == nullptr) {
    std::string hint = did_you_mean(type, topics);
    if (hint.empty()) hint = compile::type_hint(type, registry.names());
    throw Error("unknown component type \"" + type + "\"" + hint);
  }
  if (json) return print_answer(to_json(*found));
  print_text(*found);
  return 0;
}

}  // namespace coenergy::app
