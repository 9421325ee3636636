// Every file of tests/malformed is refused: with the right exit status, a message that says where and what, and no
// crash.
//
// Lines at the top of a file say what is expected of it (netlists, in tests/malformed/netlists, have * for #):
//   # expect: text        part of what is printed; any number of them
//   # status: 1           exit status, if it is not 2 (the model is wrong): 1 is a computation that failed
//   # arguments: --set …  further arguments of the call, without spaces inside
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

const std::filesystem::path folder = std::filesystem::path(COENERGY_SOURCE_DIR) / "tests" / "malformed";

struct Expectation {
  std::vector<std::string> texts, arguments;
  int status = 2;
};

Expectation read_expectation(const std::filesystem::path& file) {
  Expectation expectation;
  std::istringstream lines(read_text(file));
  auto rest = [](const std::string& line, const std::string& key) { return line.substr(key.size()); };
  for (std::string line; std::getline(lines, line) && (line.starts_with("# ") || line.starts_with("* "));) {
    line[0] = '#';
    if (line.starts_with("# expect: ")) expectation.texts.push_back(rest(line, "# expect: "));
    if (line.starts_with("# status: ")) expectation.status = std::stoi(rest(line, "# status: "));
    if (line.starts_with("# arguments: ")) {
      std::istringstream words(rest(line, "# arguments: "));
      for (std::string word; words >> word;) expectation.arguments.push_back(word);
    }
  }
  return expectation;
}

std::vector<std::string> list_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  for (const auto& entry : std::filesystem::directory_iterator(folder / "netlists"))
    if (entry.path().extension() == ".cir") names.push_back("netlists/" + entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class Malformed : public testing::TestWithParam<std::string> {
 protected:
  Outcome call(const std::string& verb) const {
    std::vector<std::string> arguments{verb, file_.string()};
    arguments.insert(arguments.end(), expected_.arguments.begin(), expected_.arguments.end());
    return run_program(arguments);
  }

  // every line of a refusal begins with the file (or the option) and its place in it
  static bool is_located(const std::string& line) {
    static const std::regex place(
        R"(^(.*\.(yaml|cir|sub|lib|urdf|mbs|electran):\d+(:\d+)?|.*\.(yaml|cir)|--[a-z-]+ .*): .*|^… and \d+ more$)");
    return std::regex_match(line, place);
  }

  const std::filesystem::path file_ = folder / (GetParam() + (GetParam().starts_with("netlists/") ? ".cir" : ".yaml"));
  const Expectation expected_ = read_expectation(file_);
};

TEST_P(Malformed, ModelIsRefusedByRun) {
  ASSERT_FALSE(expected_.texts.empty()) << file_ << " says nothing of what is expected";
  const Outcome outcome = call("run");
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.status, expected_.status) << outcome.all();
  for (const std::string& text : expected_.texts)
    EXPECT_NE(outcome.message.find(text), std::string::npos) << "expected: " << text << "\nprinted: " << outcome.all();
  EXPECT_EQ(outcome.message.find("bug"), std::string::npos) << outcome.message;
  std::istringstream lines(outcome.message);
  for (std::string line; expected_.status == 2 && std::getline(lines, line);) EXPECT_TRUE(is_located(line)) << line;
}

TEST_P(Malformed, ModelDoesNotPassCheck) {
  const Outcome outcome = call("check");
  EXPECT_EQ(outcome.signal, 0);
  // what fails on the way to t_end is no matter of check
  if (expected_.status != 2) return;
  EXPECT_EQ(outcome.status, 2) << outcome.all();
  EXPECT_NE(outcome.message.find(expected_.texts[0]), std::string::npos) << outcome.all();
}

TEST(MalformedFolder, HoldsManyMistakes) { EXPECT_GE(list_names().size(), 100u); }

TEST(MalformedFolder, MistakesInHierarchiesNameTheWayOfInstances) {
  // "in robot.x (Axis): …", "x (Load) has no …"
  static const std::regex way(R"([a-z][\w.]* \([A-Z][\w.]*\)|[a-z]\w* \([a-z] = \d+\))");
  int files = 0, with_way = 0;
  for (const std::string& name : list_names()) {
    if (!name.starts_with("part_") && !name.starts_with("repeat_") && !name.starts_with("condition_")) continue;
    const Expectation expectation = read_expectation(folder / (name + ".yaml"));
    ++files;
    with_way += std::any_of(expectation.texts.begin(), expectation.texts.end(),
                            [](const std::string& text) { return std::regex_search(text, way); });
  }
  EXPECT_GE(files, 70);
  EXPECT_GE(with_way, 40);
}

INSTANTIATE_TEST_SUITE_P(Files, Malformed, testing::ValuesIn(list_names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

}  // namespace
}  // namespace coenergy::tests
