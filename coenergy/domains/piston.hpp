#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains {

/// The piston of a double-acting cylinder with its rod, tube and end stops, whatever fills the chambers.
///
///   x = s_rod − s_housing + offset                        piston position, 0 retracted … stroke extended (m)
///   V_a = V_a0 + A_a x,  V_b = V_b0 + A_b (stroke − x)    chamber volumes (m³)
///   f = F − d ẋ − stops                                   force on the rod (N), F that of the pressures
///
/// Outside 0 … stroke an end stop pushes back with k δ (1 + c δ̇), δ the depth. The housing takes −f.
struct Piston {
  Translational rod, housing;
  Parameter A_a, A_b, stroke, V_a0, V_b0, offset, friction, stop_stiffness, stop_damping;

  void describe_sizes(Description& d) {
    d.parameter(A_a, "A_a", "m2", "piston area of chamber a").positive();
    d.parameter(A_b, "A_b", "m2", "piston area of chamber b (less the rod)").positive();
    d.parameter(stroke, "stroke", "m", "length of travel").positive();
    d.parameter(V_a0, "V_a0", "m3", "dead volume of chamber a (at x = 0) with its line").positive().fallback("1e-5 m3");
    d.parameter(V_b0, "V_b0", "m3", "dead volume of chamber b (at x = stroke) with its line")
        .positive()
        .fallback("1e-5 m3");
    d.parameter(offset, "offset", "m", "piston position x where rod and housing have the same coordinate")
        .fallback("0 m");
  }

  void describe_forces(Description& d, const std::string& stiffness) {
    d.parameter(friction, "d", "N.s/m", "viscous friction of piston and rod").not_negative().fallback("0 N.s/m");
    d.parameter(stop_stiffness, "stop_stiffness", "N/m", "stiffness of the end stops; 0: none")
        .not_negative()
        .fallback(stiffness);
    d.parameter(stop_damping, "stop_damping", "s/m", "damping of the end stops, c of k*depth*(1 + c*velocity)")
        .not_negative()
        .fallback("1 s/m");
  }

  void describe_ends(Description& d) {
    d.port(rod, "rod", "piston rod");
    d.port(housing, "housing", "cylinder tube; without it fixed to the ground").optional();
    d.output("x", "m", "piston position");
    d.output("v", "m/s", "piston velocity");
    d.output("f", "N", "force on the rod");
  }

  Expr x(Equations& eq) const { return eq[rod] - eq[housing] + eq[offset]; }
  Expr v(Equations& eq) const { return eq.der(rod) - eq.der(housing); }

  /// A chamber's volume and its rate; a run ends where there is none left.
  struct Chamber {
    Expr volume, rate;
  };
  Chamber chamber_a(Equations& eq) const { return checked(eq, "a", {eq[V_a0] + eq[A_a] * x(eq), eq[A_a] * v(eq)}); }
  Chamber chamber_b(Equations& eq) const {
    return checked(eq, "b", {eq[V_b0] + eq[A_b] * (eq[stroke] - x(eq)), -eq[A_b] * v(eq)});
  }

  /// Lets pressures over the atmosphere act on the rod.
  void push(Equations& eq, const Expr& p_a, const Expr& p_b) const {
    const Expr speed = v(eq), drag = eq[friction] * speed;
    eq.dissipated(drag * speed);
    const Expr f = p_a * eq[A_a] - p_b * eq[A_b] - drag + stop_force(eq);
    eq.through(rod, -f);
    eq.through(housing, f);
    eq.output("x", "m", x(eq));
    eq.output("v", "m/s", speed);
    eq.output("f", "N", f);
  }

 private:
  static Chamber checked(Equations& eq, const std::string& name, Chamber c) {
    eq.require("chamber " + name, -c.volume,
               "the piston has left the tube: chamber " + name + " has no volume any more");
    return c;
  }

  Expr stop_force(Equations& eq) const {
    if (eq.number(stop_stiffness) == 0) return 0;
    const Expr low = max(-x(eq), 0), high = max(x(eq) - eq[stroke], 0);
    eq.stored(eq[stop_stiffness] * (low * low + high * high) / 2);
    const Expr loss = eq[stop_stiffness] * eq[stop_damping] * (low + high) * v(eq);
    eq.dissipated(loss * v(eq));
    return eq[stop_stiffness] * (low - high) - loss;
  }
};

}  // namespace coenergy::domains
