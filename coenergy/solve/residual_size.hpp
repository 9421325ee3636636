#pragma once
#include <span>
#include <vector>

#include "coenergy/solve/newton.hpp"

namespace coenergy::solve {

/// Reciprocals of the largest coefficients of the rows of S, by which residuals of different rows are comparable. The
/// coefficients of rates ẋ are taken to those of x = x₀ + step·ẋ, for rates of different states are not comparable: a
/// row of rates alone would outweigh all others at the start of an iteration, and hide that these have not converged.
void find_row_scales(const equations::System& s, const equations::SparsePattern& pattern,
                     std::span<const double> values, double step, std::vector<double>& scales);

/// Largest |rᵢ| sᵢ of residuals r, with sᵢ the scale of row i; not a number where any of them is not finite.
double scaled_size(std::span<const double> residual, std::span<const double> scale);

/// Notes the row with the largest |rᵢ| sᵢ in a report, if that is more than `worst`, which becomes it; of residuals
/// that are not finite the first. False once such a row is noted, which no other can exceed.
bool note_worst_row(std::span<const double> residual, std::span<const double> scale, double& worst,
                    NewtonReport& report);

}  // namespace coenergy::solve
