#include "coenergy/analyze/harmonics.hpp"

#include <cmath>
#include <numbers>
#include <span>

#include "coenergy/base/error.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::analyze {

namespace {

constexpr double rows_of_period = 4096;

/// ∫ x e^{−iωt} dt over the polygon.
std::complex<double> integrate(std::span<const double> t, std::span<const double> x, double omega) {
  const std::complex<double> i(0, 1);
  std::complex<double> sum = 0;
  for (std::size_t k = 0; k + 1 < t.size(); ++k) {
    const double h = t[k + 1] - t[k];
    if (!(h > 0)) continue;
    const double middle = (x[k] + x[k + 1]) / 2, half = (x[k + 1] - x[k]) / 2, z = omega * h / 2;
    // ∫₋₁¹ (middle + half s) e^{−izs} ds = 2 middle sin z/z − 2 i half (sin z − z cos z)/z², by its series for small z
    const bool is_small = std::abs(z) < 1e-2;
    const double even = is_small ? 1 - z * z / 6 + z * z * z * z / 120 : std::sin(z) / z;
    const double odd = is_small ? z / 3 - z * z * z / 30 : (std::sin(z) - z * std::cos(z)) / (z * z);
    sum += h * std::exp(-i * omega * (t[k] + h / 2)) * (middle * even - i * half * odd);
  }
  return sum;
}

double integrate_square(std::span<const double> t, std::span<const double> x) {
  double sum = 0;
  for (std::size_t k = 0; k + 1 < t.size(); ++k)
    sum += (t[k + 1] - t[k]) * (x[k] * x[k] + x[k] * x[k + 1] + x[k + 1] * x[k + 1]) / 3;
  return sum;
}

Harmonics analyse(std::vector<double> t, const std::vector<double>& x, double period, int count) {
  const double first = t.front();
  for (double& time : t) time -= first;
  Harmonics h;
  h.mean = integrate(t, x, 0).real() / period;
  h.rms = std::sqrt(std::max(0.0, integrate_square(t, x) / period));
  for (int n = 1; n <= count; ++n) {
    const std::complex<double> c = 2.0 / period * integrate(t, x, 2 * std::numbers::pi * n / period);
    h.amplitude.push_back(std::abs(c));
    h.phase.push_back(std::arg(c) + std::numbers::pi / 2);  // cos(ωt + φ) = sin(ωt + φ + π/2)
    if (h.phase.back() > std::numbers::pi) h.phase.back() -= 2 * std::numbers::pi;
  }
  const double fundamental =
      h.amplitude.empty() ? std::abs(2.0 / period * integrate(t, x, 2 * std::numbers::pi / period)) : h.amplitude[0];
  const double rest = h.rms * h.rms - h.mean * h.mean - fundamental * fundamental / 2;
  if (fundamental > 0) h.thd = std::sqrt(std::max(0.0, rest)) / (fundamental / std::sqrt(2.0));
  return h;
}

}  // namespace

std::vector<Harmonics> find_harmonics(equations::Evaluator& evaluator, const solve::Options& options,
                                      const Periodic& periodic, const std::vector<std::string>& signals, int count) {
  std::vector<int> places;
  for (const std::string& name : signals) places.push_back(evaluator.system().get_signal(name, "signal"));
  solve::Options once = continue_from(options, evaluator, periodic.point, periodic.period);
  once.output_step = periodic.period / rows_of_period;
  once.record_events = true;
  const solve::Result run = solve::simulate(evaluator, once);
  if (run.status == solve::Status::failed) throw Error("harmonics: " + run.text);
  std::vector<Harmonics> found;
  for (std::size_t k = 0; k < signals.size(); ++k) {
    found.push_back(analyse(run.times, run.signal(signals[k]), periodic.period, count));
    found.back().signal = signals[k];
    found.back().unit = evaluator.system().signals()[static_cast<std::size_t>(places[k])].unit;
  }
  return found;
}

}  // namespace coenergy::analyze
