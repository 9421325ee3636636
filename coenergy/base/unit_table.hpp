#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "coenergy/base/units.hpp"

namespace coenergy {

/// One factor of a unit text without its power, "kg", "mH", "µs", "degC": a symbol of the table, or an SI prefix and
/// one.
std::optional<Unit> find_unit_symbol(std::string_view symbol);
/// What an unknown symbol could mean: "; did you mean N.m?" for "Nm", "V" for "volt", "ohm" for "Ohms", or "".
std::string suggest_unit_symbol(std::string_view symbol);

}  // namespace coenergy
