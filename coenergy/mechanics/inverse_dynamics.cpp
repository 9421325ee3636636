#include "coenergy/mechanics/inverse_dynamics.hpp"

#include "coenergy/mechanics/kinematics.hpp"

namespace coenergy::mechanics {

using symbolic::Expr;
using symbolic::Graph;
using symbolic::Mat3;
using symbolic::transpose_times;
using symbolic::Vec3;

namespace {

/// Motion of a link, own axes.
struct LinkMotion {
  Vec3 w, wd;
  Vec3 alpha;  ///< acceleration of the origin less gravity
  Mat3 beta;   ///< ω̇~ + ω̃ω̃
};

/// Rate and acceleration of the joint's own motion.
struct JointRates {
  Vec3 w, wd;  ///< rotation, link axes
  Expr v, a;   ///< translation
};

JointRates joint_rates(const BodyTree::Link& link, bool with_accelerations) {
  JointRates r;
  if (link.kind == BodyTree::Kind::spherical) {
    r.w = link.w;
    if (with_accelerations) r.wd = link.wd;
  } else if (link.kind == BodyTree::Kind::rotation) {
    r.w[link.axis] = link.v;
    if (with_accelerations) r.wd[link.axis] = link.a;
  } else {
    r.v = link.v;
    if (with_accelerations) r.a = link.a;
  }
  return r;
}

/// Motion of a link from that of its parent h.
LinkMotion next_motion(const BodyTree& tree, const BodyTree::Link& link, const LinkPlacement& p, const LinkMotion& h,
                       bool with_accelerations) {
  Graph& graph = *tree.graph;
  const JointRates r = joint_rates(link, with_accelerations);
  LinkMotion m;
  m.w = symbolic::let(graph, link.name + ".w", transpose_times(p.R, h.w) + r.w);
  m.wd = symbolic::let(graph, link.name + ".wd", transpose_times(p.R, h.wd) + cross(m.w, r.w) + r.wd);
  const Vec3 alpha = h.alpha + h.beta * p.dz + (2 * r.v) * cross(h.w, p.psi) + r.a * p.psi;
  m.alpha =
      symbolic::let(graph, link.name + ".a", transpose_times(p.R, symbolic::let(graph, link.name + ".ap", alpha)));
  m.beta = let(graph, link.name + ".b", acceleration_matrix(m.w, m.wd));
  return m;
}

/// What a body needs for its motion, less what acts on it.
LinkLoad inertial_load(const BodyTree& tree, const BodyTree::Link& link, const LinkMotion& m) {
  Graph& graph = *tree.graph;
  if (!link.lumped) {
    // Newton and Euler about the centre of mass
    const Vec3 W = symbolic::let(graph, link.name + ".W", link.mass * (m.alpha + m.beta * link.com));
    return {W - link.force, cross(link.com, W) + euler_torque(link.inertia, m.w, m.wd) - link.torque};
  }
  const SpatialInertia& x = link.origin;
  const Vec3 W = x.mass * m.alpha + m.beta * x.moment;
  return {W - link.force, cross(x.moment, m.alpha) + euler_torque(x.inertia, m.w, m.wd) - link.torque};
}

}  // namespace

std::vector<LinkLoad> compute_own_loads(const BodyTree& tree, const std::vector<LinkPlacement>& placements,
                                        bool with_accelerations) {
  LinkMotion ground;
  ground.alpha = -tree.gravity;
  std::vector<LinkMotion> motions;
  std::vector<LinkLoad> loads;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const BodyTree::Link& link = tree.links[i];
    const LinkMotion& h = link.parent < 0 ? ground : motions[link.parent];
    motions.push_back(next_motion(tree, link, placements[i], h, with_accelerations));
    loads.push_back(inertial_load(tree, link, motions.back()));
  }
  return loads;
}

InverseDynamics compute_inverse_dynamics(const BodyTree& tree, bool with_accelerations) {
  Graph& graph = *tree.graph;
  const std::vector<LinkPlacement> placements = make_placements(tree);
  const std::vector<LinkLoad> own_loads = compute_own_loads(tree, placements, with_accelerations);
  std::vector<LinkLoad> loads(tree.links.size());
  for (int i = static_cast<int>(tree.links.size()) - 1; i >= 0; --i) {
    const BodyTree::Link& link = tree.links[i];
    const LinkLoad& own = own_loads[i];
    LinkLoad& load = loads[i];
    load.force = symbolic::let(graph, link.name + ".F", load.force + own.force);
    load.torque = symbolic::let(graph, link.name + ".L", load.torque + own.torque);
    if (link.parent < 0) continue;
    const Vec3 force = symbolic::let(graph, link.name + ".Fp", placements[i].R * load.force);
    LinkLoad& h = loads[link.parent];
    h.force += force;
    h.torque += placements[i].R * load.torque + cross(placements[i].dz, force);
  }
  InverseDynamics result;
  for (const Freedom& f : list_freedoms(tree))
    result.forces.push_back((f.turns ? loads[f.link].torque : loads[f.link].force)[f.axis]);
  result.reactions = std::move(loads);
  return result;
}

}  // namespace coenergy::mechanics
