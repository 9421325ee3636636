#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "coenergy/model/equations.hpp"
#include "coenergy/model/modal_body.hpp"

namespace coenergy::model {

/// A rigid body, as a component states it. All in the body's own frame B.
struct RigidBody {
  Expr mass;
  Vec3 com;       ///< centre of mass from the origin of B
  Mat3 inertia;   ///< about the centre of mass
  Vec3 position;  ///< start pose of B in the world, a guess for assembly (used where no joint places the body)
  Vec3 angles;    ///< start orientation, rotations about x, then y, then z (R = Rz Ry Rx)
  Vec3 velocity, angular_velocity;
};

/// One elementary motion of a joint, after the previous ones.
struct Motion {
  enum class Kind { rotation, translation, spherical };
  Kind kind = Kind::rotation;
  Vec3 axis;                    ///< unit vector, the same in the frames before and after the motion
  std::string name = "q";       ///< the coordinate is component.name
  Parameter start, start_rate;  ///< start values (rotation, translation)
  Parameter guess = {};         ///< instead of start: where assembly begins, which may move it
};

/// A joint: parent frame ∘ placement ∘ motions ∘ (child placement)⁻¹ = child frame.
struct Joint {
  Frame parent, child;
  Vec3 parent_position, parent_angles;  ///< of the joint frame in the parent body
  Vec3 child_position, child_angles;    ///< of the joint frame in the child body
  std::vector<Motion> motions;          ///< empty: rigidly fixed
  bool reaction = false;                ///< signals of the force and torque it carries are wanted
  int shaft = -1;  ///< port (rotational or translational) that is the first motion's coordinate; −1: none
};

/// What a flexible body is made of: nodes (a position and a rotation each) and elements between them.
/// Elements of the same key share one kernel.
class FlexibleBody {
 public:
  virtual ~FlexibleBody() = default;
  virtual symbolic::Graph& graph() = 0;
  /// A node at a reference pose in the body's frame: `size` (m, which may be a parameter) times the numbers. Returns its
  /// index.
  virtual int add_node(std::array<double, 3> position, std::array<double, 4> quaternion, const Expr& size = 1) = 0;
  /// Names a node as a frame others can connect to; the first node is also the body itself.
  virtual void add_frame(const std::string& name, int node) = 0;

  /// Variables of an element: local nodes and parameters as symbols of the element's own graph.
  struct ElementNode {
    Vec3 x, xd, xdd;
    std::array<Expr, 4> p;
    Vec3 w, alpha;  ///< body axes
    Vec3 force;     ///< out: through into the element (positive = load the element takes), world axes
    Vec3 torque;    ///< out: likewise, body axes
  };
  struct Element {
    symbolic::Graph* graph;
    std::vector<ElementNode> nodes;
    std::vector<Expr> parameters;
    Vec3 gravity;
    Expr stored, dissipated;
  };
  /// Adds an element between nodes; `make` is called once per key and pattern of parameters. A parameter is a number
  /// (it becomes part of the kernel) or a parameter of the model (it stays a symbol, so that it may be changed).
  virtual void add_element(const std::string& key, std::vector<int> nodes, std::vector<symbolic::Expr> parameters,
                           const std::function<void(Element&)>& make) = 0;
  /// A number that differs between elements which are to share a kernel.
  virtual Expr add_value(double value) = 0;
  /// Signals NAME.N, .Qy, .Qz, .Mx, .My, .Mz: what the element (in the order they were added) takes at its local node,
  /// times the sign, in axes of the node.
  virtual void add_cut(const std::string& name, int element, int node, double sign) = 0;
  /// A line that is drawn through nodes; without a radius, of a fiftieth of its length.
  virtual void add_shape_polyline(std::vector<int> nodes, double radius) = 0;
  /// The body moves by shapes about a floating frame, instead of by nodes and elements.
  virtual void set_modal(ModalBody body) = 0;
};

/// A shape for pictures, fixed to a body's frame or, as a line or a spring, between points of several.
struct Shape {
  std::string kind;              ///< box, cylinder, sphere, mesh; line, spring (through points); force (at a point:
                                 ///< an arrow along the signals fx, fy, fz of the component)
  std::array<double, 3> size{};  ///< box: lengths; cylinder: radius, length (along z); sphere: radius; mesh: scales
  std::array<double, 3> position{};
  std::array<double, 3> angles{};
  std::string color;
  std::string file;  ///< of a mesh
  struct Point {
    Frame frame;  ///< port of the component
    std::array<double, 3> at{};
  };
  std::vector<Point> points = {};
};

}  // namespace coenergy::model
