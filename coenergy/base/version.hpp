#pragma once

namespace coenergy {

/// Of the program, as `coenergy --version`, reports and CMake tell it; CHANGELOG.md says what each one brought.
inline constexpr const char* version = "0.1.0";

}  // namespace coenergy
