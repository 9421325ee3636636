#pragma once
#include <filesystem>

#include "coenergy/model/model.hpp"

namespace coenergy::io {

/// An FMU by itself: the component `fmu`, run as its default experiment says, with its inputs at their start values.
/// Throws Error with everything in it that breaks the rules of the standard.
model::Model read_fmu(const std::filesystem::path& path);

}  // namespace coenergy::io
