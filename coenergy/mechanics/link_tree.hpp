#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/builder.hpp"
#include "coenergy/mechanics/chain_pose.hpp"

namespace coenergy::mechanics {

/// One frame of a tree of frames and how it moves against the one before (its parent h):
///   R_hi = A · turn · B,    origin O_i = O_h + d (+ q·A·axis for a translation)
/// A, B, d are constant; `turn` is the rotation about `axis` by q, a spherical one, or none. Of a link that bends d and
/// the turn p are functions of the coordinates of a body's shapes.
struct Link {
  enum class Kind { ground, fixed, rotation, translation, spherical, bending };
  std::string name;
  Kind kind = Kind::fixed;
  int parent = -1;
  symbolic::Vec3 d;
  FixedRotation A, B;
  symbolic::Vec3 axis;
  double start = 0;                    ///< of q
  int coordinate = -1, rotation = -1;  ///< builder's unknown
  SymbolicQuaternion p{1, 0, 0, 0};    ///< of a link that bends, with its coordinates
  std::vector<int> shapes = {};
};

/// Recursive Newton–Euler over a tree of links (Sass 2004, eqs. 4.7–4.22 with misprints
/// mended), with all vectors of a link in its own axes and bound to auxiliary variables:
///
///   ω_i = Rᵀω_h + φ q̇,   ω̇_i = Rᵀω̇_h + (Rᵀω_h) × φ q̇ + φ q̈,   β = ω̇~ + ω̃ω̃
///   α_i = Rᵀ(α_h + β_h d_z + 2 ω_h × ψ q̇ + ψ q̈),   α_0 = −g,   d_z = d + ψ q
///   F_h += R F_i,   L_h += R L_i + d_z × R F_i,   row of q:  φ·L_i (rotation),  ψ·R F_i (translation)
///
/// φ is the axis of a rotation (in i), ψ that of a translation (in h). Of a link that bends, ψ q̇, ψ q̈ are ḋ, d̈ and φ q̇
/// is 2 vec(p* ⊗ ṗ); the row of a shape η has ψ = ∂d/∂η, φ = 2 vec(p* ⊗ ∂p/∂η). The rows are functions of (q, q̇, q̈): inverse
/// dynamics; their derivative to q̈ is the mass matrix.
class LinkTree {
 public:
  LinkTree(equations::Builder& builder, const symbolic::Vec3& gravity);

  int add(Link link);  ///< index; 0 is the ground
  const Link& link(int i) const { return links_[i].link; }
  int size() const { return static_cast<int>(links_.size()); }

  // motion of a link, own axes
  const symbolic::Vec3& w(int i) const { return links_[i].w; }
  const symbolic::Vec3& wd(int i) const { return links_[i].wd; }
  const symbolic::Vec3& velocity(int i) const { return links_[i].u; }          ///< of the origin
  const symbolic::Vec3& acceleration(int i) const { return links_[i].alpha; }  ///< of the origin, less gravity
  const symbolic::Mat3& beta(int i) const { return links_[i].beta; }
  ChainPose& world(int i) { return links_[i].pose; }

  /// A force at the link's origin and a torque that the link needs (inertia less what acts on it), own axes.
  void add_load(int i, const symbolic::Vec3& force, const symbolic::Vec3& torque);
  /// Carries the loads to the ground and adds every joint's row to the builder.
  void write_balances();

  struct Load {
    symbolic::Vec3 force, torque;  ///< at the link's origin, own axes
  };
  /// After write_balances(): what link i and all that hangs on it need from the parent, besides forces of constraints.
  Load load(int i) const { return {links_[i].force, links_[i].torque}; }
  /// Loads of the links, each with those of all that hangs on it.
  void carry(std::vector<Load>& loads) const;

  /// Links from just after `ancestor` to `i`.
  std::vector<int> path(int ancestor, int i) const;
  int common_ancestor(int i, int j) const;
  /// Pose of a link against one of its ancestors.
  ChainPose pose(int ancestor, int i, const std::string& name);

 private:
  struct State {
    Link link;
    symbolic::Mat3 R;                            ///< R_hi
    symbolic::Vec3 psi, dz;                      ///< ψ and d_z in parent axes
    symbolic::Vec3 phi;                          ///< φ in own axes
    std::vector<symbolic::Vec3> psi_of, phi_of;  ///< ψ and φ of each shape
    symbolic::Vec3 w, wd, u, alpha, force, torque;
    symbolic::Mat3 beta;
    ChainPose pose;
  };
  void advance(ChainPose& pose, const State& s) const;
  void compute_motion(State& s) const;
  void find_shape_axes(State& s) const;

  equations::Builder& builder_;
  std::vector<State> links_;
};

}  // namespace coenergy::mechanics
