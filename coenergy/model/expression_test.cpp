#include "coenergy/model/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>

namespace coenergy::model {
namespace {

constexpr double pi = std::numbers::pi;

/// Names with numbers for the values, so that results fold to numbers.
std::optional<Quantity> find_name(const std::string& name) {
  static const std::map<std::string, std::pair<double, const char*>> names{
      {"R1", {4, "ohm"}},   {"L", {0.5, "H"}},     {"L1", {3, "H"}},      {"L0", {2, "H"}}, {"rotor.q", {0.3, "rad"}},
      {"L1.i", {2.5, "A"}}, {"g", {9.81, "m/s2"}}, {"time", {0.25, "s"}}, {"n", {3, ""}},   {"x", {0.1, "m"}},
      {"L2", {7, "H"}},     {"U1.v", {6, "V"}},    {"m", {8, "kg"}},      {"min", {5, ""}}, {"C2.s", {1, ""}}};
  if (name == "unknown") return Quantity{2, {}, false, false};
  const auto found = names.find(name);
  if (found == names.end()) return std::nullopt;
  return make_quantity(found->second.first, parse_unit(found->second.second));
}

const std::vector<std::string> known{"R1", "L", "L0", "rotor.q", "L1.i", "time", "U1.v"};

Quantity evaluate(const std::string& text) {
  symbolic::Graph graph;
  auto result = Expression::parse(text, {"m.yaml", 7, 10}).evaluate(graph, find_name, known);
  result.value = result.value.number();
  return result;
}

double value(const std::string& text) { return evaluate(text).value.number(); }

std::string unit(const std::string& text) {
  const auto q = evaluate(text);
  return q.plain_number ? "plain" : dimension_text(q);
}

std::string message_of(const std::string& text) {
  try {
    evaluate(text);
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing thrown";
}

TEST(Expression, NumbersTakeTheUnitBehindThem) {
  EXPECT_EQ(value("7.3 mH"), 0.0073);
  EXPECT_EQ(value("7.3mH"), 0.0073);
  EXPECT_EQ(unit("7.3 mH"), "H");
  EXPECT_EQ(value("-5"), -5);
  EXPECT_EQ(unit("-5"), "plain");
  EXPECT_EQ(value(" 1e3 "), 1000);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_DOUBLE_EQ(value("130 deg/s"), 130 * pi / 180);
  EXPECT_EQ(unit("130 deg/s"), "1/s");
  EXPECT_EQ(unit("2 kg.m2"), "kg.m2");
  EXPECT_EQ(unit("3 N.m/rad"), "N.m");
  EXPECT_EQ(unit("9.81 m/s^2"), "m/s2");
  EXPECT_EQ(unit("9.81 m/s2"), "m/s2");
  EXPECT_EQ(unit("9.81 m/s²"), "m/s2");
  EXPECT_EQ(unit("4186 J/(kg.K)"), "m2/(s2.K)");
  EXPECT_EQ(unit("5 1/s"), "1/s");
  EXPECT_EQ(value("5 %"), 0.05);
  EXPECT_EQ(value("47 µF"), 47e-6);
  EXPECT_EQ(value("3 m^2"), 3);
  EXPECT_EQ(value("20 degC"), 293.15);
  EXPECT_EQ(value("-5 degC"), 268.15);
  EXPECT_EQ(value("2 min"), 120);
}

TEST(Expression, AWordThatIsNoUnitIsAName) {
  EXPECT_EQ(value("6 V/R1"), 1.5);
  EXPECT_EQ(unit("6 V/R1"), "A");
  EXPECT_EQ(value("5 A/L1.i"), 2);
  EXPECT_EQ(unit("5 A/L1.i"), "no unit");
  EXPECT_EQ(value("12 m/s/n"), 4);
  EXPECT_EQ(value("8 V/(R1)"), 2);
  EXPECT_EQ(value("10 N/min(2, 5)"), 5);
  EXPECT_EQ(value("9 m/n^2"), 1);
  EXPECT_EQ(value("1024 N/m^n"), 2);
  EXPECT_EQ(value("6 V/L1"), 2);
  EXPECT_EQ(value("2*min(3, 4) + min"), 11);
  EXPECT_EQ(value("0 or 1"), 1);
}

TEST(Expression, AWordThatIsBothIsTheUnitOnlyBehindANumber) {
  EXPECT_EQ(unit("10 N/m"), unit("10 N/(1 m)"));
  EXPECT_EQ(value("16 N / m"), 2);
  EXPECT_EQ(unit("16 N / m"), "m/s2");
  EXPECT_EQ(value("2 kg*g"), 2 * 9.81);
  EXPECT_EQ(unit("2 kg*g"), "N");
  EXPECT_EQ(value("2 kg*mm^2"), 2e-6);
  EXPECT_EQ(unit("2 kg*s^-2"), "kg/s2");
  EXPECT_DOUBLE_EQ(value("3 J/(kg*K)"), 3);
  EXPECT_EQ(value("10 cm / s"), 0.1);
  EXPECT_EQ(value("2 V*mA.s"), 0.002);
  EXPECT_EQ(message_of("6 V/L2"),
            "m.yaml:7:14: \"L2\" in 6 V/L2 is a unit and a name of the model; put spaces around the / to divide by the "
            "name, or use ^ for a "
            "power of the unit");
  EXPECT_EQ(value("6 V/C2.s"), 6);
  EXPECT_EQ(value("14 V / L2"), 2);
}

TEST(Expression, OperatorsBindAsInMathematics) {
  EXPECT_EQ(value("2 + 3*4"), 14);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("24/4/3"), 2);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2**-1"), 0.5);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("1 < 2 and 3 < 2 or 1 == 1"), 1);
  EXPECT_EQ(value("not 1 > 2"), 1);
  EXPECT_EQ(value("!(1 < 2) || 2 != 2"), 0);
  EXPECT_EQ(value("1 >= 1 && 1 <= 0"), 0);
  EXPECT_EQ(value("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(value("1 ? 0 ? 4 : 5 : 3"), 5);
  EXPECT_EQ(value("if(2 > 1, 10, 20)"), 10);
  EXPECT_EQ(value("true + false"), 1);
}

TEST(Expression, FunctionsHaveTheirUsualMeaning) {
  const std::pair<const char*, double> rows[] = {{"sin(1)", std::sin(1)},
                                                 {"cos(1)", std::cos(1)},
                                                 {"tan(1)", std::tan(1)},
                                                 {"asin(0.5)", std::asin(.5)},
                                                 {"acos(0.5)", std::acos(.5)},
                                                 {"atan(2)", std::atan(2)},
                                                 {"sinh(1)", std::sinh(1)},
                                                 {"cosh(1)", std::cosh(1)},
                                                 {"tanh(1)", std::tanh(1)},
                                                 {"exp(1)", std::exp(1)},
                                                 {"log(2)", std::log(2)},
                                                 {"sqrt(2)", std::sqrt(2)},
                                                 {"abs(-3)", 3},
                                                 {"sign(-3)", -1},
                                                 {"floor(2.7)", 2},
                                                 {"atan2(1, -1)", std::atan2(1, -1)},
                                                 {"min(3, 1, 2)", 1},
                                                 {"max(3, 1, 2)", 3},
                                                 {"pow(2, 0.5)", std::sqrt(2)},
                                                 {"pow(2, 1.5)", std::pow(2, 1.5)},
                                                 {"cos(pi)", -1}};
  // one rounding of difference between libraries
  for (const auto& [text, expected] : rows) EXPECT_DOUBLE_EQ(value(text), expected) << text;
}

TEST(Expression, ModelFileExamplesEvaluate) {
  EXPECT_DOUBLE_EQ(value("2*L/3"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(value("L0*(1 + 0.2*cos(2*rotor.q))"), 2 * (1 + 0.2 * std::cos(0.6)));
  EXPECT_EQ(unit("L0*(1 + 0.2*cos(2*rotor.q))"), "H");
  EXPECT_DOUBLE_EQ(value("7.3 mH*(1 - 0.1*tanh(L1.i/(5 A)))"), 0.0073 * (1 - 0.1 * std::tanh(0.5)));
  EXPECT_EQ(value("time < 1 s ? 0 : 2 V"), 0);
  EXPECT_EQ(unit("time < 1 s ? 0 : 2 V"), "V");
  EXPECT_DOUBLE_EQ(value("6 V*sin(2*pi*50 Hz*time + 10 deg)"), 6 * std::sin(25 * pi + pi / 18));
  // plain numbers are SI: here rad/s
  EXPECT_DOUBLE_EQ(value("6 V*sin(2*pi*50*time + 0.1)"), 6 * std::sin(2 * pi * 50 * 0.25 + 0.1));
}

TEST(Expression, TablesInterpolate) {
  EXPECT_EQ(value("table(time, [0 s, 500 ms], [2 V, 4 V])"), 3);
  EXPECT_EQ(unit("table(time, [0 s, 500 ms], [2 V, 4 V])"), "V");
  EXPECT_EQ(unit("table(time, [0, 1], [2, 4])"), "plain");
  // a natural spline through three points of a straight line is the line
  EXPECT_DOUBLE_EQ(value("spline(0.3, [0, 1, 2], [1, 3, 5])"), 1.6);
  EXPECT_EQ(message_of("table(time, [0, 1], [2])"),
            "m.yaml:7:30: the table has 2 x values and 1 y values; give as many of both");
  EXPECT_EQ(message_of("table(time, [0, 0], [2, 3])"),
            "m.yaml:7:26: the x values of the table must increase, but 0 follows 0");
  EXPECT_EQ(message_of("table(time, [0], [2])"), "m.yaml:7:22: the table needs at least two points");
  EXPECT_EQ(message_of("table(time, [0 m, 1 m], [2, 3])"),
            "m.yaml:7:22: the x values of the table are in m, but its argument is time (s)");
  EXPECT_EQ(message_of("table(time, [0 m, 1 s], [2, 3])"),
            "m.yaml:7:28: the values of a list must have the same unit, not m and 1 s");
  EXPECT_EQ(message_of("table(time, 1, 2)"), "m.yaml:7:10: write table(x, [x0, x1, ...], [y0, y1, ...])");
  EXPECT_EQ(message_of("[1, 2]"),
            "m.yaml:7:10: a list [ ] can only stand in table(x, [...], [...]) and spline(x, [...], [...])");
}

TEST(Expression, SymbolsStaySymbolicAndConditionsBecomeNodes) {
  symbolic::Graph graph;
  const auto scope = [&](const std::string& name) -> std::optional<Quantity> {
    if (name == "time") return Quantity{graph.symbol("time"), parse_unit("s").dimension};
    if (name == "s.q") return Quantity{graph.symbol("s.q"), {}};
    return std::nullopt;
  };
  const auto e = Expression::parse("time < 1 s ? 0 : 2 V");
  const auto q = e.evaluate(graph, scope);
  EXPECT_EQ(q.value.op(), symbolic::Op::select);
  EXPECT_EQ(e.names(), std::vector<std::string>{"time"});
  EXPECT_EQ(Expression::parse("s.q >= 1").evaluate(graph, scope).value.op(), symbolic::Op::less_equal);
  EXPECT_EQ(Expression::parse("table(time, [0, 1], [0, 1])").evaluate(graph, scope).value.op(), symbolic::Op::table);
  EXPECT_TRUE(
      same(Expression::parse("(s.q)^2").evaluate(graph, scope).value, graph.symbol("s.q") * graph.symbol("s.q")));
  EXPECT_THROW(Expression::parse("table(time, [0, s.q], [0, 1])").evaluate(graph, scope), Error);
}

TEST(Expression, TellsItsNames) {
  EXPECT_EQ(Expression::parse("b.x + a*sin(b.x) + 2 m/s + pi").names(), (std::vector<std::string>{"b.x", "a"}));
  EXPECT_TRUE(Expression::parse("2*pi*3 mm").is_constant());
  EXPECT_FALSE(Expression::parse("2 kg*m^2").is_constant());
  EXPECT_EQ(Expression::parse(" drive.y ").as_name(), "drive.y");
  EXPECT_EQ(Expression::parse("pi").as_name(), "");
  EXPECT_EQ(Expression::parse("-a").as_name(), "");
}

TEST(Expression, DimensionsAreChecked) {
  EXPECT_EQ(message_of("5 A + 2 V"), "m.yaml:7:14: cannot add 5 A and 2 V");
  EXPECT_EQ(message_of("L1.i - 2 V"), "m.yaml:7:15: cannot subtract 2 V from L1.i (A)");
  EXPECT_EQ(message_of("time < 2*x"), "m.yaml:7:15: cannot compare time (s) with 2*x (m)");
  EXPECT_EQ(message_of("sin(5 A)"),
            "m.yaml:7:14: sin needs a number or an angle, not 5 A; give every factor its unit, or divide by one");
  EXPECT_EQ(message_of("exp(-time)"),
            "m.yaml:7:14: exp needs a number, not -time (s); give every factor its unit, or divide by one");
  EXPECT_EQ(message_of("min(1, 5 A, 2 V)"),
            "m.yaml:7:22: the arguments of min must have the same unit, not 5 A and 2 V");
  EXPECT_EQ(message_of("1 ? 2 V : 3 A"), "m.yaml:7:12: the two values 2 V and 3 A must have the same unit");
  EXPECT_EQ(message_of("time ? 1 : 2"), "m.yaml:7:10: a condition must be a number without unit, not time (s)");
  EXPECT_EQ(message_of("2^(3 s)"), "m.yaml:7:12: an exponent must be a number without unit, not (3 s)");
  EXPECT_EQ(unit("5 rad + n"), "no unit");
  EXPECT_EQ(message_of("5 rad + 2 V"), "m.yaml:7:16: cannot add 5 rad and 2 V");
}

TEST(Expression, PlainNumbersFitEverythingButCountAsDimensionlessInProducts) {
  EXPECT_EQ(unit("time + 1"), "s");
  EXPECT_EQ(unit("1 - time"), "s");
  EXPECT_EQ(unit("time < 1"), "no unit");
  EXPECT_EQ(unit("2*3 + sin(1)"), "plain");
  EXPECT_EQ(unit("max(0, U1.v)"), "V");
  EXPECT_EQ(unit("2*time"), "s");
  EXPECT_EQ(unit("1/time"), "1/s");
  EXPECT_EQ(unit("unknown + 2 V"), "V");
  EXPECT_EQ(unit("unknown + 1"), "unknown unit");
  EXPECT_EQ(unit("1 - unknown"), "unknown unit");
  EXPECT_EQ(unit("unknown*2 V"), "unknown unit");
  EXPECT_EQ(unit("sqrt(4 m2)"), "m");
  EXPECT_EQ(unit("(4 m2)^0.5"), "m");
  EXPECT_EQ(unit("sqrt(4 m)"), "unknown unit");
  EXPECT_EQ(unit("(2 m)^3"), "m3");
  EXPECT_EQ(value("(2 m)^3"), 8);
  EXPECT_EQ(unit("atan2(1 m, x)"), "no unit");
  EXPECT_EQ(unit("abs(-x)"), "m");
  EXPECT_EQ(unit("sign(-x)"), "no unit");
}

TEST(Expression, MistakesPointAtTheirCharacter) {
  EXPECT_EQ(message_of("2*rotr.q"), "m.yaml:7:12: unknown name \"rotr.q\"; did you mean rotor.q?");
  EXPECT_EQ(message_of("µ + 1"), "m.yaml:7:10: unexpected \"µ\" in the expression");
  EXPECT_EQ(message_of("1 µm + foo"), "m.yaml:7:17: unknown name \"foo\"");
  EXPECT_EQ(
      message_of("R1*kg"),
      "m.yaml:7:13: unknown name \"kg\"; if the unit is meant, write it directly behind a number, as in \"1 kg\"");
  EXPECT_EQ(message_of("2 x"), "m.yaml:7:12: unknown unit \"x\"; to multiply, write 2*x");
  EXPECT_EQ(message_of("2 pi"), "m.yaml:7:12: unknown unit \"pi\"; to multiply, write 2*pi");
  EXPECT_EQ(message_of("2 rotor.q"),
            "m.yaml:7:12: unknown unit \"rotor\" in \"rotor.q\"; to multiply, write 2*rotor.q");
  EXPECT_EQ(message_of("2 sin(1)"), "m.yaml:7:12: \"sin\" is no unit; to multiply, write 2*sin(…)");
  EXPECT_EQ(message_of("5 Nm"), "m.yaml:7:12: unknown unit \"Nm\"; did you mean N.m?");
  EXPECT_EQ(message_of("3 J/kg.K"),
            "m.yaml:7:14: the unit /kg.K can be read in two ways; write /(kg.K) if all of it divides");
  EXPECT_EQ(message_of("2*(3 + 4"), "m.yaml:7:12: the parenthesis is not closed; ) is missing");
  EXPECT_EQ(message_of("2*3)"), "m.yaml:7:13: this ) closes nothing; remove it or add a (");
  EXPECT_EQ(message_of("2 +"), "m.yaml:7:13: the expression \"2 +\" ends where a value is expected");
  EXPECT_EQ(message_of("2 * / 3"), "m.yaml:7:14: unexpected \"/\"; a value is expected");
  EXPECT_EQ(message_of("2 3"), "m.yaml:7:12: unexpected \"3\"; an operator is expected");
  EXPECT_EQ(message_of(""), "m.yaml:7:10: the expression is empty");
  EXPECT_EQ(message_of("1 = 2"), "m.yaml:7:12: a single = is no comparison; write ==");
  EXPECT_EQ(message_of("1 < 2 < 3"), "m.yaml:7:16: comparisons cannot be chained; write \"a < b and b < c\"");
  EXPECT_EQ(message_of("1 ? 2"), "m.yaml:7:12: the \"?\" is not closed; : is missing");
  EXPECT_EQ(message_of("sine(1)"), "m.yaml:7:10: unknown function \"sine\"; did you mean sin?");
  EXPECT_EQ(message_of("foobar(1)"),
            "m.yaml:7:10: unknown function \"foobar\"; known are sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, "
            "exp, log, floor, abs, "
            "min, max, atan2, sqrt, sign, pow, if, table, spline");
  EXPECT_EQ(message_of("atan2(1)"), "m.yaml:7:10: atan2 takes 2 arguments, not 1");
  EXPECT_EQ(message_of("sin()"), "m.yaml:7:10: sin takes 1 argument, not 0");
  EXPECT_EQ(message_of("max(1)"), "m.yaml:7:10: max takes at least 2 arguments, not 1");
  EXPECT_EQ(message_of("1e999"), "m.yaml:7:10: the number 1e999 is out of range");
  EXPECT_EQ(message_of("1/(2 - 2)"), "m.yaml:7:12: division by zero in 1/(2 - 2)");
  EXPECT_EQ(message_of("log(-1)"), "m.yaml:7:10: log(-1) has no finite real value");
  EXPECT_EQ(message_of("1 +\n  foo"), "m.yaml:8:12: unknown name \"foo\"");
  symbolic::Graph graph;
  const auto nothing = [](const std::string&) { return std::optional<Quantity>(); };
  EXPECT_THROW(
      {
        try {
          Expression::parse("2*time", {"m.yaml", 1, 1}).evaluate(graph, nothing);
        } catch (const Error& e) {
          EXPECT_STREQ(e.what(), "m.yaml:1:3: this value must be constant; it cannot depend on time");
          throw;
        }
      },
      Error);
}

TEST(Expression, DepthIsBounded) {
  EXPECT_EQ(message_of(std::string(100000, '(')), "m.yaml:7:211: the expression is nested too deeply");
  EXPECT_NE(message_of(std::string(100000, '-') + "1").find("the expression is nested too deeply"), std::string::npos);
  std::string sum = "1";
  for (int k = 0; k < 900; ++k) sum += " + 1";
  EXPECT_EQ(value(sum), 901);
  for (int k = 0; k < 100000; ++k) sum += "+1";
  EXPECT_NE(message_of(sum).find("the expression is too long; split it into several parameters"), std::string::npos);
}

TEST(Expression, RandomTextsAreReadOrRefusedWithAPlace) {
  std::mt19937 random(5);
  const std::vector<std::string> pieces{"2",    " 3 A", "x",  "L1.i", "+",  "-",    "*",   "/",    "^",    "(",
                                        ")",    ",",    "?",  ":",    "<",  "sin(", "if(", "[",    "]",    " ",
                                        ".",    "m",    "µ",  "²",    "**", "==",   "!",   "and ", "1e5 ", "table(",
                                        "time", "\xff", "°C", "%",    "s",  "N",    "=",   "s2",   "1/"};
  int read = 0, refused = 0;
  for (int k = 0; k < 30000; ++k) {
    std::string text;
    for (auto n = 1 + random() % 9; n > 0; --n) text += pieces[random() % pieces.size()];
    try {
      evaluate(text);
      ++read;
    } catch (const Error& e) {
      ++refused;
      EXPECT_GE(e.items().at(0).where.column, 10) << text << ": " << e.what();
    }
  }
  EXPECT_GT(read, 500);
  EXPECT_GT(refused, 1000);
}

TEST(Quantity, UnitsOfParametersAreChecked) {
  const auto message = [](const char* text, const char* wanted) -> std::string {
    try {
      check_unit(evaluate(text), wanted, {"m.yaml", 3, 5}, "R1.R", text);
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing thrown";
  };
  EXPECT_EQ(message("5 A", "ohm"), "m.yaml:3:5: R1.R = 5 A must be in ohm, not in A");
  EXPECT_EQ(message("5 rad", "ohm"), "m.yaml:3:5: R1.R = 5 rad must be in ohm, but it has no unit");
  EXPECT_EQ(message("5 A", ""), "m.yaml:3:5: R1.R = 5 A must be a number, not in A");
  EXPECT_EQ(message("5 A", "rad"), "m.yaml:3:5: R1.R = 5 A must be a number or in rad, not in A");
  EXPECT_EQ(message("5", "ohm"), "nothing thrown");
  EXPECT_EQ(message("5 V/(1 A)", "ohm"), "nothing thrown");
  EXPECT_EQ(message("unknown", "ohm"), "nothing thrown");
}

}  // namespace
}  // namespace coenergy::model
