#include "coenergy/analyze/ac_sensitivity.hpp"

#include <cmath>

#include "coenergy/analyze/phasors.hpp"

namespace coenergy::analyze {

double AcSensitivity::magnitude_derivative(std::size_t signal, std::size_t direction) const {
  const Complex z = values[signal];
  return z == 0.0 ? std::abs(derivatives[signal][direction])
                  : (std::conj(z) * derivatives[signal][direction]).real() / std::abs(z);
}

double AcSensitivity::phase_derivative(std::size_t signal, std::size_t direction) const {
  const Complex z = values[signal];
  return z == 0.0 ? 0 : (std::conj(z) * derivatives[signal][direction]).imag() / std::norm(z);
}

AcSensitivity compute_ac_sensitivity(equations::Evaluator& evaluator,
                                     const std::function<equations::Point()>& find_rest, double omega,
                                     const std::vector<std::pair<int, std::complex<double>>>& inputs,
                                     const std::vector<int>& signals, const std::vector<Direction>& directions) {
  const auto solve = [&] { return Phasors(evaluator, find_rest(), signals).solve(omega, inputs); };
  AcSensitivity result;
  result.values = solve();
  result.derivatives.resize(signals.size());
  for (const Direction& direction : directions) {
    const double step = 1e-3 * (direction.value != 0 ? std::abs(direction.value) : 1);
    std::vector<double> before;
    for (const auto& [k, slope] : direction.parameters) before.push_back(evaluator.parameter(k));
    std::vector<AcSensitivity::Complex> sum(signals.size());
    for (const auto& [steps, weight] :
         {std::pair(-2, 1.0), std::pair(-1, -8.0), std::pair(1, 8.0), std::pair(2, -1.0)}) {
      for (std::size_t j = 0; j < before.size(); ++j)
        evaluator.set_parameter(direction.parameters[j].first,
                                before[j] + steps * step * direction.parameters[j].second);
      const std::vector<AcSensitivity::Complex> z = solve();
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * z[i];
    }
    for (std::size_t j = 0; j < before.size(); ++j) evaluator.set_parameter(direction.parameters[j].first, before[j]);
    for (std::size_t i = 0; i < sum.size(); ++i) result.derivatives[i].push_back(sum[i] / (12 * step));
  }
  return result;
}

}  // namespace coenergy::analyze
