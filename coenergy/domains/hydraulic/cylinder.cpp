#include "coenergy/domains/hydraulic/cylinder.hpp"

#include "coenergy/domains/hydraulic/oil.hpp"

namespace coenergy::domains::hydraulic {

void Cylinder::describe(Description& d) {
  d.name("hydraulic.Cylinder", "double-acting cylinder: f = p_a*A_a - p_b*A_b, compressible oil in both chambers");
  piston.describe_sizes(d);
  d.parameter(beta, "beta", "Pa", "bulk modulus of the oil").positive().fallback("1.4 GPa");
  d.parameter(leakage, "leakage", "m3/(s.Pa)", "leakage between the chambers per pressure")
      .not_negative()
      .fallback("0");
  piston.describe_forces(d, "1e8 N/m");
  for (const auto& [p0, name] : {std::pair(&p_a0, "a"), std::pair(&p_b0, "b")})
    d.parameter(*p0, std::string("p_") + name + "0", "Pa", std::string("pressure of chamber ") + name + " at the start")
        .fallback("0 Pa")
        .at_least(model::vacuum);
  d.port(a, "a", "chamber that extends the rod").start(p_a0, Parameter{});
  d.port(b, "b", "chamber that retracts the rod").start(p_b0, Parameter{});
  piston.describe_ends(d);
  d.output("p_a", "Pa", "pressure of chamber a");
  d.output("p_b", "Pa", "pressure of chamber b");
  d.output("void_a", "", "part of chamber a that is vapour");
  d.output("void_b", "", "part of chamber b that is vapour");
}

void Cylinder::fill(Equations& eq, Fluid port, const Piston::Chamber& chamber) const {
  const Oil oil(eq, port, eq[beta]);
  const std::string name = port.index == a.index ? "chamber a" : "chamber b";
  oil.require_oil(eq, name + " oil", name);
  eq.through(port, oil.flow(chamber.volume, chamber.rate));
  eq.stored(oil.stored(chamber.volume));
  eq.supplied(chamber.rate * oil.p * oil.p / (2 * eq[beta]));
  eq.output(port.index == a.index ? "void_a" : "void_b", "", oil.void_part());
}

void Cylinder::equations(Equations& eq) const {
  fill(eq, a, piston.chamber_a(eq));
  fill(eq, b, piston.chamber_b(eq));
  const Expr dp = eq[a] - eq[b], leak = eq[leakage] * dp;
  eq.through(a, leak);
  eq.through(b, -leak);
  eq.dissipated(leak * dp);
  piston.push(eq, eq[a], eq[b]);
  eq.output("p_a", "Pa", eq[a]);
  eq.output("p_b", "Pa", eq[b]);
}

}  // namespace coenergy::domains::hydraulic
