#include "coenergy/compile/entry_uses.hpp"

#include <algorithm>

namespace coenergy::compile {

namespace {

std::string join_names(const std::vector<std::string>& names, const std::string& between) {
  std::string text;
  for (const std::string& n : names) text += (text.empty() ? "" : between) + n;
  return text;
}

/// Names of the others; where they exclude the entry, of those that are given.
std::vector<std::string> name_others(const model::Use& use, const model::Description& d, const BoundComponent* bound) {
  std::vector<std::string> names;
  for (int k : use.others)
    if (bound == nullptr || use.when != model::Use::When::absent || bound->parameters[k].given)
      names.push_back(d.parameters[k].name);
  return names;
}

bool holds(const model::Use& use, const BoundComponent& bound) {
  if (use.when == model::Use::When::word) {
    const std::string& word = bound.parameters[use.others[0]].word;
    return std::find(use.words.begin(), use.words.end(), word) != use.words.end();
  }
  const bool any = std::any_of(use.others.begin(), use.others.end(), [&](int k) { return bound.parameters[k].given; });
  return any == (use.when == model::Use::When::given);
}

std::string why_unused(const model::Use& use, const BoundComponent& bound) {
  const std::vector<std::string> names = name_others(use, bound.type->description, &bound);
  switch (use.when) {
    case model::Use::When::word:
      return " has no effect with " + names[0] + ": " + bound.parameters[use.others[0]].word + ", only with " +
             names[0] + ": " + join_names(use.words, " or ") + "; leave it out, or change " + names[0];
    case model::Use::When::given:
      return " has no effect without " + join_names(names, " or ") + "; leave it out, or give " +
             join_names(names, " or ");
    case model::Use::When::absent:
      break;
  }
  return " has no effect beside " + join_names(names, " and ") + "; leave one of them out";
}

}  // namespace

void check_uses(const BoundComponent& bound, ErrorList& errors) {
  const std::vector<model::ParameterInfo>& infos = bound.type->description.parameters;
  for (std::size_t k = 0; k < infos.size(); ++k) {
    if (!bound.parameters[k].given) continue;
    const auto broken = std::find_if(infos[k].uses.begin(), infos[k].uses.end(),
                                     [&](const model::Use& use) { return !holds(use, bound); });
    if (broken != infos[k].uses.end())
      errors.add(bound.parameters[k].where, bound.name() + "." + infos[k].name + why_unused(*broken, bound));
  }
}

std::string describe_uses(const model::Description& description, const model::ParameterInfo& info) {
  std::string text;
  for (const model::Use& use : info.uses) {
    const std::vector<std::string> names = name_others(use, description, nullptr);
    text += text.empty() ? "" : ", ";
    text += use.when == model::Use::When::word    ? "with " + names[0] + ": " + join_names(use.words, " or ")
            : use.when == model::Use::When::given ? "with " + join_names(names, " or ")
                                                  : "instead of " + join_names(names, " and ");
  }
  return text;
}

}  // namespace coenergy::compile
