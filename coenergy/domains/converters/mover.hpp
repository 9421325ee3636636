#pragma once
#include "coenergy/domains/coenergy.hpp"

namespace coenergy::domains::converters {

/// What converters with a straight motion share: the flange moves by x against the support (without one: the ground).
struct Mover {
  Translational flange, support;

  void describe(Description& d, const char* what) {
    d.port(flange, "flange", what);
    d.port(support, "support", "the part that takes the reaction; without it the ground").optional();
    d.output("x", "m", "position of the flange against the support");
    d.output("f", "N", "force on the flange");
  }
  Expr position(Equations& eq) const { return eq[flange] - eq[support]; }
  Expr speed(Equations& eq) const { return eq.der(flange) - eq.der(support); }
  void apply(Equations& eq, const Expr& force) const {
    eq.through(flange, -force);
    eq.through(support, force);
  }
  void outputs(Equations& eq, const Expr& force) const {
    eq.output("x", "m", position(eq));
    eq.output("f", "N", force);
  }
};

}  // namespace coenergy::domains::converters
