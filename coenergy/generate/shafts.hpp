#pragma once
#include <string>
#include <vector>

#include "coenergy/mechanics/mechanism_model.hpp"

namespace coenergy::generate {

/// Puts shafts that follow the joints, by gears, racks and the like, into the rows of the joints, so that what is behind
/// them has its inertia there. With the constraints h(q, s) = 0 that hold the shafts, of which A = ∂h/∂s is regular,
///
///   s̈ = J q̈ + β,   J = −A⁻¹ ∂h/∂q,   r'_i = r_i + Σ J_ki r_k   of the rows r, accelerations of shafts replaced;
///
/// their rates likewise, and their angles where h is linear in them. Returns the names of shafts that do not follow:
/// they stay variables of the model beside the function.
std::vector<std::string> include_shafts(mechanics::MechanismModel& mechanism);

}  // namespace coenergy::generate
