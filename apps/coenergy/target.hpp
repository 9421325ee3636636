#pragma once
#include <string>

#include "apps/coenergy/load.hpp"

namespace coenergy::app {

/// Refuses names that would surprise, and files that could not be written after a long run.
void check_target(const std::string& option, const std::string& path, const std::string& ending);

/// The same for tables, whose ending names their format (see io::ResultWriter).
void check_result_target(const std::string& option, const std::string& path);

/// An error of a file that an option names.
Error target_error(const std::string& option, const std::string& path, const Error& error);

/// Writes to a file; a disk that fills up is no mistake of the model.
template <class Action>
auto write_result(Action&& action) {
  try {
    return action();
  } catch (const Error& e) {
    throw Failure(e.what());
  }
}

}  // namespace coenergy::app
