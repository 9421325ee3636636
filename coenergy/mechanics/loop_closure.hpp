#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/builder.hpp"
#include "coenergy/mechanics/chain_pose.hpp"
#include "coenergy/mechanics/mechanism.hpp"

namespace coenergy::mechanics {

/// A joint that closes a loop. `a` and `b` are the poses of its two sides, seen from the nearest link that carries
/// both.
///   position rows   p_b − p_a' = 0,   rotation rows   vee((R_a'ᵀR_b − R_bᵀR_a')/2) = 0
/// where a' is side a moved by the joint's own motions, whose coordinates are unknowns too (mixed coordinates). Rows
/// that depend on nothing are dropped; a constant gap is an error. A spherical motion leaves out the rotation rows.
/// In a plane the rotation row is the difference of two sums of angles; there a revolute joint needs no coordinate.
class LoopClosure {
 public:
  LoopClosure(equations::Builder& builder, const MechanismDescription::Joint& joint, ChainPose a, ChainPose b)
      : builder_(builder), joint_(joint), a_(std::move(a)), b_(std::move(b)) {}

  /// True if the joint is a revolute one about the common normal of a plane: angle() is its coordinate.
  bool is_planar_revolute() const;
  /// Σ angles of side b − Σ angles of side a, less whole turns so that it starts near `start`.
  symbolic::Expr angle(double start) const;

  /// Writes the rows. `coordinates` are those of the joint's motions; empty for a planar revolute joint without one.
  void write(const std::vector<int>& coordinates, const std::vector<double>& starts);

  /// After write(): force on side b at its origin, and torque, that the constraints exert; axes of the nearest link
  /// that carries both sides. Rows that were dropped exert nothing.
  const symbolic::Vec3& force() const { return force_; }
  const symbolic::Vec3& torque() const { return torque_; }

  int rows() const { return rows_; }
  const std::vector<std::string>& dropped() const { return dropped_; }

 private:
  bool share_plane() const;
  void move(const std::vector<int>& coordinates, const std::vector<double>& starts);
  void write_rotation(bool free_angle);  ///< free_angle: the turn in the plane is not constrained
  /// The multiplier of the new row; zero where the row is dropped.
  symbolic::Expr add_row(const std::string& what, const char* unit, const symbolic::Expr& phi);

  equations::Builder& builder_;
  const MechanismDescription::Joint& joint_;
  ChainPose a_, b_;
  symbolic::Vec3 force_, torque_;
  int rows_ = 0;
  std::vector<std::string> dropped_;
};

}  // namespace coenergy::mechanics
