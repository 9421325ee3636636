#pragma once
#include "coenergy/domains/hydraulic/orifice_flow.hpp"

namespace coenergy::domains::hydraulic {

/// Spool of a four-way valve with four metering edges, its pilot areas and the forces of its jets. Its mass, springs and
/// stops are mechanical components on the port `spool` (Merritt 1967):
///
///   x = s_spool − s_housing + offset,   opening of an edge max(±x − overlap, 0)        (m)
///   Q_edge = C_d w · opening · √(2/ρ) sign(Δp) √|Δp|                                    x > 0: p → a and b → t
///   f = (p_x − p_y) A − Σ ± 2 C_d w · opening · cos θ |Δp|                              force on the spool (N)
///
/// w width of an edge (m), A pilot area (m²) under the ports x and y, θ angle of a jet; jets close the valve. A spool that
/// moves displaces A ẋ out of the pilot port y.
struct Spool {
  Fluid p, t, a, b, x, y;
  Translational spool, housing;
  Parameter width, overlap, Cd, rho, transition, pilot_area, jet_angle, offset;

  void describe(Description& d) {
    d.name("hydraulic.Spool", "spool of a four-way valve: flows by its position, forces of its pilot areas and jets");
    d.port(p, "p", "pressure supply");
    d.port(t, "t", "tank");
    d.port(a, "a", "first consumer line");
    d.port(b, "b", "second consumer line");
    d.port(x, "x", "pilot pressure that moves the spool forward; without it none").optional();
    d.port(y, "y", "pilot pressure that moves it back").optional();
    d.port(spool, "spool", "the spool");
    d.port(housing, "housing", "the sleeve; without it fixed to the ground").optional();
    d.parameter(width, "width", "m", "width of each metering edge").positive();
    d.parameter(overlap, "overlap", "m", "travel to where an edge opens; below 0 all are open in the middle")
        .fallback("0 m");
    d.parameter(Cd, "Cd", "", "discharge coefficient").positive().fallback("0.7");
    d.parameter(rho, "rho", "kg/m3", "density of the oil").positive().fallback("870 kg/m3");
    d.parameter(transition, "transition", "Pa", "pressure drop below which the flow turns laminar")
        .positive()
        .fallback("1 kPa");
    d.parameter(pilot_area, "pilot_area", "m2", "area under the pilot ports").not_negative().fallback("0 m2");
    d.parameter(jet_angle, "jet_angle", "rad", "angle of the jets to the axis; 90 deg: without force")
        .between(0, 1.5707963267948966)
        .fallback("69 deg");
    d.parameter(offset, "offset", "m", "position x where spool and housing have the same coordinate").fallback("0 m");
    d.output("x", "m", "position of the spool");
    d.output("q_a", "m3/s", "flow out of port a");
    d.output("q_b", "m3/s", "flow out of port b");
    d.output("f", "N", "force of the oil on the spool");
  }

  void equations(Equations& eq) const {
    if (!eq.connected(x) && !eq.connected(y) && eq.number(pilot_area) > 0)
      eq.refuse("pilot_area has no effect without a pilot port x or y");
    const Expr at = eq[spool] - eq[housing] + eq[offset], v = eq.der(spool) - eq.der(housing);
    const Expr forward = max(at - eq[overlap], 0), backward = max(-at - eq[overlap], 0);
    Expr jets = 0;  // their force
    auto edge = [&](Fluid from, Fluid to, const Expr& opening, double closes) {
      const Expr dp = eq[from] - eq[to], area = eq[width] * opening;
      const Expr q = orifice_flow(eq[Cd] * area * sqrt(2 / eq[rho]), dp, eq[transition]);
      jets += closes * 2 * eq[Cd] * area * cos(eq[jet_angle]) * abs(dp);
      eq.through(from, q);
      eq.through(to, -q);
      eq.dissipated(q * dp);
      return q;
    };
    const Expr pa = edge(p, a, forward, -1), bt = edge(b, t, forward, -1);
    const Expr pb = edge(p, b, backward, 1), back = edge(a, t, backward, 1);
    const Expr displaced = eq[pilot_area] * v, f = eq[pilot_area] * (eq[x] - eq[y]) + jets;
    eq.through(x, displaced);
    eq.through(y, -displaced);
    eq.through(spool, -f);
    eq.through(housing, f);
    eq.dissipated(-jets * v);
    eq.output("x", "m", at);
    eq.output("q_a", "m3/s", pa - back);
    eq.output("q_b", "m3/s", pb - bt);
    eq.output("f", "N", f);
  }
};

}  // namespace coenergy::domains::hydraulic
