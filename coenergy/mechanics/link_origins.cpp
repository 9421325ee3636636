#include "coenergy/mechanics/link_origins.hpp"

#include "coenergy/mechanics/kinematics.hpp"

namespace coenergy::mechanics {

using symbolic::Expr;
using symbolic::transpose_times;
using symbolic::Vec3;

namespace {

using Kind = BodyTree::Kind;

int count_components(const Vec3& x) {
  int count = 0;
  for (const Expr& e : x.e) count += e.is_zero() ? 0 : 1;
  return count;
}

/// Products of inertia about the origin that do not vanish.
int count_products(const BodyTree::Link& link, const Vec3& com) {
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const bool vanishes = link.mass.is_zero() || com[i].is_zero() || com[j].is_zero();
    count += link.inertia(i, j).is_zero() && vanishes ? 0 : 1;
  }
  return count;
}

/// The displacement of a link's origin, in its axes, that removes most of d; zero where there is none.
Vec3 find_displacement(const BodyTree::Link& link) {
  if (link.kind == Kind::translation) return -transpose_times(link.A, link.d);
  Vec3 t;
  if (link.kind != Kind::rotation) return t;
  // the axis along one of the parent's
  int along = -1;
  for (int m = 0; m < 3; ++m) {
    if (link.A(m, link.axis).is_zero()) continue;
    if (along >= 0) return t;
    along = m;
  }
  t[link.axis] = -link.d[along] * link.A(along, link.axis);
  return t;
}

/// What the places of a link cost: components of the distances to it and from it to its children count far more than
/// products of inertia, since whole matrices are moved along them.
struct Places {
  Vec3 d, com;
  std::vector<Vec3> children;
  int cost(const BodyTree::Link& link) const {
    constexpr int of_component = 4;
    int components = count_components(d);
    for (const Vec3& c : children) components += count_components(c);
    return of_component * components + count_products(link, com);
  }
};

}  // namespace

BodyTree move_origins(const BodyTree& tree) {
  BodyTree moved = tree;
  std::vector<std::vector<int>> children(tree.links.size());
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    if (tree.links[i].parent >= 0) children[tree.links[i].parent].push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    BodyTree::Link& link = moved.links[i];
    const Vec3 t = find_displacement(link);
    if (link.lumped || is_zero(t)) continue;
    Places before{link.d, link.com, {}}, after{link.d + link.A * t, link.com - t, {}};
    for (const int c : children[i]) {
      before.children.push_back(moved.links[c].d);
      after.children.push_back(moved.links[c].d - t);
    }
    if (after.cost(link) >= before.cost(link)) continue;
    link.d = after.d, link.com = after.com;
    link.torque = link.torque - cross(t, link.force);
    for (std::size_t c = 0; c < children[i].size(); ++c) moved.links[children[i][c]].d = after.children[c];
  }
  return moved;
}

}  // namespace coenergy::mechanics
