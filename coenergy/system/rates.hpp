#pragma once
#include <string>

#include "coenergy/symbolic/expr.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::system {

/// Name of the parameter that is the rate of time or of another parameter.
std::string rate_name(const std::string& name);
/// The expression with the values of these rates in place, for printing.
symbolic::Expr put_rates(const System::Data& data, const symbolic::Expr& e);

}  // namespace coenergy::system
