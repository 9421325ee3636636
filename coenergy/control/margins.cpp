#include "coenergy/control/margins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/base/error.hpp"
#include "coenergy/control/norms.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/factorizations.hpp"
#include "coenergy/math/matrix_algebra.hpp"

namespace coenergy::control {

using math::Matrix;

namespace {

void check_channel(const LinearSystem& s, const char* what) {
  if (s.inputs() != 1 || s.outputs() != 1)
    throw Error(
        fmt::format("{}: one input and one output are needed, there are {} and {}", what, s.inputs(), s.outputs()));
}

Complex value_at(const LinearSystem& s, double omega) { return respond(s, Complex(0, omega))(0, 0); }

/// Frequencies at which L(jω) is real: imaginary zeros of L(s) − L(−s).
std::vector<double> find_real_crossings(const LinearSystem& s) {
  const int n = s.states();
  LinearSystem difference{Matrix(2 * n, 2 * n), math::above(s.b, s.b), math::beside(s.c, s.c), Matrix(1, 1), 0};
  math::put(difference.a, 0, 0, s.a), math::put(difference.a, n, n, -s.a);
  // integrators leave zeros at rest that round-off moves: slower than all else by far
  double slowest = 1e300;
  for (const auto& list : {find_poles(s), find_zeros(s)})
    for (const Complex x : list)
      if (std::abs(x) > 1e-6) slowest = std::min(slowest, std::abs(x));
  if (slowest == 1e300) slowest = 1;
  std::vector<double> crossings;
  for (const Complex z : find_zeros(difference)) {
    if (z.imag() <= 1e-4 * slowest || std::abs(z.real()) > 1e-5 * std::abs(z)) continue;
    // Newton's method on Im L
    double omega = z.imag();
    for (int k = 0; k < 20; ++k) {
      const double step = 1e-6 * omega,
                   slope = (value_at(s, omega + step) - value_at(s, omega - step)).imag() / (2 * step);
      const double change = slope != 0 ? value_at(s, omega).imag() / slope : 0;
      if (!(std::abs(change) < 0.01 * omega)) break;
      omega -= change;
      if (std::abs(change) < 1e-13 * omega) break;
    }
    crossings.push_back(omega);
  }
  std::sort(crossings.begin(), crossings.end());
  return crossings;
}

}  // namespace

std::optional<Margins::Crossing> Margins::smallest_gain() const {
  if (gain.empty()) return std::nullopt;
  return *std::min_element(gain.begin(), gain.end(), [](const Crossing& a, const Crossing& b) {
    return std::abs(std::log(a.margin)) < std::abs(std::log(b.margin));
  });
}

std::optional<Margins::Crossing> Margins::smallest_phase() const {
  if (phase.empty()) return std::nullopt;
  return *std::min_element(phase.begin(), phase.end(), [](const Crossing& a, const Crossing& b) {
    return std::abs(a.margin) < std::abs(b.margin);
  });
}

std::optional<double> Margins::delay() const {
  std::optional<double> shortest;
  for (const Crossing& c : phase) {
    if (c.omega == 0) continue;
    const double angle = c.margin < 0 ? c.margin + 2 * std::numbers::pi : c.margin;
    shortest = std::min(shortest.value_or(angle / c.omega), angle / c.omega);
  }
  return shortest;
}

Margins find_margins(const LinearSystem& loop) {
  check_channel(loop, "margins");
  const LinearSystem s = loop.is_sampled() ? find_cayley_transform(loop) : loop;
  // a frequency of Cayley's transform as one of the samples
  const auto real_frequency = [&](double w) {
    return loop.is_sampled() ? 2 / loop.period * std::atan(w * loop.period / 2) : w;
  };
  Margins result;
  for (const double w : find_real_crossings(s))
    if (const Complex l = value_at(s, w); l.real() < 0) result.gain.push_back({real_frequency(w), -1 / l.real()});
  if (math::reciprocal_condition(s.a) > 1e-15)
    if (const double l = value_at(s, 0).real(); l < 0) result.gain.insert(result.gain.begin(), {0, -1 / l});
  if (std::abs(std::abs(s.d(0, 0)) - 1) > 1e-12)
    for (const double w : find_gain_crossings(s, 1)) {
      const Complex l = w > 0 ? value_at(s, w) : Complex(0);
      if (std::abs(std::abs(l) - 1) > 1e-6) continue;
      result.phase.push_back({real_frequency(w), std::remainder(std::numbers::pi + std::arg(l), 2 * std::numbers::pi)});
    }
  const LinearSystem one = make_gain(math::identity(1), loop.period);
  if (std::abs(1 + loop.d(0, 0)) < 1e-14) return result;  // an algebraic loop
  // S = 1/(1 + L): from r to the input of the loop
  LinearSystem sensitivity = close_loop(loop, one);
  result.stable = is_stable(sensitivity);
  sensitivity.c = -sensitivity.c, sensitivity.d(0, 0) = 1 - sensitivity.d(0, 0);
  result.modulus = 1 / find_peak_gain(sensitivity).gain;
  sensitivity.d(0, 0) -= 0.5;
  result.disk = 1 / find_peak_gain(sensitivity).gain;
  return result;
}

std::vector<std::vector<Complex>> find_root_locus(const LinearSystem& loop, const std::vector<double>& gains) {
  check_channel(loop, "root locus");
  std::vector<std::vector<Complex>> rows;
  for (const double gain : gains) {
    Matrix k(1, 1);
    k(0, 0) = gain;
    std::vector<Complex> poles = find_poles(close_loop(loop, make_gain(k, loop.period))), ordered;
    // each branch goes on with the nearest pole that is left
    for (std::size_t i = 0; !rows.empty() && i < rows.back().size(); ++i) {
      const Complex last = rows.back()[i];
      const auto nearest = std::min_element(
          poles.begin(), poles.end(), [last](Complex a, Complex b) { return std::abs(a - last) < std::abs(b - last); });
      ordered.push_back(*nearest);
      poles.erase(nearest);
    }
    rows.push_back(rows.empty() ? poles : ordered);
  }
  return rows;
}

}  // namespace coenergy::control
