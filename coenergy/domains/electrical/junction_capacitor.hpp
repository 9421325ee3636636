#pragma once
#include "coenergy/domains/electrical/junction.hpp"
#include "coenergy/domains/electrical/storage.hpp"
#include "coenergy/domains/electrical/temperature.hpp"

namespace coenergy::domains::electrical {

/// Charge of a p-n junction alone, for transistors: i = dq/dt, q = TT Is (e^{v/(N kT/q)} − 1) + ∫ Cj dv with
/// Cj = Cj0 (1 − v/Vj)^{−M} for v < FC Vj, along its tangent beyond. The diffusion charge may be multiplied by a factor
/// that depends on signals: the transit time of a transistor rises with its current. At a temperature T other than the
/// nominal one Cj0, Vj and Is follow the laws of electrical::Warming (those of Is with n = 1, as in transistors).
///
/// v = v_p − v_n (V), i from p to n (A). Energy: ∫ v dq is stored; what changes the factor supplies the rest.
struct JunctionCapacitor {
  Pin p, n;
  Parameter Cj0, Vj, M, FC, TT, Is, N, EG, XTI, T, Tnom, factor, v0;
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
    d.parameter(EG, "EG", "V", "energy gap over the elementary charge").fallback("1.11 V").positive();
    d.parameter(XTI, "XTI", "", "exponent of the temperature in Is").fallback("3").not_negative();
    describe_temperatures(d, T, Tnom);
    d.parameter(factor, "factor", "", "multiplies the diffusion charge; 1 without it").varying().optional();
    d.parameter(v0, "v0", "V", "voltage at the start").fallback("0 V");
    d.variable(v, "v", "V", "voltage from p to n").start(v0);
    d.output("i", "A", "current from p to n");
    d.output("q", "C", "charge");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::capacitive, v}}; }

  void equations(Equations& eq) const {
    const auto warm = find_warming(eq, T, Tnom);
    const Expr C = eq.number(Cj0) > 0 ? eq[Cj0] : Expr(0), tau = eq.number(TT) > 0 ? eq[TT] : Expr(0);
    const JunctionCharge store{warm ? warm->capacitance(C, eq[Vj], eq[M]) : C,
                               warm ? warm->potential(eq[Vj]) : eq[Vj],
                               eq[M],
                               eq[FC],
                               tau,
                               warm ? warm->saturation_current(eq[Is], eq[EG], eq[XTI], 1) : eq[Is],
                               eq[N] * thermal_voltage(eq, T, Tnom),
                               exponent_limit(eq.number(Is))};
    Expr q = store.charge(eq[v]);
    eq.stored(store.energy(eq[v]));
    if (eq.has(factor) && !store.tau.is_zero()) {
      const Expr more = (eq[factor] - 1) * store.tau * store.Is * (limited_exp(eq[v] / store.V, store.limit) - 1);
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
