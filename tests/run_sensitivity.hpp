#pragma once
#include <cmath>
#include <functional>

#include "coenergy/analyze/sensitivity.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {

/// Accurate runs, for derivatives and their differences.
inline solve::Options accurate_run(double t_end) {
  return {.t_end = t_end, .output_step = t_end, .record_events = false, .rtol = 1e-11, .atol = 1e-12};
}

/// Derivatives at the end of a run; `text` is why there are none.
inline analyze::Sensitivity differentiate_end(const model::Model& model, const solve::Options& options,
                                              const std::vector<std::string>& parameters,
                                              const std::vector<std::string>& signals) {
  const model::Registry registry = domains::make_standard_registry();
  const equations::System system = compile::compile(model, registry).system;
  std::vector<analyze::Direction> directions;
  for (const std::string& path : parameters)
    directions.push_back(analyze::find_direction(model, registry, system, path));
  equations::Evaluator evaluator(system);
  return analyze::simulate_sensitivity(evaluator, options, directions, signals);
}
inline analyze::Sensitivity differentiate_end(const std::string& text, double t_end,
                                              const std::vector<std::string>& parameters,
                                              const std::vector<std::string>& signals) {
  analyze::Sensitivity found =
      differentiate_end(io::parse_model(text, "m.yaml"), accurate_run(t_end), parameters, signals);
  EXPECT_TRUE(found.good) << found.text;
  return found;
}
inline double at_end(const analyze::Sensitivity& s, std::size_t signal, std::size_t direction) {
  return s.times.empty() ? NAN : s.derivative(s.times.size() - 1, signal, direction);
}

/// f'(x) by differences of fourth order over 2h to both sides.
inline double slope_of(const std::function<double(double)>& f, double x, double h) {
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

/// The derivative of a signal at the end of a run by differences of runs; the entry is written with its unit.
inline double difference_of_runs(const std::string& text, double t_end, const std::string& path, double value,
                                 const std::string& unit, const std::string& signal, double relative_step = 1e-3) {
  const auto end = [&](double x) {
    model::Model model = io::parse_model(text, "m.yaml");
    char number[64];
    std::snprintf(number, sizeof number, "%.17g %s", x, unit.c_str());
    model.set(path, number);
    return run_model(model, accurate_run(t_end)).signal(signal).back();
  };
  return slope_of(end, value, relative_step * std::abs(value));
}

}  // namespace coenergy::tests
