#include "coenergy/domains/electrical/junction.hpp"

#include <algorithm>
#include <cmath>

namespace coenergy::domains::electrical {

Expr thermal_voltage(const Expr& temperature) {
  constexpr double boltzmann = 1.380649e-23, elementary_charge = 1.602176634e-19;
  return boltzmann / elementary_charge * temperature;
}

// what lies beyond a limit is taken off, so that the slopes of both parts add up to one at the limit itself

Expr limited_exp(const Expr& x, double limit) {
  const Expr beyond = max(x - limit, 0);
  return exp(x - beyond) * (1 + beyond);
}

double exponent_limit(double I) {
  constexpr double largest = 1e5;  // A
  return std::max(1.0, std::log(largest / I));
}

// Slopes of pieces that take turns are 0 and 1, and so is their sum, also where the pieces meet: voltages are written by
// min(s, c), whose slope is 0 beyond c, and currents by max(s − c, 0), whose slope is 0 in a blocked junction, so that
// nothing of size one is taken off beside a small slope of the logarithm.

namespace {
constexpr double corner = 26;  // of s
}

Junction make_junction(const Expr& s, const Expr& V) {
  const Expr below = min(s, corner), beyond = max(s - corner, 0);
  return {V * (log(1 + (s - below)) + below), exp(s - beyond) * (1 + beyond)};
}

BreakdownJunction make_breakdown_junction(const Expr& s, const Expr& V, const Expr& B, const Expr& V_b) {
  // beyond −B/V the parameter is the reverse current, scaled so that dv/ds stays V where the pieces meet
  const Expr below = min(s, corner), forward = max(s - corner, 0), reverse = max(below, -B / V);
  const Expr beyond = (reverse - below) * V / V_b;
  BreakdownJunction j;
  j.v = V * (log(1 + (s - below)) + reverse) - V_b * log(1 + beyond);
  j.exponential = exp(j.v / V - log(1 + forward)) * (1 + forward);
  j.breakdown = exp(-(j.v + B) / V_b - log(1 + beyond)) + beyond;
  return j;
}

// with y = 1 − v/φ: ∫ C_j dv = C_j0 φ (1 − y^{1−m})/(1 − m) and
// ∫ v C_j dv = C_j0 φ² [(1 − y^{1−m})/(1 − m) − (1 − y^{2−m})/(2 − m)]; beyond v_f = f φ the capacitance is
// c0 + c1 (v − v_f) with c0 = C_j0 (1 − f)^{−m}, c1 = c0 m/(φ (1 − f))
Expr JunctionCharge::charge(const Expr& v) const {
  const Expr diffusion = tau.is_zero() ? Expr(0) : tau * Is * (limited_exp(v / V, limit) - 1);
  if (Cj0.is_zero()) return diffusion + smallest_capacitance * v;
  const Expr d = max(v - f * phi, 0), y = 1 - (v - d) / phi;
  const Expr c0 = Cj0 * pow(1 - f, -m), c1 = c0 * m / (phi * (1 - f));
  return diffusion + Cj0 * phi * (1 - pow(y, 1 - m)) / (1 - m) + c0 * d + c1 * d * d / 2;
}

Expr JunctionCharge::energy(const Expr& v) const {
  Expr diffusion = 0;
  if (!tau.is_zero()) {
    // ∫ v dq; where the exponential is continued along its tangent dq/dv is constant
    const Expr d = max(v - limit * V, 0), u = v - d, e = exp(u / V);
    diffusion = tau * Is * ((u - V) * e + V + e / V * (limit * V * d + d * d / 2));
  }
  if (Cj0.is_zero()) return diffusion + smallest_capacitance * v * v / 2;
  const Expr vf = f * phi, d = max(v - vf, 0), y = 1 - (v - d) / phi;
  const Expr c0 = Cj0 * pow(1 - f, -m), c1 = c0 * m / (phi * (1 - f));
  const Expr depletion = Cj0 * phi * phi * ((1 - pow(y, 1 - m)) / (1 - m) - (1 - pow(y, 2 - m)) / (2 - m));
  return diffusion + depletion + c0 * (vf * d + d * d / 2) + c1 * (vf * d * d / 2 + d * d * d / 3);
}

}  // namespace coenergy::domains::electrical
