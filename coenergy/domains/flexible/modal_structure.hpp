#pragma once
#include "coenergy/domains/flexible/modal_inertia.hpp"
#include "coenergy/structures/component_modes.hpp"

namespace coenergy::domains::flexible {

/// The modes of a structure as shapes at its nodes, and its mass. It keeps a reference to the structure.
ShapedPoints sample_structure(const structures::Structure& structure, const structures::ComponentModes& modes);
/// A node as a point for pictures; an interface as a frame.
model::ModalBody::Place place_of(const structures::Structure& structure, const structures::ComponentModes& modes,
                                 int node);
model::ModalBody::Place frame_of(const structures::Interface& face, const Eigen::MatrixXd& motion);

/// What bending draws back along a line of nodes with six freedoms, to second order in their turns θ and without strain:
///   g_ik(s) = ½ ∫₀ˢ θ_i × (θ_k × t) + θ_k × (θ_i × t) ds,   t along the line
/// as fields for ShapedPoints::bend. `pieces`: elements of the line by their nodes, in order; θ is interpolated in each by
/// the polynomial through `places` (0 … 1).
std::vector<ShapedPoints::Field> draw_back(const ShapedPoints& points, const std::vector<std::vector<int>>& pieces,
                                           const std::vector<double>& places);

}  // namespace coenergy::domains::flexible
