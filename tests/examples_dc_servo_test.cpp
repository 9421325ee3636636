// examples/03_dc_servo against closed forms of the motor and of its control loops.
#include <cmath>
#include <numbers>

#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

constexpr double U = 24, Km = 0.05, R = 1.2, La = 2e-3, J = 1e-4, zeta = 0.7, factor = 2;

solve::Result run_servo(const Settings& set = {}) { return run_model(read_example("03_dc_servo", "dc_servo", set)); }

TEST(DcServoExample, RunsUpAsTheArmatureCircuitAndRotorDemand) {
  // L J ω̈ + R J ω̇ + K² ω = K U, from rest with i = 0: two real modes
  const double b = R / La, c = Km * Km / (La * J), root = std::sqrt(b * b / 4 - c);
  const double s1 = -b / 2 + root, s2 = -b / 2 - root;
  const solve::Result result = run_servo();
  for (double t : {0.002, 0.01, 0.05, 0.2}) {
    const double w = U / Km * (1 - (s2 * std::exp(s1 * t) - s1 * std::exp(s2 * t)) / (s2 - s1));
    const double i = U / (La * (s1 - s2)) * (std::exp(s1 * t) - std::exp(s2 * t));
    // 1e-8 per step asked for, some hundred steps
    EXPECT_NEAR(value_at(result, "motor.w", t), w, 1e-6 * U / Km);
    EXPECT_NEAR(value_at(result, "motor.i", t), i, 1e-6 * U / R);
  }
}

TEST(DcServoExample, HasTheStaticCharacteristicOfTheMotor) {
  const double stall_torque = U * Km / R, no_load_speed = U / Km;
  // after 0.5 s, ten mechanical time constants J R/K², the transient is below 5e-5 of its start
  EXPECT_NEAR(value_at(run_servo(), "motor.w", 0.5), no_load_speed, 1e-4 * no_load_speed);
  const solve::Result stalled =
      run_servo({{"motor.shaft", "ground"}, {"load.flange", "other"}, {"rotor.shaft", "other"}});
  EXPECT_NEAR(value_at(stalled, "motor.tau", 0.5), stall_torque, 1e-6 * stall_torque);
  EXPECT_NEAR(value_at(stalled, "motor.i", 0.5), U / R, 1e-6 * U / R);
  // the greatest power, a quarter of stall torque times no-load speed, is delivered at half the stall torque
  const solve::Result half = run_servo({{"load.tau", std::to_string(-stall_torque / 2)}});
  const double power = value_at(half, "motor.tau", 0.5) * value_at(half, "motor.w", 0.5);
  EXPECT_NEAR(power, stall_torque * no_load_speed / 4, 2e-4 * power);
}

TEST(DcServoExample, SpeedControlHasTheDesignedDampingAndFrequency) {
  // closed loop (b s + ω₀²)/(s² + 2 ζ ω₀ s + ω₀²) with b = Kp Km/(R J) and ω₀ = λ b
  const double Kp = Km / (2 * factor * zeta - 1), b = Kp * Km / (R * J), w0 = factor * b,
               wd = w0 * std::sqrt(1 - zeta * zeta);
  const solve::Result result = run_servo();
  for (double t : {0.005, 0.02, 0.05, 0.1, 0.2}) {
    const double decay = std::exp(-zeta * w0 * t);
    const double w = 100 * (1 - decay * (std::cos(wd * t) + (zeta * w0 - b) / wd * std::sin(wd * t)));
    EXPECT_NEAR(value_at(result, "speed_motor.w", t), w, 1e-5) << t;  // 1e-7 of the final speed
  }
}

TEST(DcServoExample, PositionControlHasTheDesignedDamping) {
  const double Kp = Km * Km * Km / (4 * R * J * zeta * zeta), w0 = std::sqrt(Kp * Km / (R * J));
  const double wd = w0 * std::sqrt(1 - zeta * zeta), target = std::numbers::pi / 2;
  const solve::Result result = run_servo();
  for (double t : {0.01, 0.05, 0.1, 0.3}) {
    const double decay = std::exp(-zeta * w0 * t);
    const double angle = target * (1 - decay * (std::cos(wd * t) + zeta * w0 / wd * std::sin(wd * t)));
    EXPECT_NEAR(value_at(result, "angle_rotor.phi", t), angle, 1e-6) << t;  // 1e-6 of the target
  }
  // overshoot exp(−π ζ/√(1−ζ²)), at the first peak π/ω_d (rows every 1 ms: flat to second order there)
  const std::vector<double> phi = result.signal("angle_rotor.phi");
  const double overshoot = *std::max_element(phi.begin(), phi.end()) / target - 1;
  EXPECT_NEAR(overshoot, std::exp(-std::numbers::pi * zeta / std::sqrt(1 - zeta * zeta)), 1e-4);
}

}  // namespace
}  // namespace coenergy::tests
