// A disk that rolls on a plane, lifts off and lands again, against closed forms.
#include <cmath>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

solve::Result run_by(const std::string& method, const std::string& text, double t_end, double output_step) {
  return solve::simulate(compile_model(io::parse_model(text, "m.yaml")), {.t_end = t_end,
                                                                          .method = method,
                                                                          .output_step = output_step,
                                                                          .record_events = false,
                                                                          .rtol = 1e-8,
                                                                          .atol = 1e-10});
}

TEST(RollingDisk, TellsWhereItLiftsOff) {
  for (const char* method : {"radau", "esdirk", "generalized-alpha", "dopri"}) {
    const solve::Result r = run_by(method, R"y(
components:
  gravity: {type: multibody.Gravity}
  d: {type: multibody.Body, mass: 3, inertia: [0.2, 0.4, 0.2], position: [0, 0, 0.4]}
  free: {type: multibody.Free, parent: ground, child: d}
  roll: {type: multibody.RollingDisk, body: d, radius: 0.4}
  up: {type: multibody.Force, body: d, force: [0, 0, "60 N/s*time"]}
)y",
                                   1, 0.1);
    EXPECT_EQ(r.status, solve::Status::failed) << method;
    // 3 · 9.81/60 s
    EXPECT_EQ(r.text.substr(0, r.text.find(';')),
              "event at t = 0.4905 s: roll: the disk lifts off the plane, which would have to pull it down (fz < 0)")
        << method;
  }
}

TEST(RollingDisk, LiftsOffAndLandsAgain) {
  // It rolls by a torque of 2 N.m until a force of 60 N/s t lifts it at t1; both end at 0.8 s; it falls, and lands with
  // another spin: angular momentum about the contact tells how it rolls on.
  constexpr double m = 3, J = 0.4, r = 0.4, g = 9.81, rolling = J + m * r * r;
  constexpr double t1 = m * g / 60, end = 0.8, in_air = end - t1;
  const double w1 = 5 + 2 / rolling * t1, spin = w1 + 2 / J * in_air, rise = 60 * in_air * in_air * in_air / (6 * m);
  const double up = 60 * in_air * in_air / (2 * m);
  const double fall = (up + std::sqrt(up * up + 2 * g * rise)) / g, t2 = end + fall, down = g * fall - up;
  const double w2 = (J * spin + m * r * r * w1) / rolling;
  for (const double e : {0.0, 0.5})
    for (const char* method : {"radau", "esdirk", "generalized-alpha", "dopri"}) {
      SCOPED_TRACE(std::string(method) + " restitution " + std::to_string(e));
      const solve::Result result = run_by(method,
                                          R"y(
energy: true
components:
  gravity: {type: multibody.Gravity}
  d: {type: multibody.Body, mass: 3, inertia: [0.2, 0.4, 0.2], position: [0, 0, 0.4], velocity: [2, 0, 0],
      angular_velocity: [0, 5, 0]}
  free: {type: multibody.Free, parent: ground, child: d}
  roll: {type: multibody.RollingDisk, body: d, radius: 0.4, restitution: )y" +
                                              std::to_string(e) + R"y(}
  up: {type: multibody.Force, body: d, force: [0, 0, "time < 0.8 s ? 60 N/s*time : 0 N"]}
  turn: {type: multibody.Torque, body: d, torque: [0, "time < 0.8 s ? 2 N.m : 0 N.m", 0]}
)y",
                                          1.6, 0.05);
      ASSERT_EQ(result.status, solve::Status::done) << result.text;
      constexpr double close = 2e-6;  // of some meters: tolerance 1e-8 and holding by 1e-12 s/kg
      const auto expect = [&](const char* signal, double t, double value) {
        EXPECT_NEAR(value_at(result, signal, t), value, close) << signal << " at " << t;
      };
      expect("d.vx", 0.4, r * (5 + 2 / rolling * 0.4));
      expect("roll.fz", 0.4, m * g - 60 * 0.4);
      expect("roll.fx", 0.4, m * r * 2 / rolling);
      expect("roll.gap", 0.75, 60 * std::pow(0.75 - t1, 3) / (6 * m));
      expect("d.vx", 0.75, r * w1);
      expect("roll.fx", 0.75, 0);
      expect("roll.gap", 0.9, rise + up * 0.1 - g * 0.005);
      ASSERT_GT(t2, 0.95);
      ASSERT_LT(t2 + 0.05, 1.15);
      if (e > 0) {
        expect("roll.gap", 1.2, e * down * (1.2 - t2) - g / 2 * std::pow(1.2 - t2, 2));
      } else {
        expect("roll.gap", 1.2, 0);
        expect("d.vx", 1.5, r * w2);
        expect("d.wy", 1.5, w2);
        expect("roll.fz", 1.5, m * g);
      }
      const double account = value_at(result, "energy.stored", 1.6) - value_at(result, "energy.stored", 0) -
                             value_at(result, "energy.supplied", 1.6) + value_at(result, "energy.dissipated", 1.6);
      EXPECT_NEAR(account, 0, 1e-5);  // of 20 J
    }
}

}  // namespace
}  // namespace coenergy::tests
