// What the documents name is there: files, folders, options, component types, nouns of the code, presets, models.
#include "documents.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "program.hpp"

namespace coenergy::tests {
namespace {

namespace fs = std::filesystem;

const fs::path top = COENERGY_SOURCE_DIR;

const std::vector<fs::path>& files() {
  static const std::vector<fs::path> all = list_files(top);
  return all;
}

const std::vector<Document>& documents() {
  static const std::vector<Document> all = [] {
    std::vector<Document> found;
    for (const fs::path& path : files())
      if (path.extension() == ".md") found.push_back(read_document(path));
    return found;
  }();
  return all;
}

/// Structs that a document writes itself, as an example of what to add, in lower case: their files need not exist.
std::set<std::string> own_structs(const Document& document) {
  static const std::regex pattern("struct (\\w+)");
  std::set<std::string> names;
  for (const Fence& fence : document.fences)
    for (const Match& m : find_all(fence.text, pattern)) {
      std::string name = m[1];
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      names.insert(name);
    }
  return names;
}

/// Whether a path with * for any word is that of a file: from the top, from coenergy/, or beside the document; a bare
/// name may stand for any file of this name.
bool exists(const Document& document, const std::string& name) {
  const std::string pattern_text =
      std::regex_replace(std::regex_replace(name, std::regex("[.+]"), "\\$&"), std::regex("\\*"), "[^/]*");
  const std::regex pattern("(?:.*/)?" + pattern_text + "/?");
  std::vector<fs::path> starts{top, top / "coenergy", document.path.parent_path()};
  for (const fs::path& start : starts)
    if (fs::exists(start / name)) return true;
  const bool is_bare = name.find('/') == std::string::npos, has_star = name.find('*') != std::string::npos;
  if (!is_bare && !has_star)
    return std::any_of(files().begin(), files().end(),
                       [&](const fs::path& f) { return f.string().ends_with("/coenergy/domains/" + name); });
  return std::any_of(files().begin(), files().end(),
                     [&](const fs::path& f) { return std::regex_match(fs::relative(f, top).string(), pattern); });
}

TEST(Documents, EveryFileAndFolderNamedExists) {
  static const std::regex path(R"(\.?[\w*.-]*(?:/[\w*.-]+)*/?)");
  static const std::regex file(R"(.*\.(?:hpp|cpp|md|mjs|json|sh|cmake|txt|yaml|cir|urdf|mbs|electran|py))");
  static const std::regex link(R"(\]\(([^)#]+)\))");
  int seen = 0;
  for (const Document& document : documents()) {
    const std::set<std::string> own = own_structs(document);
    for (const CodeWord& word : document.words) {
      const std::string name = word.text.substr(0, word.text.find(' '));
      if (!std::regex_match(name, path) || (!std::regex_match(name, file) && name.find('/') == std::string::npos))
        continue;
      if (name.starts_with("build/") || name.starts_with("out/") || own.count(fs::path(name).stem())) continue;
      // units and fractions such as `kg/m` are no paths
      if (!std::regex_match(name, file) && !name.ends_with("/") && !fs::exists(top / name.substr(0, name.find('/'))))
        continue;
      ++seen;
      EXPECT_TRUE(exists(document, name)) << document.at(word.line) << " names `" << name << "`, which does not exist";
    }
    for (std::size_t k = 0; k < document.lines.size(); ++k)
      for (const Match& m : find_all(document.lines[k], link))
        EXPECT_TRUE(m[1].starts_with("http") || fs::exists(document.path.parent_path() / m[1]))
            << document.at(static_cast<int>(k) + 1) << " links to " << m[1] << ", which does not exist";
  }
  EXPECT_GT(seen, 60);
}

TEST(Documents, EveryExampleNamedIsAFolder) {
  int seen = 0;
  for (const Document& document : documents())
    for (const CodeWord& word : document.words) {
      const std::string& line = document.lines[word.line - 1];
      const std::string first_cell = line.substr(0, line.find('|', 1));
      if (!line.starts_with("| `examples/") || first_cell.find("`" + word.text + "`") == std::string::npos) continue;
      ++seen;
      const std::string name = word.text.starts_with("examples/") ? word.text : "examples/" + word.text;
      EXPECT_TRUE(fs::is_directory(top / name)) << document.at(word.line) << " names " << name;
    }
  EXPECT_GT(seen, 15);
}

/// Help of a verb; empty where there is no such verb.
const std::string& help_of(const std::string& verb) {
  static std::map<std::string, std::string> known;
  const auto place = known.find(verb);
  if (place != known.end()) return place->second;
  const Outcome outcome = run_program({verb, "--help"});
  return known[verb] = outcome.status == 0 ? outcome.output : "";
}

bool has_option(const std::string& help, const std::string& option) {
  const std::regex pattern("(^|[\\s,])" + option + "([\\s,=]|$)");
  return std::regex_search(help, pattern);
}

/// Calls of the program in a document: the verb and all that stands behind it.
std::vector<std::pair<std::string, std::string>> find_calls(const Document& document) {
  static const std::regex call(R"((?:^|[\s/`])coenergy ([a-z][a-z-]*)([^#\n`|;]*))");
  std::vector<std::pair<std::string, std::string>> calls;
  const auto add = [&](const std::string& text) {
    for (const Match& m : find_all(text, call)) calls.emplace_back(m[1], m[2]);
  };
  for (const Fence& fence : document.fences)
    if (fence.language == "sh") add(fence.text);
  for (const CodeWord& word : document.words)
    if (word.text.starts_with("coenergy ") || word.text.find("/coenergy ") != std::string::npos) add(word.text);
  return calls;
}

TEST(Documents, EveryVerbAndOptionOfACallExists) {
  static const std::regex option(R"((?:^|\s)(--?[a-zA-Z][\w-]*))");
  int seen = 0;
  for (const Document& document : documents())
    for (const auto& [verb, rest] : find_calls(document)) {
      EXPECT_NE(help_of(verb), "") << document.path << " calls the verb " << verb << ", which does not exist";
      for (const Match& m : find_all(rest, option)) {
        ++seen;
        EXPECT_TRUE(has_option(help_of(verb), m[1])) << document.path << ": coenergy " << verb << " has no " << m[1];
      }
    }
  EXPECT_GT(seen, 25);
}

/// Text of all sources beside a document.
std::string read_sources_beside(const Document& document) {
  std::string text;
  for (const fs::path& path : files())
    if (path.parent_path() == document.path.parent_path() && fs::is_regular_file(path) && path.extension() != ".md")
      text += read_text(path);
  return text;
}

TEST(Documents, EveryOptionInTheTextExists) {
  static const std::regex option(R"(^(--[a-z][\w-]*)(?:$|[ =]))"), verb_line(R"((?:^|\n)  ([a-z][a-z-]*)\s)");
  std::string all;
  for (const Match& m : find_all(run_program({"--help"}).output, verb_line)) all += help_of(m[1]);
  ASSERT_NE(all, "");
  for (const Document& document : documents())
    for (const CodeWord& word : document.words)
      for (const Match& m : find_all(word.text, option))
        // a program beside the document, a benchmark for one, has options of its own
        EXPECT_TRUE(has_option(all, m[1]) || read_sources_beside(document).find(m[1]) != std::string::npos)
            << document.at(word.line) << " names " << m[1] << ", which no verb has";
}

TEST(Documents, EveryComponentTypeExists) {
  static const std::regex type(
      R"(\b((?:electrical|mechanical|hydraulic|blocks|converters|multibody|flexible)\.[A-Z]\w*))");
  const std::string list = run_program({"list"}).output;
  int seen = 0;
  for (const Document& document : documents()) {
    const std::set<std::string> own = own_structs(document);
    std::string text;
    for (const std::string& line : document.lines) text += line + "\n";
    for (const Fence& fence : document.fences) text += fence.text;
    for (const Match& m : find_all(text, type)) {
      const std::string name = m[1];
      std::string noun = name.substr(name.find('.') + 1);
      std::transform(noun.begin(), noun.end(), noun.begin(), [](unsigned char c) { return std::tolower(c); });
      if (own.count(noun)) continue;
      ++seen;
      EXPECT_TRUE(std::regex_search(list, std::regex("(^|\\s)" + name + "(\\s|$)")))
          << document.path << " names the type " << name << ", which does not exist";
    }
  }
  EXPECT_GT(seen, 5);
}

TEST(Library, SpeaksOfArgumentsAndNotOfOptions) {
  // the command line puts the dashes before what argument() names; help that tells a user what to type may hold them
  static const std::regex text(R"re("([^"\n]*[ \(])?--[a-z][a-z-]*[^"\n]*")re");
  for (const fs::path& path : files()) {
    const std::string name = fs::relative(path, top).string();
    if (!name.starts_with("coenergy/") || path.extension() == ".md" || name.find("test") != std::string::npos) continue;
    if (name == "coenergy/io/simulation_options.cpp" || !fs::is_regular_file(path)) continue;
    const std::string source = read_text(path);
    for (const Match& m : find_all(source, text)) ADD_FAILURE() << name << " names an option: " << m[0];
  }
}

TEST(Documents, EveryNounOfTheCodeExists) {
  // `Builder`, `Builder::add_instance`, `equations::Evaluator`, `describe()`
  static const std::regex noun(R"((?:[A-Za-z]\w*::)*([A-Za-z]\w*)(?:\(\w*&?\))?)");
  std::string sources;
  for (const fs::path& path : files())
    if (path.extension() == ".hpp" || path.extension() == ".cpp" || path.filename() == "CMakeLists.txt")
      sources += read_text(path);
  static const std::regex identifier(R"([A-Za-z_]\w*)");
  std::set<std::string> words;
  for (std::sregex_iterator m(sources.begin(), sources.end(), identifier); m != std::sregex_iterator(); ++m)
    words.insert(m->str());
  int seen = 0;
  for (const Document& document : documents())
    for (const CodeWord& word : document.words) {
      std::smatch m;
      const bool is_code = word.text.find("::") != std::string::npos || word.text.ends_with(")") ||
                           std::regex_match(word.text, std::regex("[A-Z][a-z]+(?:[A-Z]\\w+)?|[a-z]+_\\w+"));
      static const std::regex placeholder("[A-Z]{3,}");  // `fuzz_READER` stands for any of them
      if (!is_code || !std::regex_match(word.text, m, noun) || std::regex_search(word.text, placeholder)) continue;
      ++seen;
      const bool is_folder = fs::exists(top / "examples" / m.str(1));
      EXPECT_TRUE(words.count(m[1]) != 0 || is_folder)
          << document.at(word.line) << " names `" << word.text << "`, which is in no source";
    }
  EXPECT_GT(seen, 20);
}

TEST(Documents, EveryPresetNamedExists) {
  const std::string presets = read_text(top / "CMakePresets.json");
  for (const Document& document : documents())
    for (const CodeWord& word : document.words) {
      if (!word.text.starts_with("cmake --preset ")) continue;
      for (const Match& m : find_all(word.text.substr(15), std::regex("[a-z]+")))
        EXPECT_NE(presets.find("{\"name\": \"" + m[0] + "\", \"inherits\""), std::string::npos)
            << document.at(word.line) << " names the preset " << m[0];
    }
}

TEST(Documents, EveryModelCompiles) {
  const Folder folder;
  int seen = 0;
  for (const Document& document : documents())
    for (const Fence& fence : document.fences) {
      if (fence.language != "yaml" || fence.text.find("components:") == std::string::npos) continue;
      ++seen;
      const Outcome outcome = run_program({"check", folder.write("model.yaml", fence.text)});
      EXPECT_EQ(outcome.status, 0) << document.at(fence.line) << "\n" << outcome.message;
    }
  EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace coenergy::tests
