#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::hydraulic {

/// Double-acting cylinder with compressible oil.
///
///   x = s_rod − s_housing + offset                   piston position, 0 retracted … stroke extended (m)
///   V_a = V_a0 + A_a x,  V_b = V_b0 + A_b (stroke − x)    chamber volumes (m³)
///   ṗ_a = β (Q_a − V̇_a)/V_a,  ṗ_b = β (Q_b − V̇_b)/V_b     (Merritt 1967), Q into the chamber
///   f = p_a A_a − p_b A_b − d ẋ − stops              force on the rod; the housing takes −f (N)
///
/// Between the chambers leaks G (p_a − p_b). Outside 0 … stroke an end stop pushes back with k δ (1 + c δ̇), δ the
/// depth. A symmetric cylinder at mid-stroke with mass m has the natural frequency √(4 β A²/(V m)), V = V_a + V_b.
///
/// A chamber from which more is drawn than flows in fills with vapour at the vacuum (Oil); a run ends where no oil is
/// left in one, or where the piston leaves the tube because it has no stops. Energy: ½ V p²/β is stored in each chamber.
/// Oil that enters as the chamber grows brings its own energy of compression p²/(2β) per volume; that is counted as
/// supplied, ½ p² V̇/β.
struct Cylinder {
  Fluid a, b;
  Translational rod, housing;
  Parameter A_a, A_b, stroke, V_a0, V_b0, beta, offset, leakage, friction, stop_stiffness, stop_damping, p_a0, p_b0;

  void describe(Description& d);
  void equations(Equations& eq) const;

 private:
  void chamber(Equations& eq, Fluid port, const Expr& volume, const Expr& volume_rate) const;
  Expr stop_force(Equations& eq, const Expr& x, const Expr& v) const;
};

}  // namespace coenergy::domains::hydraulic
