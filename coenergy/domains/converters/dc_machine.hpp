#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::converters {

/// Permanent-magnet DC machine, motor or generator, with an ideal gear (Fitzgerald, Kingsley, Umans: Electric Machinery):
///
///   v = R i + L di/dt + k N ω,   τ = k N i − N²J ω̇
///
/// v = v_p − v_n (V), i from p to n (A), ω velocity of the shaft against the support (rad/s), τ torque on the shaft
/// (N.m), k machine constant (V.s/rad = N.m/A), N gear ratio (rotor over shaft). R, L and J are zero unless given, so
/// that they can be separate components. At rest the torque is k v/R, without load the speed v/k.
///
/// An ideal machine (no R, no L) on ideal sources turns as they say, k N ω = v, whatever its load; its current is what the
/// load needs. A loop of several such machines and no other element is refused.
///
/// A current limiter keeps |i| ≤ i_max: while the current is at its limit and the voltage would drive it further, di/dt =
/// 0, by located events, and the limiter takes what is left of the voltage as heat (without L the current is cut off). Of
/// the torque k N i only the part `torque_factor` c reaches the shaft; (1 − c) k N i ω counts as loss.
struct DcMachine {
  Pin p, n;
  Rotational shaft, support;
  Parameter k, gear, R, L, J, i_max, torque_factor, i0;
  State i;  ///< algebraic without an inductance

  void describe(Description& d);
  std::vector<Branch> branches(Equations& eq) const;
  void equations(Equations& eq) const;

 private:
  /// The row of the current for the voltage u that is left for it; returns what a limiter takes of it.
  Expr write_armature(Equations& eq, const Expr& u) const;
};

}  // namespace coenergy::domains::converters
