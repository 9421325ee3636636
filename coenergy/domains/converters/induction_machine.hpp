#pragma once
#include "coenergy/domains/converters/rotor.hpp"
#include "coenergy/domains/converters/three_phase.hpp"

namespace coenergy::domains::converters {

/// Induction machine in the currents of its six windings (Sass 2004, 6.3):
///
///   W' = ½ L_s Σ i_sj² + M_s Σ_{j<k} i_sj i_sk + the same of the rotor + Σ_jk M(θ + (k − j) 2π/3) i_sj i_rk
///   M(θ) = M_sr (h₁ cos θ + h₂ cos 2θ + …),   θ = p φ
///
/// L, M_s, M_r inductances of a winding and between two of one side (H), M_sr the greatest mutual inductance of stator and
/// rotor, h the `harmonics` of any other distribution of the flux (1, 0, 0, … if nothing is said). Torque and voltages
/// follow from W'. Without pins the rotor is a cage (shorted star); a wound rotor has its pins ra, rb, rc and rn. A zero
/// sequence without inductance, L + 2 M = 0, is allowed in an isolated star and a cage.
struct InductionMachine {
  Rotor rotor;
  ThreePhase stator, cage;
  Parameter L_s, M_s, L_r, M_r, M_sr;
  List harmonics;

  void describe(Description& d);
  std::vector<Branch> branches(Equations& eq) const;
  void equations(Equations& eq) const;

 private:
  void check(Equations& eq, const ThreePhase& side, Parameter L, Parameter M, const char* name) const;
};

}  // namespace coenergy::domains::converters
