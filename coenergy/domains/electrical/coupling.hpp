#pragma once
#include <cmath>

#include "coenergy/domains/electrical/storage.hpp"

namespace coenergy::domains::electrical {

/// Mutual inductance of two inductors a and b, in one circuit or in two: φ_a += M i_b, φ_b += M i_a.
///
/// Given as M (H), which may vary with time and with coordinates of a mechanism, or as the coupling factor
/// k = M/√(L_a L_b), −1 ≤ k ≤ 1. A positive M means that currents entering both at p add their fluxes. Any number of
/// inductors may be coupled in pairs, each pair once; no currents may have a negative energy. Constant inductances
/// without leakage, as with k = ±1, leave fewer states than coils: see circuits/flux_couplings.hpp.
///
/// Energy: M i_a i_b is stored. Where M depends on coordinates of a mechanism, the forces i_a i_b ∂M/∂q act on them.
struct Coupling {
  Choice a, b;
  Parameter k, M;

  void describe(Description& d) {
    d.name("electrical.Coupling", "mutual inductance of two inductors: v_a += d(M i_b)/dt, v_b += d(M i_a)/dt");
    d.choice(a, "a", {}, "name of an inductor");
    d.choice(b, "b", {}, "name of another inductor");
    d.parameter(k, "k", "", "coupling factor M/sqrt(L_a L_b)").between(-1, 1).optional();
    d.parameter(M, "M", "H", "mutual inductance, instead of k").varying().optional();
    d.output("M", "H", "mutual inductance");
  }

  std::optional<FluxCoupling> coupling(Equations& eq) const {
    const std::string first = eq[a], second = eq[b];
    const auto L_a = eq.number(first, "L"), L_b = eq.number(second, "L"), m = eq.number(eq.component(), "M");
    if (eq.has(k) && std::abs(eq.number(k)) == 1 && (!L_a || !L_b))
      eq.refuse("windings without leakage, k = 1 or -1, must have constant inductances");
    if (first == second || !L_a || !L_b || eq.has(k) == eq.has(M) || (eq.has(M) && !m)) return std::nullopt;
    return FluxCoupling{first, second, *L_a, *L_b, m ? *m : eq.number(k) * std::sqrt(*L_a * *L_b)};
  }

  void equations(Equations& eq) const {
    const std::string first = eq[a], second = eq[b];
    if (first == second) eq.refuse("a and b are both " + first + "; a coupling needs two inductors");
    if (eq.has(k) == eq.has(M)) eq.refuse("give either the coupling factor k or the mutual inductance M");
    const Expr m = eq.has(M) ? eq[M] : eq[k] * sqrt(eq.signal(first + ".L") * eq.signal(second + ".L"));
    // what is constant has been checked with all other couplings (see circuits/flux_couplings.hpp)
    const auto L_a = eq.parameter(first, "L"), L_b = eq.parameter(second, "L");
    if (eq.has(M) && L_a && L_b && !coupling(eq))
      eq.require("M", m * m - *L_a * *L_b,
                 "M exceeds the root of the inductances of " + first + " and " + second +
                     ": their energy would be negative at some currents");
    const Expr i_a = eq.signal(first + ".i"), i_b = eq.signal(second + ".i");
    eq.add_to_row(first, "i", eq.time_derivative(m * i_b));
    eq.add_to_row(second, "i", eq.time_derivative(m * i_a));
    for (const auto& [coil, other] : {std::pair(first, second), std::pair(second, first)})
      if (const auto deviation = eq.flux_deviation(other)) eq.add_deviating_flux(coil, m * *deviation);
    write_mutual_storage(eq, m, i_a, i_b);
    eq.output("M", "H", m);
  }
};

}  // namespace coenergy::domains::electrical
