#include "coenergy/analyze/direction.hpp"

#include "coenergy/base/argument.hpp"

namespace coenergy::analyze {
namespace {

using equations::System;

/// Of an entry: the description, and the component that has it; none for a parameter of the model. What stands in
/// brackets behind a list is left out.
struct Described {
  const model::Component* component = nullptr;
  const model::ParameterInfo* info = nullptr;
};
Described describe_entry(const model::Model& model, const model::Registry& registry, const std::string& path) {
  const auto [component, entry] = model.find_owner(path.substr(0, path.find('[')));
  if (component == nullptr) return {};
  for (const model::ParameterInfo& info : registry.find(component->type)->description.parameters)
    if (info.name == entry) return {component, &info};
  return {component, nullptr};
}

/// Why an entry is built in, if its description says so.
std::string reason_of(const model::ParameterInfo* info) {
  return info == nullptr || info->structural.empty() ? "" : " (" + info->structural + ")";
}

/// Why an entry of a component is no parameter of the system.
[[noreturn]] void refuse_entry(const model::Component& component, const model::ParameterInfo& info,
                               const std::string& path) {
  using Kind = model::ParameterInfo::Kind;
  const std::string subject = argument("parameter ") + path;
  const model::Value* given = nullptr;
  for (const auto& [name, value] : component.values)
    if (name == info.name) given = &value;
  const bool is_list = info.kind == Kind::vector || info.kind == Kind::list;
  if (is_list && path.back() != ']')
    throw Error(subject + ": it is a list; name one of its numbers, such as " + path + "[0]");
  if (info.kind == Kind::choice || (given == nullptr && !info.fallback) || (given != nullptr && info.varying))
    throw Error(subject + ": it is no number, so that nothing can be differentiated to it");
  if (given == nullptr)
    throw Error(subject + ": the model does not give this entry; give it its value, " + *info.fallback +
                ", to differentiate to it");
  throw Error(subject + ": it is built into the equations" + reason_of(&info) +
              "; compare runs by the verb sweep instead");
}

/// Why a path names no parameter of the system.
[[noreturn]] void refuse(const model::Model& model, const model::Registry& registry, const std::string& path) {
  std::vector<std::string> known;
  // a parameter of an instance that was given signals
  for (const auto& [name, value] : model.parameters)
    if (name == path)
      throw Error(argument("parameter ") + path + ": it is no number, so that nothing can be differentiated to it");
  if (path.find('.') == std::string::npos) {
    for (const auto& [name, value] : model.parameters) known.push_back(name);
    throw Error(argument("parameter ") + path + ": the model has no such parameter" + did_you_mean(path, known) +
                "; an entry of a component is written component.entry");
  }
  const auto [component, entry] = model.find_owner(path);
  if (component == nullptr) {
    // a parameter of an instance
    for (const auto& [name, value] : model.parameters) known.push_back(name);
    if (const std::string hint = did_you_mean(path, known); !hint.empty())
      throw Error(argument("parameter ") + path + ": the model has no such parameter" + hint);
    known.clear();
    const std::string owner = path.substr(0, path.find('.'));
    for (const model::Component& c : model.components) known.push_back(c.name);
    throw Error(argument("parameter ") + path + ": the model has no component \"" + owner + "\"" +
                did_you_mean(owner, known));
  }
  if (const model::ParameterInfo* info = describe_entry(model, registry, path).info)
    refuse_entry(*component, *info, path);
  for (const model::ParameterInfo& info : registry.find(component->type)->description.parameters)
    known.push_back(info.name);
  throw Error(argument("parameter ") + path + ": " + component->type + " has no entry \"" + entry + "\"" +
              did_you_mean(entry, known));
}

}  // namespace

Direction find_direction(const model::Model& model, const model::Registry& registry, const System& system,
                         const std::string& path) {
  const int k = system.find_parameter(path);
  if (k < 0) refuse(model, registry, path);
  for (const equations::OpenedInput& input : system.opened())
    if (input.parameter == k)
      throw Error(argument("parameter ") + path + ": it is no number, so that nothing can be differentiated to it");
  if (const std::string entry = system.find_built_in(k); !entry.empty())
    throw Error(argument("parameter ") + path + ": it is built into the equations" +
                (entry == path ? "" : " by " + entry) + reason_of(describe_entry(model, registry, entry).info) +
                "; compare runs by the verb sweep instead");
  const equations::Evaluator evaluator(system);
  equations::Point start = evaluator.start_slope(k);
  return {path,
          system.parameter_unit(k),
          system.parameter(k),
          evaluator.parameter_slopes(k),
          std::move(start.q),
          std::move(start.v),
          std::move(start.x),
          std::move(start.d)};
}

}  // namespace coenergy::analyze
