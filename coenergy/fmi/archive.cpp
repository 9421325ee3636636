#include "coenergy/fmi/archive.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <set>

#include "coenergy/base/error.hpp"

#ifdef COENERGY_ZIP
#include <zip.h>
#endif

namespace coenergy::fmi {

#ifdef COENERGY_ZIP

namespace {

[[noreturn]] void refuse(const std::filesystem::path& fmu, const std::string& text) {
  throw Error({fmu.string()}, text);
}

/// Why a name of a file must not be unpacked; "" where it may.
std::string find_odd(const std::string& name) {
  if (name.empty() || name[0] == '/') return "has no relative path";
  if (name.find('\\') != std::string::npos || name.find(':') != std::string::npos) return "has \\ or : in its path";
  for (const std::filesystem::path& word : std::filesystem::path(name))
    if (word == ".." || word == ".") return "leads out of the archive";
  return "";
}

}  // namespace

bool can_read() { return true; }

Archive::Archive(const std::filesystem::path& fmu) {
  std::string name = (std::filesystem::temp_directory_path() / "coenergy_fmu_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) refuse(fmu, "no folder can be made in " + name);
  folder_ = name;
  try {
    unpack(fmu);
  } catch (...) {
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
    throw;
  }
}

void Archive::unpack(const std::filesystem::path& fmu) {
  if (!std::filesystem::exists(fmu)) refuse(fmu, "there is no such file");
  int code = 0;
  const std::unique_ptr<zip_t, void (*)(zip_t*)> zip(zip_open(fmu.c_str(), ZIP_RDONLY, &code), zip_discard);
  if (!zip) refuse(fmu, "it is no zip archive, or it is damaged");
  constexpr std::uint64_t most_bytes = std::uint64_t(4) << 30;
  std::uint64_t total = 0;
  std::set<std::string> seen;
  const zip_int64_t count = zip_get_num_entries(zip.get(), 0);
  for (zip_int64_t k = 0; k < count; ++k) {
    zip_stat_t info;
    if (zip_stat_index(zip.get(), static_cast<zip_uint64_t>(k), 0, &info) != 0) refuse(fmu, "the archive is damaged");
    const std::string name = info.name;
    if (const std::string odd = find_odd(name); !odd.empty()) refuse(fmu, "the file \"" + name + "\" " + odd);
    if (!seen.insert(name).second) refuse(fmu, "the file \"" + name + "\" stands twice");
    total += info.size;
    if (total > most_bytes) refuse(fmu, "it unpacks to more than 4 GB");
    if (name.back() == '/') {
      std::filesystem::create_directories(folder_ / name);
      continue;
    }
    std::filesystem::create_directories((folder_ / name).parent_path());
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(
        zip_fopen_index(zip.get(), static_cast<zip_uint64_t>(k), 0), zip_fclose);
    std::ofstream out(folder_ / name, std::ios::binary);
    std::vector<char> block(1 << 16);
    std::uint64_t left = info.size;
    while (file && left > 0) {
      const zip_int64_t got = zip_fread(file.get(), block.data(), block.size());
      if (got <= 0) break;
      out.write(block.data(), got);
      left -= std::min<std::uint64_t>(left, static_cast<std::uint64_t>(got));
    }
    if (!file || left > 0) refuse(fmu, "the file \"" + name + "\" is damaged");
    files_.push_back(name);
  }
}

Archive::~Archive() {
  std::error_code none;
  std::filesystem::remove_all(folder_, none);
}

#else

bool can_read() { return false; }
Archive::Archive(const std::filesystem::path& fmu) {
  throw Error({fmu.string()}, "this build reads no FMUs; install libzip-dev and build again");
}
void Archive::unpack(const std::filesystem::path&) {}
Archive::~Archive() = default;

#endif

bool Archive::has(const std::string& file) const {
  return std::find(files_.begin(), files_.end(), file) != files_.end();
}

}  // namespace coenergy::fmi
