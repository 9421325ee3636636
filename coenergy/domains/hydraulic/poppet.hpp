#pragma once
#include <numbers>

#include "coenergy/domains/hydraulic/orifice_flow.hpp"

namespace coenergy::domains::hydraulic {

/// Poppet on a conical seat: what the oil does to it. Its mass, spring and stops are mechanical components on the port
/// `poppet` (Merritt 1967):
///
///   x = s_poppet − s_housing + offset                         lift (m), 0 on the seat
///   A(x) = π d_s x sin α (1 − x sin 2α/(2 d_s))               opening, 0 … A_s = π d_s²/4
///   Q = C_d A(x) √(2/ρ) sign(Δp) √|Δp| + A_s ẋ                from a, under the seat, to b, around the poppet
///   f = A_s Δp − 2 C_d A(x) cos α |Δp| c_f                    force that lifts it; the second is that of the jet
///
/// α half the angle of the cone (rad), c_f 1 with the force of the jet and 0 without. What the poppet displaces, A_s ẋ,
/// makes the account of energies complete: Q Δp = f ẋ + heat.
struct Poppet {
  Fluid a, b;
  Translational poppet, housing;
  Parameter seat, angle, Cd, rho, transition, offset, jet;

  void describe(Description& d) {
    d.name("hydraulic.Poppet", "poppet on a conical seat: flow by its lift, force f = A_seat*(p_a - p_b) less the jet");
    d.port(a, "a", "under the seat");
    d.port(b, "b", "around the poppet");
    d.port(poppet, "poppet", "the poppet, lifted along its positive direction");
    d.port(housing, "housing", "the seat; without it fixed to the ground").optional();
    d.parameter(seat, "seat", "m", "diameter of the seat").positive();
    d.parameter(angle, "angle", "rad", "half the angle of the cone").between(0.01, 1.57).fallback("45 deg");
    d.parameter(Cd, "Cd", "", "discharge coefficient").positive().fallback("0.7");
    d.parameter(rho, "rho", "kg/m3", "density of the oil").positive().fallback("870 kg/m3");
    d.parameter(transition, "transition", "Pa", "pressure drop below which the flow turns laminar")
        .positive()
        .fallback("1 kPa");
    d.parameter(offset, "offset", "m", "lift where poppet and housing have the same coordinate").fallback("0 m");
    d.parameter(jet, "jet", "", "part of the force of the jet that acts, 0: none").between(0, 1).fallback("1");
    d.output("q", "m3/s", "flow from a to b");
    d.output("f", "N", "force of the oil that lifts the poppet");
    d.output("x", "m", "lift");
    d.output("area", "m2", "opening");
  }

  void equations(Equations& eq) const {
    const Expr dp = eq[a] - eq[b], x = eq[poppet] - eq[housing] + eq[offset];
    const Expr v = eq.der(poppet) - eq.der(housing);
    const Expr d = eq[seat], alpha = eq[angle], seat_area = std::numbers::pi / 4 * d * d;
    const Expr lift = max(x, 0),
               cone = std::numbers::pi * d * lift * sin(alpha) * (1 - lift * sin(2 * alpha) / (2 * d));
    // the cone's area has its largest value where the lift is d/sin 2α; beyond it only the seat counts
    const Expr area = select(less(lift * sin(2 * alpha), d), min(cone, seat_area), seat_area);
    const Expr jet_force = 2 * eq[jet] * eq[Cd] * area * cos(alpha) * abs(dp);
    const Expr f = seat_area * dp - jet_force;
    const Expr metered = orifice_flow(eq[Cd] * area * sqrt(2 / eq[rho]), dp, eq[transition]);
    const Expr q = metered + seat_area * v;
    eq.through(a, q);
    eq.through(b, -q);
    eq.through(poppet, -f);
    eq.through(housing, f);
    eq.dissipated(metered * dp + jet_force * v);
    eq.output("q", "m3/s", q);
    eq.output("f", "N", f);
    eq.output("x", "m", x);
    eq.output("area", "m2", area);
  }
};

}  // namespace coenergy::domains::hydraulic
