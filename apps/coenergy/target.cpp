#include "apps/coenergy/target.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace coenergy::app {

void check_target(const std::string& option, const std::string& path, const std::string& ending) {
  if (path.empty()) return;
  if (!path.ends_with(ending)) throw Error(option + " " + path + ": the file name must end with " + ending);
  const bool existed = std::filesystem::exists(path);
  errno = 0;
  if (!std::ofstream(path, std::ios::app))
    throw Error(option + " " + path + ": cannot write this file: " + std::strerror(errno != 0 ? errno : EIO));
  if (!existed) std::filesystem::remove(path);
}

}  // namespace coenergy::app
