#include "coenergy/analyze/linearize.hpp"

#include <fmt/format.h>

#include <numeric>

#include "coenergy/analyze/minimal_coordinates.hpp"
#include "coenergy/analyze/response.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"

namespace coenergy::analyze {
namespace {

using equations::Evaluator;
using equations::Point;
using equations::System;
using math::Matrix;

/// How parameters change with an input: the input itself by one, those that follow it by their slopes.
using Slopes = std::vector<std::pair<int, double>>;

struct Names {
  std::vector<int> inputs, outputs;
};

/// Whether a signal or state belongs to the energy account, which is kept where energy.dissipated is a state.
bool is_of_account(const System& s, const std::string& name) {
  return s.data().dissipated_state >= 0 &&
         (name == "energy.supplied" || name == "energy.dissipated" || name == "energy.stored");
}

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

/// Derivatives of the chosen signals along deviations.
class SignalDerivative {
 public:
  SignalDerivative(Evaluator& evaluator, const Point& point, const std::vector<int>& chosen) {
    for (int signal : chosen) gradients_.push_back(evaluator.signal_gradient(point, signal));
  }

  /// One column of C, or of D with the parameters that change.
  void put(const Deviation& d, const Slopes& parameters, Matrix& result, int column) const {
    const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
      return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    for (std::size_t i = 0; i < gradients_.size(); ++i) {
      const Evaluator::Gradient& g = gradients_[i];
      result(int(i), column) = dot(g.q, d.q) + dot(g.v, d.v) + dot(g.a, d.a) + dot(g.lambda, d.lambda) + dot(g.x, d.x) +
                               dot(g.xd, d.xd) + dot(g.y, d.y);
      for (const auto& [k, slope] : parameters) result(int(i), column) += slope * g.parameters[k];
    }
  }

 private:
  std::vector<Evaluator::Gradient> gradients_;
};

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

void put_column(const System& s, const Point& p, const MinimalCoordinates& minimal, const std::vector<int>& states,
                const Deviation& d, Matrix& result, int column) {
  const std::vector<double> rate = position_rate(s, p, d);
  const int count = int(minimal.independent.size());
  for (int i = 0; i < count; ++i) {
    result(i, column) = rate[minimal.independent[i]];
    result(count + i, column) = d.a[minimal.independent[i]];
  }
  for (int i = 0; i < int(states.size()); ++i) result(2 * count + i, column) = d.xd[states[i]];
}

/// dR/dp of an input; refuses parameters that move a constraint.
std::vector<double> input_term(Evaluator& evaluator, const Point& p, int parameter, const Slopes& slopes) {
  const System& s = evaluator.system();
  std::vector<double> term, part(s.n());
  const auto add_up = [&](equations::Level level) {
    term.assign(s.n(), 0.0);
    for (const auto& [k, slope] : slopes) {
      evaluator.parameter_derivative(p, level, k, part);
      for (int i = 0; i < s.n(); ++i) term[i] += slope * part[i];
    }
  };
  add_up(equations::Level::position);
  for (int i = 0; i < s.nl(); ++i)
    if (term[s.nv() + i] != 0)
      throw Error(
          fmt::format("parameter {} moves constraint {} and cannot be an input of a linear model; choose a force, a "
                      "torque or a signal",
                      s.parameter_name(parameter), s.row_name(s.nv() + i)));
  add_up(equations::Level::acceleration);
  return term;
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
  const MinimalCoordinates minimal = compute_minimal_coordinates(evaluator, point);
  Response response(evaluator, point);
  const SignalDerivative signal_derivative(evaluator, point, names.outputs);

  Linearization result;
  result.coordinates = minimal.independent;
  result.position_of_states = minimal.n;
  for (int i = 0; i < s.nx(); ++i)
    if (!is_of_account(s, s.unknown(s.nv() + s.nl() + i).name)) result.states.push_back(i);
  StateSpace& model = result.model;
  name_variables(s, minimal, result.states, names, model);
  const int count = int(minimal.independent.size()), states = int(model.states.size());
  const int input_count = int(names.inputs.size()), output_count = int(names.outputs.size());
  model.a = Matrix(states, states), model.b = model.e = Matrix(states, input_count);
  model.c = Matrix(output_count, states), model.d = model.f = Matrix(output_count, input_count);

  // one deviation for each state …
  for (int j = 0; j < states; ++j) {
    Deviation d{std::vector<double>(s.nv()), std::vector<double>(s.nv()), {}, {}, std::vector<double>(s.nx()), {}, {}};
    for (int i = 0; i < s.nv(); ++i) {
      if (j < count) d.q[i] = minimal.n(i, j), d.v[i] = minimal.k(i, j);
      if (j >= count && j < 2 * count) d.v[i] = minimal.n(i, j - count);
    }
    if (j >= 2 * count) d.x[result.states[j - 2 * count]] = 1;
    response.complete(d);
    put_column(s, point, minimal, result.states, d, model.a, j);
    signal_derivative.put(d, {}, model.c, j);
  }
  // … and for each input
  const auto put_input = [&](int parameter, const Slopes& slopes, Matrix& on_states, Matrix& on_outputs, int column) {
    Deviation d{std::vector<double>(s.nv()), std::vector<double>(s.nv()), {}, {}, std::vector<double>(s.nx()), {}, {}};
    response.complete(d, input_term(evaluator, point, parameter, slopes));
    put_column(s, point, minimal, result.states, d, on_states, column);
    signal_derivative.put(d, slopes, on_outputs, column);
  };
  for (int j = 0; j < input_count; ++j) {
    const int input = names.inputs[j];
    const Slopes slopes = evaluator.parameter_slopes(input);
    if (const std::string entry = s.find_built_in(input); !entry.empty())
      throw Error(fmt::format("parameter {} cannot be an input: it is built into the equations{}", model.inputs[j],
                              entry == model.inputs[j] ? "" : " by " + entry));
    put_input(input, slopes, model.b, model.d, j);
    Slopes rates;
    for (const auto& [k, slope] : slopes)
      if (const int rate = s.find_rate(s.parameter_name(k)); rate >= 0) rates.emplace_back(rate, slope);
    if (!rates.empty()) put_input(input, rates, model.e, model.f, j);
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
