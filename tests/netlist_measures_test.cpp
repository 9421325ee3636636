// .meas cards of netlists: against closed forms, and against ngspice where it is installed.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "tests/ngspice.hpp"

namespace coenergy::tests {
namespace {

using std::numbers::pi;

/// Measures by name, as --json tells them.
std::map<std::string, nlohmann::json> measure(const std::string& text) {
  const Folder folder;
  const Outcome outcome = run_program({"run", folder.write("c.cir", text), "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  std::map<std::string, nlohmann::json> measures;
  const auto all = nlohmann::json::parse(outcome.output, nullptr, false);
  for (const auto& item : all["measures"]) measures[item["name"]] = item;
  return measures;
}

double value_of(const std::map<std::string, nlohmann::json>& measures, const std::string& name) {
  const auto place = measures.find(name);
  if (place == measures.end() || !place->second.contains("value")) return std::nan("");
  return place->second.at("value").get<double>();
}

TEST(Measures, OfARunAreNotThoseOfItsRows) {
  // 1 V on an RC with τ = 1 ms: rows every 0.5 ms, v = 1 − e^{−t/τ}
  const auto m = measure(
      "charge\nV1 in 0 1\nR1 in a 1k\nC1 a 0 1u ic=0\n.options reltol=1e-9 vntol=1e-11\n.tran 0.5m 5m uic\n"
      ".meas tran half when v(a)=0.5\n"
      ".meas tran rise trig v(a) val=0.1 rise=1 targ v(a) val=0.9 rise=1\n"
      ".meas tran late trig at=1m targ v(in,a) val=0.2 fall=last\n"
      ".meas tran meeting when v(a)=v(in,a)\n"
      ".meas tran there find v(a) at=1.23m\n"
      ".meas tran current find i(R1) when v(a)=0.75\n"
      ".meas tran slope deriv v(a) at=0.7m\n"
      ".meas tran slope2 deriv v(a) when v(a)=0.25\n"
      ".meas tran mean avg v(a) from=0.3m to=2.1m\n"
      ".meas tran root rms v(in,a) from=0.3m to=2.1m\n"
      ".meas tran charge integ i(R1) from=0.3m to=2.1m\n"
      ".meas tran sum param='rise/half + 2*{there}'\n");
  // reltol 1e-9 of a step, and an interpolant of order 3 in steps of about 0.1 τ
  constexpr double exact = 2e-7;
  const auto v = [](double t) { return 1 - std::exp(-t); };
  const double e = std::exp(-0.3) - std::exp(-2.1), e2 = std::exp(-0.6) - std::exp(-4.2);
  EXPECT_NEAR(value_of(m, "half") * 1e3, std::log(2), exact);
  EXPECT_NEAR(value_of(m, "rise") * 1e3, std::log(9), exact);
  EXPECT_NEAR(value_of(m, "late") * 1e3, std::log(5) - 1, exact);
  EXPECT_NEAR(value_of(m, "meeting") * 1e3, std::log(2), exact);
  EXPECT_NEAR(value_of(m, "there"), v(1.23), exact);
  EXPECT_NEAR(value_of(m, "current") * 1e3, 0.25, exact);
  EXPECT_NEAR(value_of(m, "slope") * 1e-3, std::exp(-0.7), 1e-5);  // one order less
  EXPECT_NEAR(value_of(m, "slope2") * 1e-3, 0.75, 1e-5);
  EXPECT_NEAR(value_of(m, "mean"), 1 - e / 1.8, exact);
  EXPECT_NEAR(value_of(m, "root"), std::sqrt(e2 / 2 / 1.8), exact);
  EXPECT_NEAR(value_of(m, "charge") * 1e6, e, exact);
  EXPECT_NEAR(value_of(m, "sum"), std::log(9) / std::log(2) + 2 * v(1.23), 1e-6);
  EXPECT_NEAR(m.at("rise")["trigger"].get<double>() * 1e3, -std::log(0.9), exact);
  EXPECT_NEAR(m.at("rise")["target"].get<double>() * 1e3, std::log(10), exact);
}

TEST(Measures, CountCrossingsRisesAndFalls) {
  // sin(2π 1 kHz t) rises through 0.5 at (1/12 + n) ms and falls through it at (5/12 + n) ms; a step spans two
  // rows of 5 µs, over which a cubic is off by 1e-8 V
  const auto m = measure(
      "sine\nV1 a 0 SIN(0 1 1k)\nR1 a 0 1k\n.tran 5u 5.2m\n"
      ".meas tran r3 when v(a)=0.5 rise=3\n.meas tran f2 when v(a)=0.5 fall=2\n.meas tran c5 when v(a)=0.5 cross=5\n"
      ".meas tran rl when v(a)=0.5 rise=last\n.meas tran fl when v(a)=0.5 fall=last\n"
      ".meas tran late when v(a)=0.5 rise=2 td=1.5m\n.meas tran window when v(a)=0.5 from=1.2m to=2m\n"
      ".meas tran zero when v(a)=0 rise=2\n.meas tran width trig v(a) val=0.5 rise=2 targ v(a) val=0.5 fall=2\n"
      ".meas tran top max v(a) from=1m to=2m\n.meas tran when_top max_at v(a) from=1m to=2m\n"
      ".meas tran low min v(a) from=1m to=2m\n.meas tran when_low min_at v(a) from=1m to=2m\n"
      ".meas tran size pp v(a)\n");
  constexpr double exact = 1e-8;  // ms: those 1e-8 V by the slope 5.4 V/ms
  const double rise = 1.0 / 12, fall = 5.0 / 12;
  EXPECT_NEAR(value_of(m, "r3") * 1e3, 2 + rise, exact);
  EXPECT_NEAR(value_of(m, "f2") * 1e3, 1 + fall, exact);
  EXPECT_NEAR(value_of(m, "c5") * 1e3, 2 + rise, exact);
  EXPECT_NEAR(value_of(m, "rl") * 1e3, 5 + rise, exact);
  EXPECT_NEAR(value_of(m, "fl") * 1e3, 4 + fall, exact);
  EXPECT_NEAR(value_of(m, "late") * 1e3, 3 + rise, exact);
  EXPECT_NEAR(value_of(m, "window") * 1e3, 1 + fall, exact);
  EXPECT_NEAR(value_of(m, "zero") * 1e3, 1, exact);  // the first is the one it starts with
  EXPECT_NEAR(value_of(m, "width") * 1e3, fall - rise, exact);
  EXPECT_NEAR(value_of(m, "top"), 1, exact);
  EXPECT_NEAR(value_of(m, "low"), -1, exact);
  EXPECT_NEAR(value_of(m, "size"), 2, 2 * exact);
  // an extremum is flat: its place is known to the root of 1e-8 at worst
  EXPECT_NEAR(value_of(m, "when_top") * 1e3, 1.25, 1e-4);
  EXPECT_NEAR(value_of(m, "when_low") * 1e3, 1.75, 1e-4);
}

TEST(Measures, OfASwitchedCircuitSeeJumps) {
  // a switch with no rise time: the output jumps from 0 to 5 V at 0.3 ms, between two rows
  const auto m = measure(
      "jump\nV1 in 0 PULSE(0 1 0 1m 1m 1m 4m)\nV2 p 0 10\nS1 p out in 0 sw\n.model sw sw(vt=0.3 ron=1k roff=1e12)\n"
      "R1 out 0 1k\n.tran 0.2m 2m\n.meas tran jump when v(out)=3\n.meas tran mean avg v(out) from=0 to=1m\n");
  EXPECT_NEAR(value_of(m, "jump") * 1e3, 0.3, 1e-9);  // the event is located to rounding
  EXPECT_NEAR(value_of(m, "mean"), 0.7 * 5, 1e-8);
}

TEST(Measures, OfASweepOfFrequenciesAreExactBetweenItsRows) {
  // RC with a corner at 1/(2πRC), three rows in a decade
  const auto m = measure(
      "corner\nV1 in 0 AC 2\nR1 in a 1k\nC1 a 0 1u\n.ac dec 3 1 100k\n"
      ".meas ac corner when vm(a)=1.4142135623730951\n.meas ac phase find vp(a) when vdb(a)=0\n"
      ".meas ac decibel find vdb(a) at=1k\n.meas ac real find vr(a) at=500\n.meas ac plain find v(a) at=500\n"
      ".meas ac imag find vi(a) at=500\n.meas ac between find vm(in,a) at=500\n.meas ac peak min vi(a)\n"
      ".meas ac octaves param='log(corner/1)/log(2)'\n");
  const double w = 2 * pi * 1e-3;  // ωRC at 1 Hz
  EXPECT_NEAR(value_of(m, "corner") * w, 1, 1e-10);
  EXPECT_NEAR(value_of(m, "phase"), -60, 1e-8);  // |H| = ½
  EXPECT_NEAR(value_of(m, "decibel"), 20 * std::log10(2 / std::hypot(1, 1000 * w)), 1e-10);
  const double x = 500 * w, real = 2 / (1 + x * x);
  EXPECT_NEAR(value_of(m, "real"), real, 1e-12);
  EXPECT_NEAR(value_of(m, "plain"), real, 1e-12);  // as ngspice takes it
  EXPECT_NEAR(value_of(m, "imag"), -real * x, 1e-12);
  EXPECT_NEAR(value_of(m, "between"), 2 * x / std::hypot(1, x), 1e-12);
  EXPECT_NEAR(value_of(m, "peak"), -1, 1e-12);  // at the corner
  EXPECT_NEAR(value_of(m, "octaves"), std::log2(1 / w), 1e-9);
}

TEST(Measures, OfASweepOfValuesAreExactBetweenItsRows) {
  // a diode at 0.6 V with rows of 0.5 V: I = Is (e^{v/V} − 1) + gmin v through 1 kΩ
  const auto m = measure(
      "diode\nV1 in 0 0\nR1 in a 1k\nD1 a 0 dd\n.model dd D(IS=1e-14)\n.dc V1 0 5 0.5\n"
      ".meas dc at06 when v(a)=0.6\n.meas dc there find v(in,a) when v(a)=0.6\n.meas dc top max v(a)\n");
  const double V = 1.380649e-23 / 1.602176634e-19 * 300.15, i = 1e-14 * (std::exp(0.6 / V) - 1) + 0.6e-12;
  EXPECT_NEAR(value_of(m, "at06"), 0.6 + 1e3 * i, 1e-8);  // Newton's tolerance times the slope
  EXPECT_NEAR(value_of(m, "there"), 1e3 * i, 1e-8);
  EXPECT_GT(value_of(m, "top"), 0.68);
}

TEST(Measures, OfARunAreThoseOfNgspice) {
  const std::string circuit =
      "pulses\nV1 in 0 PULSE(0 5 1u 100n 100n 4u 10u)\nR1 in a 1k\nC1 a 0 500p\nL1 a b 100u\nR2 b 0 2k\nC2 b 0 300p\n";
  const std::vector<std::pair<std::string, std::string>> cards = {
      {"t_rise", "trig v(a) val=0.5 rise=1 targ v(a) val=2.5 rise=1"},
      {"t_delay", "trig v(in) val=2.5 fall=2 targ v(b) val=1.5 fall=2"},
      {"t_last", "trig v(in) val=2.5 rise=1 td=5u targ v(b) val=1 fall=last"},
      {"t_when", "when v(b)=1.2 cross=3"},
      {"v_at", "find v(b) at=3.3u"},
      {"v_when", "find v(b) when v(a)=1.7 fall=2"},
      {"v_max", "max v(b) from=0 to=20u"},
      {"v_min", "min v(b) from=6u to=20u"},
      {"v_pp", "pp v(b) from=11u to=21u"},
      {"v_rms", "rms v(b) from=10u to=20u"},
      {"v_avg", "avg v(a) from=10u to=20u"},
      {"q_in", "integ i(v1) from=1u to=11u"}};
  std::string text = circuit + ".options reltol=1e-8 vntol=1e-10\n.tran 50n 30u\n", commands = "tran 50n 30u 0 0.5n\n";
  for (const auto& [name, card] : cards) {
    text += ".meas tran " + name + " " + card + "\n";
    commands += "meas tran " + name + " " + card + "\nprint " + name + "\n";
  }
  const auto m = measure(text);
  EXPECT_EQ(m.size(), 12u);
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  const NgspiceOutput reference =
      command_ngspice(circuit + ".options reltol=1e-7 abstol=1e-14 vntol=1e-10 chgtol=1e-22 trtol=1\n", commands);
  for (const auto& [name, card] : cards) {
    const double expected = reference.printed(name);
    // steps of 0.5 ns of the trapezoidal rule, joined by straight lines, told in 7 digits: 1e-6; the minimum is a
    // fiftieth of the voltages; ngspice takes the mean from row to row, half a step away from the ends asked for
    const double tolerance = name == "v_avg" ? 1e-4 : name == "v_min" ? 2e-5 : 2e-6;
    EXPECT_NEAR(value_of(m, name), expected, tolerance * std::abs(expected)) << name;
    if (std::getenv("COENERGY_SHOW_FIGURES") != nullptr)
      std::printf("%-10s %.10g ngspice %.10g difference %.2g\n", name.c_str(), value_of(m, name), expected,
                  value_of(m, name) / expected - 1);
  }
}

TEST(Measures, OfASweepAreThoseOfNgspice) {
  const std::string circuit = "resonance\nV1 in 0 DC 0 AC 1\nR1 in a 50\nL1 a b 1m\nC1 b 0 10n\nR2 b 0 5k\n";
  const std::vector<std::pair<std::string, std::string>> cards = {
      {"peak", "max vm(b)"}, {"corner", "when vdb(b)=-3 fall=1"}, {"gain", "find vdb(a) at=70k"}};
  std::string text = circuit + ".ac dec 5 1k 1meg\n", commands = "ac lin 100001 1k 1meg\n";
  for (const auto& [name, card] : cards) {
    text += ".meas ac " + name + " " + card + "\n";
    commands += "meas ac " + name + " " + card + "\nprint " + name + "\n";
  }
  const auto m = measure(text);
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  const NgspiceOutput reference = command_ngspice(circuit, commands);
  // rows of ngspice are 10 Hz apart, which moves the peak (Q ≈ 4) by (10/5e4)² and the rest less; it tells 7 digits
  for (const auto& [name, card] : cards)
    EXPECT_NEAR(value_of(m, name), reference.printed(name), 1e-6 * std::abs(reference.printed(name))) << name;
}

TEST(Measures, OneThatIsNotMetIsToldByNameAndLineAndSpoilsNoOther) {
  const std::string text =
      "sine\nV1 a 0 SIN(0 1 1k)\nR1 a 0 1k\n.tran 5u 2m\n.meas tran never when v(a)=7\n"
      ".meas tran third trig v(a) val=0.5 rise=1 targ v(a) val=0.5 rise=3\n.meas tran after find v(a) at=5m\n"
      ".meas tran empty avg v(a) from=3m\n.meas tran half when v(a)=0.5\n.meas tran uses param='2*never'\n";
  const Folder folder;
  const std::string file = folder.write("c.cir", text);
  const Outcome outcome = run_program({"run", file});
  EXPECT_EQ(outcome.status, 0);
  for (const char* part : {"c.cir:5:1: .meas never failed: no crossings were found",
                           "c.cir:6:1: .meas third failed: target: 2 rises were found, not 3",
                           "c.cir:7:1: .meas after failed: at = 0.005 is outside of the analysis",
                           "c.cir:8:1: .meas empty failed: nothing of the analysis lies between from and to",
                           "c.cir:10:1: .meas uses failed: never has no value"})
    EXPECT_NE(outcome.message.find(part), std::string::npos) << part << "\n" << outcome.message;
  for (const char* part :
       {"measures of .tran", "half ", "8.333333", "never                                         failed"})
    EXPECT_NE(outcome.output.find(part), std::string::npos) << part << "\n" << outcome.output;
  const Outcome without =
      run_program({"run", folder.write("w.cir", "op\nV1 a 0 1\nR1 a 0 1\n.op\n.meas ac x max v(a)\n")});
  EXPECT_NE(without.message.find("w.cir:5:1: .meas x is not taken: there is no .ac card"), std::string::npos)
      << without.message;
  const auto m = measure(text);
  EXPECT_EQ(m.at("never")["failure"], "no crossings were found");
  EXPECT_FALSE(m.at("never").contains("value"));
}

TEST(Measures, FourierSeriesOfAPulseAreThoseOfItsClosedForm) {
  // the last period begins at 1.2 ms of the pulse: everything turns by −0.2·2π n; edges of 1 ns are left out
  const auto all = measure(R"(pulse
V1 a 0 PULSE(0 2 0 1n 1n 0.3m 1m)
R1 a 0 1k
.tran 10u 3.2m
.four 1k v(a) i(R1)
.end
)");
  std::map<std::string, double> m;
  for (const auto& [name, item] : all) m[name] = value_of(all, name);
  EXPECT_EQ(m.size(), 2u * 20);
  EXPECT_NEAR(m["four_v_a_dc"], 0.6, 1e-5);
  double squares = 0, first = 0;
  for (int n = 1; n <= 9; ++n) {
    const double turn = 2 * pi * n * 0.2;
    const double s0 = 2 * (1 - std::cos(2 * pi * n * 0.3)) / (pi * n), c0 = 2 * std::sin(2 * pi * n * 0.3) / (pi * n);
    const double magnitude = std::hypot(s0, c0), phase = std::atan2(c0, s0) + turn;
    n == 1 ? first = magnitude : squares += magnitude * magnitude;
    const std::string k = std::to_string(n);
    EXPECT_NEAR(m["four_v_a_mag" + k], magnitude, 1e-5) << n;
    if (magnitude < 1e-6) continue;
    const double got = m["four_i_r1_phase" + k] * pi / 180;
    EXPECT_NEAR(std::remainder(got - phase, 2 * pi), 0, 1e-4) << n;
    EXPECT_NEAR(m["four_i_r1_mag" + k], magnitude / 1e3, 1e-8) << n;
  }
  EXPECT_NEAR(m["four_v_a_thd"], 100 * std::sqrt(squares) / first, 1e-3);
}

TEST(Measures, ExpressionsAndWordsOfOtherProgramsAreMeasured) {
  // a voltage, a current and time in one expression; the last crossing as -1; what others measure is noted
  const auto all = measure(R"(expressions
V1 a 0 SIN(0 3 1k)
R1 a b 1k
R2 b 0 2k
.tran 1u 3m
.meas tran power max {v(a)*i(R1)}
.meas tran ramp avg 'abs(v(b))*0 + time*1k' from=1m to=3m
.meas tran twice eqn {power*2}
.meas tran period trig v(a)=1 rise=1 targ v(a)=1 rise=2
.meas tran last when v(a)=1 cross=-1
.meas tran enough max v(b) default_val=7
.meas tran other four v(b) at=1k
.meas noise none max v(b)
.end
)");
  std::map<std::string, double> m;
  for (const auto& [name, item] : all) m[name] = value_of(all, name);
  EXPECT_EQ(m.size(), 6u);
  EXPECT_NEAR(m["power"], 3e-3, 1e-8);
  EXPECT_NEAR(m["ramp"], 2, 1e-9);
  EXPECT_NEAR(m["twice"], 6e-3, 2e-8);
  EXPECT_NEAR(m["period"], 1e-3, 1e-9);
  EXPECT_NEAR(m["last"], 2e-3 + 0.5e-3 - std::asin(1.0 / 3) / (2e3 * pi), 1e-9);
  EXPECT_NEAR(m["enough"], 2, 1e-6);
}

}  // namespace
}  // namespace coenergy::tests
