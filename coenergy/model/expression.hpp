#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "coenergy/base/error.hpp"
#include "coenergy/model/quantity.hpp"
#include "coenergy/model/user_function.hpp"

namespace coenergy::model {

/// The number of an expression that no run changes (of parameters), where the number itself is needed: exponents,
/// points of tables. Nothing for all others.
using ConstantOf = std::function<std::optional<double>(const symbolic::Expr&)>;

/// An expression of a model file: `7.3 mH*(1 - 0.1*tanh(L1.i/(5 A)))`. Parsed once, evaluated in any scope.
///
/// Operators, loosest first: `c ? a : b` · `or ||` · `and &&` · `not !` · `< <= > >= == !=` · `+ -` · `* /` · unary `-`
/// ·
/// `^ **` (from the right). Functions: sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign floor min
/// max pow, `if(c, a, b)`, `table(x, [x0, x1, …], [y0, y1, …])` (linear) and `spline(…)` (natural cubic). Constants:
/// pi, true, false. Functions of the user's own, where the scope has some. Names are letters, digits and underscore,
/// joined by dots: `rotor.q`, `time`; `s[k-1].q` names a signal of an element of an array.
///
/// Units. The longest unit text, without spaces, that stands behind a number belongs to it: `2 m/s`, `3 N.m/rad`,
/// `4186 J/(kg.K)`, `9.81 m/s^2`, `5 1/s`. Behind a '/' a word that is no unit is a name: `6 V/R1` divides by R1. A
/// word that is a unit and a name is the unit there (`10 N/m`); write `10 N / m` to divide by the name. Everywhere else
/// the name is meant: `2 kg*g` multiplies by g if there is a g, and is 2 kg·gram only if there is none. Where both
/// readings are likely (`6 V/L2` with a name L2) the expression is refused. The power belongs to the unit: `3 m^2` is
/// three square metres.
///
/// Dimensions are checked as Quantity says; a comparison or condition has none.
class Expression {
 public:
  struct Parsed;
  /// Texts that have been parsed before: the expressions of a part are, once for all its instances.
  using Cache = std::unordered_map<std::string, std::shared_ptr<const Parsed>>;

  /// `where` is the place of the first character of the text, so that errors point at the character they mean; `what`
  /// names the entry in them, as in "R1.R: cannot add 5 ohm and 3 V".
  static Expression parse(std::string text, Location where = {}, std::string what = {}, Cache* cache = nullptr);

  /// The value in SI and its dimension. Names are asked from the scope; `known` are the names to suggest for an unknown
  /// one. Comparisons become less, less_equal, equal nodes, tables are nodes of the graph. Throws located errors for
  /// unknown names and functions and for dimensions that do not fit.
  Quantity evaluate(symbolic::Graph& graph, const Scope& scope, const std::vector<std::string>& known = {},
                    const UserFunctions& functions = {}, const ConstantOf& constant = {}) const;

  /// Names in the text, each once, in order. Names that may be units (`2 kg*m^2`) are among them.
  const std::vector<std::string>& names() const;
  bool is_constant() const { return names().empty(); }
  /// The name, if the whole expression is one name, else "".
  const std::string& as_name() const;

  const std::string& text() const { return text_; }
  const Location& where() const { return where_; }

 private:
  Expression() = default;
  std::string text_;
  Location where_;
  std::string what_;
  std::shared_ptr<const Parsed> parsed_;
};

}  // namespace coenergy::model
