#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <map>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/block_file.hpp"
#include "apps/coenergy/design_answer.hpp"
#include "apps/coenergy/operating_point.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/sampled.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/control/discretize.hpp"
#include "coenergy/control/hinf.hpp"
#include "coenergy/control/pid.hpp"
#include "coenergy/control/regulators.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/matrix_algebra.hpp"

namespace coenergy::app {

namespace {

using control::Complex;
using control::LinearSystem;
using math::Matrix;

/// The linear model of which a controller is made, and what is around it.
struct Task {
  const DesignArguments& arguments;
  OperatingPoint& at;
  analyze::StateSpace model;
  LinearSystem plant;  ///< of samples where --sample says so
  nlohmann::json answer = {};
  LinearSystem controller = {};         ///< from what is measured to what is set
  std::vector<std::string> measured{};  ///< states, or outputs
};

/// Weights on a diagonal: as many as there are variables, one for all, or none.
Matrix read_weights(const std::vector<double>& values, int size, const char* option, bool above_zero) {
  if (!values.empty() && values.size() != 1 && int(values.size()) != size)
    throw Error(
        fmt::format("{}: {} weights for {} variables; give one for each, or one for all", option, values.size(), size));
  Matrix m = math::identity(size);
  for (int i = 0; i < size && !values.empty(); ++i) m(i, i) = values[values.size() == 1 ? 0 : i];
  for (int i = 0; i < size; ++i)
    if (!(above_zero ? m(i, i) > 0 : m(i, i) >= 0))
      throw Error(fmt::format("{}: {} must be {} 0", option, m(i, i), above_zero ? ">" : ">="));
  return m;
}

/// "-1+2j" stands for itself and its conjugate.
std::vector<Complex> read_poles(const std::vector<std::string>& words) {
  std::vector<Complex> poles;
  for (const std::string& word : words) {
    const char* at = word.c_str();
    char* end = nullptr;
    const double real = std::strtod(at, &end);
    double imaginary = 0;
    bool good = end != at;
    if (good && (*end == '+' || *end == '-')) {
      at = end;
      imaginary = std::strtod(at, &end);
      good = end != at && (*end == 'j' || *end == 'i');
      ++end;
    }
    if (!good || *end != 0) throw Error("--pole " + word + ": write -3, or -1+2j for a pair");
    poles.emplace_back(real, imaginary);
    if (imaginary != 0) poles.emplace_back(real, -imaginary);
  }
  return poles;
}

Matrix regulate(Task& task) {
  const control::Riccati r = design_lqr(task.plant, read_weights(task.arguments.q, task.plant.states(), "--q", false),
                                        read_weights(task.arguments.r, task.plant.inputs(), "--r", true));
  task.answer["K"] = rows_of(r.gain), task.answer["X"] = rows_of(r.x);
  return r.gain;
}

Matrix observe(Task& task) {
  const control::Kalman k = design_kalman(task.plant, read_weights(task.arguments.w, task.plant.states(), "--w", false),
                                          read_weights(task.arguments.v, task.plant.outputs(), "--v", true));
  task.answer["L"] = rows_of(k.gain), task.answer["covariance"] = rows_of(k.covariance);
  return k.gain;
}

void use_states(Task& task, const Matrix& gain) {
  task.controller = control::make_gain(-gain, task.plant.period), task.measured = task.model.states;
  task.answer["poles"] = pairs_of(math::compute_eigenvalues(task.plant.a - task.plant.b * gain));
}

void use_outputs(Task& task, LinearSystem controller) {
  task.answer["poles"] = pairs_of(control::find_poles(control::close_loop(task.plant, controller, 1)));
  task.controller = std::move(controller), task.measured = task.model.outputs;
}

void design_place(Task& task) {
  const Matrix gain = control::place_poles(task.plant, read_poles(task.arguments.poles));
  task.answer["K"] = rows_of(gain);
  use_states(task, gain);
}

void design_lqg(Task& task) {
  const Matrix gain = regulate(task), observer = observe(task);
  use_outputs(task, control::make_observer_controller(task.plant, gain, observer));
}

/// An observer alone: its states are those of the plant, its inputs those of the plant and the outputs.
void design_observer(Task& task) {
  const LinearSystem& p = task.plant;
  const Matrix gain = observe(task);
  task.answer["poles"] = pairs_of(math::compute_eigenvalues(p.a - gain * p.c));
  task.controller = {p.a - gain * p.c, math::beside(p.b - gain * p.d, gain), math::identity(p.states()),
                     Matrix(p.states(), p.inputs() + p.outputs()), p.period};
  task.measured = task.model.inputs;
  task.measured.insert(task.measured.end(), task.model.outputs.begin(), task.model.outputs.end());
}

/// The last inputs and outputs are those of the controller, the others disturbances and errors.
void design_general(Task& task, bool robust) {
  const DesignArguments& a = task.arguments;
  const control::GeneralPlant plant{task.plant, a.measurements, a.controls};
  const control::Synthesis s = robust ? design_hinf(plant) : design_h2(plant);
  task.answer["gamma"] = s.gamma;
  const auto last = [](const std::vector<std::string>& names, int count) {
    return std::vector<std::string>(names.end() - count, names.end());
  };
  task.model.inputs = last(task.model.inputs, a.controls),
  task.model.outputs = last(task.model.outputs, a.measurements);
  LinearSystem inner = task.plant;
  inner.b = math::part(inner.b, 0, inner.inputs() - a.controls, inner.states(), a.controls);
  inner.c = math::part(inner.c, inner.outputs() - a.measurements, 0, a.measurements, inner.states());
  inner.d = math::part(inner.d, task.plant.outputs() - a.measurements, task.plant.inputs() - a.controls, a.measurements,
                       a.controls);
  task.plant = inner;
  use_outputs(task, s.controller);
}

void design_pid(Task& task) {
  using namespace control;
  const DesignArguments& a = task.arguments;
  const std::map<std::string, PidKind> kinds{{"p", PidKind::p}, {"pi", PidKind::pi}, {"pid", PidKind::pid}};
  const auto kind = kinds.find(a.kind);
  if (kind == kinds.end()) throw Error("--kind " + a.kind + ": there are p, pi and pid");
  const LinearSystem plant = find_minimal(task.plant);  // without states that only count, such as angles
  PidGains gains;
  if (a.rule == "ziegler-nichols") {
    const Ultimate u = find_ultimate(plant);
    task.answer["ultimate"] = {{"gain", u.gain}, {"period", u.period}, {"period_unit", "s"}};
    gains = tune_ziegler_nichols(u, kind->second);
  } else if (a.rule == "lambda") {
    const FirstOrderLag lag = fit_first_order_lag(plant);
    task.answer["lag"] = {{"gain", lag.gain}, {"time_constant", lag.time_constant}, {"delay", lag.delay}};
    gains = tune_lambda(lag, a.lambda > 0 ? a.lambda : lag.time_constant, kind->second);
  } else if (a.rule == "optimize") {
    gains = optimize_pid(plant, tune_ziegler_nichols(find_ultimate(plant), kind->second), kind->second);
  } else {
    throw Error("--rule " + a.rule + ": there are ziegler-nichols, lambda and optimize");
  }
  task.answer["kp"] = gains.kp, task.answer["ki"] = gains.ki, task.answer["kd"] = gains.kd;
  task.answer["filter"] = a.filter;
  LinearSystem pid = make_pid(gains, a.filter);
  const LinearSystem loop = connect_in_series(pid, plant);
  add_loop(task.answer, loop);
  // of the error: minus the output
  pid.c = -pid.c, pid.d = -pid.d;
  use_outputs(task, pid);
}

/// What the loop is like that is opened at the only input: states or outputs back to it.
void add_margins(Task& task) {
  if (task.plant.inputs() != 1 || task.answer.contains("margins") || task.measured == std::vector<std::string>{})
    return;
  LinearSystem seen = task.plant;
  if (task.measured == task.model.states) seen.c = math::identity(seen.states()), seen.d = Matrix(seen.states(), 1);
  if (seen.outputs() != task.controller.inputs()) return;
  LinearSystem loop = control::connect_in_series(seen, task.controller);
  loop.c = -loop.c, loop.d = -loop.d;
  add_loop(task.answer, loop);
}

const std::map<std::string, std::function<void(Task&)>>& methods() {
  static const std::map<std::string, std::function<void(Task&)>> table = {
      {"lqr", [](Task& task) { use_states(task, regulate(task)); }},
      {"place", design_place},
      {"kalman", design_observer},
      {"lqg", design_lqg},
      {"pid", design_pid},
      {"hinf", [](Task& task) { design_general(task, true); }},
      {"h2", [](Task& task) { design_general(task, false); }},
      {"analyze", [](Task& task) { add_analysis(task.answer, task.plant, task.model); }},
  };
  return table;
}

/// Values of signals and parameters at the operating point, with their units.
std::string about_point(Task& task, const std::string& name) {
  const equations::System& s = task.at.compiled.system;
  if (const int k = s.find_signal(name); k >= 0) {
    std::vector<double> values(s.signals().size());
    task.at.evaluator.signals(task.at.point, values);
    return deviation(name, values[k], s.signals()[k].unit);
  }
  if (s.find_parameter(name) < 0)
    throw Error(name +
                " is a state that is no signal, so no block can read it; take lqg, which asks for outputs alone");
  return "0";  // an observer: what the controller adds to this entry
}

void write_controller(Task& task) {
  const DesignArguments& a = task.arguments;
  if (task.controller.outputs() == 0) throw Error("--output: " + a.method + " makes no controller");
  BlockFile file(fmt::format("{} controller of {}, about the {}", a.method, a.point.model.file, task.at.text()));
  std::vector<std::string> inputs;
  for (const std::string& name : task.measured) inputs.push_back(about_point(task, name));
  for (std::size_t k = 0; k < task.model.inputs.size() && a.method != "kalman"; ++k) {
    const int p = task.at.compiled.system.find_parameter(task.model.inputs[k]);
    file.add_line(fmt::format("# {}: \"{:.17g} {} + controller.y{} * 1 {}\"", task.model.inputs[k],
                              task.at.evaluator.parameter(p), task.model.input_units[k],
                              task.model.inputs.size() == 1 ? "" : std::to_string(k + 1), task.model.input_units[k]));
  }
  if (a.method == "kalman")
    file.add_line(fmt::format("# in place of the first {} inputs (0): what a controller adds to {}",
                              task.model.inputs.size(), fmt::join(task.model.inputs, ", ")));
  file.add_system(a.method == "kalman" ? "observer" : "controller", inputs, task.controller);
  file.write(a.output);
  task.answer["output"] = a.output;
}

}  // namespace

int design(const DesignArguments& arguments) {
  check_target("--output", arguments.output, ".yaml");
  check_target("--report", arguments.point.model.report, ".html");
  const auto method = methods().find(arguments.method);
  if (method == methods().end()) {
    std::vector<std::string> names;
    for (const auto& [name, action] : methods()) names.push_back(name);
    throw Error(fmt::format("--method {}: there are {}", arguments.method, fmt::join(names, ", ")));
  }
  OperatingPoint at = find_operating_point(arguments.point);
  if (at.inputs.empty()) throw Error("--input: name what the controller sets; the model has no inputs");
  if (at.outputs.empty() && arguments.method != "lqr" && arguments.method != "place")
    throw Error("--output: name what is measured; the model has no outputs");
  if (analyze::has_samples(at.compiled.system))
    throw Error("the model has samples: a controller is designed of what is continuous; take the sampled blocks out");
  Task task{arguments, at, analyze::linearize(at.evaluator, at.point, at.inputs, at.outputs).model, {}};
  task.plant = control::make_linear_system(task.model);
  if (arguments.sample > 0) task.plant = control::to_sampled(task.plant, arguments.sample);
  task.answer = begin_answer(at, arguments.point.model.file);
  task.answer["method"] = arguments.method;
  task.answer["states"] = task.model.states;
  task.answer["inputs"] = task.model.inputs, task.answer["outputs"] = task.model.outputs;
  if (arguments.sample > 0) {
    task.answer["sample"] = arguments.sample;
    add_slow_sample_note(task.answer, control::make_linear_system(task.model), arguments.sample);
  }
  method->second(task);
  add_margins(task);
  if (task.controller.outputs() > 0) task.answer["controller"] = matrices_of(task.controller);
  if (!arguments.output.empty()) write_controller(task);
  if (!arguments.point.model.report.empty()) write_page(arguments.point.model.report, report_design(task.answer));
  if (arguments.point.model.json) return print_answer(task.answer);
  print_design(task.answer);
  return 0;
}

}  // namespace coenergy::app
