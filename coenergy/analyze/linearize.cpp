#include "coenergy/analyze/linearize.hpp"

#include <fmt/format.h>

#include "coenergy/analyze/linear_deviations.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"

namespace coenergy::analyze {
namespace {

using equations::Evaluator;
using equations::Point;
using equations::System;
using math::Matrix;

struct Names {
  std::vector<int> inputs, outputs;
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

void name_variables(const System& s, const MinimalCoordinates& minimal, const std::vector<int>& states,
                    const Names& names, StateSpace& model) {
  const auto rate_unit = [](const std::string& unit) { return unit.empty() ? "1/s" : unit + "/s"; };
  for (int i : minimal.independent)
    model.states.push_back(s.unknown(i).name), model.state_units.push_back(s.unknown(i).unit);
  for (int i : minimal.independent) {
    model.states.push_back(s.unknown(i).name + "d");
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

Linearization linearize(Evaluator& evaluator, const Point& point, const Names& names) {
  const System& s = evaluator.system();
  LinearDeviations deviations(evaluator, point, names.inputs, names.outputs);
  const MinimalCoordinates& minimal = deviations.minimal();

  Linearization result;
  result.coordinates = minimal.independent;
  result.position_of_states = minimal.n;
  result.states = deviations.first_order();
  StateSpace& model = result.model;
  name_variables(s, minimal, result.states, names, model);
  const int states = deviations.states(), inputs = int(names.inputs.size()), outputs = int(names.outputs.size());
  model.a = Matrix(states, states), model.b = model.e = Matrix(states, inputs);
  model.c = Matrix(outputs, states), model.d = model.f = Matrix(outputs, inputs);
  const Direction none;
  for (int j = 0; j < states; ++j) {
    const Deviation d = deviations.of_state(j);
    deviations.put_rates(d, model.a, j);
    deviations.put_outputs(d, none, {}, model.c, j);
  }
  for (int j = 0; j < inputs; ++j) {
    const Deviation d = deviations.of_input(j);
    deviations.put_rates(d, model.b, j);
    deviations.put_outputs(d, deviations.input(j), {}, model.d, j);
    if (const std::optional<Deviation> rate = deviations.of_input_rate(j)) {
      deviations.put_rates(*rate, model.e, j);
      deviations.put_outputs(*rate, deviations.input_rate(j), {}, model.f, j);
    }
  }
  return result;
}

}  // namespace

Linearization linearize(Evaluator& evaluator, const Point& point, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
  return linearize(evaluator, point, find_names(evaluator.system(), inputs, outputs));
}

Linearization linearize_states(Evaluator& evaluator, const Point& point) {
  return linearize(evaluator, point, Names{});
}

}  // namespace coenergy::analyze
