#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/builder.hpp"
#include "coenergy/model/multibody.hpp"

namespace coenergy::mechanics {

/// A frame others connect to: a body (−1: ground) and, of a flexible body, one of its nodes.
struct FrameId {
  int body = -1;
  int node = 0;
};

/// The bodies and joints of a model, resolved: names, start values and parameters are settled, nothing is formulated
/// yet.
struct MechanismDescription {
  struct Body {
    std::string name;
    Location where;
    model::RigidBody properties;                                                 ///< unused where `flexible` is set
    std::array<double, 3> position{}, angles{}, velocity{}, angular_velocity{};  ///< start guess (see RigidBody)
    bool placed = false;                                                         ///< the user gave a start pose
    std::function<void(model::FlexibleBody&)> flexible;  ///< nodes and elements; empty for a rigid or a modal body
    std::shared_ptr<const model::ModalBody> modal;       ///< shapes about a floating frame; empty for others
    bool has_shapes = false;
    bool is_point = false;  ///< a free mass without inertia: it does not turn, and no torque may act on it
  };
  struct Joint {
    std::string name;
    Location where;
    model::Joint properties;
    FrameId parent, child;
    std::array<double, 3> parent_position{}, parent_angles{}, child_position{},
        child_angles{};                                    ///< numeric values, for assembly
    std::vector<std::array<double, 3>> axes;               ///< numeric axes of the motions, normalised
    std::vector<double> q0, v0;                            ///< start values of each motion (spherical: unused)
    std::vector<char> fixed, fixed_rate;                   ///< the user gave the start value, the start rate
    std::vector<symbolic::Expr> start_law, rate_law = {};  ///< the parameters that are the start values; 0: none
  };
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  model::Vec3 gravity;
  std::array<double, 3> gravity_value{};
};

/// The coordinate of a joint's elementary motion (not of a spherical one) as an unknown.
equations::UnknownInfo make_coordinate_info(const MechanismDescription::Joint& joint, int motion);

/// Lets the start of this coordinate follow the parameters that the joint gives.
void set_start_laws(equations::Builder& builder, const MechanismDescription::Joint& joint, int motion, int coordinate);
/// … of the rate of a rotation; numbers say nothing.
void set_start_rates(equations::Builder& builder, int rotation, const model::Vec3& rates);

/// A mechanism in one of its formulations. Made before the components' equations are written (it owns the coordinates),
/// asked for frames while they are, and finished when all forces are known.
class Mechanism {
 public:
  virtual ~Mechanism() = default;
  /// Builder coordinate of a joint's elementary motion (not of a spherical one).
  virtual int coordinate(int joint, int motion) const = 0;
  virtual model::FrameMotion frame(const FrameId& id) = 0;
  /// Force at the frame's origin and torque acting on the body, world axes.
  virtual void apply(const FrameId& id, const symbolic::Vec3& force_W, const symbolic::Vec3& torque_W) = 0;
  /// Frame of a flexible body by name; −1 if it has none of this name.
  virtual int find_node(int body, const std::string& name) const = 0;
  /// Writes balances, constraints, energies and the signals of bodies (x y z, quaternion p0..p3, vx vy vz, wx wy wz)
  /// and joints (q qd qdd).
  virtual void finish() = 0;

  struct Counts {
    int bodies = 0, joints = 0, coordinates = 0, constraints = 0, loops = 0;
    std::vector<std::string> dropped;     ///< constraint rows that vanish identically
    std::array<int, 7> joints_leaving{};  ///< how many joints leave 0 … 6 freedoms
    bool is_rigid = true;                 ///< no body is flexible
  };
  virtual Counts counts() const = 0;
  /// Polylines of flexible bodies for pictures: signal name prefixes of their nodes (prefix.x, .y, .z) and a radius.
  struct Polyline {
    std::string name;
    std::vector<std::string> nodes;
    double radius;
  };
  virtual std::vector<Polyline> polylines() const = 0;
};

/// Relative coordinates: the joints' own, recursive Newton–Euler over the spanning tree; loops are cut and closed by
/// constraints. Flexible bodies of nodes and elements are refused, modal ones hang on links that bend.
std::unique_ptr<Mechanism> make_relative_mechanism(equations::Builder& builder, MechanismDescription description);
/// The same coordinates with Lagrange's equations from the energies (see write_lagrange_balances): an independent
/// derivation to check the others by, slower to make and to run.
std::unique_ptr<Mechanism> make_lagrange_mechanism(equations::Builder& builder, MechanismDescription description);
/// The same coordinates with what acts on them alone, without inertia and gravity: for generators, which have these
/// from elsewhere.
std::unique_ptr<Mechanism> make_force_mechanism(equations::Builder& builder, MechanismDescription description);
/// Absolute coordinates: position and rotation of every body; every joint is a set of constraints, with its coordinates
/// as unknowns.
std::unique_ptr<Mechanism> make_absolute_mechanism(equations::Builder& builder, MechanismDescription description);

}  // namespace coenergy::mechanics
