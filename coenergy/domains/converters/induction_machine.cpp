#include "coenergy/domains/converters/induction_machine.hpp"

#include <numbers>

#include "coenergy/base/names.hpp"

namespace coenergy::domains::converters {

void InductionMachine::describe(Description& d) {
  d.name("converters.InductionMachine", "induction machine in its phase currents: v = R*i + d(L(theta)*i)/dt");
  stator.describe(d, "", "stator");
  cage.describe(d, "r", "rotor", true);
  rotor.describe(d);
  rotor.describe_poles(d);
  d.parameter(L_s, "L_s", "H", "inductance of a stator winding").positive();
  d.parameter(M_s, "M_s", "H", "mutual inductance of two stator windings");
  d.parameter(L_r, "L_r", "H", "inductance of a rotor winding").positive();
  d.parameter(M_r, "M_r", "H", "mutual inductance of two rotor windings");
  d.parameter(M_sr, "M_sr", "H", "greatest mutual inductance of a stator and a rotor winding").positive();
  d.parameter(harmonics, "harmonics", "",
              "M(theta)/M_sr = h1 cos(theta) + h2 cos(2 theta) + ...; without it cos(theta)")
      .optional();
}

std::vector<Branch> InductionMachine::branches(Equations& eq) const {
  std::vector<Branch> all = stator.branches(eq);
  for (const Branch& b : cage.branches(eq)) all.push_back(b);
  return all;
}

/// Positive and zero sequence of one side must have inductance, the zero sequence only where it can have a current.
void InductionMachine::check(Equations& eq, const ThreePhase& side, Parameter L, Parameter M, const char* name) const {
  const double l = eq.number(L), m = eq.number(M);
  const auto how = side.joined(eq);
  const bool has_zero = how == ThreePhase::Joined::star || how == ThreePhase::Joined::delta;
  if (!(l - m > 0) || (has_zero && !(l + 2 * m > 0)))
    eq.refuse(std::string(name) + " windings: L = " + format_short(l) + " H and M = " + format_short(m) +
              " H must have L - M > 0" +
              (has_zero ? " and L + 2 M > 0, since the zero sequence can have a current" : ""));
}

void InductionMachine::equations(Equations& eq) const {
  check(eq, stator, L_s, M_s, "stator");
  check(eq, cage, L_r, M_r, "rotor");
  const double sum_s = eq.number(L_s) - eq.number(M_s), sum_r = eq.number(L_r) - eq.number(M_r);
  const std::vector<double> h = eq.numbers(harmonics);
  if (!eq.has(harmonics) && !(2.25 * eq.number(M_sr) * eq.number(M_sr) < sum_s * sum_r))
    eq.refuse("3/2 M_sr must be less than sqrt((L_s - M_s) (L_r - M_r)) = " + format_short(std::sqrt(sum_s * sum_r)) +
              " H; without leakage the currents are not determined");

  // co-energy of the windings
  const Expr theta = rotor.pairs(eq) * make_motion(eq);
  const std::array<Expr, 3> s = stator.currents(eq), r = cage.currents(eq);
  const auto own = [&](const std::array<Expr, 3>& i, const Expr& l, const Expr& m) {
    return l * (i[0] * i[0] + i[1] * i[1] + i[2] * i[2]) / 2 + m * (i[0] * i[1] + i[1] * i[2] + i[2] * i[0]);
  };
  Expr w = own(s, eq[L_s], eq[M_s]) + own(r, eq[L_r], eq[M_r]);
  constexpr double third = 2 * std::numbers::pi / 3;
  for (std::size_t shift = 0; shift < 3; ++shift) {
    const Expr angle = theta + (shift == 2 ? -third : third * static_cast<double>(shift));
    Expr m = h.empty() ? cos(angle) : Expr(0);
    for (std::size_t n = 0; n < h.size(); ++n) m += eq[harmonics][n] * cos(static_cast<double>(n + 1) * angle);
    Expr products = 0;
    for (std::size_t j = 0; j < 3; ++j) products += s[j] * r[(j + shift) % 3];
    w += eq[M_sr] * m * products;
  }

  // everything else follows
  std::vector<Expr> currents = stator.free_currents(eq);
  const std::size_t of_stator = currents.size();
  for (const Expr& i : cage.free_currents(eq)) currents.push_back(i);
  const Fields fields = write_coenergy(eq, w, currents, rotor.angle(eq));
  stator.equations(eq, std::span(fields.flux).first(of_stator));
  cage.equations(eq, std::span(fields.flux).subspan(of_stator));
  rotor.equations(eq, fields.force);
}

}  // namespace coenergy::domains::converters
