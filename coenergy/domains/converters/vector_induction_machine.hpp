#pragma once
#include "coenergy/domains/converters/rotor.hpp"
#include "coenergy/domains/converters/three_phase.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::domains::converters {

/// Induction machine with a cage by space vectors: rotor currents in two axes d, q that stand at the electrical angle ρ
/// against the stator winding a, so that the inductances do not depend on the angle of the rotor:
///
///   λ_s = L_1 i_s + L_m i_r,   λ_r = L_2 i_r + L_m i_s        in the axes; L_1 = L_m + l_s, L_2 = L_m + l_r
///   0 = R_r i_r + dλ_r/dt + (dρ/dt − p ω) J λ_r,              J = [0 −1; 1 0]
///   torque = 3/2 p L_m (i_sq i_rd − i_sd i_rq)
///
/// `frame` is ρ: 0 (standing), the angle of the supply (then all currents of a steady state are constant), or any other
/// signal. Stator windings keep their own currents, so that any circuit can feed them. Of the machine in phase currents,
/// L_m = 3/2 M_sr, l_s = L_s − M_s − L_m, l_r = L_r − M_r − L_m.
struct VectorInductionMachine {
  Rotor rotor;
  ThreePhase stator;
  Parameter l_s, l_r, L_m, L_0, R_r, frame;
  State i_rd, i_rq;

  void describe(Description& d) {
    d.name("converters.VectorInductionMachine",
           "induction machine in rotating axes: torque = 3/2 p L_m (i_sq i_rd - i_sd i_rq)");
    stator.describe(d, "", "stator");
    rotor.describe(d);
    rotor.describe_poles(d);
    d.parameter(l_s, "l_s", "H", "leakage inductance of the stator").positive();
    d.parameter(l_r, "l_r", "H", "leakage inductance of the rotor").positive();
    d.parameter(L_m, "L_m", "H", "magnetising inductance").positive();
    d.parameter(L_0, "L_0", "H", "inductance of the zero sequence").positive().optional();
    d.parameter(R_r, "R_r", "ohm", "resistance of the rotor").not_negative().varying();
    d.parameter(frame, "frame", "rad", "electrical angle of the axes against winding a").fallback("0 rad").varying();
    d.variable(i_rd, "i_rd", "A", "rotor current in the axis d");
    d.variable(i_rq, "i_rq", "A", "rotor current in the axis q");
    d.output("i_sd", "A", "stator current in the axis d");
    d.output("i_sq", "A", "stator current in the axis q");
  }

  std::vector<Branch> branches(Equations& eq) const { return stator.branches(eq); }

  void equations(Equations& eq) const {
    const std::vector<Expr> free = stator.free_currents(eq);
    const Expr rho = eq[frame], d = eq[i_rd], q = eq[i_rq], Lm = eq[L_m], L1 = Lm + eq[l_s], L2 = Lm + eq[l_r];
    const RotorAxes s = to_axes(stator.currents(eq), rho);

    // fluxes of the stator windings from a co-energy, at which ρ is only a choice of axes
    Expr w = 1.5 * (L1 * (s.d * s.d + s.q * s.q) / 2 + Lm * (s.d * d + s.q * q));
    w += stator.zero_sequence(eq, L_0);
    stator.equations(eq, symbolic::gradient(w, free));

    // rotor
    const Expr lambda_d = L2 * d + Lm * s.d, lambda_q = L2 * q + Lm * s.q;
    const Expr slip = eq.time_derivative(rho) - rotor.pairs(eq) * rotor.speed(eq);
    eq.zero(i_rd, eq[R_r] * d + eq.time_derivative(lambda_d) - slip * lambda_q);
    eq.zero(i_rq, eq[R_r] * q + eq.time_derivative(lambda_q) + slip * lambda_d);
    eq.dissipated(1.5 * eq[R_r] * (d * d + q * q));
    eq.stored(w + 0.75 * L2 * (d * d + q * q));
    const Expr torque = 1.5 * eq[rotor.pole_pairs] * Lm * (s.q * d - s.d * q);
    rotor.apply(eq, torque);
    rotor.equations(eq, torque);
    eq.output("i_sd", "A", s.d);
    eq.output("i_sq", "A", s.q);
  }
};

}  // namespace coenergy::domains::converters
