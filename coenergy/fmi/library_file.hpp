#pragma once
#include <string>

#include "coenergy/fmi/archive.hpp"
#include "coenergy/fmi/description.hpp"

namespace coenergy::fmi {

/// The shared library of an unpacked FMU: its binary for this machine, else its C sources compiled by `cc`. Throws Error
/// naming the FMU and what it lacks.
std::string find_library(const Archive& archive, const Description& description, const std::string& identifier,
                         const std::string& fmu);

}  // namespace coenergy::fmi
