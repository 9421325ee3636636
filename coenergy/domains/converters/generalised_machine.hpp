#pragma once
#include <array>

#include "coenergy/domains/converters/rotor.hpp"
#include "coenergy/domains/converters/winding.hpp"

namespace coenergy::domains::converters {

/// Generalised electric machine: two windings ds, qs at right angles on the stator, two ar, br on the rotor (Enge,
/// Kielau, Maißer 1996, figures 3 and 4):
///
///          ⎡  L_ds       0        c cos θ       −c sin θ    ⎤
///   L(θ) = ⎢   0        L_qs      d sin θ        d cos θ    ⎥     W' = ½ iᵀ L(θ) i,  θ = p φ
///          ⎢ c cos θ   d sin θ  e + f cos 2θ   −f sin 2θ    ⎥     torque = ½ iᵀ L'(φ) i
///          ⎣−c sin θ   d cos θ  −f sin 2θ     e − f cos 2θ  ⎦
///
/// c = M_d, d = M_q mutual inductances of the two axes, e = L_r, f = L_r2 (H); a smooth air gap has L_ds = L_qs, M_d = M_q
/// and L_r2 = 0. By its four voltages it is an induction machine (rotor shorted), a synchronous machine (rotor fed with
/// direct current) or a DC machine.
struct GeneralisedMachine {
  Rotor rotor;
  std::array<Winding, 4> winding;
  Parameter L_ds, L_qs, M_d, M_q, L_r, L_r2, R_s, R_r;

  void describe(Description& d) {
    d.name("converters.GeneralisedMachine", "two-phase machine: v = R*i + d(L(theta)*i)/dt, torque = i'*dL/dphi*i/2");
    winding[0].describe(d, "ds", "the stator winding ds");
    winding[1].describe(d, "qs", "the stator winding qs");
    winding[2].describe(d, "ar", "the rotor winding ar");
    winding[3].describe(d, "br", "the rotor winding br");
    rotor.describe(d);
    rotor.describe_poles(d);
    d.parameter(L_ds, "L_ds", "H", "inductance of ds").positive();
    d.parameter(L_qs, "L_qs", "H", "inductance of qs").positive();
    d.parameter(M_d, "M_d", "H", "greatest mutual inductance of ds and a rotor winding");
    d.parameter(M_q, "M_q", "H", "greatest mutual inductance of qs and a rotor winding");
    d.parameter(L_r, "L_r", "H", "mean inductance of a rotor winding").positive();
    d.parameter(L_r2, "L_r2", "H", "amplitude of its variation by 2 theta").fallback("0 H");
    d.parameter(R_s, "R_s", "ohm", "resistance of a stator winding").not_negative().varying();
    d.parameter(R_r, "R_r", "ohm", "resistance of a rotor winding").not_negative().varying();
  }

  std::vector<Branch> branches(Equations&) const {
    return {winding[0].branch(), winding[1].branch(), winding[2].branch(), winding[3].branch()};
  }

  void equations(Equations& eq) const {
    // in the axes of the stator at θ = 0 and of the rotor at 90° the matrix is that of two transformers
    const double e = eq.number(L_r), f = eq.number(L_r2), c = eq.number(M_d), d = eq.number(M_q);
    for (const double l : {e + f, e - f})
      if (!(c * c < eq.number(L_ds) * l) || !(d * d < eq.number(L_qs) * l))
        eq.refuse(
            "M_d^2 and M_q^2 must be less than L_ds and L_qs times L_r - |L_r2|: some currents would have a "
            "negative energy");
    const Expr theta = rotor.pairs(eq) * make_motion(eq), C = cos(theta), S = sin(theta);
    std::array<Expr, 4> i;
    for (std::size_t k = 0; k < 4; ++k) i[k] = eq[winding[k].i];
    const Expr own = eq[L_ds] * i[0] * i[0] + eq[L_qs] * i[1] * i[1] + eq[L_r] * (i[2] * i[2] + i[3] * i[3]) +
                     eq[L_r2] * (cos(2 * theta) * (i[2] * i[2] - i[3] * i[3]) - 2 * sin(2 * theta) * i[2] * i[3]);
    const Expr mutual = eq[M_d] * i[0] * (C * i[2] - S * i[3]) + eq[M_q] * i[1] * (S * i[2] + C * i[3]);
    const Fields fields = write_coenergy(eq, own / 2 + mutual, i, rotor.angle(eq));
    for (std::size_t k = 0; k < 4; ++k) winding[k].equations(eq, k < 2 ? eq[R_s] : eq[R_r], fields.flux[k]);
    rotor.equations(eq, fields.force);
  }
};

}  // namespace coenergy::domains::converters
