#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/study/trajectory_impl.hpp"

namespace coenergy::study {

void Trajectory::Impl::read(const model::Model& model, const model::Value& section) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Formulas constants(model);
  const auto number = [&](const model::Value& value, const std::string& what, const std::string& unit) {
    return constants.evaluate_constant(value, "optimize." + what, &unit);
  };
  const std::vector<std::string> known{"inputs", "time", "end", "limits", "minimize", "intervals"};
  const auto read_range = [&](const model::Value& value, const std::string& what, const std::string& unit, double& low,
                              double& high, double* guess) {
    if (value.kind == model::Value::Kind::text) {
      low = high = number(value, what, unit);
      if (guess != nullptr) *guess = low;
      return;
    }
    bool has_guess = false;
    for (const auto& [key, given] : value.map) {
      if (key == "min")
        low = number(given, what + ".min", unit);
      else if (key == "max")
        high = number(given, what + ".max", unit);
      else if (key == "guess" && guess != nullptr)
        *guess = number(given, what + ".guess", unit), has_guess = true;
      else
        throw Error(given.where,
                    "optimize." + what + " has no entry \"" + key + "\"" + did_you_mean(key, {"min", "max", "guess"}));
    }
    if (!(low <= high))
      throw Error(value.where, fmt::format("optimize.{}: min = {:g} must be <= max = {:g}", what, low, high));
    if (guess != nullptr && !has_guess)
      *guess = std::isfinite(low + high) ? (low + high) / 2 : std::isfinite(low) ? low : 0;
    if (guess != nullptr && !(*guess >= low && *guess <= high))
      throw Error(value.where, "optimize." + what + ": the guess must lie between min and max");
  };
  const auto find_signal = [&](const std::string& name, const model::Value& value) {
    std::vector<std::string> names;
    for (const equations::SignalInfo& s : system->signals()) names.push_back(s.name);
    const int k = system->find_signal(name);
    if (k < 0) throw Error(value.where, "optimize: there is no signal \"" + name + "\"" + did_you_mean(name, names));
    return k;
  };
  ErrorList errors;
  for (const auto& [entry, value] : section.map) try {
      if (entry == "inputs") {
        for (const auto& [name, range] : value.map) {
          const int k = system->find_parameter(name);
          inputs.push_back(k);
          double low = -infinite, high = infinite, guess = 0;
          read_range(range, "inputs." + name, system->parameter_unit(k), low, high, &guess);
          input_low.push_back(low), input_high.push_back(high), input_guess.push_back(guess);
        }
      } else if (entry == "time") {
        read_range(value, "time", "s", time_low, time_high, &time_guess);
        if (!(time_low > 0)) throw Error(value.where, "optimize.time needs min > 0, and a guess or max");
      } else if (entry == "end" || entry == "limits") {
        for (const auto& [name, range] : value.map) {
          SignalLimit l{find_signal(name, range), -infinite, infinite};
          const std::string& unit = system->signals()[static_cast<std::size_t>(l.signal)].unit;
          read_range(range, entry + "." + name, unit, l.low, l.high, nullptr);
          if (entry == "end" && l.low != l.high)
            throw Error(range.where, "optimize.end." + name + " must be one value");
          (entry == "end" ? ends : limits).push_back(l);
        }
      } else if (entry == "minimize") {
        if (value.kind == model::Value::Kind::text) {
          if (value.text != "time")
            throw Error(value.where, "optimize.minimize must be time, or {integral: \"…\"} of the inputs");
          continue;
        }
        const model::Value* integral = value.find("integral");
        if (integral == nullptr)
          throw Error(value.where, "optimize.minimize must be time, or {integral: \"…\"} of the inputs");
        minimizes_time = false;
        cost.emplace(model);
        for (const auto& [name, range] : section.find("inputs")->map) {
          Variable variable{name, {}};
          variable.kind.dimension = parse_unit(system->parameter_unit(system->find_parameter(name))).dimension;
          cost->add_variable(std::move(variable), true);
        }
        cost->add("optimize.minimize", integral->text, integral->where);
      } else if (entry == "intervals") {
        const double given = number(value, "intervals", "");
        if (!(given >= 2 && given <= 10000 && given == std::floor(given)))
          throw Error(value.where, "optimize.intervals must be a whole number from 2 to 10000");
        intervals = static_cast<int>(given);
      } else {
        throw Error(value.where, "optimize has no entry \"" + entry + "\" beside inputs" + did_you_mean(entry, known));
      }
    } catch (const Error& e) {
      errors.add(e);
    }
  if (ends.empty()) errors.add(section.where, "optimize needs end: {SIGNAL: VALUE, …} beside inputs");
  errors.throw_if_any();
}

Trajectory::Trajectory(
    const model::Model& model,
    const std::function<equations::System(const model::Model&, const std::vector<std::string>&)>& compile)
    : impl_(std::make_unique<Impl>()) {
  Impl& m = *impl_;
  const model::Value& section = *find_section(model, "optimize");
  std::vector<std::string> names;
  for (const auto& [name, range] : section.find("inputs")->map) names.push_back(name);
  m.system.emplace(compile(model, names));
  const equations::System& s = *m.system;
  if (s.nl() > 0)
    throw Error(section.where, "optimize.inputs: the machine has constraints; only tree-like ones are served");
  if (s.nq() != s.nv())
    throw Error(section.where,
                "optimize.inputs: the machine has free rotations (ball joints); only coordinates are served");
  if (s.indicators() > 0 || s.nd() > 0 || s.delays() > 0)
    throw Error(section.where,
                "optimize.inputs: the machine has events, samples or delays; motions are optimised without");
  m.evaluator.emplace(s);
  m.start = m.evaluator->start();
  m.read(model, section);
  m.evaluator->open_inputs(m.start);
}

}  // namespace coenergy::study
