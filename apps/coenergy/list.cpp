#include <fmt/core.h>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/topics.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/domains/standard.hpp"

namespace coenergy::app {

namespace {

int list_types(bool json) {
  const model::Registry registry = domains::make_standard_registry();
  nlohmann::json all = nlohmann::json::array();
  for (const std::string& name : registry.names()) {
    const model::Description& d = registry.find(name)->description;
    if (json)
      all.push_back({{"type", name}, {"help", d.help}});
    else
      fmt::print("{:<36} {}\n", name, d.help);
  }
  if (json) {
    nlohmann::json j = begin_answer();
    j["types"] = std::move(all);
    return print_answer(j);
  }
  fmt::print("\ntopics of describe\n");
  for (const Topic::Word& topic : topic_names()) fmt::print("{:<36} {}\n", topic.name, topic.help);
  return 0;
}

}  // namespace

int list(const ModelArguments& arguments) {
  if (arguments.file.empty()) return list_types(arguments.json);
  const Prepared prepared = prepare(load_model(arguments));
  const equations::System& system = prepared.compiled.system;
  const std::string_view note =
      "functions in libraries are not called here; values that come from them are shown as if they were 1";
  const bool calls = !prepared.model.functions.empty();
  if (calls && !arguments.json) fmt::print(stderr, "note: {}\n", note);
  if (arguments.json) {
    nlohmann::json j = begin_answer(prepared);
    if (calls) j["notes"].push_back(note);
    j["signals"] = j["parameters"] = nlohmann::json::array();
    for (const equations::SignalInfo& s : system.signals())
      j["signals"].push_back({{"name", s.name}, {"unit", s.unit}});
    for (int k = 0; k < system.parameters(); ++k)
      j["parameters"].push_back(
          {{"name", system.parameter_name(k)}, {"unit", system.parameter_unit(k)}, {"value", system.parameter(k)}});
    return print_answer(j);
  }
  fmt::print("signals\n");
  for (const equations::SignalInfo& s : system.signals()) fmt::print("  {:<34}{}\n", s.name, s.unit);
  fmt::print("parameters\n");
  for (int k = 0; k < system.parameters(); ++k)
    fmt::print("  {:<34}{} {}\n", system.parameter_name(k), format_number(system.parameter(k)),
               system.parameter_unit(k));
  return 0;
}

}  // namespace coenergy::app
