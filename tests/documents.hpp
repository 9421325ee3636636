#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace coenergy::tests {

/// A fenced block of a document: what stands behind the fence ("sh", "yaml", "cpp"), and its lines.
struct Fence {
  std::string language;
  int line;
  std::string text;
};

/// Words set as code within the text, by line.
struct CodeWord {
  int line;
  std::string text;
};

/// A Markdown document of the project, taken apart.
struct Document {
  std::filesystem::path path;
  std::vector<std::string> lines;  ///< outside of fences; those inside are empty
  std::vector<Fence> fences;
  std::vector<CodeWord> words;

  std::string at(int line) const { return path.string() + ":" + std::to_string(line); }
};

/// All places that match, each with its groups: [0] the whole, [1] the first group …
using Match = std::vector<std::string>;
inline std::vector<Match> find_all(const std::string& text, const std::regex& pattern) {
  std::vector<Match> found;
  for (std::sregex_iterator m(text.begin(), text.end(), pattern); m != std::sregex_iterator(); ++m)
    found.emplace_back(m->begin(), m->end());
  return found;
}

inline Document read_document(const std::filesystem::path& path) {
  static const std::regex code("`([^`\n]+)`");
  Document document{path, {}, {}, {}};
  std::ifstream file(path);
  std::string line;
  bool inside = false;
  for (int number = 1; std::getline(file, line); ++number) {
    const bool is_fence = line.starts_with("```");
    if (is_fence && !inside) document.fences.push_back({line.substr(3), number, ""});
    if (inside && !is_fence) document.fences.back().text += line + "\n";
    document.lines.push_back(inside || is_fence ? "" : line);
    if (is_fence) inside = !inside;
  }
  // a span of code may be broken into two lines: `functions: {drag: {library:` is no word then, and is left out
  for (std::size_t k = 0; k < document.lines.size(); ++k)
    if (std::count(document.lines[k].begin(), document.lines[k].end(), '`') % 2 == 0)
      for (const Match& m : find_all(document.lines[k], code))
        document.words.push_back({static_cast<int>(k) + 1, m[1]});
  return document;
}

/// Files below a folder, without what is built or installed there.
inline std::vector<std::filesystem::path> list_files(const std::filesystem::path& top) {
  std::vector<std::filesystem::path> found;
  for (auto entry = std::filesystem::recursive_directory_iterator(top);
       entry != std::filesystem::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename();
    if (entry->is_directory() && (name == "build" || name == "out" || name == "node_modules" || name == ".git"))
      entry.disable_recursion_pending();
    else
      found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace coenergy::tests
