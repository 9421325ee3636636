#pragma once
#include <vector>

#include "coenergy/generate/write.hpp"

namespace coenergy::generate {

/// The program that calls a generated function once, or (forward dynamics) runs it, and the stub of the user's forces.
std::vector<SourceFile> make_main_program(const Generated& generated, symbolic::Language language, const RunPlan& plan);

}  // namespace coenergy::generate
