#include "coenergy/analyze/sensitivity.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/operating_point.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/analyze/ac_sensitivity.hpp"
#include "coenergy/analyze/memory.hpp"
#include "coenergy/analyze/steady_motion.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/solve/settle.hpp"

namespace coenergy::app {

namespace {

using analyze::Sensitivity;

/// Of an operating point, and how it was found.
struct AtRest {
  Sensitivity found;
  std::string kind;
};

AtRest find_at_rest(const Prepared& p, equations::Evaluator& evaluator, const SensitivityArguments& arguments,
                    const std::vector<analyze::Direction>& directions) {
  if (arguments.at.time)
    throw Error(
        "--at with --op: the derivatives of a run at a time are those of the run; leave --op away and end it "
        "there, by --set or in the model");
  const equations::System& s = evaluator.system();
  const solve::HeldTime time(evaluator);
  equations::Point point;
  math::Matrix free;
  if (arguments.at.equilibrium) {
    point = find_point(evaluator, p.options, arguments.at);
  } else {
    const analyze::SteadyMotion motion = analyze::find_steady_motion(evaluator, p.options);
    if (!motion.good) throw Failure("sensitivity: " + motion.text);
    point = motion.point, free = motion.free;
  }
  AtRest result{analyze::compute_static_sensitivity(evaluator, point, directions, arguments.signals, false, free),
                arguments.at.equilibrium ? "equilibrium" : "steady"};
  const std::vector<char> memory = analyze::find_memory(s);
  for (int k = 0; k < s.nd(); ++k)
    if (memory[k])
      result.found.notes.push_back(s.data().discrete_names[k] +
                                   " keeps its value: in an operating point samples do not follow");
  return result;
}

nlohmann::json to_json(const std::vector<analyze::Direction>& directions) {
  nlohmann::json j;
  for (const analyze::Direction& d : directions) j[d.name] = {{"value", d.value}, {"unit", d.unit}};
  return j;
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

/// The last row: value, derivative, and relative change of the signal by that of the parameter. `kind`: of the operating
/// point; none of a run.
void print(const Prepared& p, const Sensitivity& s, const SensitivityArguments& arguments, const std::string& kind) {
  const bool json = arguments.model.json;
  const std::string& output = arguments.output;
  const std::size_t last = s.times.size() - 1;
  nlohmann::json j = begin_answer(p);
  add_notes(j, s.notes);
  j["time"] = s.times[last], j["text"] = s.text, j["units"]["time"] = "s";
  j["operating_point"] = kind.empty() ? nlohmann::json() : make_point(kind, s.times[last]);
  j["parameters"] = to_json(s.directions);
  if (!json) {
    if (!kind.empty()) fmt::print("{}\n", describe_point(kind, s.times[last]));
    for (const std::string& note : s.notes) fmt::print("note: {}\n", note);
    fmt::print("t = {:g} s\n{:<24}{:<20}{:>20}{:>22} {:<12}{:>14}\n", s.times[last], "signal", "parameter", "value",
               "derivative", "", "relative");
  }
  for (std::size_t i = 0; i < s.signals.size(); ++i) {
    auto& entry = j["signals"][s.signals[i]];
    entry["value"] = s.value(last, i), entry["unit"] = s.signal_units[i];
    for (std::size_t k = 0; k < s.directions.size(); ++k) {
      const analyze::Direction& d = s.directions[k];
      const double slope = s.derivative(last, i, k), value = s.value(last, i);
      entry["derivatives"][d.name] = slope;
      entry["derivative_units"][d.name] = unit_of(s.signal_units[i], d.unit);
      if (json) continue;
      const std::string relative = value == 0 ? "-" : fmt::format("{:.6g}", slope * d.value / value);
      fmt::print("{:<24}{:<20}{:>20.10g}{:>22.12g} {:<12}{:>14}\n", s.signals[i], d.name, value, slope,
                 unit_of(s.signal_units[i], d.unit), relative);
    }
  }
  if (!output.empty()) j["output"] = output;
  if (json) print_answer(j);
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
  double time = 0;
  const auto find_rest = [&] {
    equations::Point point = find_point(evaluator, p.options, arguments.at);
    time = point.t;
    return point;
  };
  const analyze::AcSensitivity found = analyze::compute_ac_sensitivity(
      evaluator, find_rest, 2 * std::numbers::pi * arguments.frequency, inputs, signals, directions);
  const double degree = std::numbers::pi / 180;
  nlohmann::json j = begin_answer(p);
  j["operating_point"] = make_point(kind_of(arguments.at), time);
  j["frequency"] = arguments.frequency, j["inputs"] = arguments.inputs;
  j["units"] = {{"frequency", "Hz"}, {"phase", "deg"}};
  j["parameters"] = to_json(directions);
  if (!arguments.model.json) fmt::print("{}\n", describe_point(kind_of(arguments.at), time));
  if (!arguments.model.json)
    fmt::print("f = {:g} Hz\n{:<24}{:<20}{:>18}{:>14}{:>20} {:<12}{:>20}\n", arguments.frequency, "signal", "parameter",
               "magnitude", "phase deg", "d magnitude", "", "d phase deg");
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const equations::SignalInfo& info = s.signals()[static_cast<std::size_t>(signals[i])];
    const double magnitude = std::abs(found.values[i]), phase = std::arg(found.values[i]) / degree;
    auto& entry = j["signals"][info.name] = {{"magnitude", magnitude}, {"phase", phase}, {"unit", info.unit}};
    for (std::size_t k = 0; k < directions.size(); ++k) {
      const double by_magnitude = found.magnitude_derivative(i, k), by_phase = found.phase_derivative(i, k) / degree;
      entry["derivatives"][directions[k].name] = {{"magnitude", by_magnitude}, {"phase", by_phase}};
      entry["derivative_units"][directions[k].name] = {{"magnitude", unit_of(info.unit, directions[k].unit)},
                                                       {"phase", unit_of("deg", directions[k].unit)}};
      if (!arguments.model.json)
        fmt::print("{:<24}{:<20}{:>18.10g}{:>14.6f}{:>20.10g} {:<12}{:>20.10g}\n", info.name, directions[k].name,
                   magnitude, phase, by_magnitude, unit_of(info.unit, directions[k].unit), by_phase);
    }
  }
  return arguments.model.json ? print_answer(j) : 0;
}

}  // namespace

int sensitivity(const SensitivityArguments& arguments) {
  check_target("--output", arguments.output, ".csv");
  const bool at_point = arguments.steady || arguments.frequency > 0;
  const bool names_point = arguments.at.time || arguments.at.equilibrium || arguments.at.steady;
  if (names_point && !at_point)
    throw Error("--at, --equilibrium and --steady name an operating point: they need --op or --frequency");
  if (arguments.steady && arguments.frequency > 0)
    throw Error("--op and --frequency are two answers: of the operating point itself, or of oscillations about it");
  if (at_point && !arguments.output.empty())
    throw Error("--output is for the rows of a run: not with --op, --frequency");
  // items of lists are parameters where they are wanted as such: else zeros and ones among them are part of the equations
  std::vector<std::string> items;
  for (const std::string& path : arguments.parameters)
    if (path.ends_with("]")) items.push_back(path);
  const Prepared p = prepare(
      at_point && !arguments.at.time ? load_model_at_rest(arguments.model) : load_model(arguments.model), items);
  const model::Registry registry = domains::make_standard_registry();
  equations::Evaluator evaluator(p.compiled.system);
  std::vector<analyze::Direction> directions;
  for (const std::string& path : arguments.parameters)
    directions.push_back(analyze::find_direction(p.model, registry, p.compiled.system, path));
  if (arguments.frequency > 0)
    return with_places(p.model, [&] { return show_at_frequency(p, evaluator, arguments, directions); });
  std::string kind;
  const Sensitivity found = with_places(p.model, [&] {
    if (!arguments.steady) return analyze::simulate_sensitivity(evaluator, p.options, directions, arguments.signals);
    AtRest rest = find_at_rest(p, evaluator, arguments, directions);
    kind = rest.kind;
    return std::move(rest.found);
  });
  if (!found.good) throw Failure("sensitivity: " + found.text);
  if (!arguments.output.empty()) write_csv(arguments.output, found);
  print(p, found, arguments, kind);
  return 0;
}

}  // namespace coenergy::app
