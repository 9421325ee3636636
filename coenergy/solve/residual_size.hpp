#pragma once
#include <span>

#include "coenergy/solve/newton.hpp"

namespace coenergy::solve {

/// Largest |rᵢ| sᵢ of residuals r, with sᵢ the reciprocal of the largest coefficient of row i; not a number where any
/// of them is not finite.
double scaled_size(std::span<const double> residual, std::span<const double> scale);

/// Notes the row with the largest |rᵢ| sᵢ in a report, if that is more than `worst`, which becomes it; of residuals
/// that are not finite the first. False once such a row is noted, which no other can exceed.
bool note_worst_row(std::span<const double> residual, std::span<const double> scale, double& worst,
                    NewtonReport& report);

}  // namespace coenergy::solve
