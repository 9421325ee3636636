#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::converters {

/// Temperature of a winding by one or two bodies, and the factor by which its resistance grows:
///
///   C Ṫ = P − (T − T_h)/R_th,   C_h Ṫ_h = (T − T_h)/R_th − (T_h − T_a)/R_h,   factor = 1 + α (T − T_0)
///
/// T winding, T_h housing, T_a surroundings (K), C, C_h heat capacities (J/K), R_th, R_h thermal resistances (K/W), P losses
/// (W), an expression. Without a housing T_h = T_a. The resistance follows where its entry is written so:
/// `R: 1.2 ohm*heat.factor`, `losses: 1.2 ohm*heat.factor*motor.i^2`. α is 0.00393/K for copper at 293.15 K. No part of the
/// energy account: heat leaves it with the losses.
struct WindingTemperature {
  Parameter losses, C, R, C_housing, R_housing, ambient, alpha, T_0, start;
  State T, T_housing;

  void describe(Description& d) {
    d.name("converters.WindingTemperature", "temperature of a winding by one or two bodies: C*dT/dt = P - (T - T_h)/R");
    d.parameter(losses, "losses", "W", "what heats the winding").varying();
    d.parameter(C, "C", "J/K", "heat capacity of the winding").positive();
    d.parameter(R, "R", "K/W", "thermal resistance to the housing, or to the surroundings without one").positive();
    d.parameter(C_housing, "C_housing", "J/K", "heat capacity of the housing; without it there is none")
        .positive()
        .optional();
    d.parameter(R_housing, "R_housing", "K/W", "thermal resistance of the housing to the surroundings")
        .positive()
        .optional()
        .used_with(C_housing);
    d.parameter(ambient, "ambient", "K", "temperature of the surroundings").positive().fallback("293.15 K").varying();
    d.parameter(alpha, "alpha", "1/K", "growth of the resistance").fallback("0.00393 1/K");
    d.parameter(T_0, "T_0", "K", "temperature at which the factor is 1").positive().fallback("293.15 K");
    d.parameter(start, "start", "K", "temperature at the start").positive().fallback("293.15 K");
    d.variable(T, "T", "K", "temperature of the winding").start(start);
    d.variable(T_housing, "T_housing", "K", "temperature of the housing").start(start);
    d.output("factor", "", "resistance over that at T_0");
  }

  void equations(Equations& eq) const {
    if (eq.has(C_housing) != eq.has(R_housing)) eq.refuse("C_housing and R_housing belong together");
    const bool has_housing = eq.has(C_housing);
    const Expr flow = (eq[T] - (has_housing ? eq[T_housing] : eq[ambient])) / eq[R];
    eq.zero(T, eq[C] * eq.der(T) - eq[losses] + flow);
    if (has_housing)
      eq.zero(T_housing, eq[C_housing] * eq.der(T_housing) - flow + (eq[T_housing] - eq[ambient]) / eq[R_housing]);
    else
      eq.zero(T_housing, eq.der(T_housing));
    eq.output("factor", "", 1 + eq[alpha] * (eq[T] - eq[T_0]));
  }
};

}  // namespace coenergy::domains::converters
