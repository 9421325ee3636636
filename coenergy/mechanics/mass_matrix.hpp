#pragma once
#include <vector>

#include "coenergy/mechanics/body_tree.hpp"

namespace coenergy::mechanics {

/// A symmetric matrix over the degrees of freedom of a tree, of which only entries between a degree of freedom and its
/// ancestors (on the way to the ground) can be different from zero.
class TreeMatrix {
 public:
  explicit TreeMatrix(const BodyTree& tree);
  int size() const { return static_cast<int>(ancestors_.size()); }
  /// The degrees of freedom on the way from k to the ground, k itself first.
  const std::vector<int>& ancestors(int k) const { return ancestors_[k]; }
  symbolic::Expr& operator()(int row, int ancestor);
  symbolic::Expr at(int i, int j) const;  ///< any entry, zero where the two are on different branches

 private:
  std::vector<std::vector<int>> ancestors_;
  std::vector<std::vector<symbolic::Expr>> rows_;
};

/// Mass matrix by composite bodies: link i with all that hangs on it is one rigid body while only joints on the way to
/// the ground move. Column k is the load (f, n) of that body for unit acceleration k, which every joint on the way
/// feels:
///   links   carried from link to link, about 24 operations for each pair of joints; wins for short trees
///   world   turned to world axes once; a joint with axis a at p feels a·n + (p × a)·f, 11 operations
enum class MassMatrixAxes { links, world };
TreeMatrix compute_mass_matrix(const BodyTree& tree, MassMatrixAxes axes = MassMatrixAxes::links);

/// What degree of freedom k brings to the world form: S_k = (axis a, moment p × a; of a translation 0 and a), and the
/// load F_k = (n, f) at the world's origin that its unit acceleration needs. M_ik = S_i·F_k for every i on the way from
/// k to the ground.
struct MassMatrixColumn {
  symbolic::Vec3 axis, moment;
  symbolic::Vec3 torque, force;
  symbolic::Expr diagonal;  ///< M_kk, for less than S_k·F_k
};
std::vector<MassMatrixColumn> compute_mass_matrix_columns(const BodyTree& tree);

/// q̈ of M q̈ = r: factors M = Lᵀ D L from the leaves to the ground, which makes no new entries (Featherstone 2008,
/// §6.5).
std::vector<symbolic::Expr> solve(symbolic::Graph& graph, TreeMatrix matrix, std::vector<symbolic::Expr> r);

}  // namespace coenergy::mechanics
