#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace coenergy::app {

/// The words of a call as the parser takes them: `--set a=1 b=2` becomes `--set a=1 --set b=2`. A list ends at the next
/// option, at the model file, and behind --set at a word without '='.
std::vector<std::string> spread_lists(const CLI::App& program, const std::vector<std::string>& words);

/// What is wrong with verbs and options that do not exist, a line each, with what may be meant.
std::vector<std::string> find_unknown_words(const CLI::App& program, const std::vector<std::string>& words);

/// The verb that the words name; "" where the first word is none.
std::string verb_of(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace coenergy::app
