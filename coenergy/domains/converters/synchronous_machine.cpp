#include "coenergy/domains/converters/synchronous_machine.hpp"

#include "coenergy/base/names.hpp"

namespace coenergy::domains::converters {

void SynchronousMachine::describe(Description& d) {
  d.name("converters.SynchronousMachine",
         "synchronous machine with a field winding: torque = 3/2 p (psi_d i_q - psi_q i_d)");
  stator.describe(d, "", "stator");
  d.port(fp, "fp", "positive pin of the field winding");
  d.port(fn, "fn", "negative pin of the field winding");
  rotor.describe(d);
  rotor.describe_poles(d);
  d.parameter(L_d, "L_d", "H", "synchronous inductance of the direct axis").positive();
  d.parameter(L_q, "L_q", "H", "synchronous inductance of the quadrature axis").positive();
  d.parameter(L_0, "L_0", "H", "inductance of the zero sequence").positive().optional();
  d.parameter(L_f, "L_f", "H", "inductance of the field winding").positive();
  d.parameter(R_f, "R_f", "ohm", "its resistance").not_negative().fallback("0 ohm").varying();
  d.parameter(M_f, "M_f", "H", "greatest mutual inductance of a stator winding and the field winding").positive();
  d.parameter(L_D, "L_D", "H", "inductance of a damper winding in the direct axis; without it none")
      .positive()
      .optional();
  d.parameter(R_D, "R_D", "ohm", "its resistance").not_negative().fallback("0 ohm");
  d.parameter(M_D, "M_D", "H", "greatest mutual inductance of a stator winding and the damper D").fallback("0 H");
  d.parameter(M_fD, "M_fD", "H", "mutual inductance of the field winding and the damper D").fallback("0 H");
  d.parameter(L_Q, "L_Q", "H", "inductance of a damper winding in the quadrature axis; without it none")
      .positive()
      .optional();
  d.parameter(R_Q, "R_Q", "ohm", "its resistance").not_negative().fallback("0 ohm");
  d.parameter(M_Q, "M_Q", "H", "greatest mutual inductance of a stator winding and the damper Q").fallback("0 H");
  d.parameter(i_f0, "i_f0", "A", "field current at the start").fallback("0 A");
  d.variable(i_f, "i_f", "A", "field current from fp to fn").start(i_f0);
  d.output("i_d", "A", "stator current in the direct axis");
  d.output("i_q", "A", "stator current in the quadrature axis");
}

std::vector<Branch> SynchronousMachine::branches(Equations& eq) const {
  std::vector<Branch> all = stator.branches(eq);
  all.push_back({fp, fn, BranchKind::inductive, i_f});
  return all;
}

/// The windings of an axis, of which no currents may have a negative energy.
void SynchronousMachine::check(Equations& eq) const {
  const double d = eq.number(L_d), f = eq.number(L_f), m = eq.number(M_f);
  if (!(1.5 * m * m < d * f))
    eq.refuse("3/2 M_f^2 = " + format_short(1.5 * m * m) + " H2 must be less than L_d L_f = " + format_short(d * f) +
              " H2: some currents would have a negative energy");
  if (!eq.has(L_D) && (eq.number(R_D) != 0 || eq.number(M_D) != 0 || eq.number(M_fD) != 0))
    eq.refuse("R_D, M_D and M_fD belong to a damper winding: give its L_D, too");
  if (!eq.has(L_Q) && (eq.number(R_Q) != 0 || eq.number(M_Q) != 0))
    eq.refuse("R_Q and M_Q belong to a damper winding: give its L_Q, too");
  if (eq.has(L_D)) {
    const double l = eq.number(L_D), md = eq.number(M_D), mf = eq.number(M_fD);
    if (!(d * f * l + 3 * m * md * mf - d * mf * mf - 1.5 * f * md * md - 1.5 * l * m * m > 0) || !(mf * mf < f * l))
      eq.refuse("M_f, M_D and M_fD are too large for L_d, L_f and L_D: some currents would have a negative energy");
  }
  if (eq.has(L_Q) && !(1.5 * eq.number(M_Q) * eq.number(M_Q) < eq.number(L_q) * eq.number(L_Q)))
    eq.refuse("3/2 M_Q^2 must be less than L_q L_Q: some currents would have a negative energy");
}

void SynchronousMachine::equations(Equations& eq) const {
  check(eq);
  std::vector<Expr> currents = stator.free_currents(eq);
  const std::size_t of_stator = currents.size();
  const RotorAxes i = to_axes(stator.currents(eq), rotor.pairs(eq) * make_motion(eq));
  Expr w = 0.75 * (eq[L_d] * i.d * i.d + eq[L_q] * i.q * i.q) + 1.5 * eq[M_f] * i.d * eq[i_f] +
           eq[L_f] * eq[i_f] * eq[i_f] / 2;
  currents.push_back(eq[i_f]);
  w += stator.zero_sequence(eq, L_0);
  struct Damper {
    State current;
    Parameter resistance;
    std::size_t place;
  };
  std::vector<Damper> dampers;
  if (eq.has(L_D)) {
    const State s = eq.make_state("i_D", "A", 0);
    w += eq[L_D] * eq[s] * eq[s] / 2 + 1.5 * eq[M_D] * i.d * eq[s] + eq[M_fD] * eq[i_f] * eq[s];
    dampers.push_back({s, R_D, currents.size()});
    currents.push_back(eq[s]);
  }
  if (eq.has(L_Q)) {
    const State s = eq.make_state("i_Q", "A", 0);
    w += eq[L_Q] * eq[s] * eq[s] / 2 + 1.5 * eq[M_Q] * i.q * eq[s];
    dampers.push_back({s, R_Q, currents.size()});
    currents.push_back(eq[s]);
  }

  // everything else follows
  const Fields fields = write_coenergy(eq, w, currents, rotor.angle(eq));
  stator.equations(eq, std::span(fields.flux).first(of_stator));
  eq.through(fp, eq[i_f]);
  eq.through(fn, -eq[i_f]);
  eq.zero(i_f, eq[R_f] * eq[i_f] + eq.time_derivative(fields.flux[of_stator]) - (eq[fp] - eq[fn]));
  eq.dissipated(eq[R_f] * eq[i_f] * eq[i_f]);
  for (const Damper& damper : dampers) {
    const Expr x = eq[damper.current];
    eq.zero(damper.current, eq[damper.resistance] * x + eq.time_derivative(fields.flux[damper.place]));
    eq.dissipated(eq[damper.resistance] * x * x);
  }
  rotor.equations(eq, fields.force);
  const RotorAxes shown = to_axes(stator.currents(eq), eq[rotor.pole_pairs] * rotor.angle(eq));
  eq.output("i_d", "A", shown.d);
  eq.output("i_q", "A", shown.q);
}

}  // namespace coenergy::domains::converters
