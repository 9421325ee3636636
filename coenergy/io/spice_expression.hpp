#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/base/error.hpp"

namespace coenergy::io::spice {

/// A number with a scale: 1k, 2.2u, 3meg, 10pF, 1e-3. Letters behind the scale are units and are ignored. Scales: t g
/// meg k m u n p f a, mil (25.4 µ); a capital A alone is the ampere. Returns nothing if the text does not start with a number; `used` is how much of it
/// is one.
std::optional<double> parse_number(std::string_view text, std::size_t& used);
/// The same where the whole text must be the number with its unit.
std::optional<double> parse_number(std::string_view text);

/// An expression of a netlist. Operators: ?: || && == != < <= > >= + - * / % ! ^ **; functions of ngspice; names of
/// parameters; v(node), v(node, node), i(element), time.
struct Expression {
  enum class Kind { number, name, voltage, current, time, unary, binary, call, select };
  Kind kind = Kind::number;
  double value = 0;
  std::string text;    ///< name, operator, function, node or element, in lower case
  std::string second;  ///< the other node of a voltage
  std::vector<std::shared_ptr<const Expression>> arguments;
  Location where;
  double size = 1;  ///< terms it has when it is written out; parts may be shared

  bool is_number() const { return kind == Kind::number; }
};
using ExpressionPtr = std::shared_ptr<const Expression>;

/// Throws located errors; `where` is the place of the first character.
ExpressionPtr parse_expression(std::string_view text, const Location& where);
ExpressionPtr make_number(double value);
ExpressionPtr make_binary(const std::string& op, ExpressionPtr a, ExpressionPtr b);

/// A function defined by `.func`.
struct UserFunction {
  std::vector<std::string> arguments;
  ExpressionPtr body;
};
/// What names and functions stand for where an expression is used; null: unknown.
struct ExpressionScope {
  std::function<ExpressionPtr(const std::string& name)> find_name;
  std::function<const UserFunction*(const std::string& name)> find_function;
  std::size_t* work = nullptr;  ///< counts the terms looked at, over several expressions that belong together
};
/// Replaces names by what they stand for, and computes what is constant. Throws located errors for unknown names, and
/// where functions put into functions grow without a reasonable end; the latter without a place, for that is where the
/// expression is used.
ExpressionPtr resolve(const ExpressionPtr& e, const ExpressionScope& scope, int depth = 0);
/// True if a voltage, a current or the time is in it.
bool is_varying(const ExpressionPtr& e);

/// How nodes, elements and parameters are called in the model.
struct ModelNames {
  std::function<std::string(const std::string& node, const Location&)> voltage;  ///< expression in V
  std::function<std::string(const std::string& element, const Location&)> current;
  /// An expression in V for the voltage between two nodes (the second may be empty: ground), or "" for the difference.
  std::function<std::string(const std::string& p, const std::string& n, const Location&)> between = {};
};
/// The expression in the language of model files, without units: voltages are divided by 1 V, currents by 1 A, time by
/// 1 s.
std::string to_model_text(const ExpressionPtr& e, const ModelNames& names);

}  // namespace coenergy::io::spice
