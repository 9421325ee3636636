#include "coenergy/mechanics/mass_matrix.hpp"

#include <algorithm>

#include "coenergy/mechanics/chain_pose.hpp"

namespace coenergy::mechanics {

using symbolic::Expr;
using symbolic::Graph;
using symbolic::Vec3;

TreeMatrix::TreeMatrix(const BodyTree& tree) {
  const std::vector<Freedom> freedoms = list_freedoms(tree);
  std::vector<int> last(tree.links.size(), -1);  // last degree of freedom of each link
  for (int k = 0; k < static_cast<int>(freedoms.size()); ++k) {
    const int link = freedoms[k].link, parent = tree.links[link].parent;
    const bool first = k == 0 || freedoms[k - 1].link != link;
    const int before = !first ? k - 1 : parent < 0 ? -1 : last[parent];
    std::vector<int> chain{k};
    if (before >= 0) chain.insert(chain.end(), ancestors_[before].begin(), ancestors_[before].end());
    rows_.emplace_back(chain.size());
    ancestors_.push_back(std::move(chain));
    last[link] = k;
  }
}

Expr& TreeMatrix::operator()(int row, int ancestor) {
  // ancestors are listed from high to low
  const std::vector<int>& chain = ancestors_[row];
  return rows_[row][std::lower_bound(chain.begin(), chain.end(), ancestor, std::greater<>()) - chain.begin()];
}

Expr TreeMatrix::at(int i, int j) const {
  const std::vector<int>& chain = ancestors_[std::max(i, j)];
  const auto place = std::lower_bound(chain.begin(), chain.end(), std::min(i, j), std::greater<>());
  if (place == chain.end() || *place != std::min(i, j)) return 0;
  return rows_[std::max(i, j)][place - chain.begin()];
}

namespace {

/// Each link with all that hangs on it, as one body.
std::vector<SpatialInertia> compute_composites(const BodyTree& tree, const std::vector<LinkPlacement>& placements) {
  Graph& graph = *tree.graph;
  std::vector<SpatialInertia> composite;
  for (const BodyTree::Link& link : tree.links) composite.push_back(inertia_about_origin(graph, link));
  for (int i = static_cast<int>(tree.links.size()) - 1; i >= 0; --i) {
    const std::string name = tree.links[i].name + ".c";
    SpatialInertia& c = composite[i];
    c.mass = graph.let(name + "m", c.mass);
    c.moment = symbolic::let(graph, name + "h", c.moment);
    for (int r = 0; r < 3; ++r)
      for (int s = r; s < 3; ++s)
        c.inertia(r, s) = c.inertia(s, r) =
            graph.let(name + "J" + std::to_string(r + 1) + std::to_string(s + 1), c.inertia(r, s));
    const int h = tree.links[i].parent;
    if (h >= 0) composite[h] = composite[h] + carry(graph, name + "p", placements[i], c);
  }
  return composite;
}

/// Load of a composite body for a unit acceleration, at the link's origin in its axes.
struct UnitLoad {
  UnitLoad(const SpatialInertia& c, const Freedom& f) {
    Vec3 e;
    e[f.axis] = 1;
    force = f.turns ? cross(e, c.moment) : c.mass * e;
    torque = f.turns ? c.inertia * e : cross(c.moment, e);
  }
  Vec3 force, torque;
};

std::vector<ChainPose> world_poses(const BodyTree& tree) {
  std::vector<ChainPose> poses;
  for (const BodyTree::Link& link : tree.links) {
    ChainPose pose = link.parent < 0 ? ChainPose(*tree.graph, "") : poses[link.parent];
    pose.rename(link.name + ".W");
    pose.shift(link.d);
    pose.turn(FixedRotation{link.A, {1, 0, 0, 0}, is_identity(link.A)});
    Vec3 e;
    e[link.axis] = 1;
    if (link.kind == BodyTree::Kind::translation) pose.shift(link.q * e);
    if (link.kind == BodyTree::Kind::rotation) pose.spin(e, link.q, 0);
    if (link.kind == BodyTree::Kind::spherical) pose.turn(link.p);
    poses.push_back(std::move(pose));
  }
  return poses;
}

TreeMatrix compute_in_world_axes(const BodyTree& tree) {
  const std::vector<Freedom> freedoms = list_freedoms(tree);
  const std::vector<MassMatrixColumn> columns = compute_mass_matrix_columns(tree);
  TreeMatrix matrix(tree);
  for (int k = 0; k < matrix.size(); ++k)
    for (const int row : matrix.ancestors(k))
      matrix(k, row) = row == k ? columns[k].diagonal
                       : freedoms[row].turns
                           ? dot(columns[row].axis, columns[k].torque) + dot(columns[row].moment, columns[k].force)
                           : dot(columns[row].moment, columns[k].force);
  return matrix;
}

}  // namespace

std::vector<MassMatrixColumn> compute_mass_matrix_columns(const BodyTree& tree) {
  Graph& graph = *tree.graph;
  const std::vector<SpatialInertia> composite = compute_composites(tree, make_placements(tree));
  std::vector<ChainPose> poses = world_poses(tree);
  std::vector<MassMatrixColumn> columns;
  for (const Freedom& f : list_freedoms(tree)) {
    ChainPose& pose = poses[f.link];
    const std::string name = tree.links[f.link].name + ".S" + std::to_string(f.axis + 1);
    Vec3 a;
    for (int i = 0; i < 3; ++i) a[i] = pose.R()(i, f.axis);
    const UnitLoad load(composite[f.link], f);
    MassMatrixColumn c;
    c.axis = f.turns ? a : Vec3{};
    c.moment = f.turns ? symbolic::let(graph, name + "m", cross(pose.p(), a)) : a;
    c.force = symbolic::let(graph, name + "f", pose.R() * load.force);
    c.torque = symbolic::let(graph, name + "n", pose.R() * load.torque + cross(pose.p(), c.force));
    c.diagonal = (f.turns ? load.torque : load.force)[f.axis];
    columns.push_back(std::move(c));
  }
  return columns;
}

TreeMatrix compute_mass_matrix(const BodyTree& tree, MassMatrixAxes axes) {
  if (axes == MassMatrixAxes::world) return compute_in_world_axes(tree);
  Graph& graph = *tree.graph;
  const std::vector<LinkPlacement> placements = make_placements(tree);
  const std::vector<SpatialInertia> composite = compute_composites(tree, placements);
  const std::vector<Freedom> freedoms = list_freedoms(tree);
  TreeMatrix matrix(tree);
  for (int k = 0; k < matrix.size(); ++k) {
    const Freedom& f = freedoms[k];
    auto [force, torque] = UnitLoad(composite[f.link], f);
    int link = f.link;
    for (const int row : matrix.ancestors(k)) {
      for (; link != freedoms[row].link; link = tree.links[link].parent) {
        const LinkPlacement& p = placements[link];
        const std::string name = tree.links[f.link].name + "_" + tree.links[link].name;
        force = symbolic::let(graph, name + ".f", p.R * force);
        torque = symbolic::let(graph, name + ".n", p.R * torque + cross(p.dz, force));
      }
      matrix(k, row) = (freedoms[row].turns ? torque : force)[freedoms[row].axis];
    }
  }
  return matrix;
}

std::vector<Expr> solve(Graph& graph, TreeMatrix m, std::vector<Expr> r) {
  const int n = m.size();
  std::vector<Expr> inverse(n);
  // M = Lᵀ D L, from the leaves; then r ← L⁻ᵀ r, D⁻¹, L⁻¹
  for (int k = n - 1; k >= 0; --k) {
    const std::vector<int>& chain = m.ancestors(k);
    const std::string name = "d" + std::to_string(k + 1);
    inverse[k] = graph.let("i" + name, 1 / m(k, k));
    for (std::size_t i = 1; i < chain.size(); ++i) {
      const Expr factor = graph.let(name + "_" + std::to_string(chain[i] + 1), m(k, chain[i]) * inverse[k]);
      for (std::size_t j = i; j < chain.size(); ++j) {
        Expr& entry = m(chain[i], chain[j]);
        entry = graph.let("m" + std::to_string(chain[i] + 1) + "_" + std::to_string(chain[j] + 1),
                          entry - factor * m(k, chain[j]));
      }
      m(k, chain[i]) = factor;
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    r[k] = graph.let("r" + std::to_string(k + 1), r[k]);
    for (const int i : m.ancestors(k))
      if (i != k) r[i] -= m(k, i) * r[k];
  }
  for (int k = 0; k < n; ++k) {
    r[k] = r[k] * inverse[k];
    for (const int i : m.ancestors(k))
      if (i != k) r[k] -= m(k, i) * r[i];
    r[k] = graph.let("x" + std::to_string(k + 1), r[k]);
  }
  return r;
}

}  // namespace coenergy::mechanics
