#pragma once
#include "coenergy/domains/piston.hpp"

namespace coenergy::domains::hydraulic {

/// Double-acting cylinder with compressible oil.
///
///   ṗ_a = β (Q_a − V̇_a)/V_a,  ṗ_b = β (Q_b − V̇_b)/V_b     (Merritt 1967), Q into the chamber
///   f = p_a A_a − p_b A_b − d ẋ − stops                   force on the rod (Piston)
///
/// Between the chambers leaks G (p_a − p_b). A symmetric cylinder at mid-stroke with mass m has the natural frequency √(4 β A²/(V m)), V = V_a + V_b.
///
/// A chamber from which more is drawn than flows in fills with vapour at the vacuum (Oil); a run ends where no oil is
/// left in one, or where the piston leaves the tube because it has no stops. Energy: ½ V p²/β is stored in each chamber.
/// Oil that enters as the chamber grows brings its own energy of compression p²/(2β) per volume; that is counted as
/// supplied, ½ p² V̇/β.
struct Cylinder {
  Fluid a, b;
  Piston piston;
  Parameter beta, leakage, p_a0, p_b0;

  void describe(Description& d);
  void equations(Equations& eq) const;

 private:
  void fill(Equations& eq, Fluid port, const Piston::Chamber& chamber) const;
};

}  // namespace coenergy::domains::hydraulic
