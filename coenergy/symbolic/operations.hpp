#pragma once
#include <cmath>

#include "coenergy/symbolic/program.hpp"

namespace coenergy::symbolic {

// The meaning of the operations that C has no single function for. Conditions are numbers: 0 is false, all else true.
// Every engine and every printer gives exactly these values, also for NaN and signed zeros.
inline double minimum(double a, double b) { return a < b ? a : b; }
inline double maximum(double a, double b) { return a > b ? a : b; }
inline double sign_of(double a) { return (a > 0 ? 1.0 : 0.0) - (a < 0 ? 1.0 : 0.0); }
inline double both(double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }
inline double either(double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }

using UnaryFunction = double (*)(double);
using BinaryFunction = double (*)(double, double);

/// The C library's function for an operation, or nullptr.
UnaryFunction find_unary_function(Program::Code code);
BinaryFunction find_binary_function(Program::Code code);

/// Value of an operation (not input, constant, table, external) on given operands.
double evaluate(Program::Code code, double a, double b, double c);
/// Value of a table look-up or external call on gathered arguments.
double evaluate(const Program::Call& call, const double* arguments);

}  // namespace coenergy::symbolic
