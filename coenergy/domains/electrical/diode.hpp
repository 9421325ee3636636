#pragma once
#include "coenergy/domains/electrical/junction.hpp"
#include "coenergy/domains/electrical/temperature.hpp"

namespace coenergy::domains::electrical {

/// Semiconductor diode (Shockley) with series resistance, charge and, for Zener diodes, breakdown.
///
///   i_r = Isr (e^{v_j/(Nr kT/q)} − 1) ((1 − v_j/Vj)² + 0.005)^{M/2}
///   i_0 = Is (e^{v_j/V} − 1) + i_r,   i_k = i_0/(1 + √(i_0/Ikf)) for i_0 > 0,  i_0/(1 + √(−i_0/Ikr)) below
///   i_d = i_k + gmin v_j − Ibv e^{−(v_j + BV)/V_b},   V = N kT/q,  V_b = Nbv kT/q
///   i = i_d + dq/dt,  q = TT i_k + ∫ Cj dv,  Cj = Cj0 (1 − v_j/Vj)^{−M} for v_j < FC Vj
///   v_p − v_n = v_j + Rs i
///
/// v_j is the voltage of the junction (V), i from p (anode) to n (cathode) (A). Without charge (Cj0 = TT = 0) the diode
/// is algebraic. Reference: the SPICE level-1 diode. At a temperature T other than the nominal one Is, Vj and Cj0
/// follow the laws of electrical::Warming, with the gap EG and the exponent XTI. The recombination i_r acts at all
/// voltages; ngspice leaves it out beyond −3 V.
///
/// Energy: ∫ v_j dq is stored, v_j i_d + Rs i² is turned into heat.
struct Diode {
  Pin p, n;
  Parameter Is, N, Rs, Cj0, Vj, M, FC, TT, BV, Ibv, Nbv, gmin, EG, XTI, T, Tnom, Isr, Nr, Ikf, Ikr, v0;
  State vj;

  void describe(Description& d);
  std::vector<Branch> branches(Equations& eq) const;
  void equations(Equations& eq) const;

 protected:
  void describe_pins(Description& d);
  void describe_values(Description& d);

 private:
  bool has_charge(Equations& eq) const { return eq.number(Cj0) > 0 || eq.number(TT) > 0; }
  bool has_series_resistance(Equations& eq) const { return eq.number(Rs) > 0; }
  Expr saturation_current(Equations& eq) const;             ///< at T
  Expr limit_by_knees(Equations& eq, const Expr& i) const;  ///< i_k of i_0
  Expr recombination(Equations& eq, const Expr& v) const;   ///< i_r
  JunctionCharge charge(Equations& eq) const;
  void write_static(Equations& eq) const;
  void write_with_charge(Equations& eq) const;
};

/// Zener diode: a diode whose breakdown voltage BV must be given.
struct Zener : Diode {
  void describe(Description& d);
};

}  // namespace coenergy::domains::electrical
