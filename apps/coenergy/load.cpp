#include "apps/coenergy/load.hpp"

#include <fmt/core.h>

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

void check_plots(const model::Model& model, const system::System& system) {
  ErrorList errors;
  for (const model::Value& value : model.plot_values) {
    if (system.find_signal(value.text) >= 0) continue;
    std::vector<std::string> known;
    for (const system::SignalInfo& s : system.signals()) known.push_back(s.name);
    errors.add(value.where, "plots: there is no signal \"" + value.text + "\"" + did_you_mean(value.text, known));
  }
  errors.throw_if_any();
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
  return netlist;
}

Prepared prepare(model::Model model) {
  // options and components are read apart, so that the mistakes of both are told at once
  ErrorList errors;
  solve::Options options;
  try {
    options = io::read_simulation_options(model);
  } catch (const Error& e) {
    errors.add(e);
  }
  std::optional<system::Compiled> compiled;
  try {
    compiled = system::compile(model, domains::make_standard_registry());
    check_plots(model, compiled->system);
  } catch (const Error& e) {
    errors.add(locate(e, model));
  }
  errors.throw_if_any();
  return {std::move(model), std::move(options), std::move(*compiled)};
}

}  // namespace coenergy::app
