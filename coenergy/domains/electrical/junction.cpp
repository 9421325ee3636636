#include "coenergy/domains/electrical/junction.hpp"

#include <cmath>

namespace coenergy::domains::electrical {

Expr thermal_voltage(const Expr& temperature) {
  constexpr double boltzmann = 1.380649e-23, elementary_charge = 1.602176634e-19;
  return boltzmann / elementary_charge * temperature;
}

Expr limited_exp(const Expr& x, double limit) { return exp(min(x, limit)) * (1 + max(x - limit, 0)); }

Junction make_junction(const Expr& s, const Expr& V) {
  const Expr forward = max(s, 0), reverse = min(s, 0);
  return {V * (log(1 + forward) + reverse), exp(reverse) + forward};
}

BreakdownJunction make_breakdown_junction(const Expr& s, const Expr& V, const Expr& B, const Expr& V_b) {
  // beyond −B/V the parameter is the reverse current, scaled so that dv/ds stays V where the pieces meet
  const Expr forward = max(s, 0), reverse = max(min(s, 0), -B / V), beyond = max(-B / V - s, 0) * V / V_b;
  BreakdownJunction j;
  j.v = V * (log(1 + forward) + reverse) - V_b * log(1 + beyond);
  j.exponential = exp(min(j.v / V, 0)) + forward;
  j.breakdown = exp(min(-(j.v + B) / V_b, 0)) + beyond;
  return j;
}

// with y = 1 − v/φ: ∫ C_j dv = C_j0 φ (1 − y^{1−m})/(1 − m), ∫ v C_j dv = C_j0 φ² [(1 − y^{1−m})/(1 − m) − (1 −
// y^{2−m})/(2 − m)]; beyond v_f = f φ the capacitance is c0 + c1 (v − v_f) with c0 = C_j0 (1 − f)^{−m}, c1 = c0 m/(φ (1
// − f))
Expr JunctionCharge::charge(const Expr& v) const {
  const Expr diffusion = tau.is_zero() ? Expr(0) : tau * Is * (limited_exp(v / V) - 1);
  if (Cj0.is_zero()) return diffusion + smallest_capacitance * v;
  const Expr inner = min(v, f * phi), d = max(v - f * phi, 0), y = 1 - inner / phi;
  const Expr c0 = Cj0 * pow(1 - f, -m), c1 = c0 * m / (phi * (1 - f));
  return diffusion + Cj0 * phi * (1 - pow(y, 1 - m)) / (1 - m) + c0 * d + c1 * d * d / 2;
}

Expr JunctionCharge::energy(const Expr& v) const {
  Expr diffusion = 0;
  if (!tau.is_zero()) {
    // ∫ v dq; where the exponential is continued along its tangent dq/dv is constant
    constexpr double limit = 60;
    const Expr u = min(v, limit * V), d = max(v - limit * V, 0), e = exp(u / V);
    diffusion = tau * Is * ((u - V) * e + V + e / V * (limit * V * d + d * d / 2));
  }
  if (Cj0.is_zero()) return diffusion + smallest_capacitance * v * v / 2;
  const Expr vf = f * phi, inner = min(v, vf), d = max(v - vf, 0), y = 1 - inner / phi;
  const Expr c0 = Cj0 * pow(1 - f, -m), c1 = c0 * m / (phi * (1 - f));
  const Expr depletion = Cj0 * phi * phi * ((1 - pow(y, 1 - m)) / (1 - m) - (1 - pow(y, 2 - m)) / (2 - m));
  return diffusion + depletion + c0 * (vf * d + d * d / 2) + c1 * (vf * d * d / 2 + d * d * d / 3);
}

}  // namespace coenergy::domains::electrical
