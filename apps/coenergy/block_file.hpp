#pragma once
#include <string>
#include <vector>

#include "coenergy/control/linear_system.hpp"

namespace coenergy::app {

/// Components of a model file that are made of numbers, to be included by others.
class BlockFile {
 public:
  explicit BlockFile(const std::string& what) : text_("# " + what + "\n") {}

  void add_line(const std::string& line) { text_ += line + "\n"; }
  /// A component by name, type and entries: "u: [a, b]".
  void add(const std::string& name, const std::string& type, const std::vector<std::string>& entries);
  /// The same of a linear system over inputs that are expressions; a gain where it has no states.
  void add_system(const std::string& name, const std::vector<std::string>& inputs, const control::LinearSystem& system);
  void write(const std::string& path) const;

 private:
  std::string text_;
  bool has_components_ = false;
};

std::string list_of(const std::vector<std::string>& items);  ///< ["a", "b"]
std::string list_of(const math::Matrix& m);                  ///< row by row, with all digits
/// "wheel.w - 1.2 rad/s": a signal about its operating point.
std::string deviation(const std::string& signal, double at, const std::string& unit);

}  // namespace coenergy::app
