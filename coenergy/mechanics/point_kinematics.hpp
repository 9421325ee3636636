#pragma once
#include <span>
#include <vector>

#include "coenergy/mechanics/body_tree.hpp"

namespace coenergy::mechanics {

/// A point fixed to a link: its place in link axes, and the axes of a frame there.
struct LinkPoint {
  int link = -1;  ///< −1: the ground
  symbolic::Vec3 position;
  symbolic::Mat3 axes = symbolic::Mat3::identity();
};

/// Where a point is and how it moves, all in world axes.
///   velocity = Σ J_k q̇_k,   acceleration = Σ J_k q̈_k + bias
struct PointKinematics {
  symbolic::Vec3 position;
  symbolic::Mat3 R;  ///< of the frame at the point: v_W = R v
  symbolic::Vec3 velocity, angular_velocity;
  symbolic::Vec3 bias, angular_bias;
  struct Column {
    int freedom;
    symbolic::Vec3 linear, angular;
  };
  std::vector<Column> jacobian;  ///< of the degrees of freedom that move the point, ground first
};

/// Forward kinematics of points. Turns about one axis that follow each other are added first: R₀ Rot(e, q₁ + q₂), so
/// that chains of parallel joints need one rotation matrix each, not one product of matrices for each joint.
std::vector<PointKinematics> compute_kinematics(const BodyTree& tree, std::span<const LinkPoint> points);

}  // namespace coenergy::mechanics
