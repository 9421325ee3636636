#pragma once
#include "coenergy/control/linear_system.hpp"

namespace coenergy::control {

/// What is between the disturbances and inputs (w, u) of a plant and its errors and measurements (z, y): the last
/// `controls` inputs are u, the last `measurements` outputs y.
struct GeneralPlant {
  LinearSystem system;
  int measurements = 1, controls = 1;
};

/// A controller u = K y.
struct Synthesis {
  LinearSystem controller;
  double gamma = 0;  ///< the norm from w to z is below it
};

/// The controller of least H∞ norm within `tolerance` (relative), of a continuous plant: two Riccati equations for each γ, which
/// is halved in (Glover, Doyle 1988; Zhou, Doyle, Glover 1996, ch. 17). Throws Error where u is not seen in z or w not in y
/// (D12, D21 without full rank), and where no controller stabilises.
Synthesis design_hinf(const GeneralPlant& plant, double tolerance = 1e-6);

/// The controller of least H2 norm; w may not act on z directly.
Synthesis design_h2(const GeneralPlant& plant);

}  // namespace coenergy::control
