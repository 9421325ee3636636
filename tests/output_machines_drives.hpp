#pragma once
#include "tests/output_machines_converters.hpp"

/// The same of drives, whose laws are samples: by hand, from the first samples on.
namespace coenergy::tests {

inline std::vector<Machine> transform_machines() {
  const InAxes fixed = in_axes(3, -1, 1, 0), turned_by = in_axes(3, -1, 1, 0.4);
  // most torque for 10 A, by search
  const auto torque = [](double i_d) { return 1.5 * 3 * std::sqrt(100 - i_d * i_d) * (0.2 - 0.01 * i_d); };
  double low = -10, high = 0;
  while (high - low > 1e-9) {
    const double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
    (torque(a) < torque(b) ? low : high) = torque(a) < torque(b) ? a : b;
  }
  const double i_d = (low + high) / 2;
  return {
      {"drives.Clarke", "a: 3, b: -1, c: 1", "", 0, {{"alpha", fixed.d}, {"beta", fixed.q}, {"zero", 1}}},
      {"drives.Park", "a: 3, b: -1, c: 1, angle: 0.4", "", 0, {{"d", turned_by.d}, {"q", turned_by.q}, {"zero", 1}}},
      {"drives.InversePark",
       "d: 3, q: 1, zero: 0.5, angle: 0.4",
       "",
       0,
       {{"a", in_phase({3, 1}, 0.4, 0) + 0.5},
        {"b", in_phase({3, 1}, 0.4, 1) + 0.5},
        {"c", in_phase({3, 1}, 0.4, 2) + 0.5}}},
      {"drives.SixStep", "angle: 100 deg, current: 2", "", 0, {{"a", 2}, {"b", 0}, {"c", -2}}},
      {"drives.StepperSequencer",
       "steps: 3.4, micro: 4, current: 2 A",
       "",
       0,
       {{"n", 3.5}, {"i_a", std::sqrt(2)}, {"i_b", -std::sqrt(2)}}},
      // a search is as good as the root of round-off
      {"drives.TorqueToCurrents",
       "current: 10 A, speed: 0 rad/s, voltage: 100 V, pole_pairs: 3, L_d: 5 mH, L_q: 15 mH, psi: 0.2 Wb",
       "",
       0,
       {{"i_d", i_d}, {"i_q", std::sqrt(100 - i_d * i_d)}, {"tau", torque(i_d)}},
       1e-6},
  };
}

inline std::vector<Machine> sampled_drive_machines() {
  constexpr double T = 1e-3, sqrt3 = 1.7320508075688772;
  const std::string currents = "i_a: 3 A, i_b: -1 A, i_c: -2 A, ";

  // synchronous: at the first sample, angle 0.4, 2 · 30 rad/s
  const InAxes i = in_axes(3, -1, -2, 0.4);
  const double e_d = 1 - i.d, e_q = 2 - i.q, wb = 500, w = 60;
  const InAxes v = {0.01 * wb * e_d - w * 0.03 * i.q, 0.03 * wb * e_q + w * (0.01 * i.d + 0.5)};
  const auto reference = [](InAxes u, double angle, int k) { return in_phase(u, angle, k) / 200; };

  // induction: no flux yet, so that the slip is that of the bound
  const InAxes s = in_axes(3, -1, -2, 0);
  const double rate = 2 / 0.11, leakage = 0.1 - 0.09 * 0.09 / 0.11, R = 1 + rate * 0.09 * 0.09 / 0.11;
  const double frequency = 60 + rate * 0.09 * s.q / (1e-9 + 0.05 * 0.09 * std::abs(s.d));
  const InAxes u = {leakage * wb * (1 - s.d) - frequency * leakage * s.q,
                    leakage * wb * (2 - s.q) + frequency * leakage * s.d};
  const double size = std::hypot(u.d, u.q), part = std::min(1.0, 400 / sqrt3 / size), is_free = part < 1 ? 0 : 1;
  const double psi = T * rate * 0.09 * s.d;

  // direct torque control: the second sample sees one period of the voltage at 60°
  const double alpha = T * (4.0 / 3 * 100 - 2 * s.d), beta = T * (4 / sqrt3 * 100 - 2 * s.q);
  const double dtc = 3 * (alpha * s.q - beta * s.d);

  // volts per hertz: the third sample
  const double f = 100 * T, amplitude = 20 + 300 * f / 50, at = 2 * pi * T * f;
  const InAxes of = in_axes(3, -1, -2, at);
  const double power = 1.5 * (amplitude * of.d - 0.5 * (of.d * of.d + of.q * of.q));
  const double torque = 2 * power * f / (2 * pi * (f * f + 1e-3));

  const double e = std::sin(0.3), x = T * 900 * e, w_pll = x + 2 * 0.5 * 30 * e;
  return {
      {"drives.SynchronousControl",
       currents + "angle: 0.4 rad, speed: 30 rad/s, pole_pairs: 2, R: 3 ohm, L_d: 10 mH, L_q: 30 mH, psi: 0.5 Wb, "
                  "i_d_ref: 1 A, i_q_ref: 2 A, bandwidth: 500 rad/s, link: 400 V, sample: 1 ms",
       "",
       0,
       {{"i_d", i.d},
        {"i_q", i.q},
        {"x_d", T * 3 * wb * e_d},
        {"x_q", T * 3 * wb * e_q},
        {"u_a", reference(v, 0.4 + w * T / 2, 0)},
        {"u_b", reference(v, 0.4 + w * T / 2, 1)},
        {"u_c", reference(v, 0.4 + w * T / 2, 2)}}},
      {"drives.InductionControl",
       currents + "speed: 30 rad/s, pole_pairs: 2, R_s: 1 ohm, R_r: 2 ohm, L_s: 0.1 H, L_r: 0.11 H, L_m: 90 mH, "
                  "i_d_ref: 1 A, i_q_ref: 2 A, bandwidth: 500 rad/s, link: 400 V, sample: 1 ms",
       "",
       0,
       {{"i_d", s.d},
        {"i_q", s.q},
        {"x_d", is_free * T * R * wb * (1 - s.d)},
        {"x_q", is_free * T * R * wb * (2 - s.q)},
        {"u_a", part * reference(u, frequency * T / 2, 0)},
        {"u_b", part * reference(u, frequency * T / 2, 1)},
        {"u_c", part * reference(u, frequency * T / 2, 2)},
        {"psi", psi},
        {"theta", 0},
        {"angle", 0},
        {"begin", 0},
        {"w", frequency},
        {"tau", 3 * 0.09 / 0.11 * psi * s.q}}},
      {"drives.DirectTorqueControl",
       currents + "torque: 5 N.m, flux: 0.8 Wb, torque_band: 0.1 N.m, flux_band: 0.01 Wb, R_s: 2 ohm, pole_pairs: 2, "
                  "link: 400 V, sample: 1 ms",
       "",
       1.5e-3,
       {{"psi_alpha", alpha},
        {"psi_beta", beta},
        {"psi", std::hypot(alpha, beta)},
        {"tau", dtc},
        {"missing", 5 - dtc},
        {"grows", 1},
        {"u_a", -2},
        {"u_b", 2},
        {"u_c", -2}}},
      {"drives.VoltsPerHertz",
       currents +
           "frequency: 40 Hz, ramp: 100 Hz/s, rated_voltage: 320 V, boost: 20 V, link: 400 V, sample: 1 ms, slip: "
           "2 Hz, torque: 10 N.m, R_s: 0.5 ohm, pole_pairs: 2, filter: 50 ms",
       "",
       2.5e-3,
       {{"f", 2 * f},
        {"f_slip", T / 0.05 * 2 * torque / 10},
        {"theta", at},
        {"u_a", reference({amplitude, 0}, at + pi * T * f, 0)},
        {"u_b", reference({amplitude, 0}, at + pi * T * f, 1)},
        {"u_c", reference({amplitude, 0}, at + pi * T * f, 2)}}},
      // voltages that are 0.3 rad ahead of it
      {"drives.Pll",
       "u_a: 2*cos(0.3), u_b: 2*cos(0.3 - 2*pi/3), u_c: 2*cos(0.3 + 2*pi/3), bandwidth: 30 rad/s, damping: 0.5, "
       "sample: 1 ms",
       "",
       0,
       {{"theta", 0},
        {"begin", 0},
        {"angle", 0},
        {"x", x},
        {"w", w_pll},
        {"f", 50 + w_pll / (2 * pi)},
        {"u_d", 2 * std::cos(0.3)},
        {"u_q", 2 * std::sin(0.3)}}},
  };
}

}  // namespace coenergy::tests
