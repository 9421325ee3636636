#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// How parameters of silicon devices change from the temperature T_n at which they were found to T (K), as in SPICE:
///
///   E(T) = 1.16 − 7.02·10⁻⁴ T²/(T + 1108)                                       energy gap over q (V)
///   I(T) = I (T/T_n)^{x/n} e^{(T/T_n − 1) E_g/(n kT/q)}                         saturation current (A)
///   φ(T) = φ T/T_n − 3 (kT/q) ln(T/T_n) − E(T_n) T/T_n + E(T)                   junction or surface potential (V)
///   C(T) = C g(T)/g(T_n),  g(T) = 1 + m (4·10⁻⁴ (T − T_r) + 1 − φ(T)/φ(T_r))    depletion capacitance (F)
///   T_r = 300.15 K
///
/// Reference: P. Antognetti, G. Massobrio, Semiconductor Device Modeling with SPICE, 1988. ngspice turns the potentials
/// of bipolar transistors by another law, by which they rise with the temperature; here all junctions have this one.
struct Warming {
  Expr T, nominal;

  Expr gap() const;  ///< E(T)
  Expr nominal_gap() const;
  /// With the emission coefficient n, the gap E_g of its own (V) and the exponent x.
  Expr saturation_current(const Expr& I, const Expr& gap, const Expr& exponent, const Expr& n) const;
  Expr potential(const Expr& phi) const;
  Expr capacitance(const Expr& C, const Expr& phi, const Expr& m) const;
  Expr ratio() const { return T / nominal; }
};

/// Where a component's temperature is given, its warming; without it parameters hold as they are.
std::optional<Warming> find_warming(Equations& eq, Parameter T, Parameter nominal);

/// Thermal voltage of a component whose parameters hold at the nominal temperature unless another is given.
Expr thermal_voltage(Equations& eq, Parameter T, Parameter nominal);

/// Describes both temperatures.
void describe_temperatures(Description& d, Parameter& T, Parameter& nominal);

}  // namespace coenergy::domains::electrical
