#pragma once
#include "tests/output_machines.hpp"

/// The same of circuits: 10 V feed node a, 6 ohm lead from it to b, unless told otherwise.
namespace coenergy::tests {

inline std::vector<Machine> source_machines() {
  const std::string load = "r: {type: electrical.Resistor, p: a, n: gnd, R: 5 ohm}";
  std::vector<Machine> all{
      {"electrical.VoltageSource", "p: a, n: gnd, v: 10 V", load, 0, {{"v", 10}, {"i", -2}}},
      {"electrical.CurrentSource", "p: a, n: gnd, i: 2 A", load, 0, {{"v", -10}, {"i", 2}}},
      {"electrical.Pwm",
       "duty: 0.3, period: 1 s, low: -1, high: 2",
       "",
       0.2,
       {{"y", 2}, {"on", 1}, {"k", 1}, {"held", 0.3}}},
  };
  for (const bool current : {false, true}) {
    const std::string unit = current ? " A" : " V", kind = current ? "Current" : "Voltage";
    // at 0.25 s half way up to 4; the currents of a source and of its load are opposite
    const double v = current ? -10 : 2, i = current ? 2 : -0.4;
    all.push_back({"electrical.Pulse" + kind,
                   "p: a, n: gnd, high: 4" + unit + ", delay: 0.2 s, rise: 0.1 s, width: 1 s",
                   load,
                   0.25,
                   {{"v", v}, {"i", i}, {"n", 1}}});
    all.push_back({"electrical.Pwl" + kind,
                   "p: a, n: gnd, times: [0 s, 0.2 s, 0.3 s], values: [0" + unit + ", 0" + unit + ", 4" + unit + "]",
                   load,
                   0.25,
                   {{"v", v}, {"i", i}, {"n", 2}}});
  }
  return all;
}

inline std::vector<Machine> element_machines() {
  const std::string feed = "s: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}, ";
  const std::string lead = feed + "r: {type: electrical.Resistor, p: a, n: b, R: 6 ohm}";
  const std::string push = "s: {type: electrical.CurrentSource, p: gnd, n: b, i: 2 A}";
  return {
      {"electrical.Resistor", "p: b, n: gnd, R: 4 ohm", lead, 0, {{"v", 4}, {"i", 1}}},
      {"electrical.Voltmeter",
       "p: a, n: b",
       lead + ", t: {type: electrical.Resistor, p: b, n: gnd, R: 4 ohm}",
       0,
       {{"v", 6}}},
      {"electrical.Ground", "p: b", lead, 0, {{"i", 10.0 / 6}}},
      {"electrical.TemperatureDependentResistor",
       "p: b, n: gnd, R: 2 ohm, TC1: 0.02 1/K, T: 350.15 K",
       lead,
       0,
       {{"v", 4}, {"i", 1}, {"R", 4}}},
      {"electrical.NonlinearResistor", "p: b, n: gnd, i: \"0.0625 A/V^2*x.v^2\"", lead, 0, {{"v", 4}, {"i", 1}}},
      {"electrical.Capacitor", "p: b, n: gnd, C: 0.5 F, v0: 3 V", push, 0.5, {{"v", 5}, {"i", 2}}},
      {"electrical.NonlinearCapacitor",
       "p: b, n: gnd, charge: \"0.5 F*x.v + 0.1 F/V*x.v^2\", v0: 3 V",
       push,
       0,
       {{"v", 3}, {"i", 2}, {"q", 2.4}}},
      {"electrical.Inductor",
       "p: a, n: gnd, L: 2 H, i0: 1 A",
       "s: {type: electrical.VoltageSource, p: a, n: gnd, v: 3 V}",
       0.5,
       {{"v", 3}, {"i", 1.75}}},
      {"electrical.NonlinearInductor",
       "p: a, n: gnd, flux: \"2 H*x.i + 0.5 Wb/A^2*x.i^2\", i0: 1 A",
       "s: {type: electrical.VoltageSource, p: a, n: gnd, v: 3 V}",
       0,
       {{"v", 3}, {"i", 1}, {"phi", 2.5}}},
      {"electrical.IdealDiode",
       "p: b, n: gnd, V_f: 1 V, R_on: 3 ohm",
       lead,
       0,
       {{"v", 4}, {"i", 1}, {"s", 1}, {"conducting", 1}}},
      {"electrical.IdealDiode",
       "p: gnd, n: b, G_off: 0 S",
       lead,
       0,
       {{"v", -10}, {"i", 0}, {"s", -10}, {"conducting", 0}}},
      {"electrical.IdealSwitch", "p: b, n: gnd, control: 1, R_on: 4 ohm", lead, 0, {{"v", 4}, {"i", 1}, {"closed", 1}}},
      {"electrical.SmoothSwitch", "p: b, n: gnd, control: 1, R_on: 4 ohm", lead, 0, {{"v", 4}, {"i", 1}, {"R", 4}}},
      {"electrical.Switch",
       "p: b, n: gnd, control: \"time > 0.2 s ? 1 : 0\", R_on: 4 ohm, rise: 0.1 s",
       lead,
       0.5,
       {{"v", 4}, {"i", 1}, {"R", 4}, {"closed", 1}, {"since", 0.2}, {"from", 0}}},
      {"electrical.IdealTransformer",
       "p1: b, n1: gnd, p2: c, n2: gnd, n: 2",
       lead + ", t: {type: electrical.Resistor, p: c, n: gnd, R: 1 ohm}",
       0,
       {{"v1", 4}, {"v2", 2}, {"i1", 1}, {"i2", -2}}},
      // a resistor of 1 ohm behind it looks like 1/(G² R) = 4 ohm
      {"electrical.Gyrator",
       "p1: b, n1: gnd, p2: c, n2: gnd, G: 0.5 S",
       lead + ", t: {type: electrical.Resistor, p: c, n: gnd, R: 1 ohm}",
       0,
       {{"v1", 4}, {"v2", 2}, {"i1", 1}, {"i2", -2}}},
      // until the first wave comes back the line looks like its impedance: w1 = 8 V, w1²/(4 Z0) = 4 W
      {"electrical.TransmissionLine",
       "p1: b, n1: gnd, p2: c, n2: gnd, Z0: 4 ohm, delay: 0.1 s",
       lead + ", t: {type: electrical.Resistor, p: c, n: gnd, R: 1 ohm}",
       0.05,
       {{"v1", 4}, {"v2", 0}, {"i1", 1}, {"i2", 0}, {"energy", 0.2}, {"arrived_1", -1}, {"arrived_2", -1}}},
      {"electrical.Coupling",
       "a: l, b: m, k: 0.5",
       "l: {type: electrical.Inductor, p: a, n: gnd, L: 2 H}, m: {type: electrical.Inductor, p: b, n: gnd, L: 8 H}, " +
           lead,
       0,
       {{"M", 2}}},
      // both voltages rise by 2 V/s
      {"electrical.MutualCapacitance",
       "a: c, b: d, C: 0.5 F",
       "c: {type: electrical.Capacitor, p: a, n: gnd, C: 2 F}, d: {type: electrical.Capacitor, p: a, n: gnd, C: 3 F}, "
       "s: {type: electrical.VoltageSource, p: a, n: gnd, v: 2 V/s*time}",
       0.5,
       {{"i_a", 1}, {"i_b", 1}}},
      // a rotor that turns by 3 rad/s induces 0.4 Wb/rad · 3 rad/s
      {"electrical.PermanentMagnet",
       "winding: l, flux: 0.4 Wb/rad*n.phi",
       "l: {type: electrical.Inductor, p: a, n: gnd, L: 2 H}, t: {type: electrical.Resistor, p: a, n: gnd, R: 1 "
       "ohm}, " +
           turned,
       0.5,
       {{"phi", 0.4 * 1.7}, {"v", 1.2}}},
  };
}

}  // namespace coenergy::tests
