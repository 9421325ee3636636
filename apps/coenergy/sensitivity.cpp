#include "coenergy/analyze/sensitivity.hpp"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "apps/coenergy/load.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/analyze/ac_sensitivity.hpp"
#include "coenergy/analyze/equilibrium.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"

namespace coenergy::app {

namespace {

using analyze::Sensitivity;

/// At rest: a circuit by its operating point, a mechanism by its equilibrium.
equations::Point find_rest_point(const Prepared& p, equations::Evaluator& evaluator) {
  solve::Options options = p.options;
  const bool moves = evaluator.system().nv() > 0;
  if (!moves) options.start = "steady";
  const solve::Start start = solve::initialize(evaluator, options);
  if (!start.good) throw Failure("sensitivity: " + start.text);
  equations::Point point = start.point;
  if (moves) {
    const analyze::Equilibrium equilibrium = analyze::find_equilibrium(evaluator, point);
    if (!equilibrium.good) throw Failure("sensitivity: " + equilibrium.text);
    point = equilibrium.point;
  }
  return point;
}

Sensitivity find_at_rest(const Prepared& p, equations::Evaluator& evaluator, const SensitivityArguments& arguments,
                         const std::vector<analyze::Direction>& directions) {
  const solve::HeldTime time(evaluator);
  return analyze::compute_static_sensitivity(evaluator, find_rest_point(p, evaluator), directions, arguments.signals);
}

/// "V/ohm"; of a parameter of the model, whose unit is not known, "V".
std::string unit_of(const std::string& signal, const std::string& parameter) {
  const std::string upper = signal.empty() ? "1" : signal;
  if (parameter.empty()) return upper;
  return upper + "/" + (parameter.find_first_of("./") == std::string::npos ? parameter : "(" + parameter + ")");
}

void write_csv(const std::string& path, const Sensitivity& s) {
  std::vector<std::string> names{"time"}, units{"s"};
  for (std::size_t i = 0; i < s.signals.size(); ++i) {
    names.push_back(s.signals[i]), units.push_back(s.signal_units[i]);
    for (const analyze::Direction& d : s.directions)
      names.push_back("d(" + s.signals[i] + ")/d(" + d.name + ")"), units.push_back(unit_of(s.signal_units[i], d.unit));
  }
  write_result([&] {
    io::CsvWriter csv(path, names, units);
    for (std::size_t k = 0; k < s.times.size(); ++k) {
      std::vector<double> row{s.times[k]};
      for (std::size_t i = 0; i < s.signals.size(); ++i) {
        row.push_back(s.value(k, i));
        for (std::size_t j = 0; j < s.directions.size(); ++j) row.push_back(s.derivative(k, i, j));
      }
      csv.append(row);
    }
    csv.close();
  });
}

/// The last row: value, derivative, and relative change of the signal by that of the parameter.
void print(const Sensitivity& s, bool json, const std::string& output) {
  const std::size_t last = s.times.size() - 1;
  nlohmann::json j = {{"time", s.times[last]}, {"notes", s.notes}, {"text", s.text}};
  if (!json) {
    for (const std::string& note : s.notes) fmt::print("note: {}\n", note);
    fmt::print("t = {:g} s\n{:<24}{:<20}{:>20}{:>22} {:<12}{:>14}\n", s.times[last], "signal", "parameter", "value",
               "derivative", "", "relative");
  }
  for (std::size_t i = 0; i < s.signals.size(); ++i) {
    auto& entry = j["signals"][s.signals[i]];
    entry["value"] = s.value(last, i);
    for (std::size_t k = 0; k < s.directions.size(); ++k) {
      const analyze::Direction& d = s.directions[k];
      const double slope = s.derivative(last, i, k), value = s.value(last, i);
      entry["derivatives"][d.name] = slope;
      if (json) continue;
      const std::string relative = value == 0 ? "-" : fmt::format("{:.6g}", slope * d.value / value);
      fmt::print("{:<24}{:<20}{:>20.10g}{:>22.12g} {:<12}{:>14}\n", s.signals[i], d.name, value, slope,
                 unit_of(s.signal_units[i], d.unit), relative);
    }
  }
  if (json) fmt::print("{}\n", j.dump(2));
  if (!json && !output.empty()) fmt::print("result: {}\n", output);
}

/// Signals that are asked for, or all.
std::vector<int> find_signals(const equations::System& s, const std::vector<std::string>& names) {
  std::vector<int> found;
  std::vector<std::string> known;
  for (const equations::SignalInfo& info : s.signals()) known.push_back(info.name);
  for (const std::string& name : names.empty() ? known : names) {
    found.push_back(s.find_signal(name));
    if (found.back() < 0) throw Error("--signal " + name + ": there is no such signal" + did_you_mean(name, known));
  }
  return found;
}

/// Magnitudes and phases of a steady oscillation, and their derivatives.
int show_at_frequency(const Prepared& p, equations::Evaluator& evaluator, const SensitivityArguments& arguments,
                      const std::vector<analyze::Direction>& directions) {
  const equations::System& s = evaluator.system();
  if (arguments.inputs.empty()) throw Error("--frequency needs an --input that oscillates, such as --input U1.v");
  std::vector<std::pair<int, std::complex<double>>> inputs;
  std::vector<std::string> known;
  for (int k = 0; k < s.parameters(); ++k) known.push_back(s.parameter_name(k));
  for (const std::string& name : arguments.inputs) {
    inputs.emplace_back(s.find_parameter(name), 1);
    if (inputs.back().first < 0)
      throw Error("--input " + name + ": there is no such parameter" + did_you_mean(name, known));
  }
  const std::vector<int> signals = find_signals(s, arguments.signals);
  const solve::HeldTime time(evaluator);
  const auto find_rest = [&] { return find_rest_point(p, evaluator); };
  const analyze::AcSensitivity found = analyze::compute_ac_sensitivity(
      evaluator, find_rest, 2 * std::numbers::pi * arguments.frequency, inputs, signals, directions);
  const double degree = std::numbers::pi / 180;
  nlohmann::json j = {{"frequency", arguments.frequency}};
  if (!arguments.model.json)
    fmt::print("f = {:g} Hz\n{:<24}{:<20}{:>18}{:>14}{:>20} {:<12}{:>20}\n", arguments.frequency, "signal", "parameter",
               "magnitude", "phase deg", "d magnitude", "", "d phase deg");
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const equations::SignalInfo& info = s.signals()[static_cast<std::size_t>(signals[i])];
    const double magnitude = std::abs(found.values[i]), phase = std::arg(found.values[i]) / degree;
    auto& entry = j["signals"][info.name] = {{"magnitude", magnitude}, {"phase", phase}};
    for (std::size_t k = 0; k < directions.size(); ++k) {
      const double by_magnitude = found.magnitude_derivative(i, k), by_phase = found.phase_derivative(i, k) / degree;
      entry["derivatives"][directions[k].name] = {{"magnitude", by_magnitude}, {"phase", by_phase}};
      if (!arguments.model.json)
        fmt::print("{:<24}{:<20}{:>18.10g}{:>14.6f}{:>20.10g} {:<12}{:>20.10g}\n", info.name, directions[k].name,
                   magnitude, phase, by_magnitude, unit_of(info.unit, directions[k].unit), by_phase);
    }
  }
  if (arguments.model.json) fmt::print("{}\n", j.dump(2));
  return 0;
}

}  // namespace

int sensitivity(const SensitivityArguments& arguments) {
  check_target("--output", arguments.output, ".csv");
  const bool at_rest = arguments.steady || arguments.frequency > 0;
  const Prepared p = prepare(at_rest ? load_model_at_rest(arguments.model) : load_model(arguments.model));
  const model::Registry registry = domains::make_standard_registry();
  equations::Evaluator evaluator(p.compiled.system);
  std::vector<analyze::Direction> directions;
  for (const std::string& path : arguments.parameters)
    directions.push_back(analyze::find_direction(p.model, registry, p.compiled.system, path));
  if (arguments.frequency > 0)
    return with_places(p.model, [&] { return show_at_frequency(p, evaluator, arguments, directions); });
  const Sensitivity found = with_places(p.model, [&] {
    return arguments.steady ? find_at_rest(p, evaluator, arguments, directions)
                            : analyze::simulate_sensitivity(evaluator, p.options, directions, arguments.signals);
  });
  if (!found.good) throw Failure("sensitivity: " + found.text);
  if (!arguments.output.empty()) write_csv(arguments.output, found);
  print(found, arguments.model.json, arguments.output);
  return 0;
}

}  // namespace coenergy::app
