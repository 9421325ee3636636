#include "apps/coenergy/load.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "coenergy/domains/standard.hpp"
#include "coenergy/io/electran.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/io/robotran.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/io/spice.hpp"
#include "coenergy/io/urdf.hpp"

namespace coenergy::app {

namespace {

/// Refuses plotted and recorded signals that do not exist.
void check_signals(const model::Model& model, const system::System& system) {
  ErrorList errors;
  const auto check = [&](const char* entry, const std::vector<model::Value>& values) {
    for (const model::Value& value : values) {
      if (system.find_signal(value.text) >= 0) continue;
      std::vector<std::string> known;
      for (const system::SignalInfo& s : system.signals()) known.push_back(s.name);
      errors.add(value.where,
                 std::string(entry) + ": there is no signal \"" + value.text + "\"" + did_you_mean(value.text, known));
    }
  };
  check("plots", model.plot_values);
  for (const auto& [name, value] : model.simulate)
    if (name == "signals") check("simulate.signals", value.list);
  errors.throw_if_any();
}

/// What is plotted is recorded, also where only some signals are.
void add_plotted(const model::Model& model, solve::Options& options) {
  if (options.signals.empty()) return;
  for (const auto& plot : model.plots)
    for (const std::string& name : plot)
      if (std::find(options.signals.begin(), options.signals.end(), name) == options.signals.end())
        options.signals.push_back(name);
}

/// By the ending: robots, Electran circuits, else model files.
model::Model read_any(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".urdf" || ending == ".mbs") {
    io::RobotFile robot = ending == ".urdf" ? io::read_urdf(file) : io::read_robotran(file);
    for (const std::string& note : robot.notes) fmt::print(stderr, "note: {}\n", note);
    return std::move(robot.model);
  }
  if (ending == ".electran") return io::read_electran(file);
  return io::read_model(file);
}

/// --set path=value.
void apply_sets(const ModelArguments& arguments, model::Model& model) {
  for (const std::string& set : arguments.sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error("--set " + set + ": write path=value, such as --set motor.R=3.2");
    const std::string path = set.substr(0, equals);
    model.set(path, io::parse_value(set.substr(equals + 1), "--set " + path));
  }
}

}  // namespace

bool is_netlist(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  return ending == ".cir" || ending == ".sp" || ending == ".net" || ending == ".spice";
}

model::Model load_model(const ModelArguments& arguments) {
  if (is_netlist(arguments.file)) return load_netlist(arguments).model;
  model::Model model = read_any(arguments.file);
  apply_sets(arguments, model);
  return model;
}

io::Netlist load_netlist(const ModelArguments& arguments) {
  io::Netlist netlist = io::read_netlist(arguments.file);
  for (const std::string& note : netlist.notes) fmt::print(stderr, "note: {}\n", note);
  apply_sets(arguments, netlist.model);
  for (io::Netlist::Source& source : netlist.sources) {
    const std::string path = source.component + (source.is_voltage ? ".v=" : ".i=");
    for (const std::string& set : arguments.sets) source.is_constant = source.is_constant || set.starts_with(path);
  }
  return netlist;
}

void check_sets_at_rest(const ModelArguments& arguments, const io::Netlist& netlist) {
  for (const std::string& set : arguments.sets)
    for (const io::Netlist::Source& source : netlist.sources)
      if (!source.is_constant && set.starts_with(source.component + "."))
        throw Error("--set " + set + ": " + source.component +
                    " is a function of time, of which an operating point takes the value the netlist gives; change it "
                    "there");
}

model::Model load_model_at_rest(const ModelArguments& arguments) {
  if (!is_netlist(arguments.file)) return load_model(arguments);
  const io::Netlist netlist = load_netlist(arguments);
  check_sets_at_rest(arguments, netlist);
  return io::make_dc_model(netlist);
}

Prepared prepare(model::Model model) {
  // options and components are read apart, so that the mistakes of both are told at once
  ErrorList errors;
  solve::Options options;
  try {
    options = io::read_simulation_options(model);
    add_plotted(model, options);
  } catch (const Error& e) {
    errors.add(e);
  }
  std::optional<system::Compiled> compiled;
  try {
    compiled = system::compile(model, domains::make_standard_registry());
    check_signals(model, compiled->system);
  } catch (const Error& e) {
    errors.add(locate(e, model));
  }
  errors.throw_if_any();
  return {std::move(model), std::move(options), std::move(*compiled)};
}

}  // namespace coenergy::app
