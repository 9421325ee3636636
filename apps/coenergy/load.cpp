#include "apps/coenergy/load.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "apps/coenergy/messages.hpp"
#include "coenergy/base/units.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/io/part_file.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/io/spice.hpp"
#include "coenergy/model/data_column.hpp"
#include "coenergy/model/expand.hpp"

namespace coenergy::app {

namespace {

/// Refuses plotted and recorded signals that do not exist, and units of plots that do not fit.
class SignalCheck {
 public:
  explicit SignalCheck(const equations::System& system) : system_(system) {}

  void check(const model::Model& model) {
    for (const model::Plot& plot : model.plots) check(plot);
    for (const model::Value& value : model.outputs) find("outputs", value);
    for (const auto& [name, value] : model.simulate)
      if (name == "signals")
        for (const model::Value& signal : value.list) find("simulate.signals", signal);
    errors_.throw_if_any();
  }

 private:
  void check(const model::Plot& plot) {
    for (const model::Value& name : plot.y) check_unit(name, plot.unit);
    if (plot.x) check_unit(*plot.x, plot.x_unit);
    if (!plot.x && plot.x_unit) check_unit("time", "s", *plot.x_unit);
  }

  void check_unit(const model::Value& name, const std::optional<model::Value>& unit) {
    try {
      // a measured curve
      if (const auto data = model::find_data_column(name.text)) {
        const auto column = model::read_data_column(name.where.file, data->first, data->second);
        if (unit) check_unit(name.text, column->unit.empty() ? unit->text : column->unit, *unit);
        return;
      }
    } catch (const Error& e) {
      errors_.add(name.where, std::string("plots: ") + e.what());
      return;
    }
    const equations::SignalInfo* signal = find("plots", name);
    if (signal != nullptr && unit) check_unit(signal->name, signal->unit, *unit);
  }

  void check_unit(const std::string& name, const std::string& own, const model::Value& wanted) try {
    const Dimension dimension = parse_unit(own).dimension;
    if (parse_unit(wanted.text).dimension == dimension) return;
    errors_.add(wanted.where,
                "plots: " + name + " is in " + (own.empty() ? "1" : own) + " and cannot be shown in " + wanted.text);
  } catch (const Error& e) {
    errors_.add(wanted.where, std::string("plots: ") + e.what());
  }

  const equations::SignalInfo* find(const char* entry, const model::Value& value) {
    const int k = system_.find_signal(value.text);
    if (k >= 0) return &system_.signals()[static_cast<std::size_t>(k)];
    std::vector<std::string> known;
    for (const equations::SignalInfo& s : system_.signals()) known.push_back(s.name);
    errors_.add(value.where,
                std::string(entry) + ": there is no signal \"" + value.text + "\"" + did_you_mean(value.text, known));
    return nullptr;
  }

  const equations::System& system_;
  ErrorList errors_;
};

/// What is plotted is recorded, also where only some signals are.
void add_plotted(const model::Model& model, solve::Options& options) {
  if (options.signals.empty()) return;
  for (const model::Plot& plot : model.plots)
    model::Plot::visit_signals(plot, [&](const model::Value& name) {
      const bool is_signal = !name.text.starts_with("table(");
      if (is_signal && std::find(options.signals.begin(), options.signals.end(), name.text) == options.signals.end())
        options.signals.push_back(name.text);
    });
}

/// Notes of reading a file; an answer in JSON has them in itself.
void tell_notes(const ModelArguments& arguments, const std::vector<std::string>& notes) {
  if (arguments.json) return;
  for (const std::string& note : notes) print_note(stderr, note);
}

/// --set path=value.
void apply_sets(const ModelArguments& arguments, model::Model& model) {
  ErrorList errors;
  for (const std::string& set : arguments.sets) try {
      const std::size_t equals = set.find('=');
      if (equals == std::string::npos || equals == 0)
        throw Error("--set " + set + ": write path=value, such as --set motor.R=3.2");
      const std::string path = set.substr(0, equals);
      model.set(path, io::parse_value(set.substr(equals + 1), "--set " + path));
    } catch (const Error& e) {
      errors.add(e);
    }
  errors.throw_if_any();
}

/// Throws the mistakes of the file together with those of what it says.
[[noreturn]] void tell_all(ErrorList mistakes, model::Model model) {
  try {
    prepare(is_hierarchical(model) ? expand(model, domains::make_standard_registry()) : std::move(model));
  } catch (const Error& e) {
    mistakes.add(e);
  }
  mistakes.throw_if_any();
  throw Error("the model cannot be read");
}

}  // namespace

bool is_netlist(const std::string& file) {
  return io::is_netlist_ending(std::filesystem::path(file).extension().string());
}

model::Model load_hierarchy(const ModelArguments& arguments) {
  ErrorList mistakes;
  model::Model model = io::read_any_model(arguments.file, &mistakes);
  tell_notes(arguments, model.notes);
  model.libraries = arguments.libraries;
  apply_sets(arguments, model);
  if (!mistakes.empty()) tell_all(std::move(mistakes), std::move(model));
  return model;
}

model::Model load_model(const ModelArguments& arguments) {
  if (is_netlist(arguments.file)) return load_netlist(arguments).model;
  model::Model model = load_hierarchy(arguments);
  if (is_hierarchical(model)) return expand(model, domains::make_standard_registry());
  return model;
}

io::Netlist load_netlist(const ModelArguments& arguments) {
  io::Netlist netlist = io::read_netlist(arguments.file, arguments.values);
  if (arguments.values.empty()) tell_notes(arguments, netlist.notes);
  netlist.model.notes = netlist.notes;
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

std::vector<std::string> choose_names(const std::vector<std::string>& given,
                                      const std::vector<model::Value>& declared) {
  std::vector<std::string> names = given;
  if (given.empty())
    for (const model::Value& value : declared) names.push_back(value.text);
  return names;
}

std::vector<std::string> describe_opened(const equations::System& system) {
  std::vector<std::string> lines;
  for (const equations::OpenedInput& input : system.opened())
    lines.push_back("opened: " + system.parameter_name(input.parameter) + " (was " + input.was + ")");
  return lines;
}

Prepared prepare(model::Model model, const std::vector<std::string>& inputs) {
  // options and components are read apart, so that the mistakes of both are told at once
  ErrorList errors;
  solve::Options options;
  try {
    options = io::read_simulation_options(model);
    add_plotted(model, options);
  } catch (const Error& e) {
    errors.add(e);
  }
  std::optional<compile::Compiled> compiled;
  try {
    compiled = compile::compile(model, domains::make_standard_registry(), {.inputs = inputs});
    SignalCheck(compiled->system).check(model);
  } catch (const Error& e) {
    errors.add(locate(e, model));
  }
  errors.throw_if_any();
  return {std::move(model), std::move(options), std::move(*compiled)};
}

}  // namespace coenergy::app
