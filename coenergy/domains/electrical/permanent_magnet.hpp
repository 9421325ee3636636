#pragma once
#include "coenergy/domains/electrical/storage.hpp"

namespace coenergy::domains::electrical {

/// Permanent magnet that sends flux through a winding, an inductor known by its name: φ_winding += flux.
///
/// The flux linkage (Wb) depends on where the magnet is, by coordinates of a mechanism: the winding gets the voltage
/// dφ/dt, and the coordinates get the forces i ∂φ/∂q. `energy` (J) is the co-energy of the magnet with the winding
/// without current; its derivatives are the cogging forces (Sass 2004). A magnet that acts on
/// several windings is written once for each; the cogging energy belongs to one of them.
///
/// Energy: none is stored but −energy, which the cogging forces draw on.
struct PermanentMagnet {
  Choice winding;
  Parameter flux, energy;

  void describe(Description& d) {
    d.name("electrical.PermanentMagnet", "permanent magnet: v_winding += d(flux)/dt, forces i d(flux)/dq");
    d.choice(winding, "winding", {}, "name of an inductor");
    d.parameter(flux, "flux", "Wb", "flux linkage of the winding, an expression of coordinates").varying();
    d.parameter(energy, "energy", "J", "co-energy without current, for cogging forces").fallback("0 J").varying();
    d.output("phi", "Wb", "flux linkage");
    d.output("v", "V", "voltage induced in the winding");
  }

  void equations(Equations& eq) const {
    const std::string name = eq[winding];
    const Expr v = eq.time_derivative(eq[flux]), i = eq.signal(name + ".i");
    eq.add_to_row(name, "i", v);
    // what moves the flux other than the mechanism supplies the rest
    eq.supplied(eq.coenergy(eq[flux] * i) - v * i);
    eq.stored(-eq[energy]);
    eq.supplied(eq.coenergy(eq[energy]) - eq.time_derivative(eq[energy]));
    eq.output("phi", "Wb", eq[flux]);
    eq.output("v", "V", v);
  }
};

}  // namespace coenergy::domains::electrical
