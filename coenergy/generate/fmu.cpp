#include "coenergy/generate/fmu.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "coenergy/base/error.hpp"
#include "coenergy/generate/fmu_runtime.hpp"
#include "coenergy/generate/system_runtime.hpp"
#include "coenergy/symbolic/dialect.hpp"

namespace coenergy::generate {

namespace {

/// The same equations have the same token.
std::string make_token(const std::string& text) {
  std::uint64_t a = 14695981039346656037u, b = 1099511628211u;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * 1099511628211u;
    b = (b + static_cast<unsigned char>(c)) * 6364136223846793005u + 1442695040888963407u;
  }
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}", a >> 32, (a >> 16) & 0xffff, a & 0xffff, b >> 48,
                     b & 0xffffffffffff);
}

std::string make_wrapper(const SystemCode& code, const FmuRequest& request, const std::string& token) {
  std::string text = "/* FMI " + std::string(request.version == 2 ? "2.0" : "3.0") + "; made by coenergy. */\n";
  if (request.version == 3) text += "#include <stdbool.h>\n";
  text += std::string(fmu_core) + "\n#define @_TOKEN \"" + token + "\"\n\n";
  text += request.version == 2 ? std::string(fmi2_functions)
                               : std::string(fmi3_types) + std::string(fmi3_functions) + std::string(fmi3_other_types);
  return symbolic::replace_at(text, code.request.prefix);
}

std::string make_build_description(const std::string& identifier) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
      "  <BuildConfiguration modelIdentifier=\"{0}\">\n    <SourceFileSet language=\"C99\">\n"
      "      <SourceFile name=\"{0}.c\"/>\n      <SourceFile name=\"fmi3.c\"/>\n    </SourceFileSet>\n"
      "    <Library name=\"m\"/>\n  </BuildConfiguration>\n</fmiBuildDescription>\n",
      identifier);
}

}  // namespace

std::vector<FmuFile> make_fmu(const SystemCode& code, const FmuRequest& request) {
  const std::string& name = code.request.prefix;
  std::vector<FmuFile> files;
  std::string all;
  for (const SourceFile& file : write_system(code, symbolic::Language::c)) {
    if (file.yours)
      throw Error(
          "export-fmu: the model calls functions of libraries, which cannot be put into an FMU; write them as "
          "expressions or tables");
    if (file.name == name + "_main.c") continue;
    files.push_back({"sources/" + file.name, file.text});
    all += file.text;
  }
  const std::string token = make_token(all);
  files.push_back({fmt::format("sources/fmi{}.c", request.version), make_wrapper(code, request, token)});
  if (request.version == 3) files.push_back({"sources/buildDescription.xml", make_build_description(name)});
  files.insert(files.begin(), {"modelDescription.xml", describe_fmu(code, request, name, token)});
  return files;
}

std::string add_binary(std::vector<FmuFile>& files, const SystemCode& code, const FmuRequest& request) {
  namespace fs = std::filesystem;
  std::string name = (fs::temp_directory_path() / "coenergy-fmu-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return "no folder for compiling";
  const fs::path folder = name;
  for (const FmuFile& file : files)
    if (file.path.starts_with("sources/"))
      std::ofstream(folder / file.path.substr(8), std::ios::binary) << file.content;
  const std::string& identifier = code.request.prefix;
  const std::string build =
      fmt::format("cd '{}' && cc -std=c99 -O2 -fPIC -shared -o library.so {}.c fmi{}.c -lm 2>errors >&2",
                  folder.string(), identifier, request.version);
  const bool good = std::system(build.c_str()) == 0;
  if (good) {
    std::ifstream library(folder / "library.so", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(library), std::istreambuf_iterator<char>()};
    const char* const machine = request.version == 2 ? "linux64" : "x86_64-linux";
    files.push_back({fmt::format("binaries/{}/{}.so", machine, identifier), bytes});
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return good ? "" : "the C compiler cc is not there, or did not compile the sources";
}

void write_fmu(const std::vector<FmuFile>& files, const std::string& path) {
  int code = 0;
  zip_t* const archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (archive == nullptr) throw Error({path}, "cannot be written");
  bool good = true;
  for (const FmuFile& file : files) {
    zip_source_t* const source = zip_source_buffer(archive, file.content.data(), file.content.size(), 0);
    const zip_int64_t at = source == nullptr ? -1 : zip_file_add(archive, file.path.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (source != nullptr && at < 0) zip_source_free(source);
    good = good && at >= 0;
  }
  if (!good) zip_discard(archive);
  if (!good || zip_close(archive) != 0) throw Error({path}, "cannot be written");
}

}  // namespace coenergy::generate
