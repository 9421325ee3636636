#pragma once
#include "coenergy/domains/converters/rotor.hpp"
#include "coenergy/domains/converters/three_phase.hpp"

namespace coenergy::domains::converters {

/// Synchronous machine with a field winding f and, where they are given, damper windings D and Q in the axes of the rotor:
///
///   W' = 3/2 (½ L_d i_d² + ½ L_q i_q² + L_0 i_0² + i_d (M_f i_f + M_D i_D) + M_Q i_q i_Q)
///        + ½ L_f i_f² + ½ L_D i_D² + M_fD i_f i_D + ½ L_Q i_Q²
///
/// M_f, M_D, M_Q greatest mutual inductances of a stator winding and f, D, Q (H); R_f, R_D, R_Q resistances (ohm). Dampers
/// are short-circuited. Torque = 3/2 p (ψ_d i_q − ψ_q i_d). Without load the peak voltage of a phase is p ω M_f i_f.
struct SynchronousMachine {
  Rotor rotor;
  ThreePhase stator;
  Pin fp, fn;
  Parameter L_d, L_q, L_0, L_f, R_f, M_f, L_D, R_D, M_D, M_fD, L_Q, R_Q, M_Q, i_f0;
  State i_f;

  void describe(Description& d);
  std::vector<Branch> branches(Equations& eq) const;
  void equations(Equations& eq) const;

 private:
  void check(Equations& eq) const;
};

}  // namespace coenergy::domains::converters
