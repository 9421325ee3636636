#include "apps/coenergy/command_words.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "coenergy/base/error.hpp"

namespace coenergy::app {
namespace {

using Words = std::vector<std::string>;

CLI::App* find_verb(const CLI::App& program, const Words& words) {
  if (words.empty()) return nullptr;
  const auto verbs = program.get_subcommands([&](const CLI::App* verb) { return verb->get_name() == words[0]; });
  return verbs.empty() ? nullptr : const_cast<CLI::App*>(verbs[0]);
}

bool is_model_file(const std::string& word) {
  constexpr std::array endings{".yaml", ".yml",  ".cir", ".sp",       ".net", ".spice",
                               ".asc",  ".urdf", ".mbs", ".electran", ".fmu"};
  const std::string ending = std::filesystem::path(word).extension().string();
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

/// An option, not a value: `-3` and `-.5` are numbers.
bool is_flag(const std::string& word) {
  if (word.size() < 2 || word[0] != '-') return false;
  return word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])) != 0;
}

std::string flag_name(const std::string& word) { return word.substr(0, word.find('=')); }

bool is_list(const CLI::Option* option) {
  return option != nullptr && option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll &&
         option->get_items_expected_max() > 0;
}

Words long_options(const CLI::App& verb) {
  Words names;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

}  // namespace

std::string verb_of(const CLI::App& program, const Words& words) {
  const CLI::App* verb = find_verb(program, words);
  return verb == nullptr ? "" : verb->get_name();
}

Words spread_lists(const CLI::App& program, const Words& words) {
  const CLI::App* verb = find_verb(program, words);
  if (verb == nullptr) return words;
  Words spread{words[0]};
  std::string list;  // the flag whose values may go on
  bool has_value = false;
  for (std::size_t k = 1; k < words.size(); ++k) {
    const std::string& word = words[k];
    if (word == "--") {
      spread.insert(spread.end(), words.begin() + static_cast<std::ptrdiff_t>(k), words.end());
      break;
    }
    if (is_flag(word)) {
      const std::string name = flag_name(word);
      list = is_list(verb->get_option_no_throw(name)) ? name : "";
      has_value = name.size() < word.size();
    } else if (!list.empty() && has_value) {
      if (is_model_file(word) || (list == "--set" && word.find('=') == std::string::npos))
        list.clear();
      else
        spread.push_back(list);
    } else {
      has_value = true;
    }
    spread.push_back(word);
  }
  return spread;
}

Words find_unknown_words(const CLI::App& program, const Words& words) {
  if (words.empty() || is_flag(words[0])) return {};
  const CLI::App* verb = find_verb(program, words);
  if (verb == nullptr) {
    if (is_model_file(words[0]))
      return {fmt::format("\"{0}\" is a model, not a verb; to simulate it: coenergy run {0}", words[0])};
    Words verbs;
    for (const CLI::App* known : program.get_subcommands([](const CLI::App*) { return true; }))
      verbs.push_back(known->get_name());
    const std::string hint = did_you_mean(words[0], verbs);
    return {fmt::format("there is no verb \"{}\"{}", words[0], hint.empty() ? "; coenergy --help lists them" : hint)};
  }
  Words mistakes;
  for (std::size_t k = 1; k < words.size() && words[k] != "--"; ++k) {
    const std::string name = flag_name(words[k]);
    if (!is_flag(words[k]) || verb->get_option_no_throw(name) != nullptr) continue;
    // -ofile is -o with its value
    if (name[1] != '-' && verb->get_option_no_throw(name.substr(0, 2)) != nullptr) continue;
    std::string hint = did_you_mean(name, long_options(*verb));
    if (hint.empty()) hint = fmt::format("; coenergy {} --help lists them", verb->get_name());
    mistakes.push_back(fmt::format("{} has no option {}{}", verb->get_name(), name, hint));
  }
  return mistakes;
}

}  // namespace coenergy::app
