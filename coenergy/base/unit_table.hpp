#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/base/units.hpp"

namespace coenergy {

/// One factor of a unit text without its power, "kg", "mH", "µs", "degC": a symbol of the table, or an SI prefix and
/// one.
std::optional<Unit> find_unit_symbol(std::string_view symbol);
/// What an unknown symbol could mean: "; did you mean N.m?" for "Nm", "V" for "volt", "ohm" for "Ohms", or "".
std::string suggest_unit_symbol(std::string_view symbol);

/// A symbol of the table; `meaning` in base units, "1000 kg.m/s2", or "" of base units and angles.
struct UnitSymbol {
  std::string_view name;
  bool takes_prefix;
  std::string meaning;
};
std::vector<UnitSymbol> list_unit_symbols();

}  // namespace coenergy
