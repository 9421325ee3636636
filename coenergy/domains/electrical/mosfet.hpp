#pragma once
#include "coenergy/domains/electrical/junction.hpp"
#include "coenergy/domains/electrical/temperature.hpp"

namespace coenergy::domains::electrical {

/// MOS transistor, level 1 (Shichman–Hodges), without charges: add capacitors between its pins where they matter.
///
/// With voltages of an n-channel (all signs turn for a p-channel), source and drain exchanged where v_ds < 0:
///
///   v_th = Vto + gamma (√(phi − v_bs) − √phi)         (v_bs > 0: the root continues along its tangent)
///   i_ds = ½ β v_e² (1 + lambda v_ds)                 v_e = v_gs − v_th ≤ v_ds, saturation
///   i_ds = β v_ds (v_e − v_ds/2) (1 + lambda v_ds)    else;   zero where v_e < 0;   β = Kp W/L
///   bulk to source and bulk to drain: diodes with the saturation current Is and the conductance gmin
///
/// At a temperature T other than the nominal one T_n, with the gap E and the law of potentials of electrical::Warming,
/// φ = phi(T):
///
///   Kp (T/T_n)^{−3/2},   v_t0 = Vto + gamma (√φ − √phi) + ½ (φ − phi) ± ½ (E(T_n) − E(T)),  + for an n-channel
///   Is e^{E(T_n)/(kT_n/q) − E(T)/(kT/q)}
///
/// i enters at d, s, b (A); the gate draws none. Turns all power into heat.
struct Mosfet {
  Pin d, g, s, b;
  Choice channel;
  Parameter Vto, Kp, W, L, lambda, gamma, phi, Is, N, gmin, T, Tnom;
  Algebraic s_bs, s_bd;

  void describe(Description& d);
  std::vector<Branch> branches(Equations&) const;
  void equations(Equations& eq) const;

 private:
  /// What the temperature makes of them; the threshold is that of an n-channel.
  struct Values {
    Expr Kp, phi, threshold, Is;
  };
  Values values(Equations& eq) const;
  Expr channel_current(Equations& eq, const Values& at, const Expr& v_gs, const Expr& v_ds, const Expr& v_bs) const;
};

}  // namespace coenergy::domains::electrical
