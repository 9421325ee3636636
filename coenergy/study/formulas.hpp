#pragma once
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "coenergy/base/error.hpp"
#include "coenergy/math/matrix.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/quantity.hpp"

namespace coenergy::study {

/// A quantity that formulas use: an unknown of equations, a parameter of a regression, a design variable, a column of
/// data. All in SI.
struct Variable {
  std::string name;
  model::Quantity kind;  ///< its dimension; the value is not used
  double guess = 0, lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  Location where = {};
  bool differentiated = true;  ///< false: formulas are no functions of it, it only gives them numbers

  std::string unit() const;
  bool is_bounded() const { return std::isfinite(lower) && std::isfinite(upper); }
};

/// A section of the model file for studies (Model::problems); null where there is none.
const model::Value* find_section(const model::Model& model, const std::string& name);

/// A relation of a model file: `x^2 + y^2 = 9 m^2` is left − right with the sign "="; without one the text alone.
struct Relation {
  std::string zero;  ///< the text of left − right
  std::string sign;  ///< "=", "<=", ">=", or "" where there is none
};
/// Splits a text at its sign. Throws Error where there are several.
Relation split_relation(const std::string& text, const Location& where, const std::string& what);

/// Formulas of a model file over variables and the parameters of the model, with exact derivatives.
class Formulas {
 public:
  /// Throws Error for parameters of the model that are wrong.
  explicit Formulas(const model::Model& model);
  ~Formulas();
  Formulas(Formulas&&) noexcept;
  Formulas& operator=(Formulas&&) noexcept;

  /// Throws Error for a name that another variable has, or a parameter of the model, unless it `hides` that one. Before
  /// any add().
  void add_variable(Variable variable, bool hides = false);
  /// Adds the variables of a section of the model file:
  ///   {x: 1 m, y: {guess: 2 m, min: 0, max: 5 m, unit: m}}
  /// `of_model`: names may be entries of components and parameters of the model, which they stand for.
  void add_variables(const model::Value& section, const std::string& what, bool of_model = false);
  /// Adds a formula; `name` is what messages call it.
  void add(const std::string& name, const std::string& text, const Location& where);
  /// Adds residuals: texts, or a mapping of names to texts, each of which is zero as it stands or an equation.
  void add_residuals(const model::Value& section);
  /// A number of the model file that depends on its parameters alone, of the kind of a unit where one is given.
  double evaluate_constant(const model::Value& value, const std::string& what, const std::string* unit = nullptr) const;

  const std::vector<Variable>& variables() const;
  std::vector<Variable>& variables();
  int size() const;  ///< number of formulas
  const std::string& name(int formula) const;
  const std::string& unit(int formula) const;
  int find_variable(const std::string& name) const;  ///< −1: none

  /// f at the values of all variables.
  void values(std::span<const double> x, std::span<double> f) const;
  /// ∂f/∂x: a row for each formula, a column for each variable (zero where it is not differentiated).
  math::Matrix jacobian(std::span<const double> x) const;
  /// Whether derivatives to the variables that are differentiated do not depend on those: formulas are linear in them.
  bool is_linear() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// "x = 3 m, y = 2 m".
std::string describe_values(const std::vector<Variable>& variables, std::span<const double> x);

}  // namespace coenergy::study
