#include "problems.hpp"

namespace bench {
namespace {

constexpr const char* heavy_top = R"y(
components:
  gravity: {type: multibody.Gravity}
  top: {type: multibody.Body, mass: 15, com: [0, 1, 0], inertia: [0.234375, 0.46875, 0.234375],
        angular_velocity: [0, 150, -4.61538]}
  ball: {type: multibody.Spherical, parent: ground, child: top}
  X: {type: multibody.Sensor, body: top, at: [0, 1, 0]}
plots: [[X.x, X.y, X.z]]
simulate: {t_end: 1}
)y";

constexpr const char* pendulum = R"y(
components:
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  pivot: {type: multibody.Revolute, parent: ground, child: bob, axis: z, q0: 60 deg}
  bob: {type: multibody.Body, mass: 1, com: [0, -1, 0], inertia: [0, 0, 0]}
plots: [[pivot.q, pivot.qd]]
simulate: {t_end: 20}
)y";

constexpr const char* double_pendulum = R"y(
components:
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  j1: {type: multibody.Revolute, parent: ground, child: b1, axis: z, q0: 30 deg}
  b1: {type: multibody.Body, mass: 1, com: [0, -0.5, 0], inertia: [0, 0, 0.1]}
  j2: {type: multibody.Revolute, parent: b1, child: b2, axis: z, parent_at: [0, -1, 0], q0: -20 deg}
  b2: {type: multibody.Body, mass: 0.5, com: [0, -0.4, 0], inertia: [0, 0, 0.05]}
plots: [[j1.q, j2.q]]
simulate: {t_end: 5}
)y";

constexpr const char* four_bar = R"y(
formulation: absolute
components:
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  a: {type: multibody.Revolute, parent: ground, child: crank, axis: z, q0: 90 deg, qd0: 4 rad/s}
  crank: {type: multibody.Body, mass: 1, com: [0.1, 0, 0], inertia: [0, 0, 0.01]}
  b: {type: multibody.Revolute, parent: crank, child: rod, axis: z, parent_at: [0.2, 0, 0], q0: -70.673705 deg}
  rod: {type: multibody.Body, mass: 2, com: [0.3, 0, 0], inertia: [0, 0, 0.06]}
  d: {type: multibody.Revolute, parent: ground, child: rocker, axis: z, parent_at: [0.6, 0, 0], q0: 94.848783 deg}
  rocker: {type: multibody.Body, mass: 1.5, com: [0.2, 0, 0], inertia: [0, 0, 0.03]}
  c: {type: multibody.Revolute, parent: rod, child: rocker, axis: z, parent_at: [0.6, 0, 0], child_at: [0.4, 0, 0]}
plots: [[a.q, d.q], [b.q]]
simulate: {t_end: 2}
)y";

constexpr const char* ring = R"y(
components:
  L1: {type: electrical.Inductor, p: a, n: gnd, L: 25.330295910584444 mH}
  C1: {type: electrical.Capacitor, p: a, n: gnd, C: 1 uF, v0: 1 V}
plots: [[C1.v, L1.i]]
simulate: {t_end: 20 ms}
)y";

constexpr const char* low_pass = R"y(
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: "sin(2*pi*1000*time/1 s)*1 V"}
  R1: {type: electrical.Resistor, p: a, n: b, R: 1 ohm}
  C1: {type: electrical.Capacitor, p: b, n: gnd, C: 10 uF}
plots: [[b.v]]
simulate: {t_end: 10.3 ms}
)y";

constexpr const char* two_times = R"y(
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: "5 V*exp(-time/(1 ms))"
}
  R1: {type: electrical.Resistor, p: a, n: b, R: 1 mohm}
  C1: {type: electrical.Capacitor, p: b, n: gnd, C: 1 uF}
  R2: {type: electrical.Resistor, p: b, n: c, R: 1 kohm}
  C2: {type: electrical.Capacitor, p: c, n: gnd, C: 1 uF}
plots: [[b.v, c.v, R2.i]]
simulate: {t_end: 5 ms}
)y";

constexpr const char* rectifier = R"y(
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: "10 V*sin(2*pi*50*time/1 s)"
  }
  R1: {type: electrical.Resistor, p: a, n: b, R: 1 ohm}
  D1: {type: electrical.IdealDiode, p: b, n: c, R_on: 10 mohm, G_off: 1e-6}
  C1: {type: electrical.Capacitor, p: c, n: gnd, C: 1 mF}
  R2: {type: electrical.Resistor, p: c, n: gnd, R: 50 ohm}
plots: [[c.v]]
simulate: {t_end: 60.7 ms}
)y";

constexpr const char* junction = R"y(
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: "5 V*sin(2*pi*1000*time/1 s)"
  }
  R1: {type: electrical.Resistor, p: a, n: b, R: 100 ohm}
  D1: {type: electrical.Diode, p: b, n: c}
  C1: {type: electrical.Capacitor, p: c, n: gnd, C: 1 uF}
  R2: {type: electrical.Resistor, p: c, n: gnd, R: 1 kohm}
plots: [[c.v, b.v]]
simulate: {t_end: 3.3 ms}
)y";

constexpr const char* orifice = R"y(
components:
  P: {type: hydraulic.PressureSource, a: s, p: 100 bar*sin(time*1 rad/s)}
  O: {type: hydraulic.Orifice, a: s, b: c, q_nominal: 6 l/min}
  V: {type: hydraulic.Volume, a: c, V: 1 l, beta: 1.4 GPa, p0: 3 bar}
  O2: {type: hydraulic.Orifice, a: c, b: t, q_nominal: 3 l/min}
  T: {type: hydraulic.Tank, a: t, p: 3 bar}
plots: [[c.p, O.q]]
simulate: {t_end: 3.1}
)y";

constexpr const char* oscillator = R"y(
components:
  m: {type: mechanical.Mass, m: 2, s0: 0.3, v0: 0.1}
  k: {type: mechanical.TranslationalSpring, a: ground, b: m, k: 200}
  d: {type: mechanical.TranslationalDamper, a: ground, b: m, d: 1.5}
  F: {type: mechanical.Force, flange: m, f: "3 N*sin(4*time/1 s)"
  }
plots: [[m.s, m.v]]
simulate: {t_end: 5}
)y";

constexpr const char* stiff_mass = R"y(
components:
  m: {type: mechanical.Mass, m: 1, s0: 0}
  n: {type: mechanical.Mass, m: 0.01, s0: 0}
  k: {type: mechanical.TranslationalSpring, a: m, b: n, k: 1e6}
  d: {type: mechanical.TranslationalDamper, a: m, b: n, d: 2e3}
  g: {type: mechanical.TranslationalSpring, a: ground, b: m, k: 40}
  F: {type: mechanical.Force, flange: n, f: "2 N*cos(3*time/1 s)"
}
plots: [[m.s, m.v]]
simulate: {t_end: 4}
)y";

constexpr const char* sampled = R"y(
components:
  I: {type: mechanical.Inertia, J: 0.02}
  d: {type: mechanical.RotationalDamper, a: ground, b: I, d: 0.05}
  c: {type: blocks.SampledPid, reference: 1, measure: I.phi, rate: I.w, kp: 4, ki: 1, kd: 0.3, sample: 13 ms}
  T: {type: mechanical.Torque, flange: I, tau: c.y*1 N.m}
plots: [[I.phi, I.w]]
simulate: {t_end: 1.5}
)y";

constexpr const char* bouncing = R"y(
components:
  ball: {type: mechanical.Mass, m: 1, s0: 1}
  g: {type: mechanical.Force, flange: ball, f: -9.81 N}
  floor: {type: mechanical.TranslationalStop, a: ground, b: ball, lower: 0, stop_restitution: 0.8}
plots: [[ball.s]]
simulate: {t_end: 1.9}
)y";

constexpr const char* stribeck = R"y(
components:
  I: {type: mechanical.Inertia, J: 0.01, w0: 2}
  fr: {type: mechanical.RotationalFriction, a: ground, b: I, law: stick, coulomb: 1, breakaway: 1.1}
plots: [[I.phi]]
simulate: {t_end: 0.05}
)y";

constexpr const char* driven_kink = R"y(
components:
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  j: {type: multibody.Revolute, parent: ground, child: b, drive: "0.4*sin(3*time)"
}
  b: {type: multibody.Body, mass: 2, com: [0, -0.7, 0], inertia: [0, 0, 0.1]}
  h: {type: multibody.Revolute, parent: b, child: c, parent_at: [0, -1, 0]}
  c: {type: multibody.Body, mass: 1, com: [0, -0.3, 0], inertia: [0, 0, 0.02]}
plots: [[h.q], [j.drive_force]]
simulate: {t_end: 3}
)y";

constexpr const char* servo = R"y(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: "12 V*sin(9*time/1 s)"
  }
  M: {type: converters.DcMachine, p: a, n: gnd, shaft: r, k: 0.05 V.s/rad, R: 1 ohm, L: 1 mH}
  r: {type: mechanical.Inertia, J: 1e-4}
  d: {type: mechanical.RotationalDamper, a: ground, b: r, d: 1e-4}
plots: [[r.w, M.i]]
simulate: {t_end: 1}
)y";

}  // namespace

const std::vector<Problem>& problems() {
  static const std::vector<Problem> list = {
      {.name = "pendulum", .text = pendulum},
      {.name = "double_pendulum", .text = double_pendulum},
      {.name = "heavy_top", .text = heavy_top},
      {.name = "four_bar", .text = four_bar},
      {.name = "driven", .text = driven_kink},
      {.name = "ring", .text = ring},
      {.name = "low_pass", .text = low_pass},
      {.name = "two_times", .text = two_times, .stiff = true},
      {.name = "rectifier", .text = rectifier, .stiff = true},
      {.name = "junction", .text = junction, .stiff = true},
      {.name = "orifice", .text = orifice, .stiff = true},
      {.name = "oscillator", .text = oscillator},
      {.name = "stiff_mass", .text = stiff_mass, .stiff = true},
      {.name = "sampled", .text = sampled},
      {.name = "bouncing", .text = bouncing},
      {.name = "stribeck", .text = stribeck},
      {.name = "servo", .text = servo, .stiff = true},
      {.name = "01_pendulum", .example = "01_pendulum/pendulum.yaml"},
      {.name = "02_rlc", .example = "02_rlc/rlc.yaml"},
      {.name = "03_dc_servo", .example = "03_dc_servo/dc_servo.yaml", .stiff = true},
      {.name = "06_cylinder", .example = "06_hydraulic_cylinder/hydraulic_cylinder.yaml", .stiff = true},
      {.name = "07_everything", .example = "07_everything/everything.yaml", .t_end = 0.1, .stiff = true},
      {.name = "andrews", .example = "andrews/andrews.yaml"},
      {.name = "bricard", .example = "bricard/bricard.yaml", .t_end = 2, .reference = "radau"},
      {.name = "class_e",
       .example = "class_e/class_e.yaml",
       .t_end = 33.3e-6,
       .stiff = true,
       .signals = {"L1.i", "L3.i", "C2.v", "C4.v", "RL.v"}},
      {.name = "governor", .example = "flyball_governor/governor.yaml", .t_end = 2, .stiff = true},
      {.name = "one_constraint", .example = "one_constraint/one_constraint.yaml"},
      {.name = "rlc_filter", .example = "rlc_filter/rlc_filter.yaml"},
      {.name = "slider_crank", .example = "slider_crank/slider_crank.yaml"},
      {.name = "stick_slip",
       .example = "stick_slip/stick_slip.yaml",
       .t_end = 3,
       .stiff = true,
       .signals = {"stick_block.s", "stick_block.v", "lugre_block.s", "lugre_block.v", "tanh_block.s", "tanh_block.v"}},
      {.name = "amplifier", .example = "transistor_amplifier/transistor_amplifier.yaml", .t_end = 0.05, .stiff = true},
      {.name = "triangle", .example = "triangle/triangle.yaml"},
      {.name = "wheelset", .example = "wheelset/wheelset.yaml", .t_end = 2, .stiff = true, .reference = "dop853"},
  };
  return list;
}

}  // namespace bench
