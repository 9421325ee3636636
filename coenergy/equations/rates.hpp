#pragma once
#include <string>

#include "coenergy/equations/builder.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/symbolic/expr.hpp"

namespace coenergy::equations {

/// Name of the parameter that is the rate of time or of another parameter.
std::string rate_name(const std::string& name);
/// Makes the rate of time or of a parameter a parameter itself, der(time) = 1 and der(U1.v) = 0: time stands still in
/// an operating point, and a parameter that is an input has a rate. Other symbols, and those that have one, are left
/// alone.
void give_rate(Builder& builder, const symbolic::Expr& symbol);
/// The expression with the values of these rates in place, for printing.
symbolic::Expr put_rates(const System::Data& data, const symbolic::Expr& e);

}  // namespace coenergy::equations
