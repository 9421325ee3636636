#include "coenergy/control/discretize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/factorizations.hpp"
#include "coenergy/math/matrix_algebra.hpp"

namespace coenergy::control {

using math::Matrix;

namespace {

/// [A B; 0 0].
Matrix join_inputs(const LinearSystem& s) {
  Matrix m(s.states() + s.inputs(), s.states() + s.inputs());
  return math::put(m, 0, 0, s.a), math::put(m, 0, s.states(), s.b), m;
}

double tustin_factor(double period, double prewarp) {
  return prewarp > 0 ? prewarp / std::tan(prewarp * period / 2) : 2 / period;
}

LinearSystem sample_tustin(const LinearSystem& s, double period, double factor) {
  const Matrix one = math::identity(s.states());
  const Matrix left = factor * one - s.a;
  if (math::reciprocal_condition(left) < 1e-15)
    throw Error(fmt::format("tustin: the system has a pole at {:.6g} 1/s; choose another period", factor));
  const Matrix inverse = math::inverse(left);
  const double root = std::sqrt(2 * factor);  // on both sides: gramians are the same
  return {inverse * (factor * one + s.a), root * (inverse * s.b), root * (s.c * inverse), s.d + s.c * inverse * s.b,
          period};
}

LinearSystem sample_matched(const LinearSystem& s, double period) {
  if (s.inputs() != 1 || s.outputs() != 1) throw Error("matched: there must be one input and one output");
  const ZeroPoleGain zpk = find_zero_pole_gain(s);
  ZeroPoleGain z;
  for (const Complex p : zpk.poles) z.poles.push_back(std::exp(p * period));
  for (const Complex x : zpk.zeros) z.zeros.push_back(std::exp(x * period));
  while (z.zeros.size() + 1 < z.poles.size()) z.zeros.push_back(-1);
  // where both are told from each other: beside poles and zeros of low frequency
  double at = 0;
  for (const auto* list : {&zpk.zeros, &zpk.poles})
    for (const Complex x : *list)
      if (std::abs(x) < 1e-12 / period) at = 0.01 / period;
  Complex wanted = zpk.gain, have = 1;
  for (const Complex x : zpk.zeros) wanted *= at - x;
  for (const Complex x : zpk.poles) wanted /= at - x;
  for (const Complex x : z.zeros) have *= std::exp(at * period) - x;
  for (const Complex x : z.poles) have /= std::exp(at * period) - x;
  TransferFunction f{expand_roots(z.zeros), expand_roots(z.poles)};
  for (double& x : f.num) x *= (wanted / have).real();
  return make_linear_system(f, period);
}

}  // namespace

LinearSystem to_sampled(const LinearSystem& s, double period, Hold hold, double prewarp) {
  if (s.is_sampled()) throw Error("the system is one of samples already");
  if (!(period > 0) || !std::isfinite(period)) throw Error(fmt::format("period = {} s must be > 0", period));
  const int n = s.states();
  switch (hold) {
    case Hold::zoh: {
      const Matrix e = math::compute_exponential(period * join_inputs(s));
      return {math::part(e, 0, 0, n, n), math::part(e, 0, n, n, s.inputs()), s.c, s.d, period};
    }
    case Hold::tustin:
      return sample_tustin(s, period, tustin_factor(period, prewarp));
    case Hold::matched:
      return sample_matched(s, period);
    case Hold::impulse:
      break;
  }
  if (math::max_abs(s.d) > 0) throw Error("impulse: the system has a direct gain, whose impulse has no samples");
  const Matrix e = math::compute_exponential(period * s.a);
  return {e, period * (e * s.b), s.c, period * (s.c * s.b), period};
}

LinearSystem to_continuous(const LinearSystem& s, Hold hold, double prewarp) {
  if (!s.is_sampled()) throw Error("the system is continuous already");
  const int n = s.states();
  const Matrix one = math::identity(n);
  if (hold == Hold::tustin) {
    const double factor = tustin_factor(s.period, prewarp);
    const Matrix sum = s.a + one;
    if (math::reciprocal_condition(sum) < 1e-15)
      throw Error("tustin: the system has a pole at z = -1, which is infinite in s");
    const Matrix inverse = math::inverse(sum);
    const double root = std::sqrt(2 * factor);
    return {factor * (inverse * (s.a - one)), root * (inverse * s.b), root * (s.c * inverse), s.d - s.c * inverse * s.b,
            0};
  }
  if (hold != Hold::zoh) throw Error("there is a continuous system by zoh and by tustin");
  for (const Complex p : find_poles(s))
    if (std::abs(p) < 1e-14 || (p.real() < 0 && std::abs(p.imag()) < 1e-12 * std::abs(p)))
      throw Error(fmt::format("zoh: the pole z = {:.6g} is of no continuous system of the same order", p.real()));
  Matrix joined = join_inputs(s);
  for (int i = 0; i < s.inputs(); ++i) joined(n + i, n + i) = 1;
  const Matrix log = 1 / s.period * compute_logarithm(joined);
  return {math::part(log, 0, 0, n, n), math::part(log, 0, n, n, s.inputs()), s.c, s.d, 0};
}

Matrix compute_logarithm(const Matrix& a) {
  const int n = a.rows;
  const Matrix one = math::identity(n);
  Matrix root = a;
  int halvings = 0;
  while (math::max_abs(root - one) > 0.1 / std::max(1, n) && halvings < 60) {
    // the square root by Denman and Beavers' iteration
    Matrix x = root, y = one;
    for (int k = 0; k < 50; ++k) {
      const Matrix next = 0.5 * (x + math::inverse(y)), other = 0.5 * (y + math::inverse(x));
      const double change = math::max_abs(next - x);
      x = next, y = other;
      if (change <= 1e-15 * math::max_abs(x)) break;
    }
    root = x, ++halvings;
  }
  // Gauss's points and weights on 0 … 1
  constexpr double at[] = {0.025446043828620757, 0.12923440720030277, 0.29707742431130140, 0.5,
                           0.7029225756886986,   0.8707655927996972,  0.9745539561713792};
  constexpr double weight[] = {0.06474248308443485, 0.13985269574463834, 0.19091502525255947, 0.20897959183673470,
                               0.19091502525255947, 0.13985269574463834, 0.06474248308443485};
  const Matrix x = root - one;
  Matrix sum(n, n);
  for (int k = 0; k < 7; ++k) sum = sum + weight[k] * math::solve(one + at[k] * x, x);
  return std::ldexp(1.0, halvings) * sum;
}

}  // namespace coenergy::control
