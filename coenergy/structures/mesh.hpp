#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coenergy::structures {

/// Solids of a mesh. Corners first, then the middles of edges, in the order of Abaqus and CalculiX.
enum class SolidKind { tet4, tet10, hex8, hex20 };
int node_count(SolidKind kind);
const char* to_words(SolidKind kind);

/// Isotropic: Young's modulus (Pa), Poisson's ratio, density (kg/m³), in the units of the file.
struct Material {
  double E = 0, nu = 0, rho = 0;
};

/// Nodes and solids, as a file has them. Numbers of nodes are those of the program (from 0); `labels` those of the file.
struct Mesh {
  std::string file;
  std::vector<std::array<double, 3>> nodes;
  std::vector<int> labels;
  struct Element {
    SolidKind kind;
    bool reduced = false;  ///< stiffness by the points of one order less (C3D20R)
    std::vector<int> nodes;
    int label = 0, line = 0;
    int material = -1;  ///< −1: the file names none
  };
  std::vector<Element> elements;
  std::map<std::string, std::vector<int>> node_sets;  ///< names as in the file
  std::vector<Material> materials;

  int find_node(int label) const;  ///< −1: none
};

/// CalculiX and Abaqus input (.inp): *NODE, *ELEMENT (C3D4, C3D10, C3D8, C3D20, C3D20R), *NSET, *ELSET, *MATERIAL, *ELASTIC,
/// *DENSITY, *SOLID SECTION; other cards are passed over. Throws Error with the line.
Mesh read_inp(const std::string& text, const std::string& file);
/// Gmsh's files (.msh) of versions 2.2 and 4.1 in text; physical groups are node sets. Throws Error with the line.
Mesh read_msh(const std::string& text, const std::string& file);
/// By the ending of the file.
Mesh read_mesh(const std::string& file);

/// Throws Error for a file without solids, or with nodes that no solid uses and a set names. Drops nodes that nothing uses.
void check_mesh(Mesh& mesh);

/// Lines of the surface where it has an edge, as chains of nodes: for pictures.
std::vector<std::vector<int>> find_feature_lines(const Mesh& mesh);

}  // namespace coenergy::structures
