#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Switch between two resistances, controlled by a signal, with located events and finite transition times.
///
/// It closes when `control` rises above threshold + hysteresis and opens when it falls below threshold − hysteresis.
/// From that instant the closed fraction f runs linearly to 1 within `rise`, or to 0 within `fall`; the resistance is
///
///   resistance   R = R_on f + R_off (1 − f)                (the ramp of the class-E comparison)
///   logarithmic  R = R_off (R_on/R_off)^f
///
/// v = v_p − v_n (V), i from p to n (A). Turns v i into heat.
struct Switch {
  Pin p, n;
  Parameter control, threshold, hysteresis, R_on, R_off, rise, fall, initial;
  Choice ramp;
  Discrete closed, since, from;

  void describe(Description& d);
  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::resistive}}; }
  void equations(Equations& eq) const;

 private:
  Expr write_fraction(Equations& eq) const;
};

}  // namespace coenergy::domains::electrical
