#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::hydraulic {

/// Cylinder with incompressible oil, without losses: Q_a = A_a ẋ, Q_b = −A_b ẋ, f = p_a A_a − p_b A_b, ẋ = v_rod − v_housing.
///
/// Q into the chambers (m³/s), f force on the rod (N). What is connected to a chamber has to give way: a source that
/// forces a flow into it moves the rod with it, against whatever mass, which needs a volume beside it.
struct IdealCylinder {
  Fluid a, b;
  Translational rod, housing;
  Parameter A_a, A_b;

  void describe(Description& d) {
    d.name("hydraulic.IdealCylinder", "cylinder with incompressible oil: q_a = A_a*v, f = p_a*A_a - p_b*A_b");
    d.port(a, "a", "chamber that extends the rod");
    d.port(b, "b", "chamber that retracts the rod; without it open to the air").optional();
    d.port(rod, "rod", "piston rod");
    d.port(housing, "housing", "cylinder tube; without it fixed to the ground").optional();
    d.parameter(A_a, "A_a", "m2", "piston area of chamber a").positive();
    d.parameter(A_b, "A_b", "m2", "piston area of chamber b (less the rod)").not_negative().fallback("0 m2");
    d.output("v", "m/s", "velocity of the rod against the tube");
    d.output("f", "N", "force on the rod");
    d.output("q_a", "m3/s", "flow into chamber a");
    d.output("q_b", "m3/s", "flow into chamber b");
  }

  void equations(Equations& eq) const {
    if (!eq.connected(b) && eq.number(A_b) > 0) eq.refuse("A_b has no effect: chamber b is not connected");
    const Expr v = eq.der(rod) - eq.der(housing), f = eq[a] * eq[A_a] - eq[b] * eq[A_b];
    const Expr in = eq[A_a] * v, out = eq[A_b] * v;
    eq.through(a, in);
    eq.through(b, -out);
    eq.through(rod, -f);
    eq.through(housing, f);
    eq.output("v", "m/s", v);
    eq.output("f", "N", f);
    eq.output("q_a", "m3/s", in);
    eq.output("q_b", "m3/s", -out);
  }
};

}  // namespace coenergy::domains::hydraulic
