#pragma once
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

/// Small machines around one component x each, of one-dimensional mechanics and fluids: what its outputs have to be.
namespace coenergy::tests {

constexpr double pi = std::numbers::pi, air = 101325;

struct Machine {
  std::string type, entries;  ///< of x
  std::string others;         ///< further components
  double time;
  std::vector<std::pair<std::string, double>> values;  ///< outputs of x at that time
  double tolerance = 1e-7;  ///< of the value's size: the run's tolerance of 1e-9 and its steps
};

/// A thing moved by s = 0.2 m + 3 m/s t against the ground.
inline const std::string moved = "d: {type: mechanical.TranslationalMotion, flange: n, s: 0.2 m + 3 m/s*time}";
inline const std::string turned = "d: {type: mechanical.RotationalMotion, flange: n, phi: 0.2 rad + 3 rad/s*time}";

inline std::vector<Machine> mechanical_machines() {
  std::vector<Machine> all{
      {"mechanical.Inertia",
       "J: 2 kg.m2, phi0: 0.5 rad, w0: 1 rad/s",
       "f: {type: mechanical.Torque, flange: x, tau: 3 N.m}",
       2,
       {{"phi", 5.5}, {"w", 4}, {"a", 1.5}}},
      {"mechanical.Mass",
       "m: 2 kg, s0: 0.5 m, v0: 1 m/s",
       "f: {type: mechanical.Force, flange: x, f: 3 N}",
       2,
       {{"s", 5.5}, {"v", 4}, {"a", 1.5}}},
      {"mechanical.Clearance", "a: n, b: ground, k: 10 N.m/rad, play: 0.4 rad", turned, 0.1, {{"phi", 0.5}}},
      {"mechanical.IdealGear",
       "a: n, b: J, ratio: 2",
       "J: {type: mechanical.Inertia, J: 5 kg.m2}, f: {type: mechanical.Torque, flange: n, tau: 3 N.m}",
       0.1,
       {{"tau", 3}}},
      {"mechanical.RackPinion",
       "pinion: n, rack: m, r: 0.5 m/rad",
       "m: {type: mechanical.Mass, m: 2 kg}, f: {type: mechanical.Torque, flange: n, tau: 3 N.m}",
       0.1,
       {{"f", -6}}},
  };
  for (const bool turns : {false, true}) {
    const std::string kind = turns ? "mechanical.Rotational" : "mechanical.Translational", f = turns ? "tau" : "f";
    const std::string s = turns ? "phi" : "s", rad = turns ? "rad" : "m", N = turns ? "N.m" : "N";
    const std::string move = turns ? turned : moved;
    all.push_back({kind + "Spring", "a: ground, b: n, k: 4, rest: 0.1", move, 0.5, {{f, 6.4}, {"delta", 1.6}}});
    all.push_back({kind + "Damper", "a: ground, b: n, d: 2", move, 0.5, {{f, 6}}});
    all.push_back(
        {kind + "SpringDamper", "a: ground, b: n, k: 4, d: 2, rest: 0.1", move, 0.5, {{f, 12.4}, {"delta", 1.6}}});
    all.push_back({kind + "Friction", "a: ground, b: n, coulomb: 2, d: 0.5", move, 0.5, {{f, 3.5}}});
    all.push_back({kind + "Stop", "a: ground, b: n, upper: 1.5, stop_stiffness: 10", move, 0.5, {{"delta", 1.7}}});
    const std::string part = turns ? "mechanical.Inertia, shaft: n, J: 2" : "mechanical.Mass, flange: n, m: 2";
    all.push_back({turns ? "mechanical.Torque" : "mechanical.Force",
                   "flange: n, " + f + ": 3 " + N,
                   "m: {type: " + part + "}",
                   0.5,
                   {{f, 3}}});
    all.push_back({kind + "Motion",
                   "flange: n, " + s + ": 1.5 " + rad + "/s^2*time^2",
                   "m: {type: " + part + "}",
                   0.5,
                   {{f, 6}, {"lambda", -6}}});
    all.push_back({kind + "Fixed",
                   "flange: n, " + s + ": 0.6",
                   "s: {type: " + kind + "Spring, a: ground, b: n, k: 4, rest: 0.1}",
                   0.5,
                   {{f, 2}, {"lambda", -2}}});
  }
  return all;
}

inline std::vector<Machine> hydraulic_machines() {
  const std::string feed =
      "P: {type: hydraulic.PressureSource, a: a, p: 30 bar}, T: {type: hydraulic.Tank, a: b, p: 5 bar}";
  const double K = 0.7 * 2e-6 * std::sqrt(2 / 870.0), flow = K * 25e5 / std::pow(25e5 * 25e5 + 1e6, 0.25);
  const double Z = std::sqrt(1.4e9 * 870) / 1e-4, seat = pi / 4 * 1e-4;
  const double cone = pi * 0.01 * 1e-3 * 0.5 * (1 - 1e-3 * std::sin(pi / 3) / 0.02);
  const double precharge = 40e5 + air, oil = 0.5e-3 * (1 - std::pow(precharge / (60e5 + air), 1 / 1.3));
  return {
      {"hydraulic.Volume",
       "a: a, V: 1 l, beta: 1 GPa, p0: 2 bar",
       "q: {type: hydraulic.FlowSource, a: a, q: 0.02 l/s}",
       0.5,
       {{"p", 2e5 + 1e7}, {"q", 2e-5}, {"void", 0}}},
      {"hydraulic.Volume",
       "a: a, V: 1 l, beta: 1 GPa",
       "q: {type: hydraulic.FlowSource, a: a, q: -0.2 l/s}",
       0.5,
       {{"void", 0.1 - air / 1e9}}},
      {"hydraulic.Accumulator",
       "a: a, V: 0.5 l, precharge: 40 bar, p0: 60 bar",
       "q: {type: hydraulic.FlowSource, a: a, q: 1 l/s}",
       0,
       {{"p", 60e5}, {"V_oil", oil}, {"q", 1e-3}}},
      {"hydraulic.Orifice", "a: a, b: b, area: 2 mm2", feed, 0, {{"q", flow}, {"dp", 25e5}}},
      {"hydraulic.CheckValve", "a: a, b: b, area: 2 mm2", feed, 0, {{"q", flow}, {"opening", 1}}},
      {"hydraulic.ReliefValve", "a: a, b: b, area: 2 mm2, p_set: 20 bar", feed, 0, {{"q", flow / 2}, {"opening", 0.5}}},
      {"hydraulic.ServoValve",
       "p: a, t: b, a: c, b: d, area: 2 mm2, u: 0.5",
       feed + ", C: {type: hydraulic.Tank, a: c, p: 5 bar}, D: {type: hydraulic.PressureSource, a: d, p: 30 bar}",
       0,
       {{"q_a", flow / 2}, {"q_b", -flow / 2}}},
      {"hydraulic.PressureSource",
       "a: a, p: 30 bar",
       "o: {type: hydraulic.Orifice, a: a, b: b, area: 2 mm2}, T: {type: hydraulic.Tank, a: b, p: 5 bar}",
       0,
       {{"q", flow}, {"p", 30e5}}},
      {"hydraulic.Tank",
       "a: b, p: 5 bar",
       "o: {type: hydraulic.Orifice, a: a, b: b, area: 2 mm2}, P: {type: hydraulic.PressureSource, a: a, p: 30 bar}",
       0,
       {{"q", flow}}},
      {"hydraulic.FlowSource",
       "a: a, q: 0.1 l/s",
       "t: {type: hydraulic.Tank, a: a, p: 5 bar}",
       0,
       {{"q", 1e-4}, {"p", 5e5}}},
      {"hydraulic.PumpMotor",
       "a: a, b: b, shaft: n, D: 2 cm3/rad, leakage: 1e-12, d: 0.5",
       feed + ", " + turned,
       0,
       {{"q", 6e-6 + 2.5e-6}, {"tau", -5 + 1.5}, {"dp", -25e5}}},
      {"hydraulic.FlowControlValve",
       "a: a, b: b, q_set: 0.01 l/s, area: 2 mm2",
       feed,
       0,
       {{"q", 1e-5}, {"dp", 25e5}, {"regulates", 1}}},
      {"hydraulic.FlowControlValve", "a: b, b: a, q_set: 0.01 l/s, area: 2 mm2", feed, 0, {{"q", -flow}}},
      {"hydraulic.IdealCheckValve",
       "a: a, b: b, R: 2.5e10",
       feed,
       0,
       {{"q", 1e-4}, {"dp", 25e5}, {"open", 1}, {"s", 0.1}}},
      {"hydraulic.IdealCheckValve", "a: b, b: a", feed, 0, {{"q", -25e5 * 1e-16}, {"open", 0}, {"s", -25}}},
      {"hydraulic.IdealReliefValve",
       "a: a, b: b, p_set: 20 bar, R: 5e9, leakage: 1e-12",
       feed,
       0,
       {{"q", 1e-4 + 2e-6}, {"dp", 25e5}, {"open", 1}, {"s", 0.1}}},
      {"hydraulic.Poppet",
       "a: a, b: b, poppet: n, seat: 10 mm, angle: 30 deg",
       feed + ", d: {type: mechanical.TranslationalMotion, flange: n, s: 1 mm + 2 mm/s*time}",
       0,
       {{"x", 1e-3},
        {"area", cone},
        {"f", seat * 25e5 - 1.4 * cone * std::cos(pi / 6) * 25e5},
        {"q", flow * cone / 2e-6 + seat * 2e-3}}},
      {"hydraulic.Spool",
       "p: a, t: b, a: c, b: e, x: a, y: b, spool: n, width: 10 mm, pilot_area: 50 mm2, overlap: 0.5 mm",
       feed + ", C: {type: hydraulic.Tank, a: c, p: 5 bar}, E: {type: hydraulic.PressureSource, a: e, p: 30 bar}, d: "
              "{type: "
              "mechanical.TranslationalMotion, flange: n, s: 1 mm + 2 mm/s*time}",
       0,
       {{"x", 1e-3},
        {"q_a", flow * 5e-6 / 2e-6},
        {"q_b", -flow * 5e-6 / 2e-6},
        {"f", 25e5 * 50e-6 - 2 * 1.4 * 5e-6 * std::cos(69 * pi / 180) * 25e5}}},
      {"hydraulic.IdealCylinder",
       "a: a, b: b, rod: n, A_a: 10 cm2, A_b: 6 cm2",
       feed + ", " + moved,
       0,
       {{"v", 3}, {"f", 3000 - 300}, {"q_a", 3e-3}, {"q_b", -1.8e-3}}},
      {"hydraulic.Inertance",
       "a: a, b: b, length: 1 m, area: 1 cm2",
       feed,
       0.1,
       {{"q", 25e5 * 0.1 / 8.7e6}, {"dp", 25e5}}},
      // the first wave is on its way to b
      {"hydraulic.Line",
       "a: a, b: b, length: 10 m, area: 1 cm2, p0: 5 bar",
       feed,
       0.005,
       {{"q_a", 25e5 / Z},
        {"q_b", 0},
        {"energy", 30e5 * 25e5 / Z * 0.005},
        {"delay", 10 / std::sqrt(1.4e9 / 870)},
        {"Z", Z},
        {"arrived_a_input", 5e5},
        {"arrived_b_input", 55e5},
        {"arrived_a", -1},
        {"arrived_b", -1}}},
      // held at 3 m/s: forces by the pressures, ṗ by the motion
      {"hydraulic.Cylinder",
       "a: a, b: b, rod: n, A_a: 10 cm2, A_b: 6 cm2, stroke: 2 m, d: 100 N.s/m, p_a0: 20 bar, p_b0: 30 bar",
       moved,
       0,
       {{"x", 0.2}, {"v", 3}, {"f", 2000 - 1800 - 300}, {"p_a", 20e5}, {"p_b", 30e5}, {"void_a", 0}, {"void_b", 0}}},
  };
}

inline std::vector<Machine> pneumatic_machines() {
  const std::string feed =
      "P: {type: pneumatic.Reservoir, a: a, p: 6 bar}, T: {type: pneumatic.Reservoir, a: b, p: 1 bar}";
  constexpr double RT = 287.05 * 293.15;
  // Saint-Venant and Wantzel at the critical ratio: √κ (2/(κ + 1))^{(κ + 1)/(2 (κ − 1))}
  const double choked = 0.8 * 2e-6 * 6e5 / std::sqrt(RT) * std::sqrt(1.4) * std::pow(2 / 2.4, 3);
  return {
      {"pneumatic.Volume",
       "a: a, V: 1 l, p0: 2 bar",
       "q: {type: pneumatic.FlowSource, a: a, m_flow: 1e-4 kg/s}",
       0.5,
       {{"p", 2e5 + RT * 0.05}, {"m_flow", 1e-4}, {"mass", 2e5 * 1e-3 / RT + 5e-5}}},
      {"pneumatic.Orifice", "a: a, b: b, area: 2 mm2", feed, 0, {{"m_flow", choked}, {"choked", 1}}},
      {"pneumatic.DirectionalValve",
       "p: a, t: b, a: c, b: e, area: 2 mm2, u: 0.5",
       feed + ", C: {type: pneumatic.Reservoir, a: c, p: 1 bar}, E: {type: pneumatic.Reservoir, a: e, p: 6 bar}",
       0,
       {{"m_flow_a", choked / 2}, {"m_flow_b", -choked / 2}}},
      {"pneumatic.Reservoir",
       "a: a, p: 6 bar",
       "o: {type: pneumatic.Orifice, a: a, b: b, area: 2 mm2}, T: {type: pneumatic.Reservoir, a: b, p: 1 bar}",
       0,
       {{"p", 6e5}, {"m_flow", choked}}},
      {"pneumatic.FlowSource",
       "a: a, m_flow: 1e-4 kg/s",
       "T: {type: pneumatic.Reservoir, a: a, p: 3 bar}",
       0,
       {{"m_flow", 1e-4}, {"p", 3e5}}},
      {"pneumatic.Cylinder",
       "a: a, b: b, rod: n, A_a: 10 cm2, A_b: 6 cm2, stroke: 2 m, d: 100 N.s/m, p_a0: 4 bar, p_b0: 3 bar",
       moved,
       0,
       {{"x", 0.2}, {"v", 3}, {"f", (4e5 - air) * 1e-3 - (3e5 - air) * 6e-4 - 300}, {"p_a", 4e5}, {"p_b", 3e5}}},
  };
}

}  // namespace coenergy::tests
