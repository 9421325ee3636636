#pragma once
#include <memory>
#include <vector>

#include "coenergy/equations/builder.hpp"
#include "coenergy/mechanics/flexible_parts.hpp"
#include "coenergy/mechanics/kinematics.hpp"
#include "coenergy/mechanics/mechanism.hpp"

namespace coenergy::mechanics {

/// Motion of a modal body's frame, in its own axes, and of its shapes.
struct ModalMotion {
  symbolic::Vec3 free;         ///< acceleration of the origin less gravity
  symbolic::Vec3 v, w, alpha;  ///< velocity of the origin, angular velocity and acceleration
  std::vector<symbolic::Expr> q, rate, acceleration;
};

/// What a modal body takes: at the origin of its frame, in its axes, and by its shapes.
struct ModalLoads {
  symbolic::Vec3 force, torque;
  std::vector<symbolic::Expr> shapes;
  symbolic::Expr stored;      ///< without that of gravity, which is −g·(m x + R S)
  symbolic::Expr dissipated;  ///< power
  symbolic::Vec3 moment;      ///< S
};

/// Newton's, Euler's and Lagrange's equations of a modal body (see model::ModalBody for its letters):
///
///   f = m a + α × S + ω × (ω × S) + 2 ω × Ṡ + S̈,                     a: acceleration of the origin less gravity
///   τ = S × a + d/dt (J ω + h_i η̇_i) + ω × (J ω + h_i η̇_i)
///   f_i = (∂S/∂η_i)·a + d/dt (h_i·ω + M_ik η̇_k) − ½ ωᵀ ∂J/∂η_i ω − ω·(∂h_k/∂η_i) η̇_k + K_ik η_k + C_ik η̇_k
ModalLoads write_modal_body(symbolic::Graph& graph, const model::ModalBody& body, const ModalMotion& motion);

/// Where a place of a modal body is, in the axes of its frame.
struct ModalPose {
  symbolic::Vec3 p;
  SymbolicQuaternion turn;
};
ModalPose modal_pose(symbolic::Graph& graph, const std::string& name, const model::ModalBody::Place& place,
                     const std::vector<symbolic::Expr>& q);

/// Coordinates BODY.eta1 … of the shapes, as the builder numbers them, and their signals.
std::vector<int> add_modal_coordinates(equations::Builder& builder, const MechanismDescription::Body& body);
/// BODY.eta1 … with their rates, outputs, stresses and points for pictures, whose frame moves as `frame` says.
void declare_modal_signals(equations::Builder& builder, const MechanismDescription::Body& body,
                           const std::vector<int>& coordinates);
void define_modal_signals(equations::Builder& builder, const MechanismDescription::Body& body,
                          const std::vector<int>& coordinates, const model::FrameMotion& frame);
/// Pictures: the lines of the body through its points BODY.m0 ….
std::vector<Mechanism::Polyline> make_modal_lines(const MechanismDescription::Body& body);

/// Node 1, 2 … of the frame of this name; −1 if the body is not modal or has none. Node 0 is the body's own frame.
int find_modal_frame(const MechanismDescription::Body& body, const std::string& name);
/// The pose of a place at the start.
FlexibleParts::Node start_pose(const model::ModalBody& body, const model::ModalBody::Place& place);

}  // namespace coenergy::mechanics
