#pragma once
#include <string>
#include <vector>

#include "coenergy/mechanics/inverse_dynamics.hpp"
#include "coenergy/symbolic/expr.hpp"
#include "coenergy/symbolic/program.hpp"

namespace bench {

using namespace coenergy::symbolic;

/// Serial chain of revolute joints with general bodies: mass m, centre of mass l from the joint, inertia I about it
/// (six numbers), next joint at d. All numbers are parameters, hence inputs.
struct Chain {
  std::vector<Expr> inputs;  ///< q, q̇, q̈ of all joints, g, then the parameters of each body
  std::vector<NamedExpr> torques;
};

/// Recursive Newton–Euler inverse dynamics: Q(q, q̇, q̈) of a chain whose joints turn about the axes 3, 1, 2, 3, …
inline Chain make_chain(Graph& g, int joints) {
  Chain chain;
  const auto symbol = [&](const std::string& name) { return chain.inputs.emplace_back(g.symbol(name)); };
  coenergy::mechanics::BodyTree tree{.graph = &g};
  tree.links.resize(joints);
  for (int i = 0; i < joints; ++i) tree.links[i].q = symbol("q" + std::to_string(i + 1));
  for (int i = 0; i < joints; ++i) tree.links[i].v = symbol("qd" + std::to_string(i + 1));
  for (int i = 0; i < joints; ++i) tree.links[i].a = symbol("qdd" + std::to_string(i + 1));
  tree.gravity[2] = -symbol("g");
  for (int i = 0; i < joints; ++i) {
    auto& link = tree.links[i];
    const std::string id = std::to_string(i + 1);
    link.name = "j" + id;
    link.parent = i - 1;
    link.axis = (i + 2) % 3;
    link.mass = symbol("m" + id);
    for (int r = 0; r < 3; ++r) link.com[r] = symbol("l" + id + "_" + std::to_string(r + 1));
    Vec3 d;
    for (int r = 0; r < 3; ++r) d[r] = symbol("d" + id + "_" + std::to_string(r + 1));
    if (i + 1 < joints) tree.links[i + 1].d = d;
    for (int r = 0; r < 3; ++r)
      for (int c = r; c < 3; ++c)
        link.inertia(r, c) = link.inertia(c, r) =
            symbol("I" + id + "_" + std::to_string(r + 1) + std::to_string(c + 1));
  }
  for (const Expr& force : coenergy::mechanics::compute_inverse_dynamics(tree).forces)
    chain.torques.push_back({"Q" + std::to_string(chain.torques.size() + 1), force});
  return chain;
}

}  // namespace bench
