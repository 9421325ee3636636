#pragma once
#include "coenergy/base/names.hpp"
#include "coenergy/domains/motion_words.hpp"

namespace coenergy::domains {

/// Stops at the ends of the range of a motion q. Elastic (Hunt and Crossley), with `stop_stiffness`:
///
///   f = −k δ (1 + c δ̇),   δ = q − upper > 0 or lower − q > 0
///
/// k stiffness, c damping (s/rad or s/m). The force begins and ends at zero, so that contact neither jumps nor sticks
/// for c |δ̇| < 1; the rate v' after an impact with v obeys c v − ln(1 + c v) = −c v' − ln(1 − c v') for a free mass,
/// about v' = v (1 − 2 c v/3). Contact is a located event.
///
/// Rigid (Newton's impact law), with `stop_restitution` e: δ̇⁺ = −e δ̇⁻ by an impulse on the whole machine (see
/// Equations::contact); a rebound slower than `stop_rest` stays in contact until the force turns. Stops that touch at
/// one instant have their impacts in turn, the fastest first (solve/impact.hpp). A start beyond a rigid stop is refused.
template <class Flange>
struct StopLaw {
  using Word = Words<Flange>;
  Parameter lower, upper, stiffness, damping, restitution, rest;

  void describe(Description& d) {
    const std::string per_rate = std::string("s/") + Word::position_unit;
    d.parameter(lower, "lower", Word::position_unit, "stop at the lower end of the range").optional();
    d.parameter(upper, "upper", Word::position_unit, "stop at the upper end of the range").optional();
    d.parameter(stiffness, "stop_stiffness", Word::stiffness_unit, "of elastic stops")
        .positive()
        .optional()
        .used_with(lower, upper);
    d.parameter(damping, "stop_damping", per_rate, "c of elastic stops")
        .not_negative()
        .fallback("0")
        .used_with(stiffness);
    d.parameter(restitution, "stop_restitution", "", "of rigid stops: rate after over rate before an impact")
        .between(0, 1)
        .optional()
        .used_with(lower, upper);
    d.parameter(rest, "stop_rest", Word::rate_unit, "rigid stops: a slower rebound stays in contact")
        .positive()
        .fallback("1e-5")
        .used_with(restitution);
  }

  bool given(Equations& eq) const { return eq.has(lower) || eq.has(upper); }

  /// A rigid stop cannot be passed at the start either.
  void check_start(Equations& eq, Parameter q0) const {
    if (!eq.has(restitution)) return;
    for (const auto& [stop, side] : {std::pair(&upper, 1), std::pair(&lower, -1)})
      if (eq.has(*stop) && side * (eq.number(q0) - eq.number(*stop)) > 0)
        eq.refuse("q0 = " + format_short(eq.number(q0)) + " lies beyond the rigid stop at " +
                  format_short(eq.number(*stop)) + "; start within the range");
  }

  /// The through variable of elastic stops for the position q with its rate; rigid ones write their contact and give 0.
  Expr equations(Equations& eq, const Expr& q, const Expr& rate) const {
    if (!given(eq)) return 0;
    if (eq.has(stiffness) == eq.has(restitution))
      eq.refuse("a range with lower or upper needs either stop_stiffness (elastic) or stop_restitution (rigid)");
    if (eq.has(lower) && eq.has(upper) && eq.number(lower) >= eq.number(upper)) eq.refuse("lower must be below upper");
    Expr force = 0;
    if (eq.has(upper)) force += add(eq, "upper", q - eq[upper], rate);
    if (eq.has(lower)) force -= add(eq, "lower", eq[lower] - q, -rate);
    return force;
  }

 private:
  Expr add(Equations& eq, const std::string& name, const Expr& depth, const Expr& rate) const {
    if (eq.has(restitution)) {
      eq.contact(name + "_stop", Word::force_unit, depth, eq[restitution], eq[rest]);
      return 0;
    }
    const Expr pressed = eq.relation(name + " stop", depth) * depth, k = eq[stiffness], c = eq[damping];
    eq.stored(k * pressed * pressed / 2);
    eq.dissipated(k * pressed * c * rate * rate);
    return k * pressed * (1 + c * rate);
  }
};

}  // namespace coenergy::domains
