#pragma once
#include "coenergy/domains/mechanical/words.hpp"

namespace coenergy::domains::mechanical {

/// Spring between a and b: f = k |δ|ⁿ sign δ with the elongation δ = s_b − s_a − rest; potential energy k |δ|ⁿ⁺¹/(n+1).
///
/// k stiffness (N/mⁿ or N.m/radⁿ) ≥ 0, exponent n ≥ 1. With `side: tension` it acts only while δ > 0, with
/// `side: compression` only while δ < 0; with `slack` nothing acts for 0 < δ < slack, and beyond it δ counts from there.
/// `impact_damping` b adds b |δ|^½ δ̇ while the spring acts. f > 0 pulls the ends together.
template <class Flange>
struct Spring {
  using Word = Words<Flange>;
  Flange a, b;
  Parameter k, rest, slack, exponent, impact;
  Choice side;

  void describe(Description& d) {
    d.name(type_name<Flange>("Spring"), "spring between a and b: force k*(b - a - rest)");
    d.port(a, "a", "one end");
    d.port(b, "b", "other end");
    d.parameter(k, "k", Word::stiffness_unit, "stiffness").not_negative();
    d.parameter(rest, "rest", Word::position_unit, "unstretched length").fallback("0");
    d.parameter(exponent, "exponent", "", "n of the law k*delta^n (then k is a plain number)")
        .fallback("1")
        .between(1, 10);
    d.choice(side, "side", {"both", "tension", "compression"}, "where it acts");
    d.parameter(slack, "slack", Word::position_unit, "play beyond the unstretched length")
        .not_negative()
        .fallback("0")
        .used_for(side, {"both", "tension"});
    d.parameter(impact, "impact_damping", "", "b of a damper b*sqrt(delta)*rate that acts while the spring does")
        .not_negative()
        .optional();
    d.output(Word::force, Word::force_unit, std::string(Word::force_help) + " that pulls the ends together");
    d.output("delta", Word::position_unit, "elongation");
  }

  void equations(Equations& eq) const {
    const Expr elongation = eq[b] - eq[a] - eq[rest];
    const std::string acts = eq[side];
    const bool plain = acts == "both" && eq.number(slack) == 0;
    const Expr pulled = max(elongation - eq[slack], 0), pushed = min(elongation, 0);
    const Expr delta = plain                   ? elongation
                       : acts == "tension"     ? pulled
                       : acts == "compression" ? pushed
                                               : pulled + pushed;
    Expr force = eq[k] * delta;
    if (eq.number(exponent) == 1) {
      eq.potential(eq[k] * delta * delta / 2);
    } else {
      const Expr n = eq[exponent];
      force = eq[k] * sign(delta) * pow(abs(delta), n);
      eq.potential(eq[k] * pow(abs(delta), n + 1) / (n + 1));
    }
    if (eq.has(impact)) {
      const Expr rate = eq.der(b) - eq.der(a), drag = eq[impact] * sqrt(abs(delta)) * rate;
      eq.through(b, drag);
      eq.through(a, -drag);
      eq.dissipated(drag * rate);
      force += drag;
    }
    eq.output(Word::force, Word::force_unit, force);
    eq.output("delta", Word::position_unit, elongation);
  }
};

}  // namespace coenergy::domains::mechanical
