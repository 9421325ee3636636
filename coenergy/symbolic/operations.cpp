#include "coenergy/symbolic/operations.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "coenergy/symbolic/integral.hpp"
#include "coenergy/symbolic/sincos.hpp"

namespace coenergy::symbolic {

using Code = Program::Code;

UnaryFunction find_unary_function(Code code) {
  switch (code) {
    case Code::tan:
      return std::tan;
    case Code::asin:
      return std::asin;
    case Code::acos:
      return std::acos;
    case Code::atan:
      return std::atan;
    case Code::sinh:
      return std::sinh;
    case Code::cosh:
      return std::cosh;
    case Code::tanh:
      return std::tanh;
    case Code::exp:
      return std::exp;
    case Code::log:
      return std::log;
    case Code::sqrt:
      return std::sqrt;
    case Code::floor:
      return std::floor;
    default:
      return nullptr;
  }
}

BinaryFunction find_binary_function(Code code) {
  switch (code) {
    case Code::atan2:
      return std::atan2;
    case Code::pow:
      return std::pow;
    default:
      return nullptr;
  }
}

double evaluate(Code code, double a, double b, double c) {
  if (const UnaryFunction f = find_unary_function(code)) return f(a);
  if (const BinaryFunction f = find_binary_function(code)) return f(a, b);
  double sine, cosine;
  switch (code) {
    case Code::add:
      return a + b;
    case Code::sub:
      return a - b;
    case Code::mul:
      return a * b;
    case Code::div:
      return a / b;
    case Code::neg:
      return -a;
    case Code::sin:
      return sincos(&a, &sine, &cosine, 1), sine;
    case Code::cos:
      return sincos(&a, &sine, &cosine, 1), cosine;
    case Code::abs:
      return std::fabs(a);
    case Code::sign:
      return sign_of(a);
    case Code::min:
      return minimum(a, b);
    case Code::max:
      return maximum(a, b);
    case Code::less:
      return a < b ? 1 : 0;
    case Code::less_equal:
      return a <= b ? 1 : 0;
    case Code::equal:
      return a == b ? 1 : 0;
    case Code::logical_and:
      return both(a, b);
    case Code::logical_or:
      return either(a, b);
    case Code::logical_not:
      return a == 0 ? 1 : 0;
    case Code::select:
      return a != 0 ? b : c;
    default:
      break;
  }
  assert(!"bug: not an operation on values");
  return 0;
}

/// ∂f/∂xₖ of a function without derivative: a central difference, whose error is least, near ε^(2/3), with a step of
/// ∛ε.
static double difference(const External& f, const double* x, int k) {
  std::vector<double> moved(x, x + f.arity);
  const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * std::max(1.0, std::abs(x[k]));
  const double up = x[k] + step, down = x[k] - step;
  moved[k] = up;
  const double above = f.value(moved.data());
  moved[k] = down;
  return (above - f.value(moved.data())) / (up - down);
}

double evaluate(const Program::Call& call, const double* arguments) {
  if (call.table)
    return call.table->evaluate(arguments[0], call.arguments.size() > 1 ? arguments[1] : 0, call.dx, call.dy);
  if (is_integral(*call.external)) return evaluate_integral(*call.external, arguments);
  if (call.dx < 0) return call.external->value(arguments);
  if (call.external->derivative == nullptr) return difference(*call.external, arguments, call.dx);
  return call.external->derivative(arguments, call.dx);
}

}  // namespace coenergy::symbolic
