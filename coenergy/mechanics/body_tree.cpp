#include "coenergy/mechanics/body_tree.hpp"

#include "coenergy/mechanics/kinematics.hpp"
#include "coenergy/mechanics/link_origins.hpp"

namespace coenergy::mechanics {

using symbolic::Expr;
using symbolic::Graph;
using symbolic::Mat3;
using symbolic::Vec3;

std::vector<Freedom> list_freedoms(const BodyTree& tree) {
  std::vector<Freedom> freedoms;
  for (int i = 0; i < static_cast<int>(tree.links.size()); ++i) {
    const BodyTree::Link& link = tree.links[i];
    if (link.kind == BodyTree::Kind::spherical)
      for (int k = 0; k < 3; ++k) freedoms.push_back({i, true, k});
    else
      freedoms.push_back({i, link.kind == BodyTree::Kind::rotation, link.axis});
  }
  return freedoms;
}

int BodyTree::dofs() const {
  int n = 0;
  for (const Link& link : links) n += link.kind == Kind::spherical ? 3 : 1;
  return n;
}

std::vector<LinkPlacement> make_placements(const BodyTree& tree) {
  std::vector<LinkPlacement> placements;
  placements.reserve(tree.links.size());
  for (const BodyTree::Link& link : tree.links) {
    LinkPlacement p{.A = link.A, .R = link.A, .dz = link.d};
    if (link.kind == BodyTree::Kind::rotation) {
      Vec3 e;
      e[link.axis] = 1;
      p.axis = link.axis;
      p.c = cos(link.q), p.s = sin(link.q);
      p.R = let(*tree.graph, link.name + ".R", link.A * rotation_about(e, link.q));
    } else if (link.kind == BodyTree::Kind::spherical) {
      p.R = let(*tree.graph, link.name + ".R", link.A * rotation_of_quaternion(link.p));
    } else {
      for (int i = 0; i < 3; ++i) p.psi[i] = link.A(i, link.axis);
      p.dz = symbolic::let(*tree.graph, link.name + ".dz", link.d + link.q * p.psi);
    }
    placements.push_back(std::move(p));
  }
  return placements;
}

namespace {

/// Row k or column k of the out-of-plane part of a matrix, turned.
void turn_pair(const LinkPlacement& p, const Expr& a, const Expr& b, Expr& new_a, Expr& new_b) {
  new_a = p.c * a - p.s * b;
  new_b = p.s * a + p.c * b;
}

/// A X Aᵀ with the constant A.
Mat3 place(const Mat3& A, const Mat3& x) { return is_identity(A) ? x : A * x * transpose(A); }

}  // namespace

Mat3 rotate(const LinkPlacement& p, const Mat3& x) {
  if (p.axis < 0) return place(p.R, x);
  // in the plane (i, j): with t = s (Xii − Xjj) + c (Xij + Xji),
  //   X'ii = Xii − s t,  X'jj = Xjj + s t,  X'ij = c t − Xji,  X'ji = c t − Xij
  const int i = (p.axis + 1) % 3, j = (p.axis + 2) % 3, k = p.axis;
  Mat3 y = x;
  const Expr t = p.s * (x(i, i) - x(j, j)) + p.c * (x(i, j) + x(j, i));
  y(i, i) = x(i, i) - p.s * t;
  y(j, j) = x(j, j) + p.s * t;
  y(i, j) = p.c * t - x(j, i);
  y(j, i) = p.c * t - x(i, j);
  turn_pair(p, x(i, k), x(j, k), y(i, k), y(j, k));
  turn_pair(p, x(k, i), x(k, j), y(k, i), y(k, j));
  return place(p.A, y);
}

Mat3 rotate_symmetric(const LinkPlacement& p, const Mat3& x) {
  const Mat3 y = rotate(p, x);
  Mat3 z = y;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) z(i, j) = y(j, i);
  return z;
}

SpatialInertia operator+(const SpatialInertia& a, const SpatialInertia& b) {
  return {a.mass + b.mass, a.moment + b.moment, a.inertia + b.inertia};
}

namespace {

/// (2 d·g) E − d gᵀ − g dᵀ: the change of an inertia tensor when its origin moves by −d, with g the first moment plus
/// half the mass times d.
Mat3 shift_term(Graph& graph, const std::string& name, const Vec3& d, const Vec3& g) {
  const Vec3 twice = symbolic::let(graph, name + ".d2", Expr(2) * d);
  Mat3 m;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    m(i, i) = twice[j] * g[j] + twice[k] * g[k];
    m(j, k) = m(k, j) = -(d[j] * g[k] + d[k] * g[j]);
  }
  return m;
}

SpatialInertia let(Graph& graph, const std::string& name, const SpatialInertia& x) {
  SpatialInertia y{graph.let(name + ".m", x.mass), symbolic::let(graph, name + ".h", x.moment), {}};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      y.inertia(i, j) = y.inertia(j, i) =
          graph.let(name + ".J" + std::to_string(i + 1) + std::to_string(j + 1), x.inertia(i, j));
  return y;
}

}  // namespace

SpatialInertia inertia_about_origin(Graph& graph, const BodyTree::Link& link) {
  if (link.lumped) return link.origin;
  const Vec3 h = symbolic::let(graph, link.name + ".h", link.mass * link.com);
  SpatialInertia x{link.mass, h, link.inertia};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    x.inertia(i, i) += link.com[j] * h[j] + link.com[k] * h[k];
    x.inertia(j, k) = x.inertia(k, j) = link.inertia(j, k) - link.com[j] * h[k];
  }
  return let(graph, link.name, x);
}

SpatialInertia carry(Graph& graph, const std::string& name, const LinkPlacement& p, const SpatialInertia& x) {
  SpatialInertia y{x.mass, symbolic::let(graph, name + ".h", p.R * x.moment), rotate_symmetric(p, x.inertia)};
  const Vec3 md = symbolic::let(graph, name + ".md", x.mass * p.dz);
  y.inertia = y.inertia + shift_term(graph, name, p.dz, y.moment + Expr(0.5) * md);
  y.moment = y.moment + md;
  return y;
}

namespace {

/// Mass m at d, with first moment f and second moment s along the direction e from there.
SpatialInertia line_of_mass(const Expr& m, const Expr& f, const Expr& s, const Vec3& d, const Vec3& e) {
  SpatialInertia x{m, m * d + f * e, {}};
  Mat3 second;  // ∫ r rᵀ dm
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) second(i, j) = m * (d[i] * d[j]) + f * (d[i] * e[j] + e[i] * d[j]) + s * (e[i] * e[j]);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    x.inertia(i, i) = second(j, j) + second(k, k);
    x.inertia(j, k) = x.inertia(k, j) = -second(j, k);
  }
  return x;
}

/// Takes what the joint's motion cannot tell apart out of `own` and returns it as an inertia of the parent.
SpatialInertia take_common_part(const BodyTree::Link& link, SpatialInertia& own) {
  SpatialInertia common;
  if (link.kind == BodyTree::Kind::spherical) {
    common = line_of_mass(own.mass, 0, 0, link.d, {});
    own.mass = 0;
  } else if (link.kind == BodyTree::Kind::translation) {
    common.inertia = place(link.A, own.inertia);
    own.inertia = {};
  } else {
    const int i = (link.axis + 1) % 3, j = (link.axis + 2) % 3, k = link.axis;
    Vec3 e;
    for (int r = 0; r < 3; ++r) e[r] = link.A(r, k);
    common = line_of_mass(own.mass, own.moment[k], own.inertia(j, j), link.d, e);
    own.mass = 0;
    own.moment[k] = 0;
    own.inertia(i, i) = own.inertia(i, i) - own.inertia(j, j);
    own.inertia(j, j) = 0;
  }
  return common;
}

}  // namespace

BodyTree lump(const BodyTree& original) {
  const BodyTree tree = move_origins(original);
  BodyTree lumped = tree;
  std::vector<SpatialInertia> own;
  for (const BodyTree::Link& link : tree.links) own.push_back(inertia_about_origin(*tree.graph, link));
  for (int i = static_cast<int>(tree.links.size()) - 1; i >= 0; --i) {
    BodyTree::Link& link = lumped.links[i];
    own[i] = let(*tree.graph, link.name + ".base", own[i]);
    const SpatialInertia common = take_common_part(link, own[i]);
    if (link.parent >= 0) own[link.parent] = own[link.parent] + common;
    link.lumped = true;
    link.origin = let(*tree.graph, link.name + ".base", own[i]);
  }
  return lumped;
}

}  // namespace coenergy::mechanics
