#pragma once
#include <string>

namespace coenergy::tests {

/// What most tests of the command line run: 5 V on 10 ohm and 1 mF, a time constant of 10 ms.
inline const std::string charged_capacitor =
    "model: a capacitor is charged\n"
    "parameters: {Rtotal: 10 ohm}\n"
    "components:\n"
    "  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}\n"
    "  R1: {type: electrical.Resistor, p: a, n: b, R: Rtotal}\n"
    "  C1: {type: electrical.Capacitor, p: b, n: gnd, C: 1 mF}\n";

}  // namespace coenergy::tests
