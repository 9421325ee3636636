#include "coenergy/control/norms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "coenergy/base/error.hpp"
#include "coenergy/control/discretize.hpp"
#include "coenergy/control/equations.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/factorizations.hpp"
#include "coenergy/math/matrix_algebra.hpp"

namespace coenergy::control {

using math::Matrix;

namespace {

constexpr double imaginary = 1e-6;  // |Re λ|/|λ| of eigenvalues that may be on the axis; too many only cost time
constexpr double precise = 1e-9;    // relative growth at which the search ends; the top itself is found after it

void check_stable(const LinearSystem& system) {
  for (const Complex p : find_poles(system))
    if (!is_stable_value(system, p))
      throw Error(fmt::format("the system is unstable: it has the pole {:.6g}{:+.6g}j{}", p.real(), p.imag(),
                              system.is_sampled() ? " (z)" : " 1/s"));
}

double gain_at(const LinearSystem& system, double omega) {
  return math::largest_singular_value(std::isinf(omega) ? [&] {
    math::ComplexMatrix d(system.outputs(), system.inputs());
    for (std::size_t i = 0; i < d.data.size(); ++i) d.data[i] = system.d.data[i];
    return d;
  }() : respond(system, Complex(0, omega)));
}

/// The top of the gain next to ω by golden sections.
PeakGain climb(const LinearSystem& system, const PeakGain& near) {
  if (near.omega == 0 || std::isinf(near.omega)) return near;
  constexpr double golden = 0.6180339887498949;
  double low = near.omega * (1 - 1e-3), high = near.omega * (1 + 1e-3);
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double of_left = gain_at(system, left), of_right = gain_at(system, right);
  for (int k = 0; k < 60; ++k) {
    if (of_left > of_right) {
      high = right, right = left, of_right = of_left;
      left = high - golden * (high - low), of_left = gain_at(system, left);
    } else {
      low = left, left = right, of_left = of_right;
      right = low + golden * (high - low), of_right = gain_at(system, right);
    }
  }
  const PeakGain top = of_left > of_right ? PeakGain{of_left, left} : PeakGain{of_right, right};
  return top.gain > near.gain ? top : near;
}

}  // namespace

Matrix find_gramian(const LinearSystem& system) {
  check_stable(system);
  const Matrix q = system.b * math::transpose(system.b);
  return system.is_sampled() ? solve_discrete_lyapunov(system.a, q) : solve_lyapunov(system.a, q);
}

double find_h2_norm(const LinearSystem& system) {
  if (!system.is_sampled() && math::max_abs(system.d) > 0) return std::numeric_limits<double>::infinity();
  const Matrix power =
      system.c * find_gramian(system) * math::transpose(system.c) + system.d * math::transpose(system.d);
  double trace = 0;
  for (int i = 0; i < power.rows; ++i) trace += power(i, i);
  return std::sqrt(std::max(0.0, trace));
}

LinearSystem find_cayley_transform(const LinearSystem& sampled) { return to_continuous(sampled, Hold::tustin); }

std::vector<double> find_gain_crossings(const LinearSystem& s, double gamma) {
  // det(γ² − G(−s)ᵀ G(s)) = 0 on the imaginary axis
  const Matrix r = gamma * gamma * math::identity(s.inputs()) - math::transpose(s.d) * s.d;
  const Matrix inverse = math::inverse(r);
  const Matrix a = s.a + s.b * inverse * math::transpose(s.d) * s.c;
  const Matrix weight = math::identity(s.outputs()) + s.d * inverse * math::transpose(s.d);
  const int n = s.states();
  Matrix hamiltonian(2 * n, 2 * n);
  math::put(hamiltonian, 0, 0, a), math::put(hamiltonian, n, n, -math::transpose(a));
  math::put(hamiltonian, 0, n, s.b * inverse * math::transpose(s.b));
  math::put(hamiltonian, n, 0, -(math::transpose(s.c) * weight * s.c));
  std::vector<double> crossings;
  for (const Complex x : math::compute_eigenvalues(hamiltonian))
    if (x.imag() >= 0 && std::abs(x.real()) <= imaginary * std::abs(x)) crossings.push_back(x.imag());
  std::sort(crossings.begin(), crossings.end());
  return crossings;
}

PeakGain find_peak_gain(const LinearSystem& system) {
  if (system.is_sampled()) {
    PeakGain peak = find_peak_gain(find_cayley_transform(system));
    peak.omega = 2 / system.period * std::atan(peak.omega * system.period / 2);
    return peak;
  }
  PeakGain best{gain_at(system, std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity()};
  const auto look = [&](double omega) {
    const double gain = gain_at(system, omega);
    if (gain > best.gain) best = {gain, omega};
  };
  for (const Complex p : find_poles(system))
    if (std::abs(p) > 0) look(std::abs(p)), look(std::max(std::abs(p.imag()), 1e-3 * std::abs(p)));
  if (math::reciprocal_condition(system.a) > 1e-15) look(0);
  if (best.gain == 0) return {0, 0};
  for (int k = 0; k < 60; ++k) {
    const double before = best.gain;
    const std::vector<double> crossings = find_gain_crossings(system, before * (1 + precise));
    for (std::size_t i = 0; i < crossings.size(); ++i) {
      look(crossings[i]);
      if (i > 0) look((crossings[i - 1] + crossings[i]) / 2);
    }
    if (best.gain <= before * (1 + precise)) break;
  }
  return climb(system, best);
}

PeakGain find_hinf_norm(const LinearSystem& system) {
  check_stable(system);
  return find_peak_gain(system);
}

}  // namespace coenergy::control
