#include "coenergy/control/pid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "coenergy/base/error.hpp"
#include "coenergy/control/discretize.hpp"
#include "coenergy/control/margins.hpp"
#include "coenergy/math/matrix_algebra.hpp"

namespace coenergy::control {

Ultimate find_ultimate(const LinearSystem& plant) {
  const Margins margins = find_margins(plant);
  const Margins::Crossing* first = nullptr;
  for (const Margins::Crossing& c : margins.gain)
    if (c.omega > 0 && (first == nullptr || c.margin < first->margin)) first = &c;
  if (first == nullptr)
    throw Error(
        "no gain makes the loop oscillate: its phase does not reach -180 deg; tune by lambda, or by optimisation");
  return {first->margin, 2 * std::numbers::pi / first->omega};
}

Ultimate find_ultimate_by_relay(double height, double amplitude, double period) {
  if (!(height > 0) || !(amplitude > 0) || !(period > 0))
    throw Error("relay: height, amplitude and period must be > 0");
  return {4 * height / (std::numbers::pi * amplitude), period};
}

PidGains tune_ziegler_nichols(const Ultimate& u, PidKind kind) {
  if (kind == PidKind::p) return {0.5 * u.gain, 0, 0};
  if (kind == PidKind::pi) return {0.45 * u.gain, 0.45 * u.gain * 1.2 / u.period, 0};
  const double kp = 0.6 * u.gain;
  return {kp, kp * 2 / u.period, kp * u.period / 8};
}

FirstOrderLag fit_first_order_lag(const LinearSystem& plant) {
  if (!is_stable(plant)) throw Error("lambda: the plant is not stable; its step answer has no final value");
  // rise measures locate single levels: 28.3 and 63.2 % of the final value
  const LevelTimes times = find_level_times(plant, {0.2834686894262107, 0.6321205588285577});
  FirstOrderLag lag;
  lag.gain = times.final_value;
  lag.time_constant = 1.5 * (times.times[1] - times.times[0]);
  lag.delay = std::max(0.0, times.times[1] - lag.time_constant);
  if (lag.gain == 0 || !(lag.time_constant > 0)) throw Error("lambda: the step answer of the plant is no lag");
  return lag;
}

PidGains tune_lambda(const FirstOrderLag& lag, double lambda, PidKind kind) {
  if (!(lambda > 0)) throw Error(fmt::format("lambda = {} s must be > 0", lambda));
  if (kind == PidKind::p) return {lag.time_constant / (lag.gain * (lambda + lag.delay)), 0, 0};
  if (kind == PidKind::pi) {
    const double kp = lag.time_constant / (lag.gain * (lambda + lag.delay));
    return {kp, kp / lag.time_constant, 0};
  }
  const double half = lag.delay / 2, ti = lag.time_constant + half, kp = ti / (lag.gain * (lambda + half));
  return {kp, kp / ti, kp * lag.time_constant * half / ti};
}

PidGains tune_motor_position(const DcMotorLoop& m, double damping) {
  if (!(damping > 0)) throw Error(fmt::format("damping = {} must be > 0", damping));
  return {m.km * m.km * m.km / (4 * m.ra * m.j * damping * damping), 0, 0};
}

PidGains tune_motor_speed(const DcMotorLoop& m, double omega, double damping) {
  const double scale = m.ra * m.j / m.km;
  PidGains gains{2 * damping * omega * scale - m.km, omega * omega * scale, 0};
  if (!(gains.kp > 0))
    throw Error(
        fmt::format("omega = {:.6g} rad/s with damping {:.6g} is slower than the motor by itself: kp would be {:.6g}",
                    omega, damping, gains.kp));
  return gains;
}

LinearSystem make_pid(const PidGains& g, double filter) {
  // over the denominator s (1 + s filter), or what of it is there
  if (g.ki == 0 && g.kd == 0) return make_linear_system(TransferFunction{{g.kp}, {1}});
  if (g.kd == 0) return make_linear_system(TransferFunction{{g.kp, g.ki}, {1, 0}});
  if (!(filter > 0)) throw Error("a derivative needs the time constant of its filter, > 0");
  if (g.ki == 0) return make_linear_system(TransferFunction{{g.kp * filter + g.kd, g.kp}, {filter, 1}});
  return make_linear_system(TransferFunction{{g.kp * filter + g.kd, g.kp + g.ki * filter, g.ki}, {filter, 1, 0}});
}

namespace {

/// ∫ t |e| dt of a step of the loop, large for one that is not stable.
double judge(const LinearSystem& plant, const PidGains& gains, double filter, double horizon) {
  constexpr int steps = 400;
  const LinearSystem loop = close_loop(connect_in_series(make_pid(gains, filter), plant), make_gain(math::identity(1)));
  double worst = -1e300;
  for (const Complex p : find_poles(loop)) worst = std::max(worst, p.real());
  if (worst >= 0) return 1e6 * horizon * horizon * (1 + worst * horizon);
  const double step = horizon / steps;
  const LinearSystem sampled = to_sampled(loop, step);
  math::Matrix x(loop.states(), 1);
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    x = sampled.a * x + sampled.b;
    sum += (k + 1) * step * std::abs(1 - (sampled.c * x)(0, 0) - sampled.d(0, 0)) * step;
  }
  return sum;
}

}  // namespace

PidGains optimize_pid(const LinearSystem& plant, const PidGains& start, PidKind kind) {
  if (plant.is_sampled()) throw Error("optimisation of PID gains is of continuous plants; see d2c");
  const int n = kind == PidKind::p ? 1 : kind == PidKind::pi ? 2 : 3;
  // time of the plant: of its own poles, and of the oscillation of the loop given
  double slow = 0;
  for (const Complex p : find_poles(plant))
    if (std::abs(p) > 1e-9) slow = std::max(slow, 1 / std::abs(p));
  const double horizon = 10 * std::max(slow, 1e-9), filter = horizon / 1000;
  using Place = std::array<double, 3>;  // logarithms of gains
  const auto gains_of = [&](const Place& x) {
    return PidGains{std::exp(x[0]), n > 1 ? std::exp(x[1]) : 0, n > 2 ? std::exp(x[2]) : 0};
  };
  const auto cost = [&](const Place& x) { return judge(plant, gains_of(x), filter, horizon); };
  const double kp = std::max(start.kp, 1e-12);
  const Place first{std::log(kp), std::log(start.ki > 0 ? start.ki : kp / horizon),
                    std::log(start.kd > 0 ? start.kd : kp * horizon / 100)};
  std::vector<std::pair<double, Place>> simplex{{cost(first), first}};
  for (int i = 0; i < n; ++i) {
    Place x = first;
    x[i] += 0.7;
    simplex.emplace_back(cost(x), x);
  }
  const auto mix = [n](const Place& centre, const Place& x, double factor) {
    Place y = centre;
    for (int i = 0; i < n; ++i) y[i] += factor * (x[i] - centre[i]);
    return y;
  };
  for (int k = 0; k < 200; ++k) {
    std::sort(simplex.begin(), simplex.end());
    if (simplex.back().first - simplex.front().first <= 1e-8 * simplex.front().first) break;
    Place centre{};
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) centre[i] += simplex[j].second[i] / n;
    auto& worst = simplex.back();
    const Place reflected = mix(centre, worst.second, -1);
    const double of_reflected = cost(reflected);
    const double factor = of_reflected < simplex.front().first ? -2 : of_reflected < worst.first ? -0.5 : 0.5;
    const Place other = mix(centre, worst.second, factor);
    const double of_other = cost(other);
    if (std::min(of_other, of_reflected) < worst.first) {
      worst = of_other < of_reflected ? std::pair{of_other, other} : std::pair{of_reflected, reflected};
    } else {
      for (int j = 1; j <= n; ++j) {
        simplex[j].second = mix(simplex[0].second, simplex[j].second, 0.5);
        simplex[j].first = cost(simplex[j].second);
      }
    }
  }
  return gains_of(std::min_element(simplex.begin(), simplex.end())->second);
}

}  // namespace coenergy::control
