#pragma once
#include "coenergy/domains/electrical/mosfet.hpp"

namespace coenergy::domains::electrical {

/// What MOS transistors of levels 2 and 3 have in common: channels so short or narrow that their edges count.
///
///   r(v) = √(φ − v) for v ≤ 0, √φ/(1 + v/(2φ)) beyond         root of the potential across the depletion layer, √V
///   X r                                                       its width, X = √(2 ε/(q N)) (m at 1 V), N the doping
///   n V_t                                                     swing of weak inversion, V_t = kT/q
///
/// Below the threshold the current falls by e^{(v_gs − v_on)/(n V_t)} where `fast` states are given, n = 1 + fast + …
/// and v_on = v_th + n V_t; without them it ends at the threshold.
struct ShortMosfet : ChargedMosfet {
  Parameter narrow, X, Xj, fast, Vc;

 protected:
  void describe_edges(Description& d);
  /// r(v)
  static Expr root(const Expr& phi, const Expr& v);
  Expr thermal(Equations& eq) const;
};

/// MOS transistor, level 2: the gradual channel with the bulk charge integrated along it, as in SPICE.
///
/// With F = narrow, η = 1 + F, s = r(v_bs), d = r(v_bs − v_ds) and voltages as of an n-channel (see Mosfet):
///
///   v_bin = v_t0 − gamma √φ + F (φ − v_bs),   v_th = v_bin + Γ s
///   Γ = gamma (1 − (Xj/2L) (√(1 + 2 X s/Xj) − 1 + √(1 + 2 X d/Xj) − 1))        charge that source and drain hold
///   n = 1 + fast + F − ∂(Γ s)/∂v_bs
///   μ = min(1, (Ucrit/(v_gs − v_on))^Uexp)                                      part of the mobility that is left
///   i = (Kp W/L) (μ/c) ((v − v_bin − η u/2) u − ⅔ Γ (r(v_bs − u)³ − s³)),  u = min(v_ds, v_sat),  v = max(v_gs, v_on)
///   v_sat where the charge at the drain ends; with Vc (largest speed × L/mobility) by the quartic of Baum and Beneking
///   c = 1 − lambda v_ds, or 1 − ΔL/L from the width of the depletion layer at the drain:
///     ΔL = X √(w + √(1 + w²)), w = (v_ds − v_sat)/4;   with Vc: ΔL = Y (√(y² + max(v_ds − v_sat, 0)) − y),
///     Y = X/√Neff, y = Vc Y/(2 L μ);   c is limited where the depletion layer reaches through the channel
///
/// Reference: A. Vladimirescu, S. Liu, The simulation of MOS integrated circuits using SPICE2, 1980. Charges are those of
/// ChargedMosfet. With Vc and without `fast`, SPICE takes a negative root of the quartic for v_bin < v_gs < v_th, and
/// lets microamperes flow through a closed channel; here v_sat is zero there.
struct GeometricMosfet : ShortMosfet {
  Parameter Ucrit, Uexp, Neff, Pb;

  void describe(Description& d);
  void equations(Equations& eq) const;

 private:
  struct Edges;
  Edges find_edges(Equations& eq, const Values& at, const Voltages& v) const;
  Expr find_saturation(Equations& eq, const Values& at, const Voltages& v, const Edges& e) const;
  Expr shorten(Equations& eq, const Voltages& v, const Edges& e, const Expr& v_sat) const;
  Channel make_channel(Equations& eq, const Values& at) const;
};

/// MOS transistor, level 3: the semi-empirical law of SPICE for short channels.
///
/// With s = r(v_bs) and voltages as of an n-channel (see Mosfet):
///
///   v_th = v_t0 − gamma √φ − feedback v_ds + Γ s + F s²,   F = narrow
///   Γ = gamma (1 − (Xj/L) ((0.0631353 + 0.8013292 w − 0.01110777 w² + Ld/Xj) √(1 − (w/(1 + w))²) − Ld/Xj)), w = X s/Xj
///   B = Γ/(4 s) + F,   n = 1 + fast + (Γ s + F s²)/(2 s²)
///   g = max(v_gs, v_on) − v_th,   μ = 1/(1 + theta g),   V = Vc/μ
///   v_sat = g/(1 + B), with Vc: v_sat = a + V − √(a² + V²), a = g/(1 + B)
///   i = (Kp W/L) μ (g − (1 + B) u/2) u/(1 + u/V)/(1 − ΔL/L),   u = min(v_ds, v_sat)
///   ΔL = X √(kappa (v_ds − v_sat + v_sat/8)), below v_sat X √(kappa v_sat/8) (v_ds/v_sat)⁴;
///   with Vc: √(e² + kappa X² (v_ds − v_sat)) − e beyond v_sat, e = ½ X² kappa i/(L g_sat), g_sat = i (1 − 1/(1 + u/V))/V
///   beyond L/2 it is L − L²/(4 ΔL)
///
/// Reference: as GeometricMosfet, with the mended modulation of ngspice. Charges are those of ChargedMosfet.
struct EmpiricalMosfet : ShortMosfet {
  Parameter Ld, feedback, theta, kappa;

  void describe(Description& d);
  void equations(Equations& eq) const;

 private:
  Expr shorten(Equations& eq, const Expr& v_ds, const Expr& v_sat, const Expr& i, const Expr& V) const;
  Channel make_channel(Equations& eq, const Values& at) const;
};

}  // namespace coenergy::domains::electrical
