#pragma once
#include "coenergy/domains/piston.hpp"
#include "coenergy/domains/pneumatic/gas.hpp"

namespace coenergy::domains::pneumatic {

/// Double-acting cylinder with air at room temperature (Air) in both chambers.
///
///   ṗ V + p V̇ = R T ṁ                                   of each chamber, ṁ into it
///   f = (p_a − p_0) A_a − (p_b − p_0) A_b − d ẋ − stops  force on the rod (Piston), against the atmosphere p_0 (N)
struct Cylinder {
  Gas a, b;
  Piston piston;
  Parameter p_a0, p_b0;

  void describe(Description& d) {
    d.name("pneumatic.Cylinder", "double-acting cylinder with air: f = (p_a - p_0)*A_a - (p_b - p_0)*A_b");
    piston.describe_sizes(d);
    piston.describe_forces(d, "1e6 N/m");
    for (const auto& [p0, name] : {std::pair(&p_a0, "a"), std::pair(&p_b0, "b")})
      d.parameter(*p0, std::string("p_") + name + "0", "Pa",
                  std::string("pressure of chamber ") + name + " at the start, absolute")
          .fallback("101325 Pa")
          .positive();
    d.port(a, "a", "chamber that extends the rod").start(p_a0, Parameter{});
    d.port(b, "b", "chamber that retracts the rod").start(p_b0, Parameter{});
    piston.describe_ends(d);
    d.output("p_a", "Pa", "pressure of chamber a, absolute");
    d.output("p_b", "Pa", "pressure of chamber b, absolute");
  }

  void equations(Equations& eq) const {
    fill(eq, a, "chamber a", piston.chamber_a(eq));
    fill(eq, b, "chamber b", piston.chamber_b(eq));
    piston.push(eq, eq[a] - model::atmosphere, eq[b] - model::atmosphere);
    eq.output("p_a", "Pa", eq[a]);
    eq.output("p_b", "Pa", eq[b]);
  }

 private:
  void fill(Equations& eq, Gas port, const std::string& name, const Piston::Chamber& chamber) const {
    const Expr p = eq[port];
    eq.require(name + " air", -p, name + " is empty: more air is drawn from it than it holds");
    eq.through(port, (eq.der(port) * chamber.volume + p * chamber.rate) / (Air::R * Air::T));
    eq.stored(Air::stored(p, chamber.volume));
  }
};

}  // namespace coenergy::domains::pneumatic
