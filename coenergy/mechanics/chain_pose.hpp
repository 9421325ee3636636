#pragma once
#include <string>

#include "coenergy/mechanics/kinematics.hpp"

namespace coenergy::mechanics {

/// Pose of a frame that is carried along a chain of turns and shifts, in symbols.
///
/// Turns about the same axis that follow each other are collected: R = R₀ Rot(axis, Σ angles). Chains in a plane so
/// keep one angle per frame, their structural zeros, and the plain sum where two chains meet.
class ChainPose {
 public:
  ChainPose(symbolic::Graph& graph, std::string name) : graph_(&graph), name_(std::move(name)) {}

  void rename(std::string name) { name_ = std::move(name); }
  void shift(const symbolic::Vec3& d);                                               ///< in present axes
  void turn(const FixedRotation& r);                                                 ///< a constant
  void turn(const SymbolicQuaternion& p);                                            ///< of a spherical motion
  void spin(const symbolic::Vec3& axis, const symbolic::Expr& angle, double value);  ///< value: at the start

  const symbolic::Vec3& p() const { return p_; }
  const symbolic::Mat3& R();
  SymbolicQuaternion quaternion() const;

  // the collected turn
  const symbolic::Mat3& base() const { return base_; }
  const symbolic::Vec3& axis() const { return axis_; }
  const symbolic::Expr& angle() const { return angle_; }
  double angle_value() const { return value_; }

 private:
  void settle();  ///< takes the collected turn into the base
  symbolic::Graph* graph_;
  std::string name_;
  symbolic::Vec3 p_, axis_;
  symbolic::Mat3 base_ = symbolic::Mat3::identity(), R_ = symbolic::Mat3::identity();
  SymbolicQuaternion base_quaternion_{1, 0, 0, 0};
  symbolic::Expr angle_;
  double value_ = 0;
  bool current_ = true;  ///< R_ is up to date
};

/// 1 or −1 if `b` is the same direction as `a` or its opposite, else 0. Structurally.
int compare_axes(const symbolic::Vec3& a, const symbolic::Vec3& b);

}  // namespace coenergy::mechanics
