#include "coenergy/domains/flexible/beam_mesh.hpp"

#include <algorithm>
#include <cmath>

namespace coenergy::domains::flexible {

BeamMesh BeamMesh::make(const BeamAxis& axis, std::vector<double> cuts, int elements,
                        const std::vector<double>& places) {
  constexpr double same = 1e-9;  // fractions closer than this are one
  cuts.push_back(0), cuts.push_back(1);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end(), [](double a, double b) { return b - a < same; }), cuts.end());

  // one element each, then one after the other to the piece whose elements are longest
  std::vector<int> count(cuts.size() - 1, 1);
  const auto longest = [&](std::size_t k) { return (cuts[k + 1] - cuts[k]) / count[k]; };
  for (int left = elements - static_cast<int>(count.size()); left > 0; --left) {
    std::size_t most = 0;
    for (std::size_t k = 1; k < count.size(); ++k)
      if (longest(k) > longest(most) * (1 + same)) most = k;
    ++count[most];
  }

  BeamMesh mesh;
  mesh.node_at = {0};
  for (std::size_t k = 0; k < count.size(); ++k)
    for (int i = 0; i < count[k]; ++i) {
      const auto at = [&](int j) {
        return j == count[k] ? cuts[k + 1] : cuts[k] + (cuts[k + 1] - cuts[k]) * j / count[k];
      };
      Element element{at(i), at(i + 1), {static_cast<int>(mesh.node_at.size()) - 1}};
      for (std::size_t n = 1; n < places.size(); ++n) {
        element.nodes.push_back(static_cast<int>(mesh.node_at.size()));
        mesh.node_at.push_back(n + 1 == places.size() ? element.to
                                                      : element.from + (element.to - element.from) * places[n]);
      }
      mesh.elements.push_back(std::move(element));
    }
  for (double fraction : mesh.node_at) mesh.nodes.push_back(axis.at(fraction));
  return mesh;
}

std::vector<BeamAxis::Section> BeamMesh::nodes_of(const Element& element) const {
  std::vector<BeamAxis::Section> own;
  for (int node : element.nodes) own.push_back(nodes[node]);
  return own;
}

int BeamMesh::node_near(double fraction) const {
  int nearest = 0;
  for (std::size_t k = 0; k < node_at.size(); ++k)
    if (std::abs(node_at[k] - fraction) < std::abs(node_at[nearest] - fraction)) nearest = static_cast<int>(k);
  return nearest;
}

}  // namespace coenergy::domains::flexible
