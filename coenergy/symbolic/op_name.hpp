#pragma once
#include <string_view>

#include "coenergy/symbolic/expr.hpp"

namespace coenergy::symbolic {

/// The word for a node kind as it is written in expressions: "sin", "atan2", "select", …
std::string_view op_name(Op op);

}  // namespace coenergy::symbolic
