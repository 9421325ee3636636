#include "apps/coenergy/target.hpp"

#include "coenergy/io/output_file.hpp"
#include "coenergy/io/result_writer.hpp"

namespace coenergy::app {

Error target_error(const std::string& option, const std::string& path, const Error& error) {
  const std::string& text = error.items()[0].text;
  const std::string same = "cannot write " + path + ": ";
  return Error(option + " " + path + ": " +
               (text.starts_with(same) ? "cannot write this file: " + text.substr(same.size()) : text));
}

namespace {

void check_writable(const std::string& option, const std::string& path) {
  try {
    // what an earlier run left of it may be needed yet
    io::OutputFile(path, true);
  } catch (const Error& e) {
    throw target_error(option, path, e);
  }
}

}  // namespace

void check_target(const std::string& option, const std::string& path, const std::string& ending) {
  if (path.empty()) return;
  if (!path.ends_with(ending)) throw Error(option + " " + path + ": the file name must end with " + ending);
  check_writable(option, path);
}

void check_result_target(const std::string& option, const std::string& path) {
  if (path.empty()) return;
  try {
    io::check_result_ending(path);
  } catch (const Error& e) {
    throw target_error(option, path, e);
  }
  check_writable(option, path);
}

}  // namespace coenergy::app
