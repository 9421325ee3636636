#pragma once
#include <vector>

#include "coenergy/mechanics/element_catalog.hpp"
#include "coenergy/model/multibody.hpp"

namespace coenergy::mechanics {

/// A rigid body with its origin's position x (world) and rotation R as unknowns, centre of mass c, inertia J about it:
///   m (ẍ + R β c − g) = f,   J ω̇ + ω × J ω + c × Rᵀ m (ẍ + R β c − g) = τ   (body axes),   β = ω̇~ + ω̃ω̃
/// Stored energy ½ m |v_c|² + ½ ωᵀJω − m g·x_c.
/// Parameters: mass, c (3), J as xx yy zz xy xz yz, g (3).
std::vector<symbolic::Expr> rigid_body_parameters(const model::RigidBody& body, const symbolic::Vec3& gravity);
void write_rigid_body(ElementEquations& e);

/// A joint between two frames that are unknowns themselves, with its own coordinates s (mixed coordinates):
///   x_C + R_C c_C − x_P − R_P (c_P + A z(s)) = 0,   2 vec((p_P a m(s))* ⊗ p_C b) = 0
/// z and m: displacement and quaternion of the joint's motions; A, a the parent placement's rotation, b the child's.
/// The vector part of the relative quaternion vanishes only where the rotations agree. A spherical motion (the last
/// one) leaves out the rotation rows.
class JointElement {
 public:
  /// A side without coordinates is the ground.
  struct Shape {
    bool parent_is_ground = false, child_is_ground = false;
    std::vector<model::Motion> motions;
    bool is_spherical() const;
    int rows() const { return is_spherical() ? 3 : 6; }
    /// Kinds of the motions and axes; elements of the same text have the same equations.
    std::string key() const;
  };
  explicit JointElement(Shape shape) : shape_(std::move(shape)) {}
  /// Parameters: c_P (3), angles of A (3), c_C (3), angles of the child placement (3).
  void write(ElementEquations& e) const;

 private:
  Shape shape_;
};

}  // namespace coenergy::mechanics
