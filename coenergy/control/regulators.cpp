#include "coenergy/control/regulators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/factorizations.hpp"
#include "coenergy/math/matrix_algebra.hpp"

namespace coenergy::control {

using math::Matrix;
using math::transpose;

void check_controllable(const LinearSystem& plant, bool all, const char* what) {
  for (const Complex p : find_uncontrollable(plant))
    if (all || !is_stable_value(plant, p))
      throw Error(fmt::format("the mode with the eigenvalue {:.6g}{:+.6g}j{} cannot be {}", p.real(), p.imag(),
                              plant.is_sampled() ? " (z)" : " 1/s", what));
}

Riccati design_lqr(const LinearSystem& plant, const Matrix& q, const Matrix& r, const Matrix& n) {
  check_controllable(plant, false);
  return plant.is_sampled() ? solve_discrete_riccati(plant.a, plant.b, q, r, n)
                            : solve_riccati(plant.a, plant.b, q, r, n);
}

Kalman design_kalman(const LinearSystem& plant, const Matrix& w, const Matrix& v) {
  const LinearSystem dual = transpose(plant);
  check_controllable(dual, false, "observed");
  const Riccati r =
      plant.is_sampled() ? solve_discrete_riccati(dual.a, dual.b, w, v) : solve_riccati(dual.a, dual.b, w, v);
  return {transpose(r.gain), r.x, r.poles};
}

namespace {

/// Real block form with these eigenvalues; equal ones are chained.
Matrix make_block_form(const std::vector<Complex>& poles) {
  const int n = int(poles.size());
  std::vector<Complex> sorted;
  for (const Complex p : poles)
    if (std::abs(p.imag()) <= 1e-12 * std::abs(p)) sorted.push_back(p.real());
  std::vector<Complex> left, pairs;
  for (const Complex p : poles)
    if (std::abs(p.imag()) > 1e-12 * std::abs(p)) (p.imag() > 0 ? pairs : left).push_back(p);
  for (const Complex p : pairs) {
    const auto other = std::find_if(left.begin(), left.end(),
                                    [p](Complex x) { return std::abs(x - std::conj(p)) <= 1e-9 * std::abs(p); });
    if (other == left.end())
      throw Error(fmt::format("the pole {:.6g}{:+.6g}j needs its conjugate", p.real(), p.imag()));
    left.erase(other);
    sorted.push_back(p), sorted.push_back(std::conj(p));
  }
  if (!left.empty())
    throw Error(fmt::format("the pole {:.6g}{:+.6g}j needs its conjugate", left[0].real(), left[0].imag()));
  Matrix form(n, n);
  std::sort(sorted.begin(), sorted.begin() + (n - 2 * long(pairs.size())),
            [](Complex a, Complex b) { return a.real() < b.real(); });
  for (int i = 0; i < n; ++i) {
    const Complex p = sorted[i];
    const int size = p.imag() == 0 ? 1 : 2;
    form(i, i) = p.real();
    if (size == 2) form(i, i + 1) = p.imag(), form(i + 1, i) = -p.imag(), form(i + 1, i + 1) = p.real();
    // chained to the one before where they are equal
    if (i >= size && std::abs(sorted[i - size] - p) <= 1e-6 * std::max(1e-300, std::abs(p)))
      for (int k = 0; k < size; ++k) form(i - size + k, i + k) = std::max(1.0, std::abs(p));
    i += size - 1;
  }
  return form;
}

}  // namespace

Matrix place_poles(const LinearSystem& plant, const std::vector<Complex>& poles) {
  const int n = plant.states(), m = plant.inputs();
  if (int(poles.size()) != n) throw Error(fmt::format("{} poles for {} states; give one for each", poles.size(), n));
  check_controllable(plant, true);
  const Matrix form = make_block_form(poles);
  std::mt19937 random(7);
  std::normal_distribution<double> any;
  const double size = std::max(math::max_abs(plant.a), math::max_abs(form)) / math::max_abs(plant.b);
  Matrix best;
  double best_condition = 0;
  for (int trial = 0; trial < (m == 1 ? 3 : 20); ++trial) {
    // a first gain moves the eigenvalues away from those that are wanted
    Matrix first(m, n), g(m, n);
    for (double& x : first.data) x = 0.3 * size * any(random) / std::sqrt(n);
    for (double& x : g.data) x = any(random);
    try {
      const Matrix x = solve_sylvester(plant.a - plant.b * first, form, plant.b * g);
      const double condition = math::reciprocal_condition(x);
      if (condition <= best_condition) continue;
      best_condition = condition;
      best = first + transpose(math::solve(transpose(x), transpose(g)));
    } catch (const std::runtime_error&) {
      continue;  // a pole is where it is wanted: the next gain moves it
    }
  }
  if (best.data.empty()) throw Error("the poles cannot be placed: the equations are singular");
  return best;
}

LinearSystem make_observer_controller(const LinearSystem& plant, const Matrix& gain, const Matrix& observer) {
  return {plant.a - plant.b * gain - observer * plant.c + observer * plant.d * gain, observer, -gain,
          Matrix(plant.inputs(), plant.outputs()), plant.period};
}

LinearSystem add_integrals(const LinearSystem& plant) {
  const int n = plant.states(), p = plant.outputs();
  LinearSystem s{Matrix(n + p, n + p), math::above(plant.b, plant.d), math::beside(plant.c, Matrix(p, p)), plant.d,
                 plant.period};
  math::put(s.a, 0, 0, plant.a), math::put(s.a, n, 0, plant.c);
  if (plant.is_sampled()) {
    math::put(s.a, n, 0, plant.period * plant.c), math::put(s.a, n, n, math::identity(p));
    math::put(s.b, n, 0, plant.period * plant.d);
  }
  return s;
}

}  // namespace coenergy::control
