#include "coenergy/domains/converters/three_phase.hpp"

#include <numbers>

namespace coenergy::domains::converters {

namespace {
constexpr std::array<const char*, 3> phases = {"a", "b", "c"};
}

void ThreePhase::describe(Description& d, const std::string& prefix, const std::string& role, bool may_be_shorted) {
  prefix_ = prefix, may_be_shorted_ = may_be_shorted;
  for (std::size_t k = 0; k < 3; ++k) {
    auto port = d.port(pin[k], prefix + phases[k], role + " pin " + phases[k]);
    if (may_be_shorted) port.optional();
  }
  d.port(star, prefix + "n", role + " star point; without it the star is isolated").optional();
  d.choice(connection, prefix + "connection", {"star", "delta"}, "how the " + role + " windings are joined");
  d.parameter(R, "R_" + (prefix.empty() ? "s" : prefix), "ohm", "resistance of a " + role + " winding")
      .not_negative()
      .varying();
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string name = std::string("i_") + prefix + phases[k];
    d.parameter(i0[k], name + "0", "A", "its current at the start").fallback("0 A");
    d.variable(i[k], name, "A", role + " current of winding " + phases[k]).start(i0[k]);
  }
}

ThreePhase::Joined ThreePhase::joined(Equations& eq) const {
  int connected = 0;
  for (const Pin& p : pin) connected += eq.connected(p) ? 1 : 0;
  const bool has_star = eq.connected(star);
  if (connected == 0 && may_be_shorted_) {
    if (has_star) eq.refuse("only " + prefix_ + "n of its pins " + prefix_ + "a ... " + prefix_ + "n is connected");
    if (eq[connection] != "star")
      eq.refuse(prefix_ + "connection = " + eq[connection] + " needs the pins " + prefix_ + "a, " + prefix_ + "b, " +
                prefix_ + "c; without them the windings are a cage");
    return Joined::shorted;
  }
  if (connected != 3)
    eq.refuse("connect all of " + prefix_ + "a, " + prefix_ + "b and " + prefix_ + "c" +
              (may_be_shorted_ ? ", or none: then they are shorted" : ""));
  if (eq[connection] == "star") return has_star ? Joined::star : Joined::isolated_star;
  if (has_star) eq.refuse("windings in delta have no star point " + prefix_ + "n");
  return Joined::delta;
}

std::vector<Branch> ThreePhase::branches(Equations& eq) const {
  switch (joined(eq)) {
    case Joined::star:
      return {{pin[0], star, BranchKind::inductive, i[0]},
              {pin[1], star, BranchKind::inductive, i[1]},
              {pin[2], star, BranchKind::inductive, i[2]}};
    case Joined::isolated_star:  // the current of c follows inside
      return {{pin[0], pin[2], BranchKind::inductive, i[0]},
              {pin[1], pin[2], BranchKind::inductive, i[1]},
              {pin[2], pin[2], BranchKind::resistive, i[2]}};
    case Joined::delta:
      return {{pin[0], pin[1], BranchKind::inductive, i[0]},
              {pin[1], pin[2], BranchKind::inductive, i[1]},
              {pin[2], pin[0], BranchKind::inductive, i[2]}};
    case Joined::shorted:
      break;
  }
  return {{pin[2], pin[2], BranchKind::resistive, i[2]}};
}

std::vector<Expr> ThreePhase::free_currents(Equations& eq) const {
  const Joined how = joined(eq);
  if (how == Joined::star || how == Joined::delta) return {eq[i[0]], eq[i[1]], eq[i[2]]};
  return {eq[i[0]], eq[i[1]]};
}

std::array<Expr, 3> ThreePhase::currents(Equations& eq) const {
  const std::vector<Expr> x = free_currents(eq);
  return {x[0], x[1], x.size() == 3 ? x[2] : -x[0] - x[1]};
}

void ThreePhase::equations(Equations& eq, std::span<const Expr> flux) const {
  const Joined how = joined(eq);
  const std::array<Expr, 3> current = currents(eq);
  const std::array<Expr, 3> u = {eq[pin[0]], eq[pin[1]], eq[pin[2]]};
  const Expr r = eq[R];
  std::array<Expr, 3> v;
  if (how == Joined::delta) {
    v = {u[0] - u[1], u[1] - u[2], u[2] - u[0]};
    for (std::size_t k = 0; k < 3; ++k) eq.through(pin[k], current[k] - current[(k + 2) % 3]);
  } else {
    const Expr middle = how == Joined::star ? eq[star] : (u[0] + u[1] + u[2]) / 3;
    for (std::size_t k = 0; k < 3; ++k) {
      v[k] = how == Joined::shorted ? Expr(0) : u[k] - middle;
      if (how != Joined::shorted) eq.through(pin[k], current[k]);
    }
    if (how == Joined::star) eq.through(star, -current[0] - current[1] - current[2]);
  }

  Expr loss = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    loss += r * current[k] * current[k];
    if (flux.size() == 3)
      eq.zero(i[k], r * current[k] + eq.time_derivative(flux[k]) - v[k]);
    else if (k < 2)
      eq.zero(i[k], r * (current[k] - current[2]) + eq.time_derivative(flux[k]) - (v[k] - v[2]));
    else
      eq.zero(i[k], eq[i[k]] - current[k]);
    if (how != Joined::shorted) eq.output("v_" + prefix_ + phases[k], "V", v[k]);
  }
  eq.dissipated(loss);
}

Expr ThreePhase::zero_sequence(Equations& eq, Parameter L_0) const {
  const std::array<Expr, 3> x = currents(eq);
  const bool free = free_currents(eq).size() == 3;
  if (free && !eq.has(L_0)) eq.refuse("L_0 is needed: the zero sequence can have a current");
  if (!free && eq.has(L_0)) eq.note("L_0 has no effect: the star point is isolated");
  const Expr zero = (x[0] + x[1] + x[2]) / 3;
  return free ? 1.5 * eq[L_0] * zero * zero : Expr(0);
}

RotorAxes to_axes(const std::array<Expr, 3>& x, const Expr& angle) {
  constexpr double third = 2 * std::numbers::pi / 3;
  RotorAxes axes{0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    const double shift = k == 2 ? -third : third * static_cast<double>(k);
    axes.d += x[k] * cos(angle - shift) * 2 / 3;
    axes.q -= x[k] * sin(angle - shift) * 2 / 3;
  }
  return axes;
}

}  // namespace coenergy::domains::converters
