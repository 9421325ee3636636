#include "coenergy/analyze/phasors.hpp"

#include <fmt/format.h>

#include <Eigen/LU>

#include "coenergy/analyze/delays.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"

namespace coenergy::analyze {

using equations::Level;

Phasors::Phasors(equations::Evaluator& evaluator, const equations::Point& point, const std::vector<int>& signals)
    : evaluator_(evaluator),
      point_(point),
      s_(evaluator.system()),
      lu_(s_.n(), s_.pattern().column_start, s_.pattern().row) {
  for (auto* matrix : {&by_value_, &by_rate_, &by_acceleration_}) matrix->resize(s_.pattern().row.size());
  evaluator.jacobian(point, Level::position, {.q = 1, .lambda = 1, .x = 1, .y = 1}, by_value_);
  evaluator.jacobian(point, Level::position, {.v = 1, .xd = 1}, by_rate_);
  evaluator.jacobian(point, Level::position, {.a = 1}, by_acceleration_);
  for (int k : signals) gradients_.push_back(evaluator.signal_gradient(point, k));
  std::vector<equations::Evaluator::Delayed> read(static_cast<std::size_t>(s_.delays()));
  evaluator.delays(point, read);
  for (std::size_t k = 0; k < read.size(); ++k) {
    const auto& delay = s_.data().delays[k];
    refuse_varying(delay);
    gradients_.push_back(evaluator.signal_gradient(point, s_.find_signal(delay.input)));
    delays_.push_back(point.t - read[k].at);
  }
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
  if (!delays_.empty()) close_delays(omega, all);
  return all;
}

/// u = u₀ + U p with p = Δ u, where u₀ is the answer of the open equations and U that to the p alone.
void Phasors::close_delays(double omega, std::vector<std::vector<Complex>>& answers) {
  const auto count = static_cast<Eigen::Index>(delays_.size());
  const std::size_t own = gradients_.size() - delays_.size();
  std::vector<std::vector<Complex>> to_added;
  Eigen::MatrixXcd open = Eigen::MatrixXcd::Identity(count, count);  // 1 − Δ U
  Eigen::VectorXcd change(count);                                    // the diagonal of Δ
  for (Eigen::Index k = 0; k < count; ++k) change(k) = std::exp(Complex(0, -omega * delays_[k])) - 1.0;
  for (Eigen::Index k = 0; k < count; ++k) {
    to_added.push_back(solve_one(omega, {{s_.data().delays[k].added, 1}}));
    for (Eigen::Index j = 0; j < count; ++j) open(j, k) -= change(j) * to_added.back()[own + j];
  }
  const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(open);
  for (std::vector<Complex>& answer : answers) {
    const Eigen::VectorXcd u = Eigen::Map<const Eigen::VectorXcd>(answer.data() + own, count);
    const Eigen::VectorXcd p = lu.solve(change.cwiseProduct(u));
    answer.resize(own);
    for (std::size_t i = 0; i < own; ++i)
      for (Eigen::Index k = 0; k < count; ++k) answer[i] += to_added[k][i] * p(k);
  }
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
