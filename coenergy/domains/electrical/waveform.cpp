#include "coenergy/domains/electrical/waveform.hpp"

#include <memory>

namespace coenergy::domains::electrical {

namespace {

constexpr double never = 1e30;  // s

/// a mod b for whole a ≥ 0.
Expr remainder(const Expr& a, double b) { return a - b * floor((a + 0.5) / b); }

}  // namespace

// ---- pulses

void PulseWave::describe(Description& d, const std::string& unit) {
  d.parameter(low, "low", unit, "value before and between the pulses").fallback("0 " + unit);
  d.parameter(high, "high", unit, "value of the pulses");
  d.parameter(delay, "delay", "s", "start of the first pulse").fallback("0 s");
  d.parameter(rise, "rise", "s", "time to rise").fallback("0 s").not_negative();
  d.parameter(fall, "fall", "s", "time to fall").fallback("0 s").not_negative();
  d.parameter(width, "width", "s", "time at the high value").not_negative();
  d.parameter(period, "period", "s", "time from pulse to pulse; 0 for one pulse").fallback("0 s").not_negative();
  d.variable(n, "n", "", "number of corners passed");
}

/// Time of the corner number `count`, from 1: four corners in every period.
Expr PulseWave::corner(Equations& eq, const Expr& count) const {
  const Expr which = remainder(count - 1, 4), pulse = floor((count - 1 + 0.5) / 4);
  const Expr top = eq[rise], down = top + eq[width], end = down + eq[fall];
  const Expr offset = select(less(which, 0.5), 0, select(less(which, 1.5), top, select(less(which, 2.5), down, end)));
  // a pulse that is longer than the period is cut off by the next one
  if (is_periodic(eq)) return eq[delay] + pulse * eq[period] + min(offset, eq[period]);
  return select(less(count, 4.5), eq[delay] + offset, never);
}

Expr PulseWave::value(Equations& eq) const {
  // which = 0: low; 1: rising; 2: high; 3: falling, since the corner passed last
  const Expr which = remainder(eq[n], 4), passed = eq.time() - corner(eq, max(eq[n], 1)), swing = eq[high] - eq[low];
  // limited, so that an edge without length is not overshot between its two corners
  const Expr rising = min(passed / max(eq[rise], 1 / never), 1),
             falling = max(1 - passed / max(eq[fall], 1 / never), 0);
  const Expr level =
      select(less(which, 0.5), 0, select(less(which, 1.5), rising, select(less(which, 2.5), 1, falling)));
  return eq[low] + swing * level;
}

void PulseWave::write_events(Equations& eq) const {
  const Expr next = corner(eq, eq[n] + 1);
  eq.indicator("corner", eq.time() - next);
  Expr count = select(less_equal(next, eq.time()), eq[n] + 1, eq[n]);
  // a run that starts late skips whole periods
  if (is_periodic(eq)) count = max(count, 4 * floor((eq.time() - eq[delay]) / eq[period] - 0.5));
  eq.mode(n, count);
}

// ---- piecewise linear

void PwlWave::describe(Description& d, const std::string& unit) {
  d.parameter(times, "times", "s", "times of the points, increasing");
  d.parameter(values, "values", unit, "values at these times");
  d.parameter(delay, "delay", "s", "added to all times").fallback("0 s");
  d.parameter(repeat_from, "repeat_from", "s", "what follows this time is repeated for ever; once only without it")
      .not_negative()
      .optional();
  d.variable(n, "n", "", "number of points passed");
}

void PwlWave::check(Equations& eq) const {
  const std::vector<double> t = eq.numbers(times), v = eq.numbers(values);
  if (t.size() != v.size())
    eq.refuse("there are " + std::to_string(t.size()) + " times and " + std::to_string(v.size()) +
              " values; give as many of both");
  if (t.empty()) eq.refuse("there is no point");
  for (std::size_t k = 1; k < t.size(); ++k)
    if (!(t[k] > t[k - 1])) eq.refuse("the times must increase");
  if (is_periodic(eq) && !(eq.number(repeat_from) < t.back())) eq.refuse("repeat_from must be before the last time");
}

/// How many times the repeated part has been passed after `count` points, and the point counted without repetition.
Expr PwlWave::round(Equations& eq, const Expr& count) const {
  if (!is_periodic(eq)) return 0;
  const std::vector<double> t = eq.numbers(times);
  int first = 0;
  while (t[first] <= eq.number(repeat_from)) ++first;
  const double last = static_cast<double>(t.size()), cycle = last - first;
  return max(floor((count - last - 0.5) / cycle) + 1, 0);
}

Expr PwlWave::index(Equations& eq, const Expr& count) const {
  if (!is_periodic(eq)) return count;
  const std::vector<double> t = eq.numbers(times);
  int first = 0;
  while (t[first] <= eq.number(repeat_from)) ++first;
  return count - round(eq, count) * (static_cast<double>(t.size()) - first);
}

Expr PwlWave::value(Equations& eq) const {
  check(eq);
  std::vector<double> t = eq.numbers(times), v = eq.numbers(values);
  // constant outside
  t.insert(t.begin(), t.front() - 1), v.insert(v.begin(), v.front());
  t.push_back(t.back() + 1), v.push_back(v.back());
  const double length = t[t.size() - 2] - (is_periodic(eq) ? eq.number(repeat_from) : 0);
  auto table = std::make_shared<symbolic::Table>();
  table->name = "pwl";
  table->x = t;
  table->values = v;
  table->prepare();
  // a new round starts when the last point has been passed
  return eq.graph().table(table, eq.time() - eq[delay] - round(eq, eq[n] + 1) * length);
}

void PwlWave::write_events(Equations& eq) const {
  check(eq);
  const std::vector<double> t = eq.numbers(times);
  auto table = std::make_shared<symbolic::Table>();
  table->name = "points";
  for (std::size_t k = 0; k <= t.size() + 1; ++k) table->x.push_back(static_cast<double>(k));
  table->values = t;
  table->values.insert(table->values.begin(), t.front() - 1);
  table->values.push_back(never);
  table->prepare();
  const Expr count = eq[n] + 1, rounds = round(eq, count);
  const double length = is_periodic(eq) ? t.back() - eq.number(repeat_from) : 0;
  const Expr next = eq[delay] + rounds * length + eq.graph().table(table, min(index(eq, count), t.size() + 1.0));
  eq.indicator("point", eq.time() - next);
  eq.mode(n, select(less_equal(next, eq.time()), eq[n] + 1, eq[n]));
}

}  // namespace coenergy::domains::electrical
