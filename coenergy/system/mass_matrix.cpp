#include "coenergy/system/mass_matrix.hpp"

#include <algorithm>

namespace coenergy::system {

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

TreeMatrix compute_mass_matrix(const BodyTree& tree) {
  Graph& graph = *tree.graph;
  const std::vector<LinkPlacement> placements = make_placements(tree);
  const std::vector<Freedom> freedoms = list_freedoms(tree);
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

  TreeMatrix matrix(tree);
  for (int k = 0; k < matrix.size(); ++k) {
    // load of the composite body for a unit acceleration of k
    const Freedom& f = freedoms[k];
    const SpatialInertia& c = composite[f.link];
    Vec3 e, force, torque;
    e[f.axis] = 1;
    force = f.turns ? cross(e, c.moment) : c.mass * e;
    torque = f.turns ? c.inertia * e : cross(c.moment, e);
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

}  // namespace coenergy::system
