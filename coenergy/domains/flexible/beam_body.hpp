#pragma once
#include "coenergy/domains/flexible/beam_section.hpp"

namespace coenergy::domains::flexible {

/// A slender beam along x of its own frame, as a chain of geometrically exact elements (see BeamElement): large
/// displacements and rotations, small strains; stretching, shear, bending, torsion and rotary inertia.
///
/// length (m) along the axis, elements their number, section and material as in BeamSection, damping τ (s) proportional
/// to stiffness (a mode of angular frequency ω has the damping ratio τ ω/2), bend: angle of an arc about z (rad) for a
/// beam that is curved when relaxed. Frames: root (the body itself) and tip. Signals of both: x y z, p0 … p3, vx …, wx
/// ….
struct BeamBody {
  Parameter length, elements, damping, bend;
  BeamSection section;

  void describe(Description& d);
  void flexible(Equations& eq, model::FlexibleBody& body) const;
};

}  // namespace coenergy::domains::flexible
