// The commands that README and the READMEs of the examples show are carried out as they stand there.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

namespace fs = std::filesystem;

const fs::path root = COENERGY_SOURCE_DIR;

/// Words of a line as a shell would split it; quotes hold words together, # begins a comment.
std::vector<std::string> split_words(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool is_open = false, is_quoted = false;
  for (const char c : line + " ") {
    if (c == '"') {
      is_quoted = !is_quoted, is_open = true;
    } else if (c == '#' && !is_quoted && !is_open) {
      break;
    } else if (c == ' ' && !is_quoted) {
      if (is_open) words.push_back(word);
      word.clear(), is_open = false;
    } else {
      word += c, is_open = true;
    }
  }
  return words;
}

/// Lines of ```sh blocks that call the program, without its name.
std::vector<std::vector<std::string>> find_calls(const fs::path& document) {
  std::vector<std::vector<std::string>> calls;
  std::istringstream lines(read_text(document));
  bool is_shell = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) is_shell = line == "```sh";
    std::vector<std::string> words = split_words(line);
    if (!is_shell || words.empty() || !(words[0] == "coenergy" || words[0].ends_with("/coenergy"))) continue;
    words.erase(words.begin());
    calls.push_back(std::move(words));
  }
  return calls;
}

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(root / "examples")) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

class ExampleCommands : public testing::TestWithParam<std::string> {};

TEST_P(ExampleCommands, AreCarriedOut) {
  const fs::path document = root / "examples" / GetParam() / "README.md";
  ASSERT_TRUE(fs::exists(document)) << GetParam() << " has no README.md";
  const auto calls = find_calls(document);
  EXPECT_FALSE(calls.empty()) << document << " shows no command";
  const Folder folder;
  for (std::vector<std::string> words : calls) {
    std::string line;
    for (std::string& word : words) {
      line += " " + word;
      if (word.starts_with("examples/")) word = root / word;
      // what a command writes goes beside nobody's files
      const std::size_t at = &word - words.data();
      if (at > 0 && (words[at - 1] == "-o" || words[at - 1] == "--report" || words[at - 1] == "--checkpoint"))
        word = folder / word;
    }
    const Outcome outcome = run_program(words, 300);
    EXPECT_EQ(outcome.status, 0) << line << "\n" << outcome.all();
  }
}

TEST_P(ExampleCommands, FolderHasAPictureThatItsReadmeShows) {
  const fs::path example = root / "examples" / GetParam();
  EXPECT_NE(read_text(example / "README.md").find("![](picture.png)"), std::string::npos);
  const std::string picture = read_text(example / "picture.png");
  EXPECT_TRUE(picture.starts_with("\x89PNG")) << GetParam();
  EXPECT_GT(picture.size(), 5000u) << "the picture is blank";
}

TEST(ExampleCommands, AllExamplesStandInTheGalleryAndTheTable) {
  const std::string readme = read_text(root / "README.md");
  for (const std::string& name : example_names()) {
    EXPECT_NE(readme.find("examples/" + name + "/picture.png"), std::string::npos) << name << " is not in the gallery";
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, ExampleCommands, testing::ValuesIn(example_names()),
                         [](const auto& info) { return info.param; });

/// README's own commands, on its own models: the motor of its first example, and files of the names that it uses.
TEST(ReadmeCommands, AreCarriedOutInTheirOrder) {
  const std::string readme = read_text(root / "README.md");
  const std::size_t from = readme.find("```yaml\n") + 8;
  const Folder folder;
  folder.write("motor.yaml", readme.substr(from, readme.find("```", from) - from));
  folder.write("filter.cir",
               "a filter\nV1 in 0 AC 1 SIN(0 1 50)\nR1 in out 1k\nC1 out 0 1u\n.op\n.tran 0.1m 40m\n.end\n");
  folder.write("circles.yaml", "unknowns: {x: 1, y: 1}\nresiduals: [x^2 + y^2 - 4, (x - 1)^2 + y^2 - 2]\n");
  folder.write("winch.yaml",
               "components:\n  motor: {type: multibody.Revolute, parent: ground, child: drum, axis: y}\n"
               "  drum: {type: multibody.Body, mass: 12 kg, inertia: [0.3, 0.5, 0.3]}\n");
  folder.write("fb1.yaml", read_text(root / "examples/flexible_four_bar/fb1.yaml"));
  int carried_out = 0;
  std::set<std::string> missing;
  for (std::vector<std::string> words : find_calls(root / "README.md")) {
    std::string line;
    bool has_files = true;
    for (std::string& word : words) {
      line += " " + word;
      static const std::regex model(R"([a-z0-9_]+\.(yaml|cir|urdf|state|csv|html|h5))");
      const std::size_t at = &word - words.data();
      if (!std::regex_match(word, model) && !(at > 0 && words[at - 1] == "-o")) continue;
      const bool is_model = word.ends_with(".yaml") || word.ends_with(".cir") || word.ends_with(".urdf");
      word = folder / word;
      if (is_model && words[at - 1] != "-o" && !fs::exists(word)) has_files = false;
    }
    if (!has_files) {
      missing.insert(line);
      continue;
    }
    const Outcome outcome = run_program(words, 120);
    EXPECT_EQ(outcome.status, 0) << line << "\n" << outcome.all();
    ++carried_out;
  }
  EXPECT_GE(carried_out, 14) << "of the commands in README";
  EXPECT_LE(missing.size(), 10u) << "commands on models that README does not show";
}

}  // namespace
}  // namespace coenergy::tests
