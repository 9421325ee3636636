#pragma once
#include "coenergy/domains/component.hpp"
#include "coenergy/model/multibody.hpp"

namespace coenergy::structures {
struct Mesh;
struct Structure;
struct Material;
struct Interface;
struct ComponentModes;
}  // namespace coenergy::structures

namespace coenergy::domains::flexible {

/// A body given by a mesh of solids or by matrices, reduced to the motion of its interfaces and modes inside
/// (structures/component_modes.hpp) about a frame that moves with the first interface. The body's own frame is that of the
/// file. Small strains and small turns against the frame; works in relative and in absolute coordinates.
///
///   interfaces: "base, arm mean"   node sets of the file (of matrices and meshes also numbers of nodes: "3 5 8"), each a
///   frame of its name (i1, i2 … of numbers) at the mean place of its nodes; rigid, or with their mean
///   modes: with all interfaces held; coordinates eta1 … are the own modes with the first interface held
///
/// Signals: eta1 …, frames, stresses STRESSk.xx yy zz xy yz zx mises (Pa) at stress_nodes of a mesh.
struct Superelement {
  Choice mesh, stiffness, mass, nodes, interfaces;
  Parameter scale, modes, E, nu, rho, damping;
  model::List damping_ratios, stress_nodes, eta, eta_rate;

  void describe(Description& d);
  void flexible(Equations& eq, model::FlexibleBody& body) const;

 private:
  structures::Material own_material(Equations& eq) const;
  std::vector<structures::Interface> find_interfaces(Equations& eq, const structures::Structure& structure,
                                                     const structures::Mesh* mesh) const;
  void add_stresses(Equations& eq, const structures::Mesh& mesh, const structures::Structure& structure,
                    const structures::ComponentModes& modes, model::ModalBody& body) const;
};

}  // namespace coenergy::domains::flexible
