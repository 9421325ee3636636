#pragma once
#include "coenergy/domains/motion_words.hpp"
#include "coenergy/model/held_motion.hpp"

namespace coenergy::domains {

/// Dry and viscous friction along one motion with the velocity v, in three laws (Armstrong, Dupont, Canudas de Wit 1994):
///
///   g(v) = f_c + (f_s − f_c) exp(−|v/v_s|ⁿ)         level: Coulomb f_c, break-away f_s, Stribeck velocity v_s,
///                                                   n = 2 or as given
///   tanh    f = g(v) tanh(v/v_ε) + d v                  creeps at rest: holds f < f_c at v = v_ε artanh(f/f_c)
///   lugre   ż = v − σ₀ |v| z/g(v),  f = σ₀ z + σ₁ ż + d v   bristles: σ₀ stiffness before sliding, σ₁ its damping
///   stick   sliding: f = ±g(v) + d v;  stuck: v̇ = 0 with whatever |f| ≤ f_s that takes, by located events
///
/// f opposes v and is positive with it. LuGre stores ½ σ₀ z². `stick` needs mass on what moves; at an impact it lets go
/// and decides anew.
template <class Flange>
struct FrictionLaw {
  using Word = Words<Flange>;
  Choice law;
  Parameter f_c, f_s, v_s, n, v_eps, damping, sigma0, sigma1;

  /// Entries named prefix + name; those of the Coulomb level have been described before.
  template <class... Level>
  void describe(Description& d, const std::string& prefix, const Level&... levels) {
    const std::string force = Word::force_help;
    d.choice(law, prefix + "law", {"tanh", "lugre", "stick"}, "tanh: smooth, creeps; lugre: bristles; stick: holds")
        .used_with(levels...);
    d.parameter(f_s, prefix + "breakaway", Word::force_unit, "break-away " + force + "; without it the Coulomb level")
        .not_negative()
        .varying()
        .optional()
        .used_with(levels...);
    d.parameter(v_s, prefix + "stribeck", Word::rate_unit, "velocity at which the break-away level has decayed")
        .positive()
        .fallback("0.1")
        .used_with(f_s);
    d.parameter(n, prefix + "exponent", "", "n of the decay exp(-|v/stribeck|^n)")
        .between(0.5, 4)
        .fallback("2")
        .used_with(f_s);
    d.parameter(v_eps, prefix + "v_eps", Word::rate_unit, "law tanh: velocity over which friction changes sign")
        .positive()
        .fallback("1e-3")
        .used_with(levels...)
        .used_for(law, {"tanh"});
    d.parameter(damping, prefix + "d", Word::damping_unit, "viscous friction coefficient; without it none")
        .not_negative()
        .optional();
    d.parameter(sigma0, prefix + "sigma0", Word::stiffness_unit, "law lugre: stiffness of the bristles")
        .positive()
        .optional()
        .used_for(law, {"lugre"});
    d.parameter(sigma1, prefix + "sigma1", Word::damping_unit, "law lugre: damping of the bristles")
        .not_negative()
        .fallback("0")
        .used_for(law, {"lugre"});
  }

  /// Viscous friction alone needs no Coulomb level.
  bool given(Equations& eq) const { return eq.has(f_c) || eq.has(damping); }

  /// The friction force for the velocity v and the acceleration a; writes its states, modes and energies.
  Expr equations(Equations& eq, const Expr& v, const Expr& a) const {
    const std::string word = eq[law];
    if (eq.has(f_s))
      eq.require("breakaway", (1 - same_level) * eq[f_c] - eq[f_s],
                 "the break-away " + std::string(Word::force_help) +
                     " is below the Coulomb level, which would make what holds slide and what slides hold");
    const Expr force = !eq.has(f_c)      ? Expr(0)
                       : word == "lugre" ? write_lugre(eq, v)
                       : word == "stick" ? write_stick(eq, v, a)
                                         : smooth(eq, v);
    if (!eq.has(damping)) return force;
    const Expr viscous = eq[damping] * v;
    eq.dissipated(viscous * v);
    return force + viscous;
  }
  bool needs_acceleration(Equations& eq) const { return eq.has(f_c) && eq[law] == "stick"; }

 private:
  static constexpr double same_level = 1e-9;  // of the level: two expressions of one value differ by round-off

  Expr breakaway(Equations& eq) const { return eq.has(f_s) ? eq[f_s] : eq[f_c]; }
  Expr level(Equations& eq, const Expr& v) const {
    if (!eq.has(f_s)) return eq[f_c];
    const Expr ratio = v / eq[v_s];
    const Expr decay = eq.number(n) == 2 ? exp(-ratio * ratio) : exp(-pow(abs(ratio), eq[n]));
    return eq[f_c] + (eq[f_s] - eq[f_c]) * decay;
  }

  Expr smooth(Equations& eq, const Expr& v) const {
    const Expr force = level(eq, v) * tanh(v / eq[v_eps]);
    eq.dissipated(force * v);
    return force;
  }

  Expr write_lugre(Equations& eq, const Expr& v) const {
    if (!eq.has(sigma0)) eq.refuse("friction by the law lugre needs sigma0, the stiffness before sliding");
    constexpr double usual = 1e-5;  // bristles are stiff: errors of z come out as forces, sigma0 times as large
    const State z = eq.make_state("z", Word::position_unit, 0, usual);
    const Expr rate = v - eq[sigma0] * abs(v) * eq[z] / level(eq, v);
    eq.zero(z, eq.der(z) - rate);
    const Expr force = eq[sigma0] * eq[z] + eq[sigma1] * rate;
    eq.stored(eq[sigma0] * eq[z] * eq[z] / 2);
    eq.dissipated(force * v - eq[sigma0] * eq[z] * rate);
    return force;
  }

  /// slip: −1, 1 sliding, 0 stuck, 2 undecided (the velocity then tells). It sticks where the velocity has come to zero
  /// and would go on to the other side; it slides where holding takes more than the break-away level.
  Expr write_stick(Equations& eq, const Expr& v, const Expr& a) const {
    const Discrete slip = eq.make_discrete("slip", "", 2);
    const Algebraic force = eq.make_algebraic("dry_friction", Word::force_unit);
    const Expr s = eq[slip], f = eq[force], most = breakaway(eq);
    const Expr stuck = equal(s, 0), undecided = equal(s, 2);
    eq.zero(force, select(stuck, model::make_held_motion(a, v, f), f - select(undecided, 0, s) * level(eq, v)));
    const Expr comes_to_rest = logical_and(less_equal(s * v, 0), less_equal(s * a, 0));
    eq.mode(slip, select(undecided, sign(v),
                         select(stuck, select(less(most, abs(f)), sign(f), 0), select(comes_to_rest, 0, s))));
    eq.at_impact(slip, 2);
    eq.indicator("slip", select(stuck, abs(f) - most, -s * v));
    eq.dissipated(f * v);
    return f;
  }
};

}  // namespace coenergy::domains
