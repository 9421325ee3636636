#include "coenergy/mechanics/point_kinematics.hpp"

#include "coenergy/mechanics/chain_pose.hpp"

namespace coenergy::mechanics {

using symbolic::Expr;
using symbolic::Graph;
using symbolic::Mat3;
using symbolic::Vec3;

namespace {

/// Motion of a link's origin, world axes.
struct WorldMotion {
  ChainPose pose;
  Vec3 velocity, w, bias, angular_bias;
  std::vector<int> freedoms;  ///< that move the link, ground first
};

struct WorldAxis {
  Vec3 axis, at;  ///< direction and a point of it
  bool turns;
};

class WorldTree {
 public:
  explicit WorldTree(const BodyTree& tree) : graph_(*tree.graph) {
    motions_.push_back({ChainPose(graph_, "ground")});
    for (const BodyTree::Link& link : tree.links) add(link);
  }

  PointKinematics at(const LinkPoint& point, const std::string& name) {
    WorldMotion& m = motions_[point.link + 1];
    PointKinematics k;
    const Vec3 r = symbolic::let(graph_, name + ".r", m.pose.R() * point.position);
    k.position = m.pose.p() + r;
    k.R = m.pose.R() * point.axes;
    k.angular_velocity = m.w;
    k.velocity = m.velocity + cross(m.w, r);
    k.angular_bias = m.angular_bias;
    k.bias = m.bias + cross(m.angular_bias, r) + cross(m.w, cross(m.w, r));
    const Vec3 p = symbolic::let(graph_, name + ".p", k.position);
    for (const int f : m.freedoms) {
      const WorldAxis& a = axes_[f];
      k.jacobian.push_back({f, a.turns ? cross(a.axis, p - a.at) : a.axis, a.turns ? a.axis : Vec3{}});
    }
    return k;
  }

 private:
  void add(const BodyTree::Link& link) {
    const WorldMotion& h = motions_[link.parent + 1];
    WorldMotion m = h;
    m.pose.rename(link.name + ".W");
    m.pose.shift(link.d);
    m.pose.turn(FixedRotation{link.A, {1, 0, 0, 0}, is_identity(link.A)});
    Vec3 e;
    e[link.axis] = 1;
    Vec3 axis, slide;
    Expr rate = link.v;
    if (link.kind == BodyTree::Kind::translation) {
      slide = column(m.pose.R(), link.axis);
      m.pose.shift(link.q * e);
      add_freedom(m, slide, m.pose.p(), false);
    } else if (link.kind == BodyTree::Kind::rotation) {
      axis = column(m.pose.R(), link.axis);
      m.pose.spin(e, link.q, 0);
      add_freedom(m, axis, m.pose.p(), true);
    } else {
      m.pose.turn(link.p);
      for (int k = 0; k < 3; ++k) add_freedom(m, column(m.pose.R(), k), m.pose.p(), true);
      axis = symbolic::let(graph_, link.name + ".wr", m.pose.R() * link.w);
      rate = 1;
    }

    // motion of the new origin: carried by the parent, then the joint's own
    const std::string& n = link.name;
    const Vec3 dp = symbolic::let(graph_, n + ".dp", m.pose.p() - motions_[link.parent + 1].pose.p());
    const Vec3 wh = m.w, ah = m.angular_bias;
    m.w = symbolic::let(graph_, n + ".wW", wh + rate * axis);
    m.angular_bias = symbolic::let(graph_, n + ".eW", ah + rate * cross(wh, axis));
    const Vec3 spin = symbolic::let(graph_, n + ".sW", cross(wh, dp));
    m.velocity = symbolic::let(graph_, n + ".vW", m.velocity + spin + rate * slide);
    m.bias = symbolic::let(graph_, n + ".bW", m.bias + cross(ah, dp) + cross(wh, spin) + (2 * rate) * cross(wh, slide));
    motions_.push_back(std::move(m));
  }

  void add_freedom(WorldMotion& m, const Vec3& axis, const Vec3& at, bool turns) {
    m.freedoms.push_back(static_cast<int>(axes_.size()));
    axes_.push_back({axis, at, turns});
  }
  static Vec3 column(const Mat3& R, int k) { return {{R(0, k), R(1, k), R(2, k)}}; }

  Graph& graph_;
  std::vector<WorldMotion> motions_;  ///< ground first
  std::vector<WorldAxis> axes_;       ///< of each degree of freedom
};

}  // namespace

std::vector<PointKinematics> compute_kinematics(const BodyTree& tree, std::span<const LinkPoint> points) {
  WorldTree world(tree);
  std::vector<PointKinematics> result;
  for (std::size_t i = 0; i < points.size(); ++i) result.push_back(world.at(points[i], "x" + std::to_string(i + 1)));
  return result;
}

}  // namespace coenergy::mechanics
