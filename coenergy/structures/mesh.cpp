#include "coenergy/structures/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "coenergy/base/error.hpp"

namespace coenergy::structures {

int node_count(SolidKind kind) {
  constexpr int counts[] = {4, 10, 8, 20};
  return counts[static_cast<int>(kind)];
}

const char* to_words(SolidKind kind) {
  constexpr const char* words[] = {"tet4", "tet10", "hex8", "hex20"};
  return words[static_cast<int>(kind)];
}

int Mesh::find_node(int label) const {
  const auto place = std::find(labels.begin(), labels.end(), label);
  return place == labels.end() ? -1 : static_cast<int>(place - labels.begin());
}

Mesh read_mesh(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error({file}, "cannot read the mesh");
  std::ostringstream text;
  text << in.rdbuf();
  const auto ends = [&](const std::string& end) {
    return file.size() > end.size() && file.compare(file.size() - end.size(), end.size(), end) == 0;
  };
  if (!ends(".inp") && !ends(".msh")) throw Error({file}, "a mesh is a file .inp (CalculiX, Abaqus) or .msh (Gmsh)");
  Mesh mesh = ends(".inp") ? read_inp(text.str(), file) : read_msh(text.str(), file);
  check_mesh(mesh);
  return mesh;
}

void check_mesh(Mesh& mesh) {
  if (mesh.elements.empty()) throw Error({mesh.file}, "the mesh has no solids (tet4, tet10, hex8, hex20)");
  std::vector<int> place(mesh.nodes.size(), -1);
  for (const Mesh::Element& e : mesh.elements)
    for (int node : e.nodes) place[static_cast<std::size_t>(node)] = 0;
  int count = 0;
  for (std::size_t k = 0; k < mesh.nodes.size(); ++k) {
    if (place[k] < 0) continue;
    place[k] = count++;
    mesh.nodes[static_cast<std::size_t>(place[k])] = mesh.nodes[k];
    mesh.labels[static_cast<std::size_t>(place[k])] = mesh.labels[k];
  }
  mesh.nodes.resize(static_cast<std::size_t>(count)), mesh.labels.resize(static_cast<std::size_t>(count));
  for (Mesh::Element& e : mesh.elements)
    for (int& node : e.nodes) node = place[static_cast<std::size_t>(node)];
  for (auto& [name, nodes] : mesh.node_sets) {
    for (int& node : nodes) node = place[static_cast<std::size_t>(node)];
    std::erase(nodes, -1);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
}

namespace {

using Vector = std::array<double, 3>;

/// Corners of the faces, seen from outside.
const std::vector<std::vector<int>>& faces_of(SolidKind kind) {
  static const std::vector<std::vector<int>> tet = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  static const std::vector<std::vector<int>> hex = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                                    {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  return kind == SolidKind::tet4 || kind == SolidKind::tet10 ? tet : hex;
}

Vector normal_of(const Mesh& mesh, const std::vector<int>& face) {
  const auto at = [&](std::size_t k) { return mesh.nodes[static_cast<std::size_t>(face[k])]; };
  Vector a, b, n;
  for (int i = 0; i < 3; ++i) a[i] = at(1)[i] - at(0)[i], b[i] = at(face.size() - 1)[i] - at(0)[i];
  for (int i = 0; i < 3; ++i) n[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  const double size = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (double& x : n) x /= size;
  return n;
}

/// Edges of the surface whose faces meet at more than 35°.
std::set<std::pair<int, int>> find_edges(const Mesh& mesh) {
  std::map<std::vector<int>, std::vector<int>> faces;  // by sorted corners; those seen once are the surface
  for (const Mesh::Element& e : mesh.elements)
    for (const std::vector<int>& local : faces_of(e.kind)) {
      std::vector<int> face;
      for (int k : local) face.push_back(e.nodes[static_cast<std::size_t>(k)]);
      std::vector<int> key = face;
      std::sort(key.begin(), key.end());
      const auto [place, is_new] = faces.emplace(key, face);
      if (!is_new) place->second.clear();
    }
  std::map<std::pair<int, int>, std::vector<Vector>> normals;
  for (const auto& [key, face] : faces)
    for (std::size_t k = 0; k < face.size(); ++k) {
      const int a = face[k], b = face[(k + 1) % face.size()];
      normals[{std::min(a, b), std::max(a, b)}].push_back(normal_of(mesh, face));
    }
  constexpr double flat = 0.82;  // cos 35°
  std::set<std::pair<int, int>> edges;
  for (const auto& [edge, n] : normals)
    if (n.size() != 2 || n[0][0] * n[1][0] + n[0][1] * n[1][1] + n[0][2] * n[1][2] < flat) edges.insert(edge);
  return edges;
}

}  // namespace

std::vector<std::vector<int>> find_feature_lines(const Mesh& mesh) {
  std::set<std::pair<int, int>> edges = find_edges(mesh);
  std::map<int, std::vector<int>> next;
  for (const auto& [a, b] : edges) next[a].push_back(b), next[b].push_back(a);
  std::vector<std::vector<int>> lines;
  while (!edges.empty()) {
    std::vector<int> line{edges.begin()->first};
    for (bool grows = true; grows;) {
      grows = false;
      const int here = line.back();
      for (int there : next[here])
        if (edges.erase({std::min(here, there), std::max(here, there)}) > 0) {
          line.push_back(there);
          grows = next[there].size() == 2;  // ends where lines meet
          break;
        }
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace coenergy::structures
