#pragma once
#include <span>
#include <string_view>

namespace coenergy::app {

/// A file under examples/ as it was when the program was built.
struct ExampleFile {
  std::string_view name;  ///< "scara/scara.yaml"
  std::string_view text;
};

/// All of them, in the order of their names.
std::span<const ExampleFile> example_files();

}  // namespace coenergy::app
