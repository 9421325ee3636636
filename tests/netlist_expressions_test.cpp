// Numbers and expressions of netlists: of signals, of constants, and by ngspice where it is installed.
#include <cmath>
#include <functional>
#include <regex>

#include "coenergy/io/spice.hpp"
#include "coenergy/io/spice_expression.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/circuit_compile.hpp"
#include "tests/ngspice.hpp"

namespace coenergy::tests {
namespace {

struct Formula {
  std::string text;  ///< of X and Y
  std::function<double(double, double)> value;
  bool known_by_ngspice = true;
};

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

const std::vector<Formula>& formulas() {
  static const std::vector<Formula> all = {
      {"X+Y*2-X/Y", [](double x, double y) { return x + y * 2 - x / y; }},
      {"X-(Y-3)", [](double x, double y) { return x - (y - 3); }},
      {"X/(Y/3)", [](double x, double y) { return x / (y / 3); }},
      {"-(X+Y)", [](double x, double y) { return -(x + y); }},
      {"-X^2", [](double x, double) { return -x * x; }},
      {"(2+X*X)^-1", [](double x, double) { return 1 / (2 + x * x); }},
      {"2^3^2+X", [](double x, double) { return 64 + x; }},
      {"X**2-Y", [](double x, double y) { return x * x - y; }},
      {"X>Y ? X : 2*Y", [](double x, double y) { return x > y ? x : 2 * y; }},
      {"X<0 && Y>0 ? 1 : 0", [](double x, double y) { return x < 0 && y > 0 ? 1 : 0; }},
      {"X<0 || Y<0 ? 1 : 0", [](double x, double y) { return x < 0 || y < 0 ? 1 : 0; }},
      {"!(X>0) ? 5 : 6", [](double x, double) { return x > 0 ? 6 : 5; }},
      {"sin(X)+cos(Y)*tan(X/9)", [](double x, double y) { return std::sin(x) + std::cos(y) * std::tan(x / 9); }},
      {"asin(X/9)+acos(Y/9)", [](double x, double y) { return std::asin(x / 9) + std::acos(y / 9); }},
      {"atan(X)+sinh(Y)", [](double x, double y) { return std::atan(x) + std::sinh(y); }},
      {"cosh(X)-tanh(Y)", [](double x, double y) { return std::cosh(x) - std::tanh(y); }},
      {"exp(X)+ln(2+Y*Y)", [](double x, double y) { return std::exp(x) + std::log(2 + y * y); }},
      {"log(2+X*X)", [](double x, double) { return std::log(2 + x * x); }},
      {"log10(2+X*X)", [](double x, double) { return std::log10(2 + x * x); }},
      {"sqrt(3+X*X)*abs(Y)", [](double x, double y) { return std::sqrt(3 + x * x) * std::abs(y); }},
      {"sgn(X)+2*sgn(Y)", [](double x, double y) { return sign(x) + 2 * sign(y); }},
      {"floor(X)+10*ceil(Y)", [](double x, double y) { return std::floor(x) + 10 * std::ceil(y); }},
      {"nint(X)", [](double x, double) { return std::round(x); }},
      {"u(X)+2*u(Y)", [](double x, double y) { return (x > 0) + 2 * (y > 0); }},
      {"uramp(X)-uramp(Y)", [](double x, double y) { return std::max(x, 0.0) - std::max(y, 0.0); }},
      {"min(X,Y)+3*max(X,Y)", [](double x, double y) { return std::min(x, y) + 3 * std::max(x, y); }},
      // ngspice takes the magnitude of a base
      {"pow(X,3)", [](double x, double) { return x * x * x; }, false},
      // as in constants of ngspice, in PSpice and in LTspice; sources of ngspice give it the sign of X
      {"pwr(X,1.5)", [](double x, double) { return std::pow(std::abs(x), 1.5); }, false},
      {"pwrs(X,1.5)", [](double x, double) { return sign(x) * std::pow(std::abs(x), 1.5); }, false},
      {"int(X)+10*int(Y)", [](double x, double y) { return std::trunc(x) + 10 * std::trunc(y); }, false},
      {"atan2(X,Y)", [](double x, double y) { return std::atan2(x, y); }, false},
      {"limit(X,1,-1)+5*limit(Y,-1,1)",
       [](double x, double y) { return std::clamp(x, -1.0, 1.0) + 5 * std::clamp(y, -1.0, 1.0); }, false},
      {"sqr(X)", [](double x, double) { return x * x; }, false},
      {"X % 2", [](double x, double) { return x - 2 * std::floor(x / 2); }, false},
      {"if(X>Y, 3, X)", [](double x, double y) { return x > y ? 3 : x; }, false},
      {"pwl(X, -2,1, 0,3, 3,-1)", [](double x, double) { return x < 0 ? 3 + x : 3 - 4 * x / 3; }},
      {"table(X, -2,1, 0,3, 3,-1)",
       [](double x, double) { return x < -2  ? 1
                                     : x < 0 ? 3 + x
                                     : x < 3 ? 3 - 4 * x / 3
                                             : -1; }, false},
      {"X*pi+e", [](double x, double) { return x * std::acos(-1.0) + std::exp(1.0); }},
      {"sgn(X-X)", [](double, double) { return 0; }},
      // ngspice gives half a step
      {"u(X-X)", [](double, double) { return 0; }, false},
      // exact by definition
      {"X + c/1e8 + echarge*1e19 + boltz*1e23 + planck*1e34 + kelvin",
       [](double x, double) { return x + 2.99792458 + 1.602176634 + 1.380649 + 6.62607015 - 273.15; }, false},
  };
  return all;
}

std::string with(const std::string& text, const std::string& x, const std::string& y) {
  return std::regex_replace(std::regex_replace(text, std::regex("\\bX\\b"), x), std::regex("\\bY\\b"), y);
}

/// One source for each formula, of signals (B) or of constants (V); the voltages of all of them.
std::vector<double> find_values(const std::string& netlist) {
  const equations::System system = compile(io::make_dc_model(io::parse_netlist(netlist, "m.cir"))).system;
  equations::Evaluator evaluator(system);
  const solve::Start start = solve::initialize(evaluator, {.start = "steady"});
  EXPECT_TRUE(start.good) << start.text;
  std::vector<double> signals(system.signals().size()), values;
  evaluator.signals(start.point, signals);
  for (std::size_t k = 0; k < formulas().size(); ++k)
    values.push_back(signals[system.find_signal("o" + std::to_string(k) + ".v")]);
  return values;
}

constexpr std::pair<double, double> points[] = {{0.7, 1.9}, {-2.6, 1.7}, {3.4, -0.8}, {-0.4, -3.3}};

TEST(NetlistExpressions, OfSignalsAndOfConstantsHaveTheirValues) {
  for (const auto& [x, y] : points) {
    const std::string numbers = "(" + std::to_string(x) + ")", others = "(" + std::to_string(y) + ")";
    std::string by_signals = "signals\nVx x 0 " + std::to_string(x) + "\nVy y 0 " + std::to_string(y) + "\n";
    std::string by_constants = "constants\n";
    for (std::size_t k = 0; k < formulas().size(); ++k) {
      const std::string n = std::to_string(k), &text = formulas()[k].text;
      by_signals += "B" + n + " o" + n + " 0 V={" + with(text, "v(x)", "v(y)") + "}\n";
      by_constants += "V" + n + " o" + n + " 0 {" + with(text, numbers, others) + "}\n";
    }
    const std::vector<double> varying = find_values(by_signals + ".op\n.end\n"),
                              constant = find_values(by_constants + ".op\n.end\n");
    for (std::size_t k = 0; k < formulas().size(); ++k) {
      const double expected = formulas()[k].value(x, y), tolerance = 1e-12 * (1 + std::abs(expected));
      EXPECT_NEAR(varying[k], expected, tolerance) << formulas()[k].text << " of signals at " << x << ", " << y;
      EXPECT_NEAR(constant[k], expected, tolerance) << formulas()[k].text << " of constants at " << x << ", " << y;
    }
  }
}

TEST(NetlistExpressions, AreUnderstoodAsNgspiceUnderstandsThem) {
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  for (const auto& [x, y] : points) {
    std::string text = "signals\nVx x 0 " + std::to_string(x) + "\nVy y 0 " + std::to_string(y) + "\n", names;
    for (std::size_t k = 0; k < formulas().size(); ++k) {
      if (!formulas()[k].known_by_ngspice) continue;
      const std::string n = std::to_string(k);
      text += "B" + n + " o" + n + " 0 V=" + with(formulas()[k].text, "v(x)", "v(y)") + "\n";
      names += " v(o" + n + ")";
    }
    const NgspiceOutput reference = command_ngspice(text, "op\nprint" + names);
    for (std::size_t k = 0; k < formulas().size(); ++k) {
      if (!formulas()[k].known_by_ngspice) continue;
      const double expected = formulas()[k].value(x, y);
      EXPECT_NEAR(reference.printed("v(o" + std::to_string(k) + ")"), expected, 1e-9 * (1 + std::abs(expected)))
          << formulas()[k].text << " at " << x << ", " << y << reference.log.substr(0, 600);
    }
  }
}

TEST(NetlistExpressions, AChargeOfTheVoltageAtItsOwnPinsNeedsNoGround) {
  // both ways round, between two nodes that no capacitor holds: Q = 2n v + 0.3n v³ grows by 4 mA times the time
  for (const std::string law : {"2n*V(y,x) + 0.3n*V(y,x)^3", "-(2n*V(x,y) + 0.3n*V(x,y)^3)"}) {
    const io::Netlist netlist = io::parse_netlist(
        "charge\nV1 x 0 5\nI1 0 y 4m\nC1 y x Q={" + law + "} ic=0\nRx x 0 1k\n.tran 10n 1u uic\n.end\n", "m.cir");
    solve::Options options = io::read_simulation_options(netlist.model);
    options.rtol = 1e-10, options.atol = 1e-12, options.output_step = 1e-7;
    const auto r = run_model(netlist.model, options);
    for (std::size_t k = 0; k < r.times.size(); ++k) {
      const double v = r.signal("C1.v")[k];
      EXPECT_NEAR(2e-9 * v + 0.3e-9 * v * v * v, 4e-3 * r.times[k], 1e-16) << law << " " << r.times[k];
      EXPECT_NEAR(r.signal("y.v")[k] - r.signal("x.v")[k], v, 1e-12) << law;
    }
  }
}

TEST(NetlistExpressions, NumbersHaveTheScaleFactorsOfSpice) {
  const std::pair<const char*, double> numbers[] = {
      {"2.2t", 2.2e12},  {"2.2G", 2.2e9},    {"3Meg", 3e6},     {"3MEGohm", 3e6}, {"4.7k", 4.7e3},  {"4.7kohm", 4.7e3},
      {"5m", 5e-3},      {"5mH", 5e-3},      {"2mil", 50.8e-6}, {"10uF", 10e-6},  {"3.3n", 3.3e-9}, {"22pF", 22e-12},
      {"6.8f", 6.8e-15}, {"7a", 7e-18},      {"2A", 2},         {"-0.5A", -0.5},  {"3aF", 3e-18},   {"3AF", 3e-18},
      {"1e3", 1e3},      {"-1.5e-3k", -1.5}, {"+.5", 0.5},      {"12V", 12},      {"3e", 3},        {"1.e6", 1e6},
      {"2.5F", 2.5e-15}, {"8x", 8}};
  for (const auto& [text, value] : numbers) {
    const auto number = io::spice::parse_number(text);
    ASSERT_TRUE(number) << text;
    EXPECT_NEAR(*number, value, 1e-15 * std::abs(value)) << text;
  }
  for (const char* text : {"", ".", "k", "1k2", "1 k", "--1"}) EXPECT_FALSE(io::spice::parse_number(text)) << text;
}

}  // namespace
}  // namespace coenergy::tests
