#pragma once
#include "coenergy/domains/electrical/junction.hpp"
#include "coenergy/domains/electrical/temperature.hpp"

namespace coenergy::domains::electrical {

/// Bipolar transistor (Gummel–Poon, static part): add JunctionCapacitors and resistors where they matter.
///
/// With voltages of an npn (all signs turn for a pnp), V_f = Nf kT/q, V_r = Nr kT/q:
///
///   i_f = Is (e^{v_be/V_f} − 1),  i_r = Is (e^{v_bc/V_r} − 1)
///   q_b = (1 + (1 + 4 (i_f/Ikf + i_r/Ikr))^Nk)/(2 (1 − v_bc/Vaf − v_be/Var))     (1 without these parameters)
///   l_e = Ise (e^{v_be/(Ne kT/q)} − 1) + gmin v_be,  l_c = Isc (e^{v_bc/(Nc kT/q)} − 1) + gmin v_bc
///   i_c = (i_f − i_r)/q_b − i_r/Br − l_c,   i_b = i_f/Bf + l_e + i_r/Br + l_c
///
/// At a temperature T other than the nominal one Is, Ise and Isc follow the laws of electrical::Warming with the gap EG
/// and the exponent XTI (with n = 1 for Is, and Ne, Nc for the others), and with r = (T/Tnom)^XTB: Bf r, Br r, Ise/r,
/// Isc/r.
///
/// Alone it solves for the parameter of each junction's characteristic (electrical::Junction), which converges from far
/// away. Where capacitors hold the voltages of its junctions (junctions: voltage) the currents are functions of these,
/// which keeps the matrix of an iteration valid for longer; beyond 100 kA they go on along their tangents.
///
/// Without Vaf, Var, Ikf, Ikr, Ise, Isc and gmin this is the model of Ebers and Moll. i enters at c, b, e (A).
/// Turns all power into heat.
struct BipolarTransistor {
  Pin c, b, e;
  Choice kind, junctions;
  Parameter Is, Bf, Br, Nf, Nr, Vaf, Var, Ikf, Ikr, Nk, Ise, Ne, Isc, Nc, gmin, EG, XTI, XTB, T, Tnom;

  void describe(Description& d);
  std::vector<Branch> branches(Equations&) const;
  void equations(Equations& eq) const;

 private:
  /// What the temperature makes of them.
  struct Values {
    Expr Vt, Is, Bf, Br, Ise, Isc;
  };
  Values values(Equations& eq) const;
  Junction junction(Equations& eq, const char* parameter, const Expr& v, const Expr& V, double Is) const;
  Expr base_charge(Equations& eq, const Expr& v_be, const Expr& v_bc, const Expr& i_f, const Expr& i_r) const;
};

}  // namespace coenergy::domains::electrical
