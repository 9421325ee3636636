#pragma once
#include <optional>
#include <string>
#include <vector>

#include "coenergy/base/error.hpp"
#include "coenergy/base/units.hpp"

namespace coenergy::model {

/// Functions of expressions with their number of arguments.
struct FunctionInfo {
  enum class Rule {
    dimensionless,  ///< f(1) = 1
    same,           ///< f(x) and all arguments share one dimension
    custom,
  };
  const char* name;
  int least, most;
  Rule rule;
};
const FunctionInfo* find_function(const std::string& name);
std::vector<std::string> list_functions();

/// A node of a parsed expression.
struct Syntax {
  enum class Kind { number, name, negate, call, list, text, binary, logical_not, select };
  Kind kind = Kind::number;
  std::size_t begin = 0, end = 0;  ///< bytes of the text
  std::size_t at = 0;              ///< the operator, or begin
  std::string text = {};           ///< name, function, operator, or what stands in quotes
  double value = 0;                ///< number, in its unit
  std::optional<Unit> unit = {};   ///< of a number
  std::vector<std::string> denominators = {};
  bool may_be_unit = false;   ///< a name behind a number with a unit: `2 kg*m^2`
  bool behind_slash = false;  ///< such a name that follows a '/': `J/kg.K`
  bool has_unit = false;      ///< a number with a unit, or such a number times names that may be units
  bool grouped = false;       ///< written in parentheses
  int depth = 0;
  std::vector<Syntax> arguments = {};
};

/// `table("file.csv", "column")` is a call of the name `time` and the two texts. Throws located errors.
Syntax parse_syntax(const std::string& text, const Location& where);

}  // namespace coenergy::model
