#include "coenergy/fmi/library_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <pugixml.hpp>

#include "coenergy/base/error.hpp"

namespace coenergy::fmi {
namespace {

std::string quote(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Source files by the list of the FMU; none where it has no list.
std::vector<std::string> list_sources(const Archive& archive, const Description& d) {
  pugi::xml_document document;
  std::vector<std::string> files;
  if (d.version == 3) {
    document.load_file((archive.folder() / "sources" / "buildDescription.xml").c_str());
    const pugi::xml_node set = document.child("fmiBuildDescription").child("BuildConfiguration").child("SourceFileSet");
    for (const pugi::xml_node file : set.children("SourceFile")) files.emplace_back(file.attribute("name").value());
    return files;
  }
  document.load_file((archive.folder() / "modelDescription.xml").c_str());
  const pugi::xml_node root = document.child("fmiModelDescription");
  for (const char* kind : {"ModelExchange", "CoSimulation"})
    for (const pugi::xml_node file : root.child(kind).child("SourceFiles").children("File"))
      if (const std::string name = file.attribute("name").value();
          std::find(files.begin(), files.end(), name) == files.end())
        files.push_back(name);
  return files;
}

}  // namespace

std::string find_library(const Archive& archive, const Description& description, const std::string& identifier,
                         const std::string& fmu) {
  if (identifier.find('/') != std::string::npos)
    throw Error({fmu}, "modelIdentifier \"" + identifier + "\" is no name");
  const std::string folder = description.version == 2 ? "linux64" : "x86_64-linux";
  const std::string binary = "binaries/" + folder + "/" + identifier + ".so";
  if (archive.has(binary)) return (archive.folder() / binary).string();
  const std::vector<std::string> sources = list_sources(archive, description);
  if (sources.empty()) throw Error({fmu}, "it has neither " + binary + " nor sources to compile");
  std::string files;
  for (const std::string& name : sources) {
    if (!archive.has("sources/" + name)) throw Error({fmu}, "its source " + name + " is not there");
    files += " " + quote((archive.folder() / "sources" / name).string());
  }
  const std::string library = (archive.folder() / (identifier + ".so")).string(), log = library + ".log";
  const std::string command = "cc -std=gnu99 -O2 -ffp-contract=off -shared -fPIC -I " +
                              quote((archive.folder() / "sources").string()) + files + " -o " + quote(library) +
                              " -lm > " + quote(log) + " 2>&1";
  if (std::system(command.c_str()) == 0) return library;
  std::ifstream file(log);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  constexpr std::size_t longest = 500;
  if (text.size() > longest) text = text.substr(0, longest) + " …";
  throw Error({fmu}, "it has no " + binary + ", and its sources do not compile:\n" + text);
}

}  // namespace coenergy::fmi
