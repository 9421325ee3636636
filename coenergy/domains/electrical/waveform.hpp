#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Periodic trapezoidal pulses, with a located event at every corner.
///
/// The value is `low` until `delay`, rises to `high` within `rise`, stays for `width`, falls within `fall` and stays
/// low until the period is over; a period of zero gives one pulse. n counts the corners that have passed.
struct PulseWave {
  Parameter low, high, delay, rise, fall, width, period;
  Discrete n;

  void describe(Description& d, const std::string& unit);
  Expr value(Equations& eq) const;
  void write_events(Equations& eq) const;

 private:
  Expr corner(Equations& eq, const Expr& count) const;
  bool is_periodic(Equations& eq) const { return eq.number(period) > 0; }
};

/// Straight lines between given points, with a located event at every point; constant before the first and after the
/// last. With `repeat` > 0 the part from that time on is repeated for ever. n counts the points that have passed.
struct PwlWave {
  List times, values;
  Parameter delay, repeat_from;
  Discrete n;

  void describe(Description& d, const std::string& unit);
  Expr value(Equations& eq) const;
  void write_events(Equations& eq) const;

 private:
  void check(Equations& eq) const;
  bool is_periodic(Equations& eq) const { return eq.has(repeat_from); }
  Expr round(Equations& eq, const Expr& count) const;
  Expr index(Equations& eq, const Expr& count) const;
};

/// Ideal source whose voltage follows a waveform: v_p − v_n = v(t). Supplies −v i.
template <class Wave>
struct WaveVoltageSource {
  Pin p, n;
  Wave wave;
  Algebraic i;

  void describe(Description& d) {
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    wave.describe(d, "V");
    d.variable(i, "i", "A", "current from p to n through the source");
    d.output("v", "V", "voltage from p to n");
  }

  std::vector<Branch> branches(Equations& eq) const { return {{p, n, BranchKind::voltage, {}, wave.value(eq)}}; }

  void equations(Equations& eq) const {
    wave.write_events(eq);
    eq.through(p, eq[i]);
    eq.through(n, -eq[i]);
    eq.zero(i, eq[p] - eq[n] - wave.value(eq));
    eq.supplied(-(eq[p] - eq[n]) * eq[i]);
    eq.output("v", "V", eq[p] - eq[n]);
  }
};

/// Ideal source whose current follows a waveform: i(t) from p to n through the source. Supplies −v i.
template <class Wave>
struct WaveCurrentSource {
  Pin p, n;
  Wave wave;

  void describe(Description& d) {
    d.port(p, "p", "pin where the current enters");
    d.port(n, "n", "pin where the current leaves");
    wave.describe(d, "A");
    d.output("v", "V", "voltage from p to n");
    d.output("i", "A", "current from p to n");
  }

  std::vector<Branch> branches(Equations& eq) const { return {{p, n, BranchKind::current, {}, wave.value(eq)}}; }

  void equations(Equations& eq) const {
    wave.write_events(eq);
    const Expr i = wave.value(eq), v = eq[p] - eq[n];
    eq.through(p, i);
    eq.through(n, -i);
    eq.supplied(-v * i);
    eq.output("v", "V", v);
    eq.output("i", "A", i);
  }
};

struct PulseVoltage : WaveVoltageSource<PulseWave> {
  void describe(Description& d) {
    d.name("electrical.PulseVoltage", "voltage source of periodic trapezoidal pulses");
    WaveVoltageSource::describe(d);
  }
};
struct PulseCurrent : WaveCurrentSource<PulseWave> {
  void describe(Description& d) {
    d.name("electrical.PulseCurrent", "current source of periodic trapezoidal pulses");
    WaveCurrentSource::describe(d);
  }
};
struct PwlVoltage : WaveVoltageSource<PwlWave> {
  void describe(Description& d) {
    d.name("electrical.PwlVoltage", "voltage source through given points, linear between them");
    WaveVoltageSource::describe(d);
  }
};
struct PwlCurrent : WaveCurrentSource<PwlWave> {
  void describe(Description& d) {
    d.name("electrical.PwlCurrent", "current source through given points, linear between them");
    WaveCurrentSource::describe(d);
  }
};

}  // namespace coenergy::domains::electrical
