#pragma once
#include <vector>

#include "coenergy/structures/mesh.hpp"

namespace coenergy::structures {

/// Matrices of one solid of linear elasticity, by Gauss' points over shape functions N (isoparametric):
///
///   K = ∫ Bᵀ D B dV (3n by 3n: x, y, z of the first node, of the second …),   m_kl = ∫ ρ N_k N_l dV (n by n, alike for
///   x, y, z),   ε = B u = (xx, yy, zz, 2xy, 2yz, 2zx),   σ = D ε
///
/// tet4 one point, tet10 four, hex8 eight, hex20 27 for K (eight where it is reduced); mass exact for straight elements.
struct SolidMatrices {
  std::vector<double> stiffness, mass;  ///< row by row
};
/// `at` are its nodes. Throws std::runtime_error where the element is inverted or flat: det(∂x/∂ξ) ≤ 0 at a point.
SolidMatrices compute_solid(SolidKind kind, bool reduced, const std::vector<std::array<double, 3>>& at,
                            const Material& material);

/// σ at each node of the element as rows of numbers by which displacements are multiplied: [node][component 0 … 5][3n].
std::vector<std::array<std::vector<double>, 6>> compute_nodal_stress(SolidKind kind,
                                                                     const std::vector<std::array<double, 3>>& at,
                                                                     const Material& material);

/// Values of the shape functions and their slopes over ξ at a point of the unit element.
struct SolidShape {
  std::vector<double> value;
  std::vector<std::array<double, 3>> slope;
};
SolidShape compute_shape(SolidKind kind, const std::array<double, 3>& xi);

}  // namespace coenergy::structures
