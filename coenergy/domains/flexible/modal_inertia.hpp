#pragma once
#include <array>
#include <functional>
#include <vector>

#include "coenergy/model/modal_body.hpp"

namespace coenergy::domains::flexible {

/// Points of a body, how its shapes move and turn them, and what they weigh.
struct ShapedPoints {
  using Vector = model::ModalBody::Vector;
  using Twist = std::array<double, 6>;  ///< displacement and turn, or force and torque
  using Field = std::vector<Twist>;     ///< of each point

  std::vector<Vector> position;
  std::vector<Field> shift;  ///< of each shape
  std::vector<Field> bend;   ///< g_ik at [i·shapes + k], without turns; empty: none
  /// M f of a field f. Mass may couple points (consistent mass) and displacements with turns (offset centres).
  std::function<Field(const Field&)> weigh;
};

/// Mass, moments and inertias of the points become those of the body, whose shapes are counted already:
///
///   T = ½ fᵀ M f of f = v + ω × r + Ṡ-terms: rigid motions t_a (along) and ρ_a (about an axis, at the bent place), shapes φ_i
///   J_ab = ρ_aᵀ M ρ_b,   h_i = ρ_aᵀ M φ_i,   E_i = t_aᵀ M φ_i,   with ρ_a = (e_a × (r₀ + U_i η_i + …); e_a)
void set_inertia(const ShapedPoints& points, model::ModalBody& body);

/// C of damping ratios ζ of the body's own modes: C = Σ M φ 2 ζ ω φᵀ M, the last ratio for all further modes; the frame is
/// held for it. Adds τ K too.
void set_damping(const std::vector<double>& ratios, double tau, model::ModalBody& body);

}  // namespace coenergy::domains::flexible
