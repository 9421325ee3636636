#pragma once
#include <string>
#include <vector>

namespace coenergy::app {

/// What `describe TOPIC` tells besides component types: groups of words with their meaning.
struct Topic {
  struct Word {
    std::string name, unit, help;
  };
  struct Group {
    std::string title;
    std::vector<Word> words;
  };
  std::string name, help;
  std::vector<Group> groups;
  std::vector<std::string> examples;  ///< lines of a model file
};

/// The topic of that name, with the words as the program has them now; throws std::out_of_range for others.
Topic make_topic(const std::string& name);
/// Names of all topics with one line each: simulate, methods, expressions, units, plots, parts, include.
const std::vector<Topic::Word>& topic_names();

void print_topic(const Topic& topic, bool json);

}  // namespace coenergy::app
