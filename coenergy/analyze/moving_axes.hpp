#pragma once
#include <vector>

#include "coenergy/analyze/response.hpp"
#include "coenergy/math/matrix.hpp"

namespace coenergy::analyze {

/// Axes in which small deviations of the nodes of flexible bodies are seen: as the system has them (translations in
/// world axes, rotations in body axes), all in the axes of their nodes, or all in world axes.
///
/// The equations of a structure that turns steadily have constant coefficients in axes that turn with it, of a rotor
/// without preferred direction also in axes that stand still, in mixed ones they vary. With δx, δv, δa of a node, R, ω, α
/// its rotation and rates in body axes, θ the deviation of its rotation:
///
///   turning:  ξ = Rᵀδx,   η = ξ̇ = Rᵀδv − ω × ξ,   η̇ = Rᵀδa − 2 ω × η − ω × (ω × ξ) − α × ξ;   θ, δω as they are
///   fixed:    δx, δv as they are;   ξ = R θ,   η = ξ̇ = R δω,   η̇ = R (δα + ω × δω)
enum class Axes { mixed, turning, fixed };

/// A deviation as states of position (ξ) and of rate (η), and what these change by; nv numbers each.
struct SeenDeviation {
  std::vector<double> position, rate, position_rate, rate_rate;
};
SeenDeviation see_deviation(const equations::System& system, const equations::Point& point, Axes axes,
                            const Deviation& d);

/// Φ_q with its columns for deviations seen so.
math::Matrix see_constraints(const equations::System& system, const equations::Point& point, Axes axes,
                             math::Matrix phi_q);

/// Whether a flexible body turns at the point.
bool turns_flexible_body(const equations::System& system, const equations::Point& point);

/// A point shortly after this one on its motion, with accelerations and multipliers of its own, and the time between.
struct LaterPoint {
  equations::Point point;
  double step = 0;
  bool good = false;
};
LaterPoint follow_motion(equations::Evaluator& evaluator, const equations::Point& point);

}  // namespace coenergy::analyze
