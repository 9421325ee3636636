#pragma once
#include "coenergy/domains/pneumatic/gas.hpp"

namespace coenergy::domains::pneumatic {

/// Double-acting cylinder with air at room temperature (Air) in both chambers.
///
///   x = s_rod − s_housing + offset                               piston position, 0 retracted … stroke extended (m)
///   V_a = V_a0 + A_a x,  V_b = V_b0 + A_b (stroke − x)            chamber volumes (m³)
///   ṗ V + p V̇ = R T ṁ                                             of each, ṁ into the chamber
///   f = (p_a − p_0) A_a − (p_b − p_0) A_b − d ẋ − stops           force on the rod, against the atmosphere p_0 (N)
///
/// Outside 0 … stroke an end stop pushes back with k δ (1 + c δ̇), δ the depth.
struct Cylinder {
  Gas a, b;
  Translational rod, housing;
  Parameter A_a, A_b, stroke, V_a0, V_b0, offset, friction, stop_stiffness, stop_damping, p_a0, p_b0;

  void describe(Description& d) {
    d.name("pneumatic.Cylinder", "double-acting cylinder with air: f = (p_a - p_0)*A_a - (p_b - p_0)*A_b");
    d.parameter(A_a, "A_a", "m2", "piston area of chamber a").positive();
    d.parameter(A_b, "A_b", "m2", "piston area of chamber b (less the rod)").positive();
    d.parameter(stroke, "stroke", "m", "length of travel").positive();
    d.parameter(V_a0, "V_a0", "m3", "dead volume of chamber a (at x = 0) with its line").positive().fallback("1e-5 m3");
    d.parameter(V_b0, "V_b0", "m3", "dead volume of chamber b (at x = stroke) with its line")
        .positive()
        .fallback("1e-5 m3");
    d.parameter(offset, "offset", "m", "piston position x where rod and housing have the same coordinate")
        .fallback("0 m");
    d.parameter(friction, "d", "N.s/m", "viscous friction of piston and rod").not_negative().fallback("0 N.s/m");
    d.parameter(stop_stiffness, "stop_stiffness", "N/m", "stiffness of the end stops; 0: none")
        .not_negative()
        .fallback("1e6 N/m");
    d.parameter(stop_damping, "stop_damping", "s/m", "damping of the end stops, c of k*depth*(1 + c*velocity)")
        .not_negative()
        .fallback("1 s/m");
    for (const auto& [p0, name] : {std::pair(&p_a0, "a"), std::pair(&p_b0, "b")})
      d.parameter(*p0, std::string("p_") + name + "0", "Pa",
                  std::string("pressure of chamber ") + name + " at the start, absolute")
          .fallback("101325 Pa")
          .positive();
    d.port(a, "a", "chamber that extends the rod").start(p_a0, Parameter{});
    d.port(b, "b", "chamber that retracts the rod").start(p_b0, Parameter{});
    d.port(rod, "rod", "piston rod");
    d.port(housing, "housing", "cylinder tube; without it fixed to the ground").optional();
    d.output("x", "m", "piston position");
    d.output("v", "m/s", "piston velocity");
    d.output("f", "N", "force on the rod");
    d.output("p_a", "Pa", "pressure of chamber a, absolute");
    d.output("p_b", "Pa", "pressure of chamber b, absolute");
  }

  void equations(Equations& eq) const {
    const Expr x = eq[rod] - eq[housing] + eq[offset], v = eq.der(rod) - eq.der(housing);
    chamber(eq, a, "chamber a", eq[V_a0] + eq[A_a] * x, eq[A_a] * v);
    chamber(eq, b, "chamber b", eq[V_b0] + eq[A_b] * (eq[stroke] - x), -eq[A_b] * v);

    const Expr drag = eq[friction] * v;
    eq.dissipated(drag * v);
    const double air = model::atmosphere;
    const Expr f = (eq[a] - air) * eq[A_a] - (eq[b] - air) * eq[A_b] - drag + stop_force(eq, x, v);
    eq.through(rod, -f);
    eq.through(housing, f);
    eq.output("x", "m", x);
    eq.output("v", "m/s", v);
    eq.output("f", "N", f);
    eq.output("p_a", "Pa", eq[a]);
    eq.output("p_b", "Pa", eq[b]);
  }

 private:
  void chamber(Equations& eq, Gas port, const std::string& name, const Expr& volume, const Expr& volume_rate) const {
    const Expr p = eq[port];
    eq.require(name, -volume, "the piston has left the tube: " + name + " has no volume any more");
    eq.require(name + " air", -p, name + " is empty: more air is drawn from it than it holds");
    eq.through(port, (eq.der(port) * volume + p * volume_rate) / (Air::R * Air::T));
    eq.stored(Air::stored(p, volume));
  }

  Expr stop_force(Equations& eq, const Expr& x, const Expr& v) const {
    if (eq.number(stop_stiffness) == 0) return 0;
    const Expr low = max(-x, 0), high = max(x - eq[stroke], 0);
    eq.stored(eq[stop_stiffness] * (low * low + high * high) / 2);
    const Expr loss = eq[stop_stiffness] * eq[stop_damping] * (low + high) * v;
    eq.dissipated(loss * v);
    return eq[stop_stiffness] * (low - high) - loss;
  }
};

}  // namespace coenergy::domains::pneumatic
