#pragma once
#include "coenergy/domains/flexible/beam_mesh.hpp"
#include "coenergy/domains/flexible/beam_section.hpp"

namespace coenergy::domains::flexible {

/// A slender beam as a chain of geometrically exact elements: large displacements and rotations, small strains;
/// stretching, shear, bending, torsion and rotary inertia.
///
/// Its line is straight along x of its own frame, or an arc about z (length, bend), or a curve through points (see
/// BeamAxis), its sections may be twisted about it, taper (several rows in `section`) and lie beside the line (offset: y, z
/// of their centres). order 2: elements of two nodes, exact for an even bend (BeamElement); 4, 6 … 12: those of half as
/// many degrees (SpectralBeam), which all but a straight beam or an arc of one section needs. damping τ (s) is
/// proportional to stiffness: a mode of angular frequency ω has the damping ratio τ ω/2; damping_ratio says so at a
/// frequency.
///
/// With `modes` it is reduced to the motion of its frames root, tip, s1 … and that many modes inside, about a frame that
/// moves with root (structures/component_modes.hpp): small strains and small turns against it, in relative coordinates too.
///
/// Frames: root (the body itself), tip, s1, s2 … at the stations (fractions of the length), n0, n1 … all nodes. Signals
/// of root, tip and stations: x y z, p0 … p3, vx …, wx …; at stations also what the side of the tip exerts on the side of
/// the root, in axes of the section: N, Qy, Qz (N), Mx, My, Mz (N.m).
struct BeamBody {
  Parameter length, elements, order, damping, damping_ratio, damping_frequency, bend, modes;
  model::List points, twist, offset, stations;
  Choice stiffening;
  BeamSection section;

  void describe(Description& d);
  void flexible(Equations& eq, model::FlexibleBody& body) const;

 private:
  /// Entries as symbols or, for reduction, as numbers.
  struct Entries {
    Equations& eq;
    bool as_numbers;
    Expr operator[](const Parameter& entry) const { return as_numbers ? Expr(eq.number(entry)) : eq[entry]; }
    std::vector<Expr> operator[](const model::List& entry) const;
    std::vector<Expr> section(const BeamSection& section, int row) const {
      return as_numbers ? section.numbers(eq, row) : section.parameters(eq, row);
    }
  };
  BeamAxis axis(Equations& eq) const;       ///< in units of unit()
  Expr unit(const Entries& entries) const;  ///< the length, or 1 m of a line through points
  int find_order(Equations& eq) const;
  BeamMesh mesh(Equations& eq, int degree) const;
  Expr find_damping(const Entries& entries) const;
  void build(const Entries& entries, const BeamMesh& mesh, int degree, model::FlexibleBody& body) const;
  model::ModalBody reduce(Equations& eq, const BeamMesh& mesh, int degree) const;
  void add_two_node_elements(const Entries& entries, const BeamMesh& mesh, model::FlexibleBody& body) const;
  void add_spectral_elements(const Entries& entries, const BeamMesh& mesh, int degree, model::FlexibleBody& body) const;
};

}  // namespace coenergy::domains::flexible
