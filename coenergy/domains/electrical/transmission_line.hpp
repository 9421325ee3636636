#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Line without loss: waves that travel without distortion (F. H. Branin, "Transient analysis of lossless transmission
/// lines", Proc. IEEE 55, 1967).
///
///   w1 = v1 + Z0 i1,  w2 = v2 + Z0 i2                         waves that leave the ends, V
///   v1 − Z0 i1 = w2(t − delay),  v2 − Z0 i2 = w1(t − delay)
///
/// v1 = v_p1 − v_n1 and v2 = v_p2 − v_n2; i1 and i2 enter at p1 and p2 and leave at n1 and n2: the conductors of an end
/// carry opposite currents, and the two ends share no potential. Where nothing moves v1 = v2 and i1 = −i2. The waves
/// store ∫ (w1² + w2²)/(4 Z0) over the last delay: `energy` counts from the start. Before the start of a run from given
/// values w1 and w2 were those of v1_0, i1_0, v2_0, i2_0; a steady start has its own.
struct TransmissionLine {
  Pin p1, n1, p2, n2;
  Parameter Z0, delay, v1_0, i1_0, v2_0, i2_0;
  Algebraic i1, i2;
  State energy;

  void describe(Description& d) {
    d.name("electrical.TransmissionLine", "line without loss: v1 - Z0 i1 = (v2 + Z0 i2) one travel time ago");
    d.port(p1, "p1", "positive pin of end 1");
    d.port(n1, "n1", "negative pin of end 1");
    d.port(p2, "p2", "positive pin of end 2");
    d.port(n2, "n2", "negative pin of end 2");
    d.parameter(Z0, "Z0", "ohm", "characteristic impedance").positive();
    d.parameter(delay, "delay", "s", "travel time").positive();
    d.parameter(v1_0, "v1_0", "V", "voltage of end 1 before the start").fallback("0 V");
    d.parameter(i1_0, "i1_0", "A", "current into p1 before the start").fallback("0 A");
    d.parameter(v2_0, "v2_0", "V", "voltage of end 2 before the start").fallback("0 V");
    d.parameter(i2_0, "i2_0", "A", "current into p2 before the start").fallback("0 A");
    d.variable(i1, "i1", "A", "current into p1");
    d.variable(i2, "i2", "A", "current into p2");
    d.variable(energy, "energy", "J", "energy of the waves, less that at the start");
    d.output("arrived_1", "", "number of jumps and bends that have arrived at end 1, from -1");
    d.output("arrived_2", "", "the same at end 2");
    d.output("v1", "V", "voltage from p1 to n1");
    d.output("v2", "V", "voltage from p2 to n2");
  }

  std::vector<Branch> branches(Equations&) const {
    return {{p1, n1, BranchKind::resistive}, {p2, n2, BranchKind::resistive}};
  }

  void equations(Equations& eq) const {
    // the delay is built in: how far back is to be known before the run
    const double T = eq.number(delay);
    const Expr v1 = eq[p1] - eq[n1], v2 = eq[p2] - eq[n2], w1 = v1 + eq[Z0] * eq[i1], w2 = v2 + eq[Z0] * eq[i2];
    const Expr to_2 = eq.delayed("arrived_2", w1, T, T, eq[v1_0] + eq[Z0] * eq[i1_0]);
    const Expr to_1 = eq.delayed("arrived_1", w2, T, T, eq[v2_0] + eq[Z0] * eq[i2_0]);
    eq.zero(i1, v1 - eq[Z0] * eq[i1] - to_1);
    eq.zero(i2, v2 - eq[Z0] * eq[i2] - to_2);
    eq.through(p1, eq[i1]);
    eq.through(n1, -eq[i1]);
    eq.through(p2, eq[i2]);
    eq.through(n2, -eq[i2]);
    eq.zero(energy, eq.der(energy) - ((w1 - to_2) * (w1 + to_2) + (w2 - to_1) * (w2 + to_1)) / (4 * eq[Z0]));
    eq.stored(eq[energy]);
    eq.output("v1", "V", v1);
    eq.output("v2", "V", v2);
  }
};

}  // namespace coenergy::domains::electrical
