#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "coenergy/symbolic/expr.hpp"

namespace coenergy::model {

/// A function of the user's own that expressions may call, in SI. It depends on its arguments alone.
struct UserFunction {
  std::shared_ptr<const symbolic::External> call;
  std::vector<std::string> units;  ///< of the arguments; any_unit where none was told
  std::string unit;                ///< of the value; any_unit likewise
  std::vector<double> first;       ///< numbers that come before the arguments
};
using UserFunctions = std::map<std::string, UserFunction>;

}  // namespace coenergy::model
