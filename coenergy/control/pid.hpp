#pragma once
#include "coenergy/control/linear_system.hpp"

namespace coenergy::control {

/// u = kp e + ki ∫ e dt + kd ė.
struct PidGains {
  double kp = 0, ki = 0, kd = 0;
};

enum class PidKind { p, pi, pid };

/// The gain at which the loop with a proportional controller begins to oscillate, and its period (s). Throws Error where
/// there is none.
struct Ultimate {
  double gain = 0, period = 0;
};
Ultimate find_ultimate(const LinearSystem& plant);
/// The same from a relay of height d with which the loop oscillates with amplitude a: K = 4 d/(π a) (Åström, Hägglund 1984).
Ultimate find_ultimate_by_relay(double height, double amplitude, double period);

/// Ziegler and Nichols (1942): 0.5 K; 0.45 K, T/1.2; 0.6 K, T/2, T/8.
PidGains tune_ziegler_nichols(const Ultimate& ultimate, PidKind kind);

/// k e^{−θs}/(τ s + 1) with the step answer of the plant at 28.3 and 63.2 % (Smith 1972).
struct FirstOrderLag {
  double gain = 0, time_constant = 0, delay = 0;
};
FirstOrderLag fit_first_order_lag(const LinearSystem& plant);
/// λ tuning: the loop becomes a lag of λ: kp = τ/(k (λ + θ)), Ti = τ; with a derivative after Rivera (1986).
PidGains tune_lambda(const FirstOrderLag& lag, double lambda, PidKind kind);

/// Speed and position of a direct-current motor without inductance, J ω̇ = Km (v − Km ω)/Ra, for a lag and a damping:
///   speed, PI      λ and ζ of the loop: Kp = Km/(2 λ ζ − 1) … see the formulas
///   position, P    Kp = Km³/(4 Ra J ζ²)
struct DcMotorLoop {
  double km = 0, ra = 0, j = 0;  ///< V.s/rad, ohm, kg.m2
};
PidGains tune_motor_position(const DcMotorLoop& motor, double damping);
/// Of the loop s² + 2 ζ ω s + ω²: Kp = 2 ζ ω Ra J/Km − Km, Ki = ω² Ra J/Km.
PidGains tune_motor_speed(const DcMotorLoop& motor, double omega, double damping);

/// Least ∫ t |e| dt of the closed loop's step, from gains given, by a simplex (Nelder, Mead 1965).
PidGains optimize_pid(const LinearSystem& plant, const PidGains& start, PidKind kind);

/// kp + ki/s + kd s/(1 + s filter).
LinearSystem make_pid(const PidGains& gains, double filter);

}  // namespace coenergy::control
