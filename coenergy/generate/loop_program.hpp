#pragma once
#include <string>

#include "coenergy/generate/routine.hpp"
#include "coenergy/symbolic/printer.hpp"

namespace coenergy::generate {

/// Source text of the function that puts the parts of a mechanism with constraints together (see generate_loops): no
/// allocation in C and C++, nothing kept between calls. `header` are comment lines. The function tells how it ended:
///   0 good,   1 the loops cannot be closed from this configuration,
///   2 the dependent coordinates do not follow from the independent ones here, or the actuators cannot make the motion
/// as its return value in C and C++, as the last result in Matlab and Python.
std::string print_loops(const Generated& generated, symbolic::Language language, const std::string& header);

}  // namespace coenergy::generate
