#pragma once
#include "coenergy/solve/equilibrium.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::analyze {

using solve::Equilibrium;
using solve::EquilibriumOptions;
using solve::find_equilibrium;

/// The equilibrium that is found from the start values of the system (see solve::find_equilibrium).
Equilibrium find_equilibrium(equations::Evaluator& evaluator, const EquilibriumOptions& options = {});

/// Whether a system that rests at a point stays near it when it is disturbed a little.
///
///   δq̈ = −K δq,   K = M⁻¹(∂R/∂q) in independent coordinates, states and algebraic variables at rest with them
///
/// An eigenvalue of K (1/s², the square of an angular frequency where nothing is damped) below zero is a direction in
/// which the position is a maximum of the energy: the system leaves it. Without such a direction it may still be left
/// by growing oscillations or by its states; the eigenvalues of the whole linear model tell.
struct Stability {
  bool stable = true;
  double lowest = 0;          ///< eigenvalue of K, 1/s²; 0 without coordinates
  int negative = 0;           ///< how many are below zero
  double fastest_growth = 0;  ///< largest real part of an eigenvalue of the linear model, 1/s
};
Stability find_stability(equations::Evaluator& evaluator, const equations::Point& point);

}  // namespace coenergy::analyze
