#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace coenergy::fmi {

/// Whether this build reads FMUs (libzip was there).
bool can_read();

/// An FMU unpacked into a folder of its own, which goes with the object. Names of files that lead out of it, stand
/// twice or hold backslashes are refused, as are archives of more than 4 GB. Throws Error naming the FMU.
class Archive {
 public:
  explicit Archive(const std::filesystem::path& fmu);
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<std::string>& files() const { return files_; }
  bool has(const std::string& file) const;

 private:
  void unpack(const std::filesystem::path& fmu);
  std::filesystem::path folder_;
  std::vector<std::string> files_;
};

}  // namespace coenergy::fmi
