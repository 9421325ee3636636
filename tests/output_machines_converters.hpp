#pragma once
#include <complex>
#include <functional>

#include "tests/output_machines.hpp"

/// The same of converters: shafts and flanges that are moved, phases on sources, currents given at the start.
namespace coenergy::tests {

/// Values of three phases along an axis at an angle and across it.
struct InAxes {
  double d = 0, q = 0;
};
inline InAxes in_axes(double a, double b, double c, double angle) {
  const double third = 2 * pi / 3;
  return {2.0 / 3 * (a * std::cos(angle) + b * std::cos(angle - third) + c * std::cos(angle + third)),
          -2.0 / 3 * (a * std::sin(angle) + b * std::sin(angle - third) + c * std::sin(angle + third))};
}
inline double in_phase(InAxes x, double angle, int phase) {
  const double at = angle - 2 * pi / 3 * phase;
  return x.d * std::cos(at) - x.q * std::sin(at);
}

/// Nodes a, b, c on sources without voltage, so that currents of the start flow on; n turns, or moves.
inline const std::string phases =
    "va: {type: electrical.VoltageSource, p: a, n: gnd, v: 0 V}, vb: {type: electrical.VoltageSource, p: b, n: gnd, "
    "v: 0 V}, vc: {type: electrical.VoltageSource, p: c, n: gnd, v: 0 V}, ";

inline std::vector<Machine> synchronous_machines() {
  // 3, −1 and −2 A at φ = 0.2 rad of two pole pairs
  constexpr double theta = 0.4, L_d = 0.01, L_q = 0.03, psi = 0.5, i_f = 4, M_f = 0.2;
  const auto [d, q] = in_axes(3, -1, -2, theta);
  const std::string stator = "a: a, b: b, c: c, R_s: 0 ohm, i_a0: 3 A, i_b0: -1 A, ";
  const std::string turning = stator + "shaft: n, pole_pairs: 2, ";
  const auto with = [&](std::vector<std::pair<std::string, double>> more) {
    more.insert(more.end(), {{"i_a", 3}, {"i_b", -1}, {"i_c", -2}, {"i_d", d}, {"i_q", q}});
    return more;
  };
  const double angle = pi * 0.2 / 0.3;  // electrical, of a pitch of 0.3 m at x = 0.2 m
  const auto [along, across] = in_axes(3, -1, -2, angle);
  return {
      {"converters.PermanentMagnetMachine",
       turning + "L_d: 10 mH, L_q: 30 mH, psi: 0.5 Wb, cogging: 0.7 N.m, cogging_periods: 6", phases + turned, 0,
       with({{"w", 3}, {"theta", theta}, {"tau", 3 * (psi * q + (L_d - L_q) * d * q) - 0.7 * std::sin(6 * 0.2)}})},
      {"converters.SynchronousReluctanceMachine", turning + "L_d: 30 mH, L_q: 10 mH", phases + turned, 0,
       with({{"w", 3}, {"tau", 3 * (L_q - L_d) * d * q}})},
      {"converters.SynchronousMachine",
       turning + "fp: e, fn: gnd, L_d: 10 mH, L_q: 30 mH, L_f: 20 H, M_f: 0.2 H, i_f0: 4 A",
       phases + "ve: {type: electrical.VoltageSource, p: e, n: gnd, v: 0 V}, " + turned, 0,
       with({{"w", 3}, {"i_f", i_f}, {"tau", 3 * ((L_d * d + M_f * i_f) * q - L_q * q * d)}})},
      {"converters.LinearSynchronousMotor",
       stator + "flange: n, L_d: 10 mH, L_q: 30 mH, psi: 0.5 Wb, pitch: 0.3 m",
       phases + moved,
       0,
       {{"i_a", 3},
        {"i_b", -1},
        {"i_c", -2},
        {"x", 0.2},
        {"i_d", along},
        {"i_q", across},
        {"f", 1.5 * pi / 0.3 * (psi * across + (L_d - L_q) * along * across)}}},
  };
}

/// Without resistance the fluxes of both sides stay what they were, one in the stator, one in the rotor: at 0.5 s the rotor
/// has turned by 1.5 rad, two pole pairs. As complex numbers in axes of the stator, with the inductances of one phase.
inline std::vector<Machine> induction_machines() {
  using Complex = std::complex<double>;
  constexpr double L_m = 0.09, L_s = 0.1, L_r = 0.11, turn = 2 * 1.5, theta = 2 * 1.7, frame = 0.3;
  const InAxes start = in_axes(3, -1, -2, 0);
  const Complex i0(start.d, start.q), stator = L_s * i0, rotor = L_m * i0 * std::polar(1.0, turn);
  const double D = L_s * L_r - L_m * L_m;
  const Complex i_s = (L_r * stator - L_m * rotor) / D, i_r = (L_s * rotor - L_m * stator) / D;
  const double tau = 3 * L_m * (i_s * std::conj(i_r)).imag();
  const auto phase = [](Complex i, int k) { return in_phase({i.real(), i.imag()}, 0, k); };
  const Complex s = i_s * std::polar(1.0, -frame), r = i_r * std::polar(1.0, -frame);
  const Complex own = i_r * std::polar(1.0, -theta);  // in axes of the rotor
  const std::string entries =
      "a: a, b: b, c: c, R_s: 0 ohm, R_r: 0 ohm, i_a0: 3 A, i_b0: -1 A, shaft: n, pole_pairs: 2, ";
  const std::vector<std::pair<std::string, double>> common = {
      {"i_a", phase(i_s, 0)}, {"i_b", phase(i_s, 1)}, {"i_c", phase(i_s, 2)}, {"w", 3}, {"tau", tau}};
  std::vector<Machine> all{{"converters.VectorInductionMachine",
                            entries + "L_m: 90 mH, l_s: 10 mH, l_r: 20 mH, frame: 0.3 rad",
                            phases + turned,
                            0.5,
                            {{"i_sd", s.real()}, {"i_sq", s.imag()}, {"i_rd", r.real()}, {"i_rq", r.imag()}}},
                           {"converters.InductionMachine",
                            entries + "L_s: 80 mH, M_s: -20 mH, L_r: 85 mH, M_r: -25 mH, M_sr: 60 mH",
                            phases + turned,
                            0.5,
                            {{"i_ra", phase(own, 0)}, {"i_rb", phase(own, 1)}, {"i_rc", phase(own, 2)}}}};
  for (Machine& m : all) m.values.insert(m.values.end(), common.begin(), common.end());

  // by its circuit of one phase: 400 V between lines, 50 Hz, 3 rad/s of 50π rad/s
  const double V = 400 / std::sqrt(3.0), w = 100 * pi, X = w * 0.03, slip = 1 - 3 / (50 * pi);
  const double Z = std::hypot(1.5 + 2 / slip, X);
  all.push_back({"converters.SteadyInductionMachine",
                 "shaft: n, voltage: 400 V, frequency: 50 Hz, pole_pairs: 2, R_s: 1.5 ohm, R_r: 2 ohm, L_s: 10 mH, "
                 "L_r: 20 mH",
                 turned,
                 0,
                 {{"w", 3},
                  {"slip", slip},
                  {"i", V / Z},
                  {"tau", 3 * 2 / w * V * V * (2 / slip) / (Z * Z)},
                  {"pullout", 3 * 2 / (2 * w) * V * V / (1.5 + std::hypot(1.5, X))}}});
  return all;
}

/// Windings that each have two pins of their own.
inline std::vector<Machine> winding_machines() {
  const std::string source = "s: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}, ";
  const std::string field = "ve: {type: electrical.VoltageSource, p: e, n: gnd, v: 0 V}, ";
  // flat over 120°, edges of 60° about the passages through zero
  const auto trapezoid = [](double angle) {
    const double x = std::remainder(angle, 2 * pi), a = std::abs(x), edge = pi / 6;
    return std::copysign(a < edge ? a / edge : a < pi - edge ? 1 : (pi - a) / edge, x);
  };
  const double third = 2 * pi / 3;
  const double brushless = 3 * trapezoid(0.4) - 1 * trapezoid(0.4 - third) - 2 * trapezoid(0.4 - 2 * third);
  const auto reluctance = [&](double i, int k) { return -i * i * 4 * 0.05 / 2 / 2 * std::sin(0.8 - k * third); };
  const double C = std::cos(0.4), S = std::sin(0.4), i0 = 3, i1 = -1, i2 = 2, i3 = 0.5;
  const double generalised = 2 * (0.1 * i0 * (-S * i2 - C * i3) + 0.2 * i1 * (C * i2 - S * i3)) +
                             2 * 0.05 * (-std::sin(0.8) * (i2 * i2 - i3 * i3) - 2 * std::cos(0.8) * i2 * i3);
  return {
      {"converters.DcMachine",
       "p: a, n: gnd, shaft: n, k: 0.5 V.s/rad, gear: 2, R: 2 ohm, L: 0.1 H, J: 0.3 kg.m2, i0: 3 A",
       source + "d: {type: mechanical.RotationalMotion, flange: n, phi: 0.2 rad + 3 rad/s*time + 2 rad/s^2*time^2}",
       0,
       {{"i", 3}, {"v", 10}, {"w", 3}, {"tau", 3 - 4 * 0.3 * 4}}},
      {"converters.ExcitedDcMachine",
       "p: a, n: gnd, fp: e, fn: gnd, shaft: n, R_a: 1 ohm, L_a: 1 H, R_f: 1 ohm, L_f: 1 H, M_af: 0.5 H, i0: 3 A, "
       "i_f0: 4 A",
       source + field + turned,
       0,
       {{"i", 3}, {"i_f", 4}, {"w", 3}, {"v", 10}, {"e", 6}, {"tau", 6}}},
      {"converters.BrushlessDcMachine",
       "a: a, b: b, c: c, R_s: 0 ohm, i_a0: 3 A, i_b0: -1 A, shaft: n, pole_pairs: 2, k_e: 0.7 V.s/rad, L: 1 H",
       phases + turned,
       0,
       {{"i_a", 3}, {"i_b", -1}, {"i_c", -2}, {"w", 3}, {"tau", 0.7 * brushless}}},
      {"converters.HybridStepper",
       "ap: a, an: gnd, bp: b, bn: gnd, i_a0: 3 A, i_b0: -1 A, shaft: n, R: 0 ohm, L: 1 H, psi: 0.02 Wb, teeth: 6, "
       "detent: 0.3 N.m",
       phases + turned,
       0,
       {{"i_a", 3},
        {"i_b", -1},
        {"w", 3},
        {"tau", 6 * 0.02 * (-std::cos(1.2) - 3 * std::sin(1.2)) - 0.3 * std::sin(4.8)}}},
      {"converters.SwitchedReluctanceMachine",
       "ap: a, an: gnd, bp: b, bn: gnd, cp: c, cn: gnd, i_a0: 3 A, i_b0: -1 A, i_c0: 2 A, shaft: n, R: 0 ohm, L_a: 70 "
       "mH, L_u: 20 mH, poles: 4",
       phases + turned,
       0,
       {{"i_a", 3},
        {"i_b", -1},
        {"i_c", 2},
        {"w", 3},
        {"tau", reluctance(3, 0) + reluctance(1, 1) + reluctance(2, 2)}}},
      {"converters.GeneralisedMachine",
       "dsp: a, dsn: gnd, qsp: b, qsn: gnd, arp: c, arn: gnd, brp: e, brn: gnd, shaft: n, pole_pairs: 2, i_ds0: 3 A, "
       "i_qs0: -1 A, i_ar0: 2 A, i_br0: 0.5 A, L_ds: 1 H, L_qs: 2 H, M_d: 0.1 H, M_q: 0.2 H, L_r: 0.5 H, L_r2: 0.05 "
       "H, R_s: 0 ohm, R_r: 0 ohm",
       phases + field + turned,
       0,
       {{"i_ds", i0}, {"i_qs", i1}, {"i_ar", i2}, {"i_br", i3}, {"w", 3}, {"tau", generalised}}},
      {"converters.SaturatedTransformer",
       "1p: a, 1n: gnd, 2p: b, 2n: gnd, i_10: 3 A, i_20: 2 A, ratio: 4, R_1: 1 ohm, R_2: 1 ohm, l_1: 1 mH, l_2: 1 mH, "
       "L_m: 0.5 H, L_sat: 0.1 H, psi_s: 0.8 Wb",
       phases + turned,
       0,
       {{"i_1", 3}, {"i_2", 2}, {"i_m", 3.5}, {"phi_m", 0.35 + 0.8 * std::tanh(0.4 * 3.5 / 0.8)}}},
  };
}

/// Fields that move something along a line, at 0.2 m and 3 m/s.
inline std::vector<Machine> moving_machines() {
  const std::string source = "s: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}, ";
  constexpr double mu = 1.25663706212e-6, reach = 2 * 0.21 + 0.5 / 1000, L = mu * 100 * 100 * 0.02 / reach;
  constexpr double plates = 3 * 8.8541878128e-12 * 0.4;
  return {
      {"converters.VoiceCoil",
       "p: a, n: gnd, flange: n, k: 7 N/A, R: 1 ohm, L: 1 H, i0: 2 A",
       source + moved,
       0,
       {{"i", 2}, {"x", 0.2}, {"f", 14}, {"v", 10}}},
      {"converters.Electromagnet",
       "p: a, n: gnd, flange: n, turns: 100, area: 200 cm2, gap: 1 cm, iron_length: 0.5 m, R: 1 ohm, i0: 2 A",
       source + moved,
       0,
       {{"i", 2}, {"x", 0.2}, {"v", 10}, {"g", 0.21}, {"phi", 2 * L}, {"f", -2 * L * 2 / reach}}},
      {"converters.PlateCapacitor",
       "p: a, n: gnd, flange: n, area: 0.4 m2, gap: 1 cm, epsilon_r: 3, C_0: 1 pF",
       source + moved,
       0,
       {{"v", 10},
        {"x", 0.2},
        {"g", 0.21},
        {"C", plates / 0.21 + 1e-12},
        {"f", -50 * plates / (0.21 * 0.21)},
        {"i", -10 * 3 * plates / (0.21 * 0.21)}}},
      {"converters.PiezoStack",
       "p: a, n: gnd, flange: n, C: 1 uF, factor: 7 N/V, k: 100 N/m, d: 2 N.s/m",
       source + moved,
       0,
       {{"v", 10}, {"x", 0.2}, {"q", 1e-5 + 1.4}, {"f", 70 - 20 - 6}, {"i", 21}}},
      {"converters.EddyCurrentBrake",
       "shaft: n, torque: 4 N.m, critical_speed: 6 rad/s, excitation: 0.5",
       turned,
       0,
       {{"w", 3}, {"tau", -2 * 4 * 0.25 * 0.5 / 1.25}}},
  };
}

/// Bridges on 10 V with a carrier of 1 Hz, and the temperature of a winding.
inline std::vector<Machine> bridge_machines() {
  const std::string link = "s: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}, ";
  const auto resistor = [](const std::string& name, const std::string& p, const std::string& n) {
    return name + ": {type: electrical.Resistor, p: " + p + ", n: " + n + ", R: 4 ohm}";
  };
  // one body: T = 330 − 30 e^{−t/(10 s)} K; two: the rates of the slow one are those at the start
  const double T = 290 + 40 - 30 * std::exp(-0.05);
  const auto two = [] {
    double T1 = 300, T2 = 300;
    constexpr int steps = 100000;
    for (int k = 0; k < steps; ++k) {
      const double h = 0.5 / steps, flow = (T1 - T2) / 2, away = (T2 - 290) / 4;
      // midpoint rule
      const double m1 = T1 + h / 2 * (20 - flow) / 5, m2 = T2 + h / 2 * (flow - away) / 7;
      const double f = (m1 - m2) / 2, g = (m2 - 290) / 4;
      T1 += h * (20 - f) / 5, T2 += h * (f - g) / 7;
    }
    return std::pair(T1, T2);
  }();
  return {
      // the carrier falls from 1 at 0.5 s to −1 at 1 s
      {"converters.Chopper",
       "p: a, n: gnd, a: c, duty: 0.3, frequency: 1 Hz",
       link + resistor("r", "c", "gnd"),
       0.9,
       {{"k", 1}, {"s_a", 1}, {"i_a", 2.5}, {"i", 2.5}}},
      {"converters.Chopper",
       "p: a, n: gnd, a: c, duty: 0.3, frequency: 1 Hz, form: averaged",
       link + resistor("r", "c", "gnd"),
       0.4,
       {{"s_a", 0.3}, {"i_a", 0.75}, {"i", 0.225}}},
      {"converters.HBridge",
       "p: a, n: gnd, a: c, b: e, u: 0.4, frequency: 1 Hz",
       link + resistor("r", "c", "e"),
       0.75,
       {{"k", 1}, {"s_a", 1}, {"s_b", 0}, {"i_a", 2.5}, {"i_b", -2.5}, {"i", 2.5}}},
      {"converters.Inverter",
       "p: a, n: gnd, a: c, b: e, c: f, u_a: 0.4, u_b: -0.5, u_c: 0.1, frequency: 1 Hz",
       link + resistor("r", "c", "m") + ", " + resistor("q", "e", "m") + ", " + resistor("o", "f", "m"),
       0.75,
       {{"k", 1},
        {"s_a", 1},
        {"s_b", 0},
        {"s_c", 1},
        {"i_a", 10.0 / 12},
        {"i_b", -20.0 / 12},
        {"i_c", 10.0 / 12},
        {"i", 20.0 / 12}}},
      {"converters.WindingTemperature",
       "losses: 20 W, C: 5 J/K, R: 2 K/W, ambient: 290 K, start: 300 K, alpha: 0.01 1/K, T_0: 280 K",
       "",
       0.5,
       {{"T", T}, {"factor", 1 + 0.01 * (T - 280)}}},
      {"converters.WindingTemperature",
       "losses: 20 W, C: 5 J/K, R: 2 K/W, C_housing: 7 J/K, R_housing: 4 K/W, ambient: 290 K, start: 300 K",
       "",
       0.5,
       {{"T", two.first}, {"T_housing", two.second}}},
  };
}

}  // namespace coenergy::tests
