#include "coenergy/control/linear_system.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/factorizations.hpp"
#include "coenergy/math/matrix_algebra.hpp"

namespace coenergy::control {

using math::Matrix;

LinearSystem make_linear_system(const analyze::StateSpace& model, double period) {
  if (model.has_rates())
    throw Error(
        "the linear model depends on rates of its inputs: it is improper; take inputs that act by way of a state");
  return {model.a, model.b, model.c, model.d, period};
}

LinearSystem make_linear_system(const TransferFunction& function, double period) {
  const auto strip = [](std::vector<double> c) {
    c.erase(c.begin(), std::find_if(c.begin(), c.end(), [](double x) { return x != 0; }));
    return c;
  };
  const std::vector<double> den = strip(function.den), num = strip(function.num);
  if (den.empty()) throw Error("transfer function: the denominator is zero");
  if (num.size() > den.size())
    throw Error("transfer function: it is improper, its numerator has the higher degree; add poles");
  const int n = int(den.size()) - 1;
  std::vector<double> all(den.size() - num.size(), 0.0);
  all.insert(all.end(), num.begin(), num.end());
  LinearSystem s{Matrix(n, n), Matrix(n, 1), Matrix(1, n), Matrix(1, 1), period};
  s.d(0, 0) = all[0] / den[0];
  for (int i = 0; i < n; ++i) {
    s.a(0, i) = -den[i + 1] / den[0];
    if (i > 0) s.a(i, i - 1) = 1;
    s.c(0, i) = all[i + 1] / den[0] - s.d(0, 0) * den[i + 1] / den[0];
  }
  if (n > 0) s.b(0, 0) = 1;
  return s;
}

std::vector<Complex> find_poles(const LinearSystem& system) { return math::compute_eigenvalues(system.a); }

math::ComplexMatrix respond(const LinearSystem& system, Complex s) {
  const int n = system.states();
  math::ComplexMatrix pencil(n, n), right(n, system.inputs()), result(system.outputs(), system.inputs());
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) pencil(i, j) = (i == j ? s : 0) - system.a(i, j);
  for (std::size_t i = 0; i < right.data.size(); ++i) right.data[i] = system.b.data[i];
  const math::ComplexMatrix x = math::solve(pencil, right);
  for (int i = 0; i < result.rows; ++i)
    for (int j = 0; j < result.columns; ++j) {
      Complex sum = system.d(i, j);
      for (int k = 0; k < n; ++k) sum += system.c(i, k) * x(k, j);
      result(i, j) = sum;
    }
  return result;
}

math::ComplexMatrix respond_at(const LinearSystem& system, double omega) {
  return respond(system, system.is_sampled() ? std::exp(Complex(0, omega * system.period)) : Complex(0, omega));
}

bool is_stable_value(const LinearSystem& system, Complex value) {
  return system.is_sampled() ? std::abs(value) < 1 : value.real() < 0;
}

bool is_stable(const LinearSystem& system) {
  const std::vector<Complex> poles = find_poles(system);
  return std::all_of(poles.begin(), poles.end(), [&](Complex p) { return is_stable_value(system, p); });
}

LinearSystem select_channel(const LinearSystem& system, int output, int input) {
  return {system.a, math::part(system.b, 0, input, system.states(), 1),
          math::part(system.c, output, 0, 1, system.states()), math::part(system.d, output, input, 1, 1),
          system.period};
}

LinearSystem make_gain(const Matrix& k, double period) {
  return {Matrix(0, 0), Matrix(0, k.columns), Matrix(k.rows, 0), k, period};
}

LinearSystem transpose(const LinearSystem& system) {
  return {math::transpose(system.a), math::transpose(system.c), math::transpose(system.b), math::transpose(system.d),
          system.period};
}

namespace {

void check_periods(const LinearSystem& a, const LinearSystem& b) {
  if (a.period != b.period) throw Error("systems of different sampling periods cannot be connected");
}

}  // namespace

LinearSystem connect_in_series(const LinearSystem& first, const LinearSystem& second) {
  check_periods(first, second);
  const int n = first.states(), m = second.states();
  LinearSystem s{Matrix(n + m, n + m), math::above(first.b, second.b * first.d),
                 math::beside(second.d * first.c, second.c), second.d * first.d, first.period};
  math::put(s.a, 0, 0, first.a), math::put(s.a, n, 0, second.b * first.c), math::put(s.a, n, n, second.a);
  return s;
}

LinearSystem close_loop(const LinearSystem& plant, const LinearSystem& controller, double sign) {
  check_periods(plant, controller);
  // u = r + sign (C_k x_k + D_k y), y = C x + D u, solved for u
  const int n = plant.states(), m = controller.states();
  const Matrix loop = math::identity(plant.inputs()) - sign * (controller.d * plant.d);
  if (math::reciprocal_condition(loop) < 1e-14)
    throw Error("the loop is algebraic: direct gains of both sides make one");
  const Matrix inverse = math::inverse(loop);
  const Matrix u_x = sign * (inverse * controller.d * plant.c), u_k = sign * (inverse * controller.c);
  const Matrix y_x = plant.c + plant.d * u_x, y_k = plant.d * u_k, y_r = plant.d * inverse;
  LinearSystem s{Matrix(n + m, n + m), math::above(plant.b * inverse, controller.b * y_r), math::beside(y_x, y_k), y_r,
                 plant.period};
  math::put(s.a, 0, 0, plant.a + plant.b * u_x), math::put(s.a, 0, n, plant.b * u_k);
  math::put(s.a, n, 0, controller.b * y_x), math::put(s.a, n, n, controller.a + controller.b * y_k);
  return s;
}

std::vector<double> expand_roots(const std::vector<Complex>& roots) {
  std::vector<Complex> c{1.0};
  for (const Complex r : roots) {
    c.push_back(0);
    for (std::size_t k = c.size() - 1; k > 0; --k) c[k] -= r * c[k - 1];
  }
  std::vector<double> real;
  for (const Complex x : c) real.push_back(x.real());
  return real;
}

std::vector<Complex> find_roots(const std::vector<double>& polynomial) {
  return polynomial.size() < 2 ? std::vector<Complex>{}
                               : find_poles(make_linear_system(TransferFunction{{1}, polynomial}));
}

ZeroPoleGain find_zero_pole_gain(const LinearSystem& system, int output, int input) {
  const LinearSystem channel = find_minimal(select_channel(system, output, input));
  ZeroPoleGain result{find_zeros(channel), find_poles(channel), 0};
  // the gain of the highest powers, from the response at a place far from all zeros and poles
  double far = 1;
  for (const auto* list : {&result.zeros, &result.poles})
    for (const Complex x : *list) far = std::max(far, 2 * std::abs(x));
  Complex value = respond(channel, far)(0, 0);
  for (const Complex p : result.poles) value *= far - p;
  for (const Complex z : result.zeros) value /= far - z;
  result.gain = value.real();
  return result;
}

TransferFunction find_transfer_function(const LinearSystem& system, int output, int input) {
  const ZeroPoleGain zpk = find_zero_pole_gain(system, output, input);
  TransferFunction result{expand_roots(zpk.zeros), expand_roots(zpk.poles)};
  for (double& x : result.num) x *= zpk.gain;
  return result;
}

}  // namespace coenergy::control
