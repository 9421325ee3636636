#pragma once
#include "coenergy/domains/drives/axes.hpp"

namespace coenergy::domains::drives {

/// Six-step commutation of a brushless machine by the angle θ of its rotor: of the phases that shift by 120° one carries the
/// current i, one −i, and one none, for 60° each:
///
///   i_a = i for 30° < θ < 150°, −i for 210° < θ < 330°, else 0;   i_b, i_c 120° and 240° later
///
/// so that by trapezoidal voltages with flat parts of 120° about 90° the torque is 2 k_e i. The edges are located.
struct SixStep {
  Parameter angle, current;

  void describe(Description& d) {
    d.name("drives.SixStep", "six-step commutation: currents i_a, i_b, i_c by the angle of the rotor");
    d.parameter(angle, "angle", "rad", "electrical angle of the rotor").varying();
    d.parameter(current, "current", "any", "current (or voltage) of the two phases that conduct").varying();
    for (const char* name : {"a", "b", "c"}) d.output(name, "", std::string("of phase ") + name);
  }

  void equations(Equations& eq) const {
    constexpr double pi = std::numbers::pi;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string phase(1, static_cast<char>('a' + k));
      const Expr s = sin(eq[angle] - 2 * pi / 3 * static_cast<double>(k));
      const Expr up = eq.relation(phase + " up", s - 0.5), down = eq.relation(phase + " down", -s - 0.5);
      eq.output(phase, "", (up - down) * eq[current]);
    }
  }
};

}  // namespace coenergy::domains::drives
