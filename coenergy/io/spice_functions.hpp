#pragma once
#include <optional>
#include <string>
#include <vector>

#include "coenergy/io/spice_expression.hpp"

namespace coenergy::io::spice {

/// A function of netlist expressions: how many arguments it takes, its value and its form in model files.
struct FunctionInfo {
  std::string name;
  int least, most;
  double (*value)(const std::vector<double>& x);
  std::string (*text)(const std::vector<std::string>& x);  ///< arguments are texts that need no parentheses
};
const FunctionInfo* find_function(const std::string& name);  ///< null if unknown
std::optional<double> find_constant(const std::string& name);

/// Value of an operator, function or selection whose arguments are numbers.
double compute(const Expression& e, const std::vector<double>& x);

}  // namespace coenergy::io::spice
