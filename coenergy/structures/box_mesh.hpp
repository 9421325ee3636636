#pragma once
#include <map>

#include "coenergy/structures/mesh.hpp"

// boxes of all kinds of solids, for tests
namespace coenergy::structures {

/// nx · ny · nz bricks, or six tetrahedra for each; node sets `left` (x = 0) and `right`. `bend` moves the nodes inside.
inline Mesh make_box(SolidKind kind, std::array<int, 3> n, std::array<double, 3> size, double bend = 0) {
  const bool tet = kind == SolidKind::tet4 || kind == SolidKind::tet10;
  Mesh mesh;
  mesh.file = "box";
  const auto index = [&](int i, int j, int k) { return (k * (n[1] + 1) + j) * (n[0] + 1) + i; };
  for (int k = 0; k <= n[2]; ++k)
    for (int j = 0; j <= n[1]; ++j)
      for (int i = 0; i <= n[0]; ++i) {
        const bool inner = i > 0 && j > 0 && k > 0 && i < n[0] && j < n[1] && k < n[2];
        mesh.nodes.push_back({size[0] * i / n[0] + (inner ? bend * size[0] / n[0] : 0),
                              size[1] * j / n[1] - (inner ? bend * size[1] / n[1] : 0),
                              size[2] * k / n[2] + (inner ? 0.5 * bend * size[2] / n[2] : 0)});
      }
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [place, is_new] = middles.emplace(std::minmax(a, b), static_cast<int>(mesh.nodes.size()));
    if (is_new) {
      std::array<double, 3> x;
      for (std::size_t i = 0; i < 3; ++i)
        x[i] = (mesh.nodes[static_cast<std::size_t>(a)][i] + mesh.nodes[static_cast<std::size_t>(b)][i]) / 2;
      mesh.nodes.push_back(x);
    }
    return place->second;
  };
  constexpr int tets[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  constexpr int tet_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  constexpr int hex_edges[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                    {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const auto add = [&](std::vector<int> corners) {
    Mesh::Element e{kind, false, corners, static_cast<int>(mesh.elements.size()) + 1};
    if (kind == SolidKind::tet10)
      for (const auto& [a, b] : tet_edges) e.nodes.push_back(middle(corners[a], corners[b]));
    if (kind == SolidKind::hex20)
      for (const auto& [a, b] : hex_edges) e.nodes.push_back(middle(corners[a], corners[b]));
    mesh.elements.push_back(std::move(e));
  };
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) {
        const int c[8] = {
            index(i, j, k),     index(i + 1, j, k),     index(i + 1, j + 1, k),     index(i, j + 1, k),
            index(i, j, k + 1), index(i + 1, j, k + 1), index(i + 1, j + 1, k + 1), index(i, j + 1, k + 1)};
        if (!tet) add({c, c + 8});
        for (const auto& t : tets)
          if (tet) add({c[t[0]], c[t[1]], c[t[2]], c[t[3]]});
      }
  for (std::size_t k = 0; k < mesh.nodes.size(); ++k) {
    mesh.labels.push_back(static_cast<int>(k) + 1);
    if (mesh.nodes[k][0] < 1e-9 * size[0]) mesh.node_sets["left"].push_back(static_cast<int>(k));
    if (mesh.nodes[k][0] > (1 - 1e-9) * size[0]) mesh.node_sets["right"].push_back(static_cast<int>(k));
  }
  return mesh;
}

}  // namespace coenergy::structures
