#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "coenergy/system/body_tree.hpp"

namespace bench {

using coenergy::symbolic::Expr;
using coenergy::symbolic::Graph;

/// Numbers of the serial chain that every library gets: joint i turns about x, y or z, the next one sits at d.
struct ChainLink {
  int axis;
  double mass;
  double com[3], d[3];  ///< centre of mass, and the joint's place in the parent
  double inertia[6];    ///< about the centre of mass: xx yy zz xy xz yz
};

inline std::vector<ChainLink> make_links(int joints) {
  std::vector<ChainLink> links;
  for (int i = 0; i < joints; ++i) {
    const double x = i + 1;
    links.push_back({(i + 2) % 3,
                     1 + 0.2 * std::sin(x),
                     {0.05 * std::sin(x), 0.04 * std::cos(x), 0.1},
                     {0.02 * std::sin(2 * x), 0.03, i == 0 ? 0.0 : 0.2},
                     {0.02, 0.025, 0.015, 0.001 * std::sin(x), 0.002, -0.001}});
  }
  return links;
}

/// The chain with its numbers in the code, lumped; inputs are q, q̇ and q̈ or Q.
struct SymbolicChain {
  Graph graph;
  coenergy::system::BodyTree tree;
  std::vector<Expr> q, v, last;

  explicit SymbolicChain(int joints) {
    tree.graph = &graph;
    tree.gravity = {{0, 0, -9.81}};
    const std::vector<ChainLink> links = make_links(joints);
    for (int i = 0; i < joints; ++i) {
      const std::string id = std::to_string(i + 1);
      coenergy::system::BodyTree::Link link;
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
    tree = coenergy::system::lump(tree);
  }
  std::vector<Expr> inputs(bool with_last = true) const {
    std::vector<Expr> all = q;
    all.insert(all.end(), v.begin(), v.end());
    if (with_last) all.insert(all.end(), last.begin(), last.end());
    return all;
  }
};

}  // namespace bench
