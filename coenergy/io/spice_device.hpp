#pragma once
#include <string>
#include <vector>

#include "coenergy/io/spice_arguments.hpp"

namespace coenergy::io::spice {

/// The word that names the model; it counts as read.
Token take_model(const Element& e, Arguments& a);
/// Number of equal devices in parallel: m= of the element and of the subcircuits that it stands in.
double take_multiplier(Expander& x, const Element& e, Arguments& a);
/// Area factor: a word behind the model, or area=.
double take_area(Expander& x, const Element& e, Arguments& a);

/// A resistor in series with a pin of a device; returns the node behind it.
std::string add_series(Expander& x, const Element& e, const std::string& outside, double R, const char* name,
                       const Location& where);

/// The conductance across junctions, where .options gives it.
void add_gmin(Expander& x, const Element& e, Entries& entries);

/// Noise of a device with the flicker of its model, KF and AF, of which there are so many in parallel.
void add_device_noise(Expander& x, ModelValues& m, Netlist::NoiseSource source, double multiplier);

/// Parameters that have no part in what is computed here.
const std::vector<std::string>& ratings();

/// The temperature of a device and that of its parameters, °C.
struct Temperatures {
  double own, nominal;

  bool differ() const { return own != nominal; }
};
Temperatures take_temperatures(Expander& x, const Element& e, Arguments& a, ModelValues& m);

}  // namespace coenergy::io::spice
