#pragma once
#include <functional>
#include <vector>

#include "coenergy/model/modal_body.hpp"

namespace coenergy::domains::flexible {

/// Points of a body, how its shapes move them, and what they weigh.
struct ShapedPoints {
  using Vector = model::ModalBody::Vector;
  using Field = std::vector<Vector>;  ///< of each point

  Field position;
  std::vector<Field> shift;  ///< U of each shape
  std::vector<Field> bend;   ///< g_ik at [i·shapes + k]; empty: none
  /// Σ_l m_kl f_l of a field f. Mass may couple points (consistent mass), alike in all directions.
  std::function<Field(const Field&)> weigh;
  /// A point that also turns as a small rigid body: first moment and inertia about it, by shape its turn.
  struct Turning {
    int point;
    Vector moment;
    model::ModalBody::Matrix inertia;
    std::vector<Vector> turn;
  };
  std::vector<Turning> turning;
};

/// Adds mass, moments and inertias of the points to the body, whose shapes are counted already. Turning parts are taken to
/// first order in the shapes.
void add_inertia(const ShapedPoints& points, model::ModalBody& body);

/// C of damping ratios ζ of the body's own modes: C = Σ M φ 2 ζ ω φᵀ M, the last ratio for all further modes; the frame is
/// held for it. Adds τ K too.
void add_damping(const std::vector<double>& ratios, double tau, model::ModalBody& body);

/// Angular frequencies of the body with its frame held, rising; empty where M is singular.
std::vector<double> compute_held_frequencies(const model::ModalBody& body);

}  // namespace coenergy::domains::flexible
