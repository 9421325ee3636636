#pragma once
#include <Eigen/Sparse>
#include <array>
#include <string>
#include <vector>

#include "coenergy/structures/mesh.hpp"

namespace coenergy::structures {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// A linear structure: nodes with three freedoms each (displacements) or six (and rotations), its stiffness and mass.
struct Structure {
  std::vector<std::array<double, 3>> nodes;
  std::vector<int> labels;
  int freedoms = 3;
  SparseMatrix stiffness, mass;

  int size() const { return freedoms * static_cast<int>(nodes.size()); }
};

/// K and M of a mesh whose lengths are `scale` m; `material`, where it has E > 0, instead of those of the file.
/// Throws Error for elements that are inverted, naming them, and for those without a material.
Structure assemble(const Mesh& mesh, double scale, const Material& material);

/// Matrices in Matrix Market's format (coordinate or array, real, symmetric or general) and a table of the nodes: a line
/// `node,x,y,z` of names, then numbers, in the order of the matrices' rows: three or six for each node. Throws Error.
Structure read_structure(const std::string& stiffness, const std::string& mass, const std::string& nodes);

/// Parts of the structure that share nothing: of each node the number of its part.
std::vector<int> find_parts(const Structure& structure);

}  // namespace coenergy::structures
