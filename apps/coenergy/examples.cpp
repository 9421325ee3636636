#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/coenergy/example_files.hpp"
#include "apps/coenergy/verbs.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/base/version.hpp"
#include "coenergy/io/output_file.hpp"

namespace coenergy::app {
namespace {

std::string_view folder_of(std::string_view name) { return name.substr(0, name.find('/')); }

/// What a model says it is: its `model:` entry; "" of files that are no models of their own.
std::string title_of(const ExampleFile& file) {
  if (!file.name.ends_with(".yaml") || file.text.find("\nsimulate:") == std::string_view::npos) return "";
  constexpr std::string_view key = "model:";
  std::size_t at = file.text.starts_with(key) ? 0 : file.text.find("\nmodel:");
  if (at == std::string_view::npos) return "";
  at = file.text.find(':', at) + 1;
  std::string_view line = file.text.substr(at, file.text.find('\n', at) - at);
  line.remove_prefix(std::min(line.find_first_not_of(" \""), line.size()));
  while (!line.empty() && (line.back() == '"' || line.back() == ' ')) line.remove_suffix(1);
  return std::string(line);
}

int list_examples(bool json) {
  nlohmann::json all = nlohmann::json::array();
  for (const ExampleFile& file : example_files()) {
    const std::string title = title_of(file);
    if (title.empty()) continue;
    if (json)
      all.push_back({{"example", folder_of(file.name)}, {"model", file.name}, {"title", title}});
    else
      fmt::print("{:<52} {}\n", file.name, title);
  }
  if (json)
    fmt::print("{}\n", nlohmann::json{{"version", version}, {"examples", all}}.dump(2));
  else
    fmt::print("\ncoenergy examples NAME writes the files of one into a folder of that name\n");
  return 0;
}

std::vector<std::string> folder_names() {
  std::set<std::string> names;
  for (const ExampleFile& file : example_files()) names.emplace(folder_of(file.name));
  return {names.begin(), names.end()};
}

}  // namespace

int examples(const ExamplesArguments& arguments) {
  if (arguments.name.empty()) return list_examples(arguments.json);
  // the file of a listed line is as good as its folder
  const std::string wanted(folder_of(arguments.name));
  const std::vector<std::string> names = folder_names();
  if (std::find(names.begin(), names.end(), wanted) == names.end()) {
    const std::string hint = did_you_mean(wanted, names);
    throw Error("there is no example \"" + wanted + "\"" + (hint.empty() ? "; coenergy examples lists them" : hint));
  }
  const std::filesystem::path target(arguments.folder);
  std::vector<const ExampleFile*> files;
  for (const ExampleFile& file : example_files())
    if (folder_of(file.name) == wanted) files.push_back(&file);
  for (const ExampleFile* file : files)
    if (std::filesystem::exists(target / file->name))
      throw Error((target / file->name).string() + " exists and is not replaced; choose another folder with -o");
  nlohmann::json written = nlohmann::json::array();
  for (const ExampleFile* file : files) {
    const std::filesystem::path path = target / file->name;
    std::error_code failed;
    std::filesystem::create_directories(path.parent_path(), failed);
    if (failed) throw Error("cannot make the folder " + path.parent_path().string() + ": " + failed.message());
    io::OutputFile output(path.string());
    output.write(std::string(file->text));
    output.commit();
    written.push_back(path.string());
    if (!arguments.json) fmt::print("{}\n", path.string());
  }
  if (arguments.json) fmt::print("{}\n", nlohmann::json{{"version", version}, {"files", written}}.dump(2));
  return 0;
}

}  // namespace coenergy::app
