#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Thermal voltage k T/q (V) of the absolute temperature T (K).
Expr thermal_voltage(const Expr& temperature);

/// eˣ for x ≤ limit, continued along its tangent: no overflow in an iteration that strays.
Expr limited_exp(const Expr& x, double limit);

/// Where the exponential of a junction of the saturation current I (A) is continued along its tangent: at 100 kA, which
/// no junction carries. Beyond, an iteration that strays would meet slopes against which nothing else counts, and take
/// any point for a solution.
double exponent_limit(double I);

/// A p-n junction by the parameter s of its characteristic, so that Newton's iteration converges from far away: for
/// s ≤ c = 26 the voltage is linear in s, v = V s and e^{v/V} = e^s; for s > c the current is, e^{v/V} = e^c (1 + s − c) and
/// v = V (c + ln(1 + s − c)). Both pieces lie on the same curve and join with the same slope. V (V) is the emission
/// coefficient times the thermal voltage. Up to e^c saturation currents an exponential of the voltage keeps the matrix of
/// an iteration for longer than a logarithm of the current; beyond, s stays so small (the current over e^c I) that columns
/// of voltages and of currents differ by few powers of ten, also where amperes flow through a junction of 1 fA.
struct Junction {
  Expr v;            ///< voltage
  Expr exponential;  ///< e^{v/V}
};
Junction make_junction(const Expr& s, const Expr& V);

/// The same with a breakdown: reverse current I e^{−(v + B)/V_b} by the third piece s < −B/V, linear in the current
/// from there.
struct BreakdownJunction {
  Expr v, exponential;
  Expr breakdown;  ///< e^{−(v + B)/V_b}
};
BreakdownJunction make_breakdown_junction(const Expr& s, const Expr& V, const Expr& B, const Expr& V_b);

/// Charge of a junction, q = τ I_s (e^{v/V} − 1) + ∫ C_j dv, and its energy ∫ v dq.
///
/// Depletion capacitance C_j = C_j0 (1 − v/φ)^{−m} up to v = f φ, from there along its tangent (0 < f < 1, m ≠ 1).
/// Where C_j0 is zero, 1 fF takes its place: a blocked junction must keep a charge for its voltage to be a state.
struct JunctionCharge {
  Expr Cj0, phi, m, f;  ///< F, V, –, –
  Expr tau, Is, V;      ///< transit time (s), saturation current (A), n kT/q (V); tau = 0: depletion only
  double limit;         ///< exponent_limit

  Expr charge(const Expr& v) const;
  Expr energy(const Expr& v) const;
  static constexpr double smallest_capacitance = 1e-15;
};

}  // namespace coenergy::domains::electrical
