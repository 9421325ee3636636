#include "coenergy/analyze/linear_deviations.hpp"

#include <fmt/format.h>

#include "coenergy/analyze/variation.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"

namespace coenergy::analyze {

using equations::Evaluator;
using equations::Point;
using equations::System;
using math::Matrix;

namespace {

/// δθ̇ = δω − ω × δθ for rotations, δq̇ = δv for scalars.
std::vector<double> position_rate(const System& s, const Point& p, const Deviation& d) {
  std::vector<double> rate = d.v;
  const int rotations = s.nq() - s.nv(), scalars = s.nv() - 3 * rotations;
  for (int k = scalars; k < s.nv(); k += 3)
    for (int i = 0; i < 3; ++i) {
      const int j = k + (i + 1) % 3, l = k + (i + 2) % 3;
      rate[k + i] -= p.v[j] * d.q[l] - p.v[l] * d.q[j];
    }
  return rate;
}

}  // namespace

bool is_of_account(const System& s, const std::string& name) {
  return s.data().dissipated_state >= 0 &&
         (name == "energy.supplied" || name == "energy.dissipated" || name == "energy.stored");
}

LinearDeviations::LinearDeviations(Evaluator& evaluator, const Point& point, std::vector<int> inputs,
                                   std::vector<int> outputs)
    : evaluator_(evaluator),
      s_(evaluator.system()),
      point_(point),
      minimal_(compute_minimal_coordinates(evaluator, point)),
      response_(evaluator, point) {
  for (int i = 0; i < s_.nx(); ++i)
    if (!is_of_account(s_, s_.unknown(s_.nv() + s_.nl() + i).name)) first_order_.push_back(i);
  for (int k : inputs) {
    Direction& input = inputs_.emplace_back();
    Direction& rate = rates_.emplace_back();
    input.name = s_.parameter_name(k), input.parameters = evaluator.parameter_slopes(k);
    for (const auto& [parameter, slope] : input.parameters)
      if (const int j = s_.find_rate(s_.parameter_name(parameter)); j >= 0) rate.parameters.emplace_back(j, slope);
    check_input(k, input);
  }
  for (int k : outputs) gradients_.push_back(evaluator.signal_gradient(point, k));
}

void LinearDeviations::check_input(int parameter, const Direction& input) {
  if (const std::string entry = s_.find_built_in(parameter); !entry.empty())
    throw Error(fmt::format("parameter {} cannot be an input: it is built into the equations{}", input.name,
                            entry == input.name ? "" : " by " + entry));
  if (const std::string held = s_.find_clocked(parameter); !held.empty())
    throw Error(fmt::format("parameter {} cannot be an input: it says when {} is sampled", input.name, held));
  const std::vector<double> term = compute_parameter_term(evaluator_, point_, equations::Level::position, input, {});
  for (int i = 0; i < s_.nl(); ++i)
    if (term[s_.nv() + i] != 0)
      throw Error(
          fmt::format("parameter {} moves constraint {} and cannot be an input of a linear model; choose a force, a "
                      "torque or a signal",
                      input.name, s_.row_name(s_.nv() + i)));
}

Deviation LinearDeviations::nothing() const {
  return {std::vector<double>(s_.nv()), std::vector<double>(s_.nv()), {}, {}, std::vector<double>(s_.nx()), {}, {}};
}

Deviation LinearDeviations::of_state(int j) {
  Deviation d = nothing();
  const int count = static_cast<int>(minimal_.independent.size());
  const int second = count + static_cast<int>(minimal_.rates.size());
  for (int i = 0; i < s_.nv(); ++i) {
    if (j < count) d.q[i] = minimal_.n(i, j), d.v[i] = minimal_.k(i, j);
    if (j >= count && j < second) d.v[i] = minimal_.n_rate(i, j - count);
  }
  if (j >= second) d.x[first_order_[j - second]] = 1;
  response_.complete(d);
  return d;
}

Deviation LinearDeviations::of_parameters(const std::vector<std::pair<int, double>>& slopes) {
  Deviation d = nothing();
  Direction direction;
  direction.parameters = slopes;
  response_.complete(d, compute_parameter_term(evaluator_, point_, equations::Level::acceleration, direction, {}));
  return d;
}

std::optional<Deviation> LinearDeviations::of_input_rate(int j) {
  if (rates_[j].parameters.empty()) return std::nullopt;
  return of_parameters(rates_[j].parameters);
}

Deviation LinearDeviations::of_discrete(int k) {
  Deviation d = nothing();
  std::vector<double> term(s_.n());
  evaluator_.discrete_derivative(point_, equations::Level::acceleration, k, term);
  response_.complete(d, term);
  return d;
}

void LinearDeviations::put_rates(const Deviation& d, Matrix& result, int column) const {
  const std::vector<double> rate = position_rate(s_, point_, d);
  const int count = static_cast<int>(minimal_.independent.size());
  const int rates = static_cast<int>(minimal_.rates.size());
  for (int i = 0; i < count; ++i) result(i, column) = rate[minimal_.independent[i]];
  for (int i = 0; i < rates; ++i) result(count + i, column) = d.a[minimal_.rates[i]];
  for (int i = 0; i < static_cast<int>(first_order_.size()); ++i)
    result(count + rates + i, column) = d.xd[first_order_[i]];
}

void LinearDeviations::put_outputs(const Deviation& d, const Direction& parameters,
                                   const std::vector<double>& discretes, Matrix& result, int column) const {
  for (std::size_t i = 0; i < gradients_.size(); ++i)
    result(static_cast<int>(i), column) = differentiate(gradients_[i], d, discretes, parameters);
}

}  // namespace coenergy::analyze
