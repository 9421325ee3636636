#pragma once
#include "coenergy/domains/electrical/temperature.hpp"

namespace coenergy::domains::electrical {

/// MOS transistor, level 1 (Shichman–Hodges), without charges: see ChargedMosfet.
///
/// With voltages of an n-channel (all signs turn for a p-channel), source and drain exchanged where v_ds < 0:
///
///   v_th = Vto + gamma (√(phi − v_bs) − √phi)         (v_bs > 0: the root continues along its tangent)
///   i_ds = ½ β v_e² (1 + lambda v_ds)                 v_e = v_gs − v_th ≤ v_ds, saturation
///   i_ds = β v_ds (v_e − v_ds/2) (1 + lambda v_ds)    else;   zero where v_e < 0;   β = Kp W/L
///   bulk to source and bulk to drain: diodes with the saturation currents Is and Is_d and the conductance gmin,
///   i = Is (e^{v/V} − 1) + gmin v, V = N kT/q, along the tangent beyond 100 kA
///
/// The diodes have no unknown of their own, as those of other components have: nearly always they block, and an
/// exponential of a voltage that is known already keeps a matrix of an iteration valid for longer.
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
  Parameter Vto, Kp, W, L, lambda, gamma, phi, Is, Is_d, N, gmin, T, Tnom;

  void describe(Description& d);
  std::vector<Branch> branches(Equations&) const;
  void equations(Equations& eq) const;

 protected:
  /// Ports, and the parameters that all levels have.
  void describe_law(Description& d);
  void describe_modulation(Description& d);
  double sign(Equations& eq) const { return eq[channel] == "n" ? 1 : -1; }
  /// What the temperature makes of them; the threshold is that of an n-channel.
  struct Values {
    Expr Kp, phi, threshold, Is, Is_d;
  };
  Values values(Equations& eq) const;
  /// Voltages as of an n-channel, from the end that acts as the source.
  struct Voltages {
    Expr gate, drain, bulk;  ///< v_gs, v_ds ≥ 0, v_bs
  };
  Voltages voltages(Equations& eq) const;
  /// What the gate makes of the channel.
  struct Channel {
    Expr conductance;  ///< i/u of the current i and the part u = min(v_ds, saturation) of the drain voltage that counts
    Expr overdrive;    ///< v_gs − v_th, negative where it is closed
    Expr saturation;   ///< drain voltage from which on it is saturated, ≥ 0
  };
  /// Currents between drain, source and bulk; i_gd flows from gate to drain besides.
  void write_currents(Equations& eq, const Values& at, const Channel& channel, const Expr& i_gd) const;

 private:
  friend struct ChargedMosfet;
  Channel make_channel(Equations& eq, const Values& at) const;
};

/// The same with the charges of the gate: the capacitances of J. Meyer (MOS models and circuit simulation, 1971) as SPICE
/// has them, and those of overlaps.
///
/// With the overdrive v_e of Mosfet, Cox the capacitance of the whole oxide, φ = phi(T), and source and drain exchanged
/// where v_ds < 0:
///
///   C_gb = Cox clamp(−v_e/φ),   F = ⅔ Cox clamp(1 + 2 v_e/φ)           clamp: limited to 0 … 1
///   u = max(v_s, 25 mV),  w = min(v_ds, u)                             v_s: saturation voltage, of level 1 v_e
///   C_gs = F (1 − ((u − w)/(2u − w))²),   C_gd = F (1 − (u/(2u − w))²)
///   i_gs = (C_gs + Cgs) dv_gs/dt,  i_gd = (C_gd + Cgd) dv_gd/dt,  i_gb = (C_gb + Cgb) dv_gb/dt
///
/// Where there is no overlap 10⁻⁵ Cox take its place: a voltage must keep a charge to be a state. These capacitances
/// belong to no energy: what flows into them is counted as heat, which over a period is small of either sign.
struct ChargedMosfet : Mosfet {
  Parameter Cox, Cgs, Cgd, Cgb;
  State v_gs, v_gd, v_gb;

  void describe(Description& d);
  std::vector<Branch> branches(Equations&) const;
  void equations(Equations& eq) const;

 protected:
  void describe_charges(Description& d);
  /// Currents and charges of a channel.
  void write(Equations& eq, const Values& at, const Channel& channel) const;

 private:
  /// C_gs, C_gd and C_gb, without overlaps.
  struct Capacitances {
    Expr gs, gd, gb;
  };
  Capacitances capacitances(Equations& eq, const Values& at, const Channel& channel) const;
};

}  // namespace coenergy::domains::electrical
