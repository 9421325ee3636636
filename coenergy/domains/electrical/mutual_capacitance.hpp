#pragma once
#include "coenergy/domains/electrical/storage.hpp"

namespace coenergy::domains::electrical {

/// Mutual capacitance of two capacitors a and b, in one circuit or in two: q_a += C v_b, q_b += C v_a.
///
/// C (F) may be negative, as mutual capacitances of conductors are, and may vary with time and with coordinates of a
/// mechanism. |C| ≤ √(C_a C_b) at all times; with more than one mutual capacitance the matrix of all must be positive
/// definite for voltages that are free.
///
/// Energy: C v_a v_b is stored. Where C depends on coordinates of a mechanism, the forces v_a v_b ∂C/∂q act on them.
struct MutualCapacitance {
  Choice a, b;
  Parameter C;

  void describe(Description& d) {
    d.name("electrical.MutualCapacitance",
           "mutual capacitance of two capacitors: i_a += d(C v_b)/dt, i_b += d(C v_a)/dt");
    d.choice(a, "a", {}, "name of a capacitor");
    d.choice(b, "b", {}, "name of another capacitor");
    d.parameter(C, "C", "F", "mutual capacitance").varying();
    d.output("i_a", "A", "current added to capacitor a");
    d.output("i_b", "A", "current added to capacitor b");
  }

  void equations(Equations& eq) const {
    const std::string first = eq[a], second = eq[b];
    if (first == second) eq.refuse("a and b are both " + first + "; a mutual capacitance needs two capacitors");
    // charges v_a C_a + v_b C of the energy ½ C_a v_a² + C v_a v_b + ½ C_b v_b², which is not negative
    const auto C_a = eq.parameter(first, "C"), C_b = eq.parameter(second, "C");
    if (C_a && C_b)
      eq.require("size", eq[C] * eq[C] - *C_a * *C_b,
                 "its size exceeds the root of the capacitances of " + first + " and " + second +
                     ": their energy would be negative at some voltages");
    const Expr v_a = eq.signal(first + ".v"), v_b = eq.signal(second + ".v");
    const Expr i_a = eq.time_derivative(eq[C] * v_b), i_b = eq.time_derivative(eq[C] * v_a);
    eq.add_to_port(first, "p", i_a);
    eq.add_to_port(first, "n", -i_a);
    eq.add_to_port(second, "p", i_b);
    eq.add_to_port(second, "n", -i_b);
    eq.add_to_output(first, "i", i_a);
    eq.add_to_output(second, "i", i_b);
    write_mutual_storage(eq, eq[C], v_a, v_b);
    eq.output("i_a", "A", i_a);
    eq.output("i_b", "A", i_b);
  }
};

}  // namespace coenergy::domains::electrical
