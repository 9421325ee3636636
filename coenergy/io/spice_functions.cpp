#include "coenergy/io/spice_functions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/base/names.hpp"

namespace coenergy::io::spice {

namespace {

using Numbers = const std::vector<double>&;
using Texts = const std::vector<std::string>&;

template <double (*f)(double)>
double plain(Numbers x) {
  return f(x[0]);
}
double sgn(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
double step(double x) { return x > 0 ? 1 : 0; }
double ramp(double x) { return x > 0 ? x : 0; }
double square(double x) { return x * x; }

/// Piecewise linear through (x1, y1, x2, y2, …), outside along the first and the last line.
double interpolate(Numbers x) {
  std::size_t k = 3;
  while (k + 3 < x.size() && x[0] > x[k]) k += 2;
  return x[k - 1] + (x[k + 1] - x[k - 1]) * (x[0] - x[k - 2]) / (x[k] - x[k - 2]);
}

/// The same, constant outside.
double look_up(Numbers x) {
  if (x[0] <= x[1]) return x[2];
  return x[0] >= x[x.size() - 2] ? x.back() : interpolate(x);
}

std::string call(const char* name, Texts x) {
  std::string text = std::string(name) + "(";
  for (std::size_t k = 0; k < x.size(); ++k) text += (k > 0 ? ", " : "") + x[k];
  return text + ")";
}
#define SAME(name) [](Texts x) { return call(name, x); }

std::string points_text(const std::string& argument, Texts x) {
  std::string xs, ys;
  for (std::size_t k = 1; k + 1 < x.size(); k += 2) {
    xs += (k > 1 ? ", " : "") + x[k];
    ys += (k > 1 ? ", " : "") + x[k + 1];
  }
  return "table(" + argument + ", [" + xs + "], [" + ys + "])";
}
std::string pwl_text(Texts x) { return points_text(x[0], x); }
std::string table_text(Texts x) {
  return points_text("max(min(" + x[0] + ", " + x[x.size() - 2] + "), " + x[1] + ")", x);
}

const std::vector<FunctionInfo>& functions() {
  static const std::vector<FunctionInfo> list = {
      {"sin", 1, 1, plain<std::sin>, SAME("sin")},
      {"cos", 1, 1, plain<std::cos>, SAME("cos")},
      {"tan", 1, 1, plain<std::tan>, SAME("tan")},
      {"asin", 1, 1, plain<std::asin>, SAME("asin")},
      {"arcsin", 1, 1, plain<std::asin>, SAME("asin")},
      {"acos", 1, 1, plain<std::acos>, SAME("acos")},
      {"arccos", 1, 1, plain<std::acos>, SAME("acos")},
      {"atan", 1, 1, plain<std::atan>, SAME("atan")},
      {"arctan", 1, 1, plain<std::atan>, SAME("atan")},
      {"sinh", 1, 1, plain<std::sinh>, SAME("sinh")},
      {"cosh", 1, 1, plain<std::cosh>, SAME("cosh")},
      {"tanh", 1, 1, plain<std::tanh>, SAME("tanh")},
      {"asinh", 1, 1, plain<std::asinh>,
       [](Texts x) { return "(sign(" + x[0] + ") * log(abs(" + x[0] + ") + sqrt((" + x[0] + ")^2 + 1)))"; }},
      {"acosh", 1, 1, plain<std::acosh>, [](Texts x) { return "log(" + x[0] + " + sqrt((" + x[0] + ")^2 - 1))"; }},
      {"atanh", 1, 1, plain<std::atanh>,
       [](Texts x) { return "(log((1 + (" + x[0] + ")) / (1 - (" + x[0] + "))) / 2)"; }},
      {"exp", 1, 1, plain<std::exp>, SAME("exp")},
      {"ln", 1, 1, plain<std::log>, SAME("log")},
      {"log", 1, 1, plain<std::log>, SAME("log")},
      {"log10", 1, 1, plain<std::log10>, [](Texts x) { return "(log(" + x[0] + ") / log(10))"; }},
      {"sqrt", 1, 1, plain<std::sqrt>, SAME("sqrt")},
      {"abs", 1, 1, plain<std::fabs>, SAME("abs")},
      {"sgn", 1, 1, plain<sgn>, SAME("sign")},
      {"sign", 1, 2, [](Numbers x) { return x.size() == 1 ? sgn(x[0]) : sgn(x[1]) * std::fabs(x[0]); },
       [](Texts x) { return x.size() == 1 ? "sign(" + x[0] + ")" : "(sign(" + x[1] + ") * abs(" + x[0] + "))"; }},
      {"floor", 1, 1, plain<std::floor>, SAME("floor")},
      {"ceil", 1, 1, plain<std::ceil>, [](Texts x) { return "(-floor(-(" + x[0] + ")))"; }},
      {"int", 1, 1, plain<std::trunc>, [](Texts x) { return "(sign(" + x[0] + ") * floor(abs(" + x[0] + ")))"; }},
      {"nint", 1, 1, plain<std::nearbyint>, [](Texts x) { return "floor(" + x[0] + " + 0.5)"; }},
      {"u", 1, 1, plain<step>, [](Texts x) { return "if(" + x[0] + " > 0, 1, 0)"; }},
      {"stp", 1, 1, plain<step>, [](Texts x) { return "if(" + x[0] + " > 0, 1, 0)"; }},
      {"buf", 1, 1, [](Numbers x) { return x[0] > 0.5 ? 1.0 : 0.0; },
       [](Texts x) { return "if(" + x[0] + " > 0.5, 1, 0)"; }},
      {"inv", 1, 1, [](Numbers x) { return x[0] > 0.5 ? 0.0 : 1.0; },
       [](Texts x) { return "if(" + x[0] + " > 0.5, 0, 1)"; }},
      {"hypot", 2, 2, [](Numbers x) { return std::hypot(x[0], x[1]); },
       [](Texts x) { return "sqrt((" + x[0] + ")^2 + (" + x[1] + ")^2)"; }},
      {"uramp", 1, 1, plain<ramp>, [](Texts x) { return "max(" + x[0] + ", 0)"; }},
      {"sqr", 1, 1, plain<square>, [](Texts x) { return "((" + x[0] + ")^2)"; }},
      {"min", 1, 99, [](Numbers x) { return *std::min_element(x.begin(), x.end()); }, SAME("min")},
      {"max", 1, 99, [](Numbers x) { return *std::max_element(x.begin(), x.end()); }, SAME("max")},
      {"pow", 2, 2, [](Numbers x) { return std::pow(x[0], x[1]); }, SAME("pow")},
      {"pwr", 2, 2, [](Numbers x) { return std::pow(std::fabs(x[0]), x[1]); },
       [](Texts x) { return "pow(abs(" + x[0] + "), " + x[1] + ")"; }},
      {"pwrs", 2, 2, [](Numbers x) { return sgn(x[0]) * std::pow(std::fabs(x[0]), x[1]); },
       [](Texts x) { return "(sign(" + x[0] + ") * pow(abs(" + x[0] + "), " + x[1] + "))"; }},
      {"atan2", 2, 2, [](Numbers x) { return std::atan2(x[0], x[1]); }, SAME("atan2")},
      {"limit", 3, 3, [](Numbers x) { return std::max(std::min(x[0], std::max(x[1], x[2])), std::min(x[1], x[2])); },
       [](Texts x) {
         return "max(min(" + x[0] + ", max(" + x[1] + ", " + x[2] + ")), min(" + x[1] + ", " + x[2] + "))";
       }},
      {"if", 3, 3, [](Numbers x) { return x[0] != 0 ? x[1] : x[2]; }, SAME("if")},
      {"ternary_fcn", 3, 3, [](Numbers x) { return x[0] != 0 ? x[1] : x[2]; }, SAME("if")},
      {"table", 5, 199, look_up, table_text},
      // outside its points as in ngspice, a table as in PSpice
      {"pwl", 5, 199, interpolate, pwl_text},
  };
  return list;
}
#undef SAME

double apply(const std::string& op, double a, double b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/") return a / b;
  if (op == "%") return a - b * std::floor(a / b);
  if (op == "^") return std::pow(a, b);
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  if (op == ">=") return a >= b;
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "&&") return a != 0 && b != 0;
  return a != 0 || b != 0;
}

/// Rank of what a text is made of, to know where parentheses are needed.
enum Rank { selection, disjunction, conjunction, comparison, addition, product, negation, power, atom };

struct Text {
  std::string text;
  Rank rank;
};

std::string wrap(const Text& t, Rank least) { return t.rank < least ? "(" + t.text + ")" : t.text; }

Text print(const ExpressionPtr& e, const ModelNames& names);

Text print_binary(const Expression& e, const Text& a, const Text& b) {
  const std::string& op = e.text;
  if (op == "%") {
    const std::string x = wrap(a, power), y = wrap(b, power);
    return {x + " - " + y + "*floor(" + x + " / " + y + ")", addition};
  }
  if (op == "^") return {wrap(a, atom) + "^" + wrap(b, atom), power};
  if (op == "&&") return {wrap(a, conjunction) + " and " + wrap(b, comparison), conjunction};
  if (op == "||") return {wrap(a, disjunction) + " or " + wrap(b, conjunction), disjunction};
  if (op == "+" || op == "-") return {wrap(a, addition) + " " + op + " " + wrap(b, product), addition};
  if (op == "*" || op == "/") return {wrap(a, product) + " " + op + " " + wrap(b, negation), product};
  return {wrap(a, addition) + " " + op + " " + wrap(b, addition), comparison};
}

Text print_call(const Expression& e, const ModelNames& names) {
  std::vector<std::string> arguments;
  for (const ExpressionPtr& a : e.arguments) arguments.push_back(print(a, names).text);
  return {find_function(e.text)->text(arguments), atom};
}

Text print(const ExpressionPtr& e, const ModelNames& names) {
  switch (e->kind) {
    case Expression::Kind::number:
      return {format_number(e->value), e->value < 0 ? negation : atom};
    case Expression::Kind::name:
      return {e->text, atom};
    case Expression::Kind::time:
      return {"time/(1 s)", product};
    case Expression::Kind::voltage: {
      if (names.between)
        if (const std::string own = names.between(e->text, e->second, e->where); !own.empty())
          return {own + "/(1 V)", product};
      if (e->second.empty()) return {names.voltage(e->text, e->where) + "/(1 V)", product};
      return {"(" + names.voltage(e->text, e->where) + " - " + names.voltage(e->second, e->where) + ")/(1 V)", product};
    }
    case Expression::Kind::current:
      return {names.current(e->text, e->where) + "/(1 A)", product};
    case Expression::Kind::unary: {
      const Text a = print(e->arguments[0], names);
      if (e->text == "-") return {"-" + wrap(a, power), negation};
      return {"not (" + a.text + ")", comparison};
    }
    case Expression::Kind::binary:
      return print_binary(*e, print(e->arguments[0], names), print(e->arguments[1], names));
    case Expression::Kind::call:
      return print_call(*e, names);
    case Expression::Kind::select:
      return {"if(" + print(e->arguments[0], names).text + ", " + print(e->arguments[1], names).text + ", " +
                  print(e->arguments[2], names).text + ")",
              atom};
  }
  return {"0", atom};
}

}  // namespace

const FunctionInfo* find_function(const std::string& name) {
  for (const FunctionInfo& f : functions())
    if (f.name == name) return &f;
  return nullptr;
}

std::optional<double> find_constant(const std::string& name) {
  if (name == "pi") return std::numbers::pi;
  if (name == "e") return std::numbers::e;
  if (name == "true" || name == "yes") return 1;
  if (name == "false" || name == "no") return 0;
  if (name == "c") return 299792458.0;
  if (name == "boltz") return 1.380649e-23;
  if (name == "echarge") return 1.602176634e-19;
  if (name == "planck") return 6.62607015e-34;
  if (name == "kelvin") return -273.15;
  return std::nullopt;
}

double compute(const Expression& e, const std::vector<double>& x) {
  switch (e.kind) {
    case Expression::Kind::unary:
      return e.text == "-" ? -x[0] : x[0] == 0;
    case Expression::Kind::binary:
      return apply(e.text, x[0], x[1]);
    case Expression::Kind::call:
      return find_function(e.text)->value(x);
    case Expression::Kind::select:
      return x[0] != 0 ? x[1] : x[2];
    default:
      return e.value;
  }
}

std::string to_model_text(const ExpressionPtr& e, const ModelNames& names) { return print(e, names).text; }

}  // namespace coenergy::io::spice
