#pragma once

namespace coenergy::model {

/// Absolute pressure of the air (Pa) that pressures of fluid ports are counted from.
constexpr double atmosphere = 101325;
/// No oil has a lower pressure (over atmosphere): it evaporates.
constexpr double vacuum = -atmosphere;

}  // namespace coenergy::model
