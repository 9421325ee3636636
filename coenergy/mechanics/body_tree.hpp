#pragma once
#include <array>
#include <string>
#include <vector>

#include "coenergy/symbolic/vector.hpp"

namespace coenergy::mechanics {

/// Mass, first moment m·c and inertia of a body about the origin of its link, link axes. The three numbers kinds are
/// linear in the distribution of mass, so that bodies that move together add up.
struct SpatialInertia {
  symbolic::Expr mass;
  symbolic::Vec3 moment;
  symbolic::Mat3 inertia;
};

/// A tree of rigid links for the generators of equations (inverse_dynamics.hpp, mass_matrix.hpp, forward_dynamics.hpp,
/// point_kinematics.hpp). Every entry is a number or a symbol; zeros cost nothing.
///
/// Link i hangs on its parent h by one joint. The joint frame sits at d in the parent's axes, turned by the constant A;
/// the link's frame is the joint frame after the motion along or about one of its axes:
///   R_hi = A · Rot(axis, q),  O_i = O_h + d        rotation
///   R_hi = A,  O_i = O_h + d + q A e_axis          translation
///   R_hi = A · R(p),  O_i = O_h + d                spherical, p a unit quaternion, rate ω in link axes
struct BodyTree {
  enum class Kind { rotation, translation, spherical };
  struct Link {
    std::string name;  ///< of the joint; prefix of the auxiliary variables
    int parent = -1;   ///< −1: the ground; a parent comes before its children
    Kind kind = Kind::rotation;
    int axis = 2;  ///< of the motion: 0, 1, 2
    symbolic::Mat3 A = symbolic::Mat3::identity();
    symbolic::Vec3 d;
    symbolic::Expr q, v, a;           ///< coordinate, its rate and acceleration
    std::array<symbolic::Expr, 4> p;  ///< of a spherical joint, instead
    symbolic::Vec3 w, wd;

    // the body: either as given, about the centre of mass, or (after lump()) about the origin
    symbolic::Expr mass;
    symbolic::Vec3 com;
    symbolic::Mat3 inertia;
    bool lumped = false;
    SpatialInertia origin;

    symbolic::Vec3 force, torque;  ///< applied from outside at the link's origin, link axes
  };
  symbolic::Graph* graph = nullptr;
  symbolic::Vec3 gravity;
  std::vector<Link> links;

  int dofs() const;
};

/// One degree of freedom: a rotation or translation along an axis of its link.
struct Freedom {
  int link;
  bool turns;
  int axis;
};
/// All degrees of freedom in the order of the links; a spherical joint has three rotations.
std::vector<Freedom> list_freedoms(const BodyTree& tree);

/// How a link sits in its parent, in symbols: R_hi and the vector from O_h to O_i in the parent's axes.
struct LinkPlacement {
  symbolic::Mat3 A, R;
  symbolic::Vec3 dz, psi;  ///< psi: axis of a translation in the parent's axes
  symbolic::Expr c, s;     ///< cosine and sine of a rotation
  int axis = -1;           ///< of a rotation, else −1
};
std::vector<LinkPlacement> make_placements(const BodyTree& tree);

/// R X Rᵀ of a symmetric or of any matrix: from link axes to the parent's. A turn about an axis costs 8 products for a
/// symmetric and 12 for any other matrix, since the trace in the plane of the turn does not change.
symbolic::Mat3 rotate_symmetric(const LinkPlacement& p, const symbolic::Mat3& x);
symbolic::Mat3 rotate(const LinkPlacement& p, const symbolic::Mat3& x);

/// The inertia of a link's body about the link's origin.
SpatialInertia inertia_about_origin(symbolic::Graph& graph, const BodyTree::Link& link);
/// A child's inertia carried to the parent's origin and axes.
SpatialInertia carry(symbolic::Graph& graph, const std::string& name, const LinkPlacement& p, const SpatialInertia& x);
SpatialInertia operator+(const SpatialInertia& a, const SpatialInertia& b);

/// The base inertial parameters: moves up the tree whatever part of a body's inertia the joint's motion cannot tell
/// from a part of the parent:
///   rotation about e   the mass, the first moment along e and the second moment along e (mass on the axis)
///   translation        the whole inertia tensor (which does not change with the place)
///   spherical          the mass
/// The parts are sums and products of parameters, hence constants. What reaches the ground vanishes. Origins are moved
/// along the axes before (see link_origins.hpp).
/// Inverse and forward dynamics and the mass matrix stay the same; reactions do not.
BodyTree lump(const BodyTree& tree);

}  // namespace coenergy::mechanics
