#pragma once
#include "coenergy/domains/electrical/junction.hpp"
#include "coenergy/domains/electrical/storage.hpp"

namespace coenergy::domains::electrical {

/// Charge of a p-n junction alone, for transistors: i = dq/dt, q = TT Is (e^{v/(N kT/q)} − 1) + ∫ Cj dv with
/// Cj = Cj0 (1 − v/Vj)^{−M} for v < FC Vj, along its tangent beyond. The diffusion charge may be multiplied by a factor
/// that depends on signals: the transit time of a transistor rises with its current.
///
/// v = v_p − v_n (V), i from p to n (A). Energy: ∫ v dq is stored; what changes the factor supplies the rest.
struct JunctionCapacitor {
  Pin p, n;
  Parameter Cj0, Vj, M, FC, TT, Is, N, T, factor, v0;
  State v;

  void describe(Description& d) {
    d.name("electrical.JunctionCapacitor", "charge of a p-n junction: depletion Cj0 (1 - v/Vj)^-M and diffusion TT i");
    d.port(p, "p", "p side");
    d.port(n, "n", "n side");
    d.parameter(Cj0, "Cj0", "F", "depletion capacitance at zero voltage").not_negative();
    d.parameter(Vj, "Vj", "V", "junction potential").fallback("0.75 V").positive();
    d.parameter(M, "M", "", "grading coefficient").fallback("0.33").between(0, 0.99);
    d.parameter(FC, "FC", "", "part of Vj up to which the capacitance follows its law")
        .fallback("0.5")
        .between(0, 0.95);
    d.parameter(TT, "TT", "s", "transit time").fallback("0 s").not_negative();
    d.parameter(Is, "Is", "A", "saturation current of the junction").fallback("1e-16 A").positive();
    d.parameter(N, "N", "", "emission coefficient").fallback("1").positive();
    d.parameter(T, "T", "K", "temperature").fallback("300.15 K").positive();
    d.parameter(factor, "factor", "", "multiplies the diffusion charge; 1 without it").varying().optional();
    d.parameter(v0, "v0", "V", "voltage at the start").fallback("0 V");
    d.variable(v, "v", "V", "voltage from p to n").start(v0);
    d.output("i", "A", "current from p to n");
    d.output("q", "C", "charge");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::capacitive, v}}; }

  void equations(Equations& eq) const {
    const JunctionCharge store{
        eq.number(Cj0) > 0 ? eq[Cj0] : Expr(0), eq[Vj], eq[M], eq[FC], eq.number(TT) > 0 ? eq[TT] : Expr(0), eq[Is],
        eq[N] * thermal_voltage(eq[T])};
    Expr q = store.charge(eq[v]);
    eq.stored(store.energy(eq[v]));
    if (eq.has(factor) && !store.tau.is_zero()) {
      const Expr more = (eq[factor] - 1) * store.tau * store.Is * (limited_exp(eq[v] / store.V) - 1);
      write_storage(eq, more, eq[v]);
      q += more;
    }
    const Expr i = eq.time_derivative(q);
    eq.through(p, i);
    eq.through(n, -i);
    eq.zero(v, eq[v] - (eq[p] - eq[n]));
    eq.output("i", "A", i);
    eq.output("q", "C", q);
  }
};

}  // namespace coenergy::domains::electrical
