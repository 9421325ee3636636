#pragma once
#include <string>
#include <vector>

#include "bench/multibody/chain_links.hpp"
#include "coenergy/mechanics/body_tree.hpp"

namespace bench {

using coenergy::symbolic::Expr;
using coenergy::symbolic::Graph;

/// The chain with its numbers in the code, lumped; inputs are q, q̇ and q̈ or Q.
struct SymbolicChain {
  Graph graph;
  coenergy::mechanics::BodyTree tree;
  std::vector<Expr> q, v, last;

  explicit SymbolicChain(int joints) {
    tree.graph = &graph;
    tree.gravity = {{0, 0, -9.81}};
    const std::vector<ChainLink> links = make_links(joints);
    for (int i = 0; i < joints; ++i) {
      const std::string id = std::to_string(i + 1);
      coenergy::mechanics::BodyTree::Link link;
      link.name = "j" + id;
      link.parent = i - 1;
      link.axis = links[i].axis;
      q.push_back(link.q = graph.symbol("q" + id));
      v.push_back(link.v = graph.symbol("v" + id));
      last.push_back(link.a = graph.symbol("a" + id));
      link.mass = links[i].mass;
      const int place[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
      for (int k = 0; k < 3; ++k) link.com[k] = links[i].com[k], link.d[k] = links[i].d[k];
      for (int k = 0; k < 6; ++k)
        link.inertia(place[k][0], place[k][1]) = link.inertia(place[k][1], place[k][0]) = links[i].inertia[k];
      tree.links.push_back(link);
    }
    tree = coenergy::mechanics::lump(tree);
  }
  std::vector<Expr> inputs(bool with_last = true) const {
    std::vector<Expr> all = q;
    all.insert(all.end(), v.begin(), v.end());
    if (with_last) all.insert(all.end(), last.begin(), last.end());
    return all;
  }
};

}  // namespace bench
