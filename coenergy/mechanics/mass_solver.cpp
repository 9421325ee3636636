#include "coenergy/mechanics/mass_solver.hpp"

#include "coenergy/equations/kernel.hpp"
#include "coenergy/mechanics/forward_dynamics.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::mechanics {

using equations::EquationSet;
using equations::Layout;
using equations::LazyFunction;
using equations::Variables;
using symbolic::Expr;

namespace {

/// The tree without motion, gravity and loads: what remains of forward dynamics is M⁻¹.
BodyTree at_rest(BodyTree tree) {
  tree.gravity = {};
  for (BodyTree::Link& link : tree.links) {
    link.v = link.a = 0;
    link.w = link.wd = link.force = link.torque = {};
  }
  return tree;
}

/// Unknown of each degree of freedom.
std::vector<int> unknowns_of(const Variables& variables, const Layout& layout, const BodyTree& tree) {
  std::vector<int> unknowns;
  for (const BodyTree::Link& link : tree.links) {
    if (link.kind != BodyTree::Kind::spherical)
      unknowns.push_back(layout.unknown_index(variables.address(link.a)));
    else
      for (const Expr& a : link.wd.e) unknowns.push_back(layout.unknown_index(variables.address(a)));
  }
  return unknowns;
}

}  // namespace

LazyFunction make_mass_solver(const std::shared_ptr<EquationSet>& set, const Layout& layout, const BodyTree& tree,
                              std::size_t component_balances) {
  const std::vector<int> unknowns = unknowns_of(set->variables, layout, tree);
  std::vector<Expr> added(layout.nv());
  for (std::size_t i = 0; i < component_balances; ++i) {
    const auto& [k, e] = set->balance[i];
    if (!e.is_number()) added[k] += symbolic::derivative(e, set->variables.coordinate(k).a);
  }
  std::vector<char> in_tree(layout.nv(), 0);
  for (const int k : unknowns) in_tree[k] = 1;
  for (int k = 0; k < layout.nv(); ++k)
    if (!in_tree[k] && added[k].is_zero()) return {};

  return {set->mutex, [set, unknowns, added, in_tree, tree = at_rest(tree)] {
            std::vector<Expr> r, forces, armatures, result(added.size());
            for (std::size_t k = 0; k < added.size(); ++k) {
              r.push_back(set->graph.symbol("ρ" + std::to_string(k + 1)));
              if (in_tree[k] == 0) result[k] = r[k] / added[k];
            }
            for (const int k : unknowns) forces.push_back(r[k]), armatures.push_back(added[k]);
            const std::vector<Expr> a = compute_articulated_accelerations(tree, forces, armatures);
            for (std::size_t i = 0; i < unknowns.size(); ++i) result[unknowns[i]] = a[i];
            return make_function(*set, result, r);
          }};
}

}  // namespace coenergy::mechanics
