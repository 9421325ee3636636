// Diodes, Zener diodes, bipolar and MOS transistors against their laws as published (SPICE level 1, Gummel and Poon),
// written here once more in plain numbers, at random parameters and voltages of every region.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "coenergy/solve/initialize.hpp"
#include "tests/circuit_compile.hpp"

namespace coenergy::tests {
namespace {

constexpr double k_over_q = 1.380649e-23 / 1.602176634e-19;  // V/K, both exact by definition

/// Newton's iteration ends with corrections of 1e-8 of an unknown, and converges quadratically: the last one leaves
/// round-off, of which an exponent of up to 40 makes some 1e-14·40. Two powers of ten are left for cancelling currents.
constexpr double accuracy = 1e-10;

/// Random parameters as text of a model and as numbers.
class Values {
 public:
  explicit Values(unsigned seed) : random_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  double wide(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  bool coin() { return uniform(0, 1) < 0.5; }

 private:
  std::mt19937 random_;
};

/// A device whose pins are held by sources U_<pin>; their currents are those into the pins with the opposite sign.
class Held {
 public:
  Held(const std::string& type, const std::string& entries, const std::vector<std::pair<std::string, double>>& pins) {
    std::string text = "components:\n  X: {type: electrical." + type + ", " + entries;
    for (const auto& [pin, v] : pins) text += ", " + pin + ": n_" + pin;
    text += "}\n";
    for (const auto& [pin, v] : pins)
      text += fmt::format("  U_{0}: {{type: electrical.VoltageSource, p: n_{0}, n: gnd, v: {1:.17g} V}}\n", pin, v);
    system_.emplace(compile(text).system);
    equations::Evaluator evaluator(*system_);
    const solve::Start start = solve::initialize(evaluator, {});
    EXPECT_TRUE(start.good) << start.text << text;
    point = start.point;
    signals_.resize(system_->signals().size());
    evaluator.signals(point, signals_);
    stored = evaluator.energy(point).stored;
  }
  double signal(const std::string& name) const { return signals_[system_->find_signal(name)]; }
  double into(const std::string& pin) const { return -signal("U_" + pin + ".i"); }

  equations::Point point;
  double stored = 0;

 private:
  std::optional<equations::System> system_;
  std::vector<double> signals_;
};

void expect_close(double found, double expected, double scale, const std::string& what) {
  EXPECT_NEAR(found, expected, accuracy * scale) << what;
}

TEST(SemiconductorLaws, ABipolarTransistorIsThatOfGummelAndPoon) {
  Values r(1);
  for (int trial = 0; trial < 60; ++trial) {
    const double Is = r.wide(1e-15, 1e-12), Bf = r.uniform(20, 300), Br = r.uniform(0.5, 8), Nf = r.uniform(1, 1.1),
                 Nr = r.uniform(1, 1.2), Vaf = r.uniform(10, 100), Var = r.uniform(3, 20), Ikf = r.wide(1e-4, 1e-1),
                 Ikr = r.wide(1e-4, 1e-1), Ise = r.wide(1e-13, 1e-11), Ne = r.uniform(1.3, 2),
                 Isc = r.wide(1e-13, 1e-11), Nc = r.uniform(1.5, 2.5), gmin = r.wide(1e-7, 1e-5),
                 T = r.uniform(250, 380);
    const double sign = r.coin() ? 1 : -1, vbe = r.coin() ? r.uniform(0.4, 0.75) : r.uniform(-2, 0.3),
                 vbc = r.coin() ? r.uniform(0.4, 0.7) : r.uniform(-5, 0.3);
    const auto e = [&](double v, double n) { return std::exp(v / (n * k_over_q * T)) - 1; };
    const double i_f = Is * e(vbe, Nf), i_r = Is * e(vbc, Nr), q1 = 1 / (1 - vbc / Vaf - vbe / Var),
                 qb = q1 / 2 * (1 + std::sqrt(1 + 4 * std::max(0.0, i_f / Ikf + i_r / Ikr)));
    const double leak_c = Isc * e(vbc, Nc) + gmin * vbc, leak_e = Ise * e(vbe, Ne) + gmin * vbe;
    const double ic = (i_f - i_r) / qb - i_r / Br - leak_c, ib = i_f / Bf + leak_e + i_r / Br + leak_c;
    const Held x(
        "BipolarTransistor",
        fmt::format("kind: {}, Is: {:.17g}, Bf: {:.17g}, Br: {:.17g}, Nf: {:.17g}, Nr: {:.17g}, Vaf: {:.17g}, "
                    "Var: {:.17g}, Ikf: {:.17g}, Ikr: {:.17g}, Ise: {:.17g}, Ne: {:.17g}, Isc: {:.17g}, Nc: "
                    "{:.17g}, gmin: {:.17g}, Tnom: {:.17g}",
                    sign > 0 ? "npn" : "pnp", Is, Bf, Br, Nf, Nr, Vaf, Var, Ikf, Ikr, Ise, Ne, Isc, Nc, gmin, T),
        {{"c", sign * (vbe - vbc)}, {"b", sign * vbe}, {"e", 0}});
    const double scale = std::abs(i_f) + std::abs(i_r) + std::abs(leak_c) + std::abs(leak_e);
    const std::string where = fmt::format("trial {}, v_be {}, v_bc {}", trial, vbe, vbc);
    expect_close(x.into("c"), sign * ic, scale, where);
    expect_close(x.into("b"), sign * ib, scale, where);
    expect_close(x.into("e"), -sign * (ic + ib), scale, where);
  }
}

TEST(SemiconductorLaws, AMosTransistorIsThatOfShichmanAndHodgesInAllRegions) {
  Values r(2);
  int forward = 0, reverse = 0, off = 0, linear = 0, bulk = 0;
  for (int trial = 0; trial < 80; ++trial) {
    const double Vto = r.uniform(-0.5, 1), Kp = r.wide(1e-5, 1e-3), W = r.wide(1e-6, 1e-4), L = r.wide(1e-6, 1e-5),
                 lambda = r.uniform(0, 0.1), gamma = r.uniform(0.1, 1), phi = r.uniform(0.4, 0.9),
                 Is = r.wide(1e-15, 1e-12), N = r.uniform(1, 1.5), gmin = r.wide(1e-8, 1e-6), T = r.uniform(250, 380);
    const double sign = r.coin() ? 1 : -1, vds = r.uniform(-4, 4), vgs = r.uniform(-1, 5), vbs = r.uniform(-4, 0.6);
    const double vbd = vbs - vds;
    if (vbd > 0.7) continue;  // nobody drives a bulk diode that far
    // source and drain are exchanged where v_ds < 0
    const bool swapped = vds < 0;
    const double u = std::abs(vds), vb = swapped ? vbd : vbs, vg = swapped ? vgs - vds : vgs, root = std::sqrt(phi);
    const double depletion = vb <= 0 ? std::sqrt(phi - vb) : std::max(0.0, root - vb / (2 * root));
    const double vgst = vg - (sign * Vto + gamma * (depletion - root)), beta = Kp * W / L * (1 + lambda * u);
    double ids = 0;
    if (vgst > 0) ids = vgst <= u ? beta / 2 * vgst * vgst : beta * u * (vgst - u / 2);
    if (swapped) ids = -ids;
    const auto diode = [&](double v) { return Is * (std::exp(v / (N * k_over_q * T)) - 1) + gmin * v; };
    const Held x("Mosfet",
                 fmt::format("channel: {}, Vto: {:.17g}, Kp: {:.17g}, W: {:.17g}, L: {:.17g}, lambda: {:.17g}, gamma: "
                             "{:.17g}, phi: {:.17g}, Is: {:.17g}, N: {:.17g}, gmin: {:.17g}, Tnom: {:.17g}",
                             sign > 0 ? "n" : "p", Vto, Kp, W, L, lambda, gamma, phi, Is, N, gmin, T),
                 {{"d", sign * vds}, {"g", sign * vgs}, {"s", 0}, {"b", sign * vbs}});
    const double scale = std::abs(ids) + std::abs(diode(vbs)) + std::abs(diode(vbd));
    const std::string where = fmt::format("trial {}, v_ds {}, v_gs {}, v_bs {}", trial, vds, vgs, vbs);
    expect_close(x.into("d"), sign * (ids - diode(vbd)), scale, where);
    expect_close(x.into("s"), sign * (-ids - diode(vbs)), scale, where);
    expect_close(x.into("b"), sign * (diode(vbs) + diode(vbd)), scale, where);
    expect_close(x.into("g"), 0, scale, where);
    ++(vgst <= 0 ? off : vgst > u ? linear : swapped ? reverse : forward);
    bulk += vb > 0;
  }
  for (int count : {forward, reverse, off, linear, bulk}) EXPECT_GT(count, 2);
}

struct DiodeValues {
  double Is, N, Rs, BV, Ibv, Nbv, gmin, T;
  double current(double v) const {
    const double V = k_over_q * T;
    return Is * (std::exp(v / (N * V)) - 1) + gmin * v - Ibv * std::exp(-(v + BV) / (Nbv * V));
  }
  std::string text() const {
    return fmt::format(
        "Is: {:.17g}, N: {:.17g}, Rs: {:.17g}, BV: {:.17g}, Ibv: {:.17g}, Nbv: {:.17g}, gmin: {:.17g}, Tnom: {:.17g}",
        Is, N, Rs, BV, Ibv, Nbv, gmin, T);
  }
};

DiodeValues make_diode(Values& r) {
  return {r.wide(1e-15, 1e-10), r.uniform(1, 2), r.wide(0.1, 100),   r.uniform(2, 20),
          r.wide(1e-5, 1e-2),   r.uniform(1, 2), r.wide(1e-8, 1e-5), r.uniform(250, 380)};
}

TEST(SemiconductorLaws, ADiodeConductsBlocksAndBreaksDown) {
  Values r(3);
  for (int trial = 0; trial < 60; ++trial) {
    const DiodeValues d = make_diode(r);
    // forward, blocking, and up to three decades beyond the current of breakdown
    const double vj = trial % 3 == 0   ? r.uniform(0.2, 0.7)
                      : trial % 3 == 1 ? -r.uniform(0, d.BV)
                                       : -d.BV - r.uniform(0, 7) * d.Nbv * k_over_q * d.T;
    const double i = d.current(vj);
    const Held x(trial % 2 == 0 ? "Diode" : "Zener", d.text(), {{"p", vj + d.Rs * i}, {"n", 0}});
    const std::string where = fmt::format("trial {}, v_j {}", trial, vj);
    expect_close(x.signal("X.vj"), vj, std::abs(vj) + d.Rs * std::abs(i), where);
    expect_close(x.into("p"), i, std::abs(i) + 100 * d.gmin * std::abs(vj), where);
  }
}

/// Depletion and diffusion as SPICE has them: C_j0 (1 − v/φ)^−m up to f φ, along its tangent from there.
struct Charges {
  double Cj0, phi, m, f, TT;
  double capacitance(double v, double Is, double V) const {
    const double low = 1 - std::min(v, f * phi) / phi, beyond = std::max(0.0, v - f * phi);
    return TT * Is / V * std::exp(v / V) + Cj0 * (std::pow(low, -m) + m / phi * std::pow(1 - f, -1 - m) * beyond);
  }
  /// ∫ u C du from 0 to v by Simpson's rule on both sides of the bend; 2000 intervals leave less than 1e-11 of it.
  double energy(double v, double Is, double V) const {
    const auto part = [&](double a, double b) {
      const int n = 2000;
      const double h = (b - a) / n;
      double sum = 0;
      for (int k = 0; k <= n; ++k) {
        const double u = a + k * h, weight = k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2;
        sum += weight * u * capacitance(u, Is, V);
      }
      return sum * h / 3;
    };
    return v <= f * phi ? part(0, v) : part(0, f * phi) + part(f * phi, v);
  }
  std::string text() const {
    return fmt::format("Cj0: {:.17g}, Vj: {:.17g}, M: {:.17g}, FC: {:.17g}, TT: {:.17g}", Cj0, phi, m, f, TT);
  }
};

TEST(SemiconductorLaws, TheChargeOfADiodeHasItsCapacitanceAndItsEnergy) {
  Values r(4);
  for (int trial = 0; trial < 40; ++trial) {
    const DiodeValues d = make_diode(r);
    const Charges c{r.wide(1e-12, 1e-9), r.uniform(0.5, 1), r.uniform(0.2, 0.6), r.uniform(0.3, 0.7),
                    r.wide(1e-10, 1e-8)};
    const double vj = trial % 4 == 0   ? -d.BV - r.uniform(0, 7) * d.Nbv * k_over_q * d.T
                      : trial % 4 == 1 ? r.uniform(-d.BV, 0.0)
                                       : r.uniform(0.1, 0.8);
    const double v = vj + r.uniform(-1, 1), V = d.N * k_over_q * d.T, through = (v - vj) / d.Rs;
    const Held x("Diode", d.text() + ", " + c.text() + fmt::format(", v0: {:.17g}", vj), {{"p", v}, {"n", 0}});
    const std::string where = fmt::format("trial {}, v_j {}", trial, vj);
    const double scale = (std::abs(through) + std::abs(d.current(vj))) / c.capacitance(vj, d.Is, V);
    expect_close(x.point.xd.at(0), (through - d.current(vj)) / c.capacitance(vj, d.Is, V), scale, where);
    EXPECT_NEAR(x.stored, c.energy(vj, d.Is, V), 1e-9 * std::abs(x.stored)) << where;
  }
}

TEST(SemiconductorLaws, BeyondAHundredKiloampereAJunctionContinuesAlongItsTangent) {
  // Is e^60 is that current; e^62 becomes e^60 (1 + 2), in the current as in the charge: iterations that stray keep their direction
  const double V = 1, N = V / (k_over_q * 300.15), Is = 1e5 * std::exp(-60.0), Rs = 1e3, Cj0 = 1e-12, TT = 1e-9;
  const Held x("Diode",
               fmt::format("Is: {:.17g}, N: {:.17g}, Rs: {:.17g}, Cj0: {:.17g}, TT: {:.17g}, gmin: 0, v0: 62, M: 0", Is,
                           N, Rs, Cj0, TT),
               {{"p", 62}, {"n", 0}});
  const double i = Is * (3 * std::exp(60.0) - 1), C = TT * Is * std::exp(60.0) + Cj0;
  expect_close(x.point.xd.at(0), -i / C, i / C, "rate");
  // ∫ v dq: 59 e^60 + 1 up to 60 V, then ½ (62² − 60²) e^60
  EXPECT_NEAR(x.stored, TT * Is * (59 * std::exp(60.0) + 1 + 122 * std::exp(60.0)) + Cj0 * 62 * 62 / 2,
              1e-12 * x.stored);
}

TEST(SemiconductorLaws, AJunctionCapacitorHasTheChargeOfADiodeAloneTimesItsFactor) {
  Values r(5);
  for (int trial = 0; trial < 30; ++trial) {
    const Charges c{r.wide(1e-12, 1e-9), r.uniform(0.5, 1), r.uniform(0.2, 0.6), r.uniform(0.3, 0.7),
                    r.wide(1e-10, 1e-8)};
    const double Is = r.wide(1e-15, 1e-12), N = r.uniform(1, 2), T = r.uniform(250, 380), V = N * k_over_q * T,
                 factor = r.uniform(0.2, 3), v = r.uniform(-3, 0.75), R = 100;
    // behind a resistor: C(v) v' = (u − v)/R, with the diffusion charge times the factor
    const std::string text = fmt::format(
        "components:\n  U: {{type: electrical.VoltageSource, p: a, n: gnd, v: 1 V}}\n  R: {{type: electrical.Resistor, "
        "p: a, n: b, R: {} ohm}}\n  X: {{type: electrical.JunctionCapacitor, p: b, n: gnd, {}, Is: {:.17g}, N: "
        "{:.17g}, "
        "Tnom: {:.17g}, factor: {:.17g}, v0: {:.17g}}}\n",
        R, c.text(), Is, N, T, factor, v);
    const equations::System system = compile(text).system;
    equations::Evaluator evaluator(system);
    const equations::Point p = solve::initialize(evaluator, {}).point;
    Charges scaled = c;
    scaled.TT *= factor;
    const double expected = (1 - v) / R / scaled.capacitance(v, Is, V);
    EXPECT_NEAR(p.xd.at(0), expected, accuracy * std::abs(expected)) << text;
  }
}

}  // namespace
}  // namespace coenergy::tests
