#include "coenergy/mechanics/forward_dynamics.hpp"

#include "coenergy/mechanics/inverse_dynamics.hpp"
#include "coenergy/mechanics/kinematics.hpp"
#include "coenergy/mechanics/mass_matrix.hpp"

namespace coenergy::mechanics {

using symbolic::Expr;
using symbolic::Graph;
using symbolic::Mat3;
using symbolic::transpose_times;
using symbolic::Vec3;

namespace {

struct Articulated {
  Mat3 J, H, M;
  Vec3 n, f;  ///< load p
};

Mat3 let_symmetric(Graph& graph, const std::string& name, const Mat3& x) {
  Mat3 y;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      y(i, j) = y(j, i) = graph.let(name + std::to_string(i + 1) + std::to_string(j + 1), x(i, j));
  return y;
}

Articulated bind_names(Graph& graph, const std::string& name, const Articulated& x) {
  return {let_symmetric(graph, name + ".J", x.J), let(graph, name + ".H", x.H), let_symmetric(graph, name + ".M", x.M),
          symbolic::let(graph, name + ".n", x.n), symbolic::let(graph, name + ".f", x.f)};
}

/// One degree of freedom after its elimination.
struct Pivot {
  Vec3 n, f;  ///< U/D
  Expr rate;  ///< u/D
};

/// Eliminates a degree of freedom. Without an armature its own row and column become zero, exactly.
Pivot eliminate(Graph& graph, const std::string& name, Articulated& x, const Freedom& s, const Expr& force,
                const Expr& armature) {
  const int k = s.axis;
  const bool exact = armature.is_zero();
  Vec3 n, f;  // U
  for (int i = 0; i < 3; ++i) {
    n[i] = s.turns ? x.J(i, k) : x.H(i, k);
    f[i] = s.turns ? x.H(k, i) : x.M(i, k);
  }
  const Expr inverse = graph.let(name + ".iD", 1 / ((s.turns ? n[k] : f[k]) + armature));
  const Expr u = graph.let(name + ".u", force - (s.turns ? x.n[k] : x.f[k]));
  Pivot pivot;
  for (int i = 0; i < 3; ++i) {
    pivot.n[i] = exact && s.turns && i == k ? Expr(1) : graph.let(name + ".gn" + std::to_string(i + 1), n[i] * inverse);
    pivot.f[i] =
        exact && !s.turns && i == k ? Expr(1) : graph.let(name + ".gf" + std::to_string(i + 1), f[i] * inverse);
  }
  pivot.rate = graph.let(name + ".ud", u * inverse);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const bool j_gone = exact && s.turns && (i == k || j == k), m_gone = exact && !s.turns && (i == k || j == k);
      const bool h_gone = exact && (s.turns ? i == k : j == k);
      x.J(i, j) = j_gone ? Expr(0) : i > j ? x.J(j, i) : x.J(i, j) - n[i] * pivot.n[j];
      x.M(i, j) = m_gone ? Expr(0) : i > j ? x.M(j, i) : x.M(i, j) - f[i] * pivot.f[j];
      x.H(i, j) = h_gone ? Expr(0) : x.H(i, j) - n[i] * pivot.f[j];
    }
    x.n[i] = exact && s.turns && i == k ? force : x.n[i] + pivot.n[i] * u;
    x.f[i] = exact && !s.turns && i == k ? force : x.f[i] + pivot.f[i] * u;
  }
  return pivot;
}

/// Carries an articulated inertia to the parent: turned, then moved by d:
///   H' = H + d̃ M,   J' = J − K d̃ − (K d̃)ᵀ with K = ½ (H + H')
Articulated carry(Graph& graph, const std::string& name, const LinkPlacement& p, const Articulated& x) {
  Articulated y{rotate_symmetric(p, x.J), rotate(p, x.H), rotate_symmetric(p, x.M), p.R * x.n, p.R * x.f};
  y = bind_names(graph, name, y);
  if (is_zero(p.dz)) return y;
  const Mat3 H = let(graph, name + ".Hp", y.H + skew(p.dz) * y.M);
  const Vec3 half = symbolic::let(graph, name + ".d", Expr(0.5) * p.dz);
  const Mat3 K = let(graph, name + ".K", y.H + H);
  const Mat3 D = skew(p.dz), D2 = skew(half);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      Expr change;
      for (int k = 0; k < 3; ++k) change += i == j ? K(i, k) * D(k, j) : K(i, k) * D2(k, j) + K(j, k) * D2(k, i);
      y.J(i, j) = y.J(j, i) = y.J(i, j) - change;
    }
  y.H = H;
  y.n += cross(p.dz, y.f);
  return y;
}

Articulated operator+(const Articulated& a, const Articulated& b) {
  return {a.J + b.J, a.H + b.H, a.M + b.M, a.n + b.n, a.f + b.f};
}

}  // namespace

std::vector<Expr> compute_articulated_accelerations(const BodyTree& tree, std::span<const Expr> forces,
                                                    std::span<const Expr> armatures) {
  Graph& graph = *tree.graph;
  const std::vector<LinkPlacement> placements = make_placements(tree);
  const std::vector<LinkLoad> loads = compute_own_loads(tree, placements, false);
  const std::vector<Freedom> freedoms = list_freedoms(tree);
  const int links = static_cast<int>(tree.links.size());
  std::vector<Articulated> bodies(links);
  std::vector<int> first(links + 1, static_cast<int>(freedoms.size()));  // degree of freedom of each link
  for (int k = static_cast<int>(freedoms.size()) - 1; k >= 0; --k) first[freedoms[k].link] = k;
  for (int i = 0; i < links; ++i) {
    const SpatialInertia x = inertia_about_origin(graph, tree.links[i]);
    bodies[i] = {x.inertia, skew(x.moment), symbolic::Mat3::diagonal(x.mass, x.mass, x.mass), loads[i].torque,
                 loads[i].force};
  }

  // from the leaves: eliminate, carry to the parent
  std::vector<Pivot> pivots(freedoms.size());
  for (int i = links - 1; i >= 0; --i) {
    const BodyTree::Link& link = tree.links[i];
    for (int k = first[i]; k < first[i + 1]; ++k) {
      bodies[i] = bind_names(graph, link.name + ".A", bodies[i]);
      const std::string name = link.name + (first[i + 1] - first[i] > 1 ? std::to_string(k - first[i] + 1) : "");
      pivots[k] = eliminate(graph, name, bodies[i], freedoms[k], forces[k], armatures.empty() ? Expr(0) : armatures[k]);
    }
    if (link.parent >= 0)
      bodies[link.parent] = bodies[link.parent] + carry(graph, link.name + ".P", placements[i], bodies[i]);
  }

  // from the ground: accelerations
  std::vector<Expr> result(freedoms.size());
  std::vector<Vec3> wd(links), a(links);
  for (int i = 0; i < links; ++i) {
    const BodyTree::Link& link = tree.links[i];
    if (link.parent >= 0) {
      const LinkPlacement& p = placements[i];
      wd[i] = symbolic::let(graph, link.name + ".dw", transpose_times(p.R, wd[link.parent]));
      a[i] =
          symbolic::let(graph, link.name + ".da", transpose_times(p.R, a[link.parent] + cross(wd[link.parent], p.dz)));
    }
    for (int k = first[i + 1] - 1; k >= first[i]; --k) {
      result[k] =
          graph.let("qdd" + std::to_string(k + 1), pivots[k].rate - (dot(pivots[k].n, wd[i]) + dot(pivots[k].f, a[i])));
      Expr& moved = freedoms[k].turns ? wd[i][freedoms[k].axis] : a[i][freedoms[k].axis];
      moved = graph.let(link.name + (freedoms[k].turns ? ".dw" : ".da"), moved + result[k]);
    }
  }
  return result;
}

std::vector<Expr> compute_matrix_accelerations(const BodyTree& tree, std::span<const Expr> forces) {
  const InverseDynamics bias = compute_inverse_dynamics(tree, false);
  std::vector<Expr> r;
  for (std::size_t k = 0; k < forces.size(); ++k) r.push_back(forces[k] - bias.forces[k]);
  return solve(*tree.graph, compute_mass_matrix(tree), std::move(r));
}

}  // namespace coenergy::mechanics
