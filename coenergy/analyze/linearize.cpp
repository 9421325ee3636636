#include "coenergy/analyze/linearize.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "coenergy/analyze/delays.hpp"
#include "coenergy/analyze/linear_deviations.hpp"
#include "coenergy/analyze/moving_axes.hpp"
#include "coenergy/analyze/sampled.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/solve/partition.hpp"

namespace coenergy::analyze {
namespace {

using equations::Evaluator;
using equations::Point;
using equations::System;
using math::Matrix;

struct Names {
  std::vector<int> inputs, outputs;
};

/// Coordinates whose positions are states, and those whose rates are: fewer where constraints are non-holonomic.
struct Chosen {
  std::vector<int> positions, rates;
};

/// Indices of the parameters and signals meant; all unknown names are reported together.
Names find_names(const System& s, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  Names names;
  ErrorList errors;
  std::vector<std::string> parameters, signals;
  for (int k = 0; k < s.parameters(); ++k) parameters.push_back(s.parameter_name(k));
  for (const auto& signal : s.signals()) signals.push_back(signal.name);
  const auto counts_energy = [&](int k) { return is_of_account(s, signals[k]); };
  for (const std::string& name : inputs) {
    names.inputs.push_back(s.find_parameter(name));
    if (names.inputs.back() < 0)
      errors.add({},
                 fmt::format("there is no parameter \"{}\" to be an input{}", name, did_you_mean(name, parameters)));
  }
  for (const std::string& name : outputs) {
    names.outputs.push_back(s.find_signal(name));
    if (names.outputs.back() < 0)
      errors.add({}, fmt::format("there is no signal \"{}\" to be an output{}", name, did_you_mean(name, signals)));
    else if (counts_energy(names.outputs.back()))
      errors.add({}, fmt::format("{} cannot be an output: the energy account is no part of a linear model", name));
  }
  errors.throw_if_any();
  if (outputs.empty())
    for (int k = 0; k < int(signals.size()); ++k)
      if (!counts_energy(k)) names.outputs.push_back(k);
  return names;
}

void name_variables(const System& s, const Chosen& chosen, const std::vector<int>& states, const Names& names,
                    StateSpace& model) {
  const auto rate_unit = [](const std::string& unit) { return unit.empty() ? "1/s" : unit + "/s"; };
  for (int i : chosen.positions)
    model.states.push_back(position_name(s, i)), model.state_units.push_back(s.unknown(i).unit);
  for (int i : chosen.rates) {
    model.states.push_back(rate_name(s, i));
    model.state_units.push_back(rate_unit(s.unknown(i).unit));
  }
  for (int i : states) {
    const auto& info = s.unknown(s.nv() + s.nl() + i);
    model.states.push_back(info.name), model.state_units.push_back(info.unit);
  }
  for (int k : names.inputs)
    model.inputs.push_back(s.parameter_name(k)), model.input_units.push_back(s.parameter_unit(k));
  for (int k : names.outputs)
    model.outputs.push_back(s.signals()[k].name), model.output_units.push_back(s.signals()[k].unit);
}

}  // namespace

bool StateSpace::has_rates() const {
  const auto is_zero = [](const Matrix& m) {
    for (int i = 0; i < m.rows; ++i)
      for (int j = 0; j < m.columns; ++j)
        if (m(i, j) != 0) return false;
    return true;
  };
  return !is_zero(e) || !is_zero(f);
}

namespace {

/// The deviations by the states of minimal coordinates at a point, once for all axes they may be seen in.
struct Deviations {
  Deviations(Evaluator& evaluator, const Point& point, LinearDeviations& all)
      : s(evaluator.system()), point(point), first_order(all.first_order()) {
    for (int j = 0; j < all.states(); ++j) by_state.push_back(all.of_state(j));
  }
  const System& s;
  Point point;
  std::vector<int> first_order;
  std::vector<Deviation> by_state;
};

/// What the states seen in the axes are (rows: positions and rates of the chosen coordinates, then states of first order),
/// or what they change by, of one deviation.
void put_seen(const Deviations& all, Axes axes, const Chosen& chosen, const Deviation& d, bool rates, Matrix& m,
              int column) {
  const SeenDeviation seen = see_deviation(all.s, all.point, axes, d);
  int row = 0;
  for (int i : chosen.positions) m(row++, column) = (rates ? seen.position_rate : seen.position)[i];
  for (int i : chosen.rates) m(row++, column) = (rates ? seen.rate_rate : seen.rate)[i];
  for (int i : all.first_order) m(row++, column) = (rates ? d.xd : d.x)[i];
}

Matrix see_all(const Deviations& all, Axes axes, const Chosen& chosen, bool rates) {
  const int n = static_cast<int>(all.by_state.size());
  Matrix m(n, n);
  for (int j = 0; j < n; ++j) put_seen(all, axes, chosen, all.by_state[j], rates, m, j);
  return m;
}

/// right · left⁻¹.
Matrix divide(const Matrix& right, const Matrix& left) {
  return math::transpose(math::solve(math::transpose(left), math::transpose(right)));
}

Matrix system_matrix(const Deviations& all, Axes axes, const Chosen& chosen) {
  return divide(see_all(all, axes, chosen, true), see_all(all, axes, chosen, false));
}

/// Independent coordinates among those seen in the axes: nodes of flexible bodies rather than bodies that hang on them.
std::vector<int> choose_coordinates(Evaluator& evaluator, const Point& point, Axes axes) {
  constexpr double hanging = 1e3;
  const System& s = evaluator.system();
  std::vector<double> weights = solve::partition_weights(s);
  for (int i = 0; i < s.nv(); ++i)
    if (s.unknown(i).follows || i >= s.nv() - 3 * (s.nq() - s.nv())) weights[i] *= hanging;
  for (const std::vector<equations::FlexibleNode>& body : s.flexible_bodies())
    for (const equations::FlexibleNode& node : body)
      for (int i = 0; i < 3; ++i) weights[node.x[i]] = weights[node.turn + i] = 1;
  const Matrix seen = see_constraints(s, point, axes, solve::constraint_jacobian(evaluator, point));
  return solve::choose_partition(seen, weights).independent;
}

double difference_norm(const Matrix& a, const Matrix& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.data.size(); ++k) sum += (a.data[k] - b.data[k]) * (a.data[k] - b.data[k]);
  return std::sqrt(sum);
}

struct ChosenAxes {
  Axes axes = Axes::mixed;
  Chosen chosen;
};

/// Axes in which the linear model of a moving structure changes least with time.
ChosenAxes choose_axes(Evaluator& evaluator, const Deviations& now, const Chosen& minimal) {
  const System& s = evaluator.system();
  ChosenAxes best{Axes::mixed, minimal};
  if (!turns_flexible_body(s, now.point) || has_samples(s)) return best;
  if (minimal.rates.size() != minimal.positions.size()) return best;
  const LaterPoint next = follow_motion(evaluator, now.point);
  if (!next.good) return best;
  LinearDeviations next_deviations(evaluator, next.point, {}, {});
  const Deviations later(evaluator, next.point, next_deviations);
  double least = std::numeric_limits<double>::infinity();
  for (const Axes axes : {Axes::turning, Axes::fixed, Axes::mixed}) {
    Chosen chosen = minimal;
    if (axes != Axes::mixed) chosen.positions = chosen.rates = choose_coordinates(evaluator, now.point, axes);
    if (chosen.positions.size() != minimal.positions.size()) continue;
    const double change = difference_norm(system_matrix(later, axes, chosen), system_matrix(now, axes, chosen));
    if (change < least) least = change, best = {axes, chosen};
  }
  return best;
}

Linearization linearize(Evaluator& evaluator, const Point& point, const Names& names) {
  const System& s = evaluator.system();
  LinearDeviations deviations(evaluator, point, names.inputs, names.outputs);
  const MinimalCoordinates& minimal = deviations.minimal();
  const Deviations all(evaluator, point, deviations);
  const ChosenAxes seen = choose_axes(evaluator, all, {minimal.independent, minimal.rates});
  const Matrix to_seen = see_all(all, seen.axes, seen.chosen, false);

  Linearization result;
  result.coordinates = seen.chosen.positions, result.rates = static_cast<int>(seen.chosen.rates.size());
  result.states = deviations.first_order();
  const int count = static_cast<int>(seen.chosen.positions.size());
  Matrix positions(count, count);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) positions(i, j) = to_seen(i, j);
  const bool is_plain = seen.axes == Axes::mixed;
  result.position_of_states = is_plain ? minimal.n : divide(minimal.n, positions);
  StateSpace& model = result.model;
  name_variables(s, seen.chosen, result.states, names, model);
  const int states = deviations.states(), inputs = int(names.inputs.size()), outputs = int(names.outputs.size());
  model.b = model.e = Matrix(states, inputs);
  model.c = Matrix(outputs, states), model.d = model.f = Matrix(outputs, inputs);
  const Direction none;
  for (int j = 0; j < states; ++j) deviations.put_outputs(all.by_state[j], none, {}, model.c, j);
  model.a = see_all(all, seen.axes, seen.chosen, true);
  if (!is_plain) model.a = divide(model.a, to_seen), model.c = divide(model.c, to_seen);
  for (int j = 0; j < inputs; ++j) {
    const Deviation d = deviations.of_input(j);
    put_seen(all, seen.axes, seen.chosen, d, true, model.b, j);
    deviations.put_outputs(d, deviations.input(j), {}, model.d, j);
    if (const std::optional<Deviation> rate = deviations.of_input_rate(j)) {
      put_seen(all, seen.axes, seen.chosen, *rate, true, model.e, j);
      deviations.put_outputs(*rate, deviations.input_rate(j), {}, model.f, j);
    }
  }
  return result;
}

}  // namespace

Linearization linearize(Evaluator& evaluator, const Point& point, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
  refuse_delays(evaluator.system(), "a linear model");
  return linearize_open(evaluator, point, inputs, outputs);
}

Linearization linearize_open(Evaluator& evaluator, const Point& point, const std::vector<std::string>& inputs,
                             const std::vector<std::string>& outputs) {
  return linearize(evaluator, point, find_names(evaluator.system(), inputs, outputs));
}

Linearization linearize_states(Evaluator& evaluator, const Point& point) {
  refuse_delays(evaluator.system(), "a linear model");
  return linearize(evaluator, point, Names{});
}

}  // namespace coenergy::analyze
