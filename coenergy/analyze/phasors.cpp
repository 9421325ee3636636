#include "coenergy/analyze/phasors.hpp"

#include <fmt/format.h>

#include "coenergy/analyze/delays.hpp"
#include "coenergy/base/error.hpp"

namespace coenergy::analyze {

using equations::Level;

Phasors::Phasors(equations::Evaluator& evaluator, const equations::Point& point, const std::vector<int>& signals)
    : evaluator_(evaluator),
      point_(point),
      s_(evaluator.system()),
      lu_(s_.n(), s_.pattern().column_start, s_.pattern().row) {
  refuse_delays(s_, "a frequency response");
  for (auto* matrix : {&by_value_, &by_rate_, &by_acceleration_}) matrix->resize(s_.pattern().row.size());
  evaluator.jacobian(point, Level::position, {.q = 1, .lambda = 1, .x = 1, .y = 1}, by_value_);
  evaluator.jacobian(point, Level::position, {.v = 1, .xd = 1}, by_rate_);
  evaluator.jacobian(point, Level::position, {.a = 1}, by_acceleration_);
  for (int k : signals) gradients_.push_back(evaluator.signal_gradient(point, k));
}

std::vector<std::vector<Phasors::Complex>> Phasors::solve_each(double omega, const std::vector<Inputs>& inputs) {
  const Complex jw(0, omega);
  std::vector<Complex> matrix(by_value_.size());
  for (std::size_t k = 0; k < matrix.size(); ++k)
    matrix[k] = by_value_[k] + jw * by_rate_[k] + jw * jw * by_acceleration_[k];
  if (!lu_.factor(matrix))
    throw Error(fmt::format("there is no steady state at {:g} rad/s: the equations do not determine {}", omega,
                            s_.unknown(lu_.weakest_column()).name));
  std::vector<std::vector<Complex>> all;
  for (const Inputs& one : inputs) all.push_back(solve_one(omega, one));
  return all;
}

/// With the factors at this frequency.
std::vector<Phasors::Complex> Phasors::solve_one(double omega, const Inputs& inputs) {
  const Complex jw(0, omega);
  std::vector<Complex> z(s_.n());
  std::vector<double> part(s_.n());
  // an input whose rate is in the equations has the phasor jω P of it
  Inputs given = inputs;
  for (const auto& [parameter, phasor] : inputs)
    if (const int rate = s_.find_rate(s_.parameter_name(parameter)); rate >= 0) given.emplace_back(rate, jw * phasor);
  for (const auto& [parameter, phasor] : given) {
    evaluator_.parameter_derivative(point_, Level::position, parameter, part);
    for (int i = 0; i < s_.n(); ++i) z[i] -= part[i] * phasor;
  }
  lu_.solve(z);

  std::vector<Complex> values;
  const int l = s_.nv(), x = l + s_.nl(), y = x + s_.nx();
  for (const equations::Evaluator::Gradient& g : gradients_) {
    Complex sum = 0;
    const auto add = [&](const std::vector<double>& slope, int first, Complex factor) {
      for (std::size_t i = 0; i < slope.size(); ++i)
        if (slope[i] != 0) sum += slope[i] * factor * z[first + static_cast<int>(i)];
    };
    add(g.q, 0, 1), add(g.v, 0, jw), add(g.a, 0, jw * jw), add(g.lambda, l, 1);
    add(g.x, x, 1), add(g.xd, x, jw), add(g.y, y, 1);
    for (const auto& [parameter, phasor] : given) sum += g.parameters[parameter] * phasor;
    values.push_back(sum);
  }
  return values;
}

}  // namespace coenergy::analyze
