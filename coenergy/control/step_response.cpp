#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/control/margins.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/matrix_algebra.hpp"

namespace coenergy::control {

using math::Matrix;

namespace {

/// The step answer at the ends of equal intervals, and inside of them.
class StepAnswer {
 public:
  StepAnswer(const LinearSystem& s, double step) : s_(&s), step_(step), x_(s.states(), 1) {
    joined_ = Matrix(s.states() + 1, s.states() + 1);
    if (s.is_sampled()) {
      whole_ = joined_;
      math::put(whole_, 0, 0, s.a), math::put(whole_, 0, s.states(), s.b);
      return;
    }
    math::put(joined_, 0, 0, s.a), math::put(joined_, 0, s.states(), s.b);
    whole_ = math::compute_exponential(step * joined_);
  }
  double value() const { return (s_->c * x_)(0, 0) + s_->d(0, 0); }
  void advance() { x_ = next(whole_); }
  double value_after(double time) const {
    return (s_->c * next(math::compute_exponential(time * joined_)))(0, 0) + s_->d(0, 0);
  }
  /// The time within the interval at which the answer is `level`, where its ends are on both sides of it.
  double find_crossing(double level) const {
    double low = 0, high = step_;
    const bool rises = value() < level;
    for (int k = 0; k < 50; ++k) {
      const double middle = (low + high) / 2;
      ((value_after(middle) < level) == rises ? low : high) = middle;
    }
    return (low + high) / 2;
  }
  /// The farthest value within two intervals, and when.
  std::pair<double, double> find_top(double sign) const {
    constexpr double golden = 0.6180339887498949;
    double low = 0, high = 2 * step_;
    for (int k = 0; k < 80; ++k) {
      const double left = high - golden * (high - low), right = low + golden * (high - low);
      if (sign * value_after(left) > sign * value_after(right))
        high = right;
      else
        low = left;
    }
    return {value_after(low), low};
  }

 private:
  Matrix next(const Matrix& e) const {
    const int n = s_->states();
    return math::part(e, 0, 0, n, n) * x_ + math::part(e, 0, n, n, 1);
  }
  const LinearSystem* s_;
  double step_;
  Matrix joined_, whole_, x_;
};

/// As long as the slowest mode lives, in steps that see the fastest one.
struct Walk {
  double step = 0;
  long steps = 0;
};
Walk plan(const LinearSystem& system, double band) {
  double slowest = 0, fastest = 0;
  for (const Complex p : find_poles(system)) {
    const Complex s = !system.is_sampled()  ? p
                      : std::abs(p) > 1e-17 ? std::log(p) / system.period
                                            : Complex(-40 / system.period);
    slowest = std::max(slowest, 1 / -s.real()), fastest = std::max(fastest, std::abs(s));
  }
  if (slowest == 0) return {};
  const double end = slowest * (12 - std::log(std::min(1.0, band)));
  if (system.is_sampled()) return {system.period, std::lround(std::ceil(end / system.period))};
  const long steps = std::clamp(std::lround(end * fastest * 8), 2000L, 400000L);
  return {end / double(steps), steps};
}

void check_step(const LinearSystem& s) {
  if (s.inputs() != 1 || s.outputs() != 1) throw Error("step: one input and one output are needed");
  if (!is_stable(s)) throw Error("step: the system is not stable, its answer has no final value");
}

}  // namespace

LevelTimes find_level_times(const LinearSystem& system, const std::vector<double>& parts) {
  check_step(system);
  LevelTimes result{respond(system, system.is_sampled() ? 1.0 : 0.0)(0, 0).real(),
                    std::vector<double>(parts.size(), -1.0)};
  const auto [step, steps] = plan(system, 0.02);
  StepAnswer answer(system, step);
  for (long k = 0; k < steps; ++k) {
    StepAnswer ahead = answer;
    ahead.advance();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double level = parts[i] * result.final_value;
      if (result.times[i] < 0 && (answer.value() - level) * (ahead.value() - level) <= 0 &&
          answer.value() != ahead.value())
        result.times[i] = double(k) * step + (system.is_sampled() ? step : answer.find_crossing(level));
    }
    answer = std::move(ahead);
  }
  return result;
}

StepMeasures measure_step(const LinearSystem& system, double band) {
  check_step(system);
  const bool sampled = system.is_sampled();
  StepMeasures m;
  m.final_value = respond(system, sampled ? 1.0 : 0.0)(0, 0).real();
  const auto [step, steps] = plan(system, band);
  if (steps == 0) return m.peak = m.final_value, m;
  const double limit = band * std::abs(m.final_value);
  const LevelTimes levels = find_level_times(system, {0.1, 0.9});
  if (levels.times[0] >= 0 && levels.times[1] >= 0) m.rise_time = levels.times[1] - levels.times[0];
  const double sign = m.final_value < 0 ? -1 : 1;
  StepAnswer answer(system, step), before_peak = answer;
  double before = answer.value();
  m.peak = before;
  for (long k = 0; k < steps; ++k) {
    StepAnswer ahead = answer;
    ahead.advance();
    const double after = ahead.value();
    const double t = double(k) * step;
    const auto crossed = [&](double level) { return (before - level) * (after - level) <= 0 && before != after; };
    const auto when = [&](double level) { return sampled ? t + step : t + answer.find_crossing(level); };
    for (const double level : {m.final_value - limit, m.final_value + limit})
      if (crossed(level)) m.settling_time = when(level);
    if (sign * after > sign * m.peak) m.peak = after, m.peak_time = t + step, before_peak = answer;
    m.undershoot = std::max(m.undershoot, -sign * after);
    before = after, answer = std::move(ahead);
  }
  if (!sampled && m.peak_time > 0) {
    const auto [value, time] = before_peak.find_top(sign);
    m.peak = value, m.peak_time += time - step;
  }
  if (m.final_value != 0) {
    m.overshoot = std::max(0.0, m.peak / m.final_value - 1);
    m.undershoot /= std::abs(m.final_value);
  }
  return m;
}

}  // namespace coenergy::control
