#include "coenergy/domains/hydraulic/cylinder.hpp"

#include "coenergy/domains/hydraulic/oil.hpp"

namespace coenergy::domains::hydraulic {

void Cylinder::describe(Description& d) {
  d.name("hydraulic.Cylinder", "double-acting cylinder: f = p_a*A_a - p_b*A_b, compressible oil in both chambers");
  d.parameter(A_a, "A_a", "m2", "piston area of chamber a").positive();
  d.parameter(A_b, "A_b", "m2", "piston area of chamber b (less the rod)").positive();
  d.parameter(stroke, "stroke", "m", "length of travel").positive();
  d.parameter(V_a0, "V_a0", "m3", "dead volume of chamber a (at x = 0) with its line").positive().fallback("1e-5 m3");
  d.parameter(V_b0, "V_b0", "m3", "dead volume of chamber b (at x = stroke) with its line")
      .positive()
      .fallback("1e-5 m3");
  d.parameter(beta, "beta", "Pa", "bulk modulus of the oil").positive().fallback("1.4 GPa");
  d.parameter(offset, "offset", "m", "piston position x where rod and housing have the same coordinate")
      .fallback("0 m");
  d.parameter(leakage, "leakage", "m3/(s.Pa)", "leakage between the chambers per pressure")
      .not_negative()
      .fallback("0");
  d.parameter(friction, "d", "N.s/m", "viscous friction of piston and rod").not_negative().fallback("0 N.s/m");
  d.parameter(stop_stiffness, "stop_stiffness", "N/m", "stiffness of the end stops; 0: none")
      .not_negative()
      .fallback("1e8 N/m");
  d.parameter(stop_damping, "stop_damping", "s/m", "damping of the end stops, c of k*depth*(1 + c*velocity)")
      .not_negative()
      .fallback("1 s/m");
  for (const auto& [p0, name] : {std::pair(&p_a0, "a"), std::pair(&p_b0, "b")})
    d.parameter(*p0, std::string("p_") + name + "0", "Pa", std::string("pressure of chamber ") + name + " at the start")
        .fallback("0 Pa")
        .at_least(model::vacuum);
  d.port(a, "a", "chamber that extends the rod").start(p_a0, Parameter{});
  d.port(b, "b", "chamber that retracts the rod").start(p_b0, Parameter{});
  d.port(rod, "rod", "piston rod");
  d.port(housing, "housing", "cylinder tube; without it fixed to the ground").optional();
  d.output("x", "m", "piston position");
  d.output("v", "m/s", "piston velocity");
  d.output("f", "N", "force on the rod");
  d.output("p_a", "Pa", "pressure of chamber a");
  d.output("p_b", "Pa", "pressure of chamber b");
  d.output("void_a", "", "part of chamber a that is vapour");
  d.output("void_b", "", "part of chamber b that is vapour");
}

void Cylinder::chamber(Equations& eq, Fluid port, const Expr& volume, const Expr& volume_rate) const {
  const Oil oil(eq, port, eq[beta]);
  const std::string name = port.index == a.index ? "chamber a" : "chamber b";
  eq.require(name, -volume, "the piston has left the tube: " + name + " has no volume any more");
  oil.require_oil(eq, name + " oil", name);
  eq.through(port, oil.flow(volume, volume_rate));
  eq.stored(oil.stored(volume));
  eq.supplied(volume_rate * oil.p * oil.p / (2 * eq[beta]));
  eq.output(port.index == a.index ? "void_a" : "void_b", "", oil.void_part());
}

Expr Cylinder::stop_force(Equations& eq, const Expr& x, const Expr& v) const {
  if (eq.number(stop_stiffness) == 0) return 0;
  const Expr low = max(-x, 0), high = max(x - eq[stroke], 0);
  eq.stored(eq[stop_stiffness] * (low * low + high * high) / 2);
  const Expr loss = eq[stop_stiffness] * eq[stop_damping] * (low + high) * v;
  eq.dissipated(loss * v);
  return eq[stop_stiffness] * (low - high) - loss;
}

void Cylinder::equations(Equations& eq) const {
  const Expr x = eq[rod] - eq[housing] + eq[offset], v = eq.der(rod) - eq.der(housing);

  // chambers
  chamber(eq, a, eq[V_a0] + eq[A_a] * x, eq[A_a] * v);
  chamber(eq, b, eq[V_b0] + eq[A_b] * (eq[stroke] - x), -eq[A_b] * v);
  const Expr dp = eq[a] - eq[b], leak = eq[leakage] * dp;
  eq.through(a, leak);
  eq.through(b, -leak);
  eq.dissipated(leak * dp);

  // force on the rod
  const Expr drag = eq[friction] * v;
  eq.dissipated(drag * v);
  const Expr f = eq[a] * eq[A_a] - eq[b] * eq[A_b] - drag + stop_force(eq, x, v);
  eq.through(rod, -f);
  eq.through(housing, f);

  eq.output("x", "m", x);
  eq.output("v", "m/s", v);
  eq.output("f", "N", f);
  eq.output("p_a", "Pa", eq[a]);
  eq.output("p_b", "Pa", eq[b]);
}

}  // namespace coenergy::domains::hydraulic
