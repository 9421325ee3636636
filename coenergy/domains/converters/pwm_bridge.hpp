#pragma once
#include <array>
#include <string>

#include "coenergy/domains/component.hpp"

namespace coenergy::domains::converters {

/// Ideal two-level bridge on a DC link, with pulse-width modulation by comparison with a carrier. Every leg has the voltage
///
///   v_out − v_n = s (v_p − v_n),   and takes the current s i from p
///
/// where s is 1 while its reference u (−1 … 1) is above the carrier, a triangle between −1 and 1 of the given frequency, and
/// 0 below it: the edges are located. With `form: averaged` s is the mean of a period, ½ (1 + u), limited to 0 … 1: the
/// same voltages and currents without their ripple. No power is lost.
///
///   Chopper   one leg, `duty` 0 … 1 (u = 2 duty − 1)
///   HBridge   two legs, u and −u: v = u (v_p − v_n) in the mean
///   Inverter  three legs; `modulation: space_vector` takes (max + min)/2 off the three references, so that amplitudes up to
///             2/√3 are reached instead of 1 (van der Broeck, Skudelny, Stanke 1988)
template <std::size_t Legs>
struct PwmBridge {
  Pin p, n;
  std::array<Pin, Legs> out;
  std::array<Parameter, Legs> u;
  Parameter frequency;
  Choice form, modulation;
  Discrete k;
  std::array<Algebraic, Legs> i;
  static constexpr bool is_inverter = Legs == 3;

  void describe(Description& d) {
    d.name(is_inverter ? "converters.Inverter"
           : Legs == 2 ? "converters.HBridge"
                       : "converters.Chopper",
           is_inverter ? "three-phase two-level inverter with pulse-width modulation"
           : Legs == 2 ? "H-bridge with pulse-width modulation: v = u*(v_p - v_n) in the mean"
                       : "one leg of a bridge with pulse-width modulation: v = duty*(v_p - v_n) in the mean");
    d.port(p, "p", "positive side of the DC link");
    d.port(n, "n", "negative side of the DC link");
    for (std::size_t leg = 0; leg < Legs; ++leg) d.port(out[leg], name_of(leg), "output " + name_of(leg));
    if constexpr (Legs == 1) d.parameter(u[0], "duty", "", "part of the period at p, 0 ... 1").varying();
    if constexpr (Legs == 2) d.parameter(u[0], "u", "", "reference, -1 ... 1").varying();
    if constexpr (is_inverter)
      for (std::size_t leg = 0; leg < Legs; ++leg)
        d.parameter(u[leg], "u_" + name_of(leg), "", "reference of output " + name_of(leg) + ", -1 ... 1").varying();
    d.parameter(frequency, "frequency", "Hz", "of the carrier")
        .structural("the averaged form has no carrier")
        .positive();
    d.choice(form, "form", {"switched", "averaged"}, "averaged: the mean of a period, without edges");
    if constexpr (is_inverter)
      d.choice(modulation, "modulation", {"sine", "space_vector"},
               "space_vector: with the zero sequence that reaches most");
    d.variable(k, "k", "", "number of halves of the carrier begun");
    for (std::size_t leg = 0; leg < Legs; ++leg)
      d.variable(i[leg], "i_" + name_of(leg), "A", "current out of output " + name_of(leg));
    d.output("i", "A", "current from p to n");
    for (std::size_t leg = 0; leg < Legs; ++leg)
      d.output("s_" + name_of(leg), "", "part of the link voltage at output " + name_of(leg) + ": 0 or 1, or its mean");
  }

  std::vector<Branch> branches(Equations&) const {
    std::vector<Branch> list{{p, n, BranchKind::resistive}};
    for (const Pin& pin : out) list.push_back({pin, n, BranchKind::resistive});
    return list;
  }

  void equations(Equations& eq) const {
    const bool averaged = eq[form] == "averaged";
    const Expr carrier = averaged ? Expr(0) : write_carrier(eq);
    const std::array<Expr, Legs> reference = references(eq);
    const Expr link = eq[p] - eq[n];
    Expr current = 0, back = 0;
    for (std::size_t leg = 0; leg < Legs; ++leg) {
      const Expr x = reference[leg],
                 s = averaged ? (1 + min(max(x, -1), 1)) / 2 : eq.relation(name_of(leg), x - carrier);
      eq.zero(i[leg], eq[out[leg]] - eq[n] - s * link);
      eq.through(out[leg], -eq[i[leg]]);
      current += s * eq[i[leg]];
      back += eq[i[leg]];
      eq.output("s_" + name_of(leg), "", s);
    }
    eq.through(p, current);
    eq.through(n, back - current);
    eq.output("i", "A", current);
  }

 private:
  static std::string name_of(std::size_t leg) { return std::string(1, static_cast<char>('a' + leg)); }

  std::array<Expr, Legs> references(Equations& eq) const {
    if constexpr (Legs == 1) return {2 * eq[u[0]] - 1};
    if constexpr (Legs == 2) return {eq[u[0]], -eq[u[0]]};
    if constexpr (is_inverter) {
      const Expr a = eq[u[0]], b = eq[u[1]], c = eq[u[2]];
      if (eq[modulation] == "sine") return {a, b, c};
      const Expr middle = (max(max(a, b), c) + min(min(a, b), c)) / 2;
      return {a - middle, b - middle, c - middle};
    }
  }

  /// The triangle, half by half: every corner ends a step, so that an edge between two corners is not stepped over.
  Expr write_carrier(Equations& eq) const {
    const Expr half = 1 / (2 * eq[frequency]), begin = eq[k] * half, next = begin + half;
    eq.indicator("corner", eq.time() - next);
    // a run that starts late skips whole halves
    eq.mode(k, max(eq[k] + less_equal(next, eq.time()), floor(eq.time() / half - 0.5)));
    const Expr rise = 2 * (eq.time() - begin) / half - 1, falling = eq[k] - 2 * floor(eq[k] / 2);
    return (1 - 2 * falling) * rise;
  }
};

}  // namespace coenergy::domains::converters
