#include "coenergy/io/simulation_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

#include "coenergy/compile/component_values.hpp"
#include "coenergy/io/output_file.hpp"
#include "coenergy/model/expression.hpp"
#include "coenergy/solve/saved_state.hpp"

namespace coenergy::io {

using model::Value;
using solve::Options;

namespace {

/// One entry: its unit ("" for a plain number, "word" for a text) and where it goes.
struct Entry {
  SimulationEntry info;
  std::function<void(Options&, double)> set_number;
  std::function<void(Options&, const std::string&)> set_word;
  std::vector<std::pair<std::string, double>> Options::*voltages = nullptr;  ///< a map of nodes
  std::vector<std::string> Options::*names = nullptr;                        ///< a list of names
};

bool to_bool(const std::string& text) {
  if (text == "true" || text == "yes") return true;
  if (text == "false" || text == "no") return false;
  throw Error(text + " must be true or false");
}

std::string number(double value) { return fmt::format("{:g}", value); }
std::string word(bool value) { return value ? "true" : "false"; }

const std::vector<Entry>& entries() {
  using O = Options;
  using Word = const std::string&;
  static const O usual;
  static const std::vector<Entry> list = {
      {{"t_start", "s", "start of the run", number(usual.t_start)}, [](O& o, double v) { o.t_start = v; }, {}},
      {{"t_end", "s", "end of the run", number(usual.t_end)}, [](O& o, double v) { o.t_end = v; }, {}},
      {{"method", "word", fmt::format("integration method: {}", fmt::join(solve::method_names(), ", ")), usual.method},
       {},
       [](O& o, Word w) { o.method = solve::canonical_method(w); }},
      {{"rtol", "", "relative error allowed in a step", number(usual.rtol)}, [](O& o, double v) { o.rtol = v; }, {}},
      {{"atol", "", "absolute error allowed in a step, times the nominal value of each variable", number(usual.atol)},
       [](O& o, double v) { o.atol = v; },
       {}},
      {{"step", "s",
        "fixed step of backward-euler, rk4, trapez, euler, generalized-alpha, hht, newmark, jansen; first step of "
        "others",
        "chosen by the error"},
       [](O& o, double v) { o.step = v; },
       {}},
      {{"adaptive", "word", "true or false: step size by error control",
        "true, unless the method has no error estimate or step makes its steps fixed"},
       {},
       [](O& o, Word w) { o.adaptive = to_bool(w); }},
      {{"max_step", "s", "largest adaptive step; what comes and goes within one may be missed",
        "a fiftieth of the run"},
       [](O& o, double v) { o.max_step = v; },
       {}},
      {{"min_step", "s", "a run that needs smaller steps is given up", "1e-14 of the longest time"},
       [](O& o, double v) { o.min_step = v; },
       {}},
      {{"output_step", "s", "spacing of the recorded rows; the last is at t_end", "every step"},
       [](O& o, double v) { o.output_step = v; },
       {}},
      {{"signals", "", "list of the signals that are recorded", "all"}, {}, {}, nullptr, &O::signals},
      {{"record_events", "word", "true or false: rows before and after events", word(usual.record_events)},
       {},
       [](O& o, Word w) { o.record_events = to_bool(w); }},
      {{"start", "word",
        "given; steady: all at rest with inputs held, or the states alone; static: all at rest or no run; {from: "
        "FILE}: where the run "
        "ended that saved FILE by --checkpoint, at its time unless t_start says another",
        usual.start},
       {},
       [](O& o, Word w) { o.start = w; }},
      {{"hold", "V", "map of nodes: voltages that a steady start keeps while it settles", "none"}, {}, {}, &O::hold},
      {{"guess", "V", "map of nodes: voltages that a steady start settles from", "none"}, {}, {}, &O::guess},
      {{"coordinates", "word", "all or minimal: explicit methods integrate the independent coordinates alone",
        usual.coordinates},
       {},
       [](O& o, Word w) { o.coordinates = w; }},
      {{"rho_inf", "", "damping of high frequencies by generalized-alpha, jansen: 0 (most) to 1 (none)", "0.8"},
       [](O& o, double v) { o.rho_inf = v; },
       {}},
      {{"alpha_m", "", "parameter of generalized-alpha, instead of rho_inf", "by rho_inf"},
       [](O& o, double v) { o.alpha_m = v; },
       {}},
      {{"alpha_f", "", "parameter of generalized-alpha, instead of rho_inf, and of hht", "by rho_inf; hht: 0.05"},
       [](O& o, double v) { o.alpha_f = v; },
       {}},
      {{"gamma", "", "parameter of generalized-alpha, hht, newmark, jansen with a step; other values are of order 1",
        "1/2 + alpha_f - alpha_m"},
       [](O& o, double v) { o.gamma = v; },
       {}},
      {{"beta", "", "parameter of generalized-alpha, hht, newmark, jansen with a step", "(gamma + 1/2)^2/4"},
       [](O& o, double v) { o.beta = v; },
       {}},
      {{"newton_tolerance", "", "relative size of the last Newton correction",
        "a tenth of the smaller of rtol and atol; fixed steps: 1e-08"},
       [](O& o, double v) { o.newton_tolerance = v; },
       {}},
      {{"restart", "word", "true or false: re-solve after events", word(usual.restart)},
       {},
       [](O& o, Word w) { o.restart = to_bool(w); }},
  };
  return list;
}

/// start: {from: FILE}, the file found from the model's folder.
void read_saved_start(const model::Model& model, const Value& value, Options& options) {
  if (value.map.size() != 1 || value.map[0].first != "from" || value.map[0].second.kind != Value::Kind::text)
    throw Error(value.where, "simulate.start must be given, steady or {from: FILE}");
  const Value& file = value.map[0].second;
  try {
    const std::string bytes = read_file(std::filesystem::path(model.file).parent_path() / file.text);
    options.from = std::make_shared<const solve::SavedState>(solve::SavedState::from_bytes(bytes));
  } catch (const Error& e) {
    throw Error(file.where, "simulate.start.from = " + file.text + ": " + e.items()[0].text);
  }
  const auto is_start = [](const auto& entry) { return entry.first == "t_start"; };
  if (std::none_of(model.simulate.begin(), model.simulate.end(), is_start)) options.t_start = options.from->point.t;
}

/// Where the entry stands that a text names first; the file, if none of them was written.
Location find_place(const model::Model& model, const std::string& text) {
  Location place{model.file};
  std::size_t first = std::string::npos;
  for (const auto& [key, value] : model.simulate) {
    std::size_t at = text.find(key);
    // `step` is not max_step
    while (at != std::string::npos && at > 0 && text[at - 1] == '_') at = text.find(key, at + 1);
    if (at >= first) continue;
    first = at;
    place = value.where;
  }
  return place;
}

}  // namespace

const std::vector<SimulationEntry>& simulation_entries() {
  static const std::vector<SimulationEntry> list = [] {
    std::vector<SimulationEntry> infos;
    for (const Entry& e : entries()) infos.push_back(e.info);
    return infos;
  }();
  return list;
}

std::vector<std::string> change_method(model::Model& model, const Value& method) {
  const auto written = std::find_if(model.simulate.begin(), model.simulate.end(),
                                    [](const auto& entry) { return entry.first == "method"; });
  const std::string before =
      written == model.simulate.end() ? Options{}.method : solve::canonical_method(written->second.text);
  const std::string after = solve::canonical_method(method.text);
  model.set("simulate.method", method);
  if (before == after) return {};
  const bool loses_estimate = !solve::has_error_estimate(after);
  const bool was_first_step = solve::has_error_estimate(before) && !solve::is_alpha_method(before);
  std::vector<std::string> dropped;
  std::erase_if(model.simulate, [&](const auto& entry) {
    const std::string& name = entry.first;
    const bool goes = name == "rho_inf" || name == "alpha_m" || name == "alpha_f" || name == "gamma" ||
                      name == "beta" || (loses_estimate && (name == "rtol" || name == "atol" || name == "adaptive")) ||
                      (name == "coordinates" && !solve::is_explicit(after)) ||
                      (name == "step" && was_first_step && !loses_estimate);
    if (goes) dropped.push_back(name);
    return goes;
  });
  return dropped;
}

Options read_simulation_options(const model::Model& model) {
  Options options;
  ErrorList errors;
  symbolic::Graph graph;
  const compile::ModelParameters parameters(model, graph, errors);
  std::vector<std::string> known;
  for (const Entry& e : entries()) known.push_back(e.info.name);
  for (const auto& [key, value] : model.simulate) {
    try {
      const std::string& name = key;
      auto place =
          std::find_if(entries().begin(), entries().end(), [&](const Entry& e) { return e.info.name == name; });
      if (place == entries().end())
        throw Error(value.where, "simulate has no entry \"" + key + "\"" + did_you_mean(key, known));
      const auto read_number = [&](const Value& entry, const std::string& what) -> std::optional<double> {
        if (entry.kind != Value::Kind::text) throw Error(entry.where, what + " must be one value");
        const model::Expression e = model::Expression::parse(entry.text, entry.where, what);
        if (parameters.uses_failed(e)) return std::nullopt;
        const model::Quantity q = e.evaluate(
            graph, [&](const std::string& n) { return parameters.find(n); }, parameters.names());
        model::check_unit(q, place->info.unit, entry.where, what, entry.text);
        if (!q.value.is_number()) throw Error(entry.where, what + " must be a constant");
        return q.value.number();
      };
      if (place->voltages != nullptr) {
        if (value.kind != Value::Kind::map)
          throw Error(value.where, "simulate." + key + " must be a map of nodes and voltages: {a: 1 V}");
        for (const auto& [node, voltage] : value.map)
          if (const auto number = read_number(voltage, "simulate." + key + "." + node))
            (options.*place->voltages).emplace_back(node, *number);
        continue;
      }
      if (place->names != nullptr) {
        if (value.kind != Value::Kind::list || value.list.empty())
          throw Error(value.where, "simulate." + key + " must be a list of names: [a.v, R1.i]");
        for (const Value& item : value.list) (options.*place->names).push_back(item.text);
        continue;
      }
      if (key == "start" && value.kind == Value::Kind::map) {
        read_saved_start(model, value, options);
        continue;
      }
      if (value.kind != Value::Kind::text) throw Error(value.where, "simulate." + key + " must be one value");
      if (place->set_word) {
        try {
          place->set_word(options, value.text);
        } catch (const Error& e) {
          throw Error(value.where, "simulate." + key + " = " + e.items()[0].text);
        }
        continue;
      }
      if (const auto number = read_number(value, "simulate." + key)) place->set_number(options, *number);
    } catch (const Error& e) {
      errors.add(e);
    }
  }
  errors.throw_if_any();
  try {
    options.check();
  } catch (const Error& e) {
    for (const Error::Item& item : e.items()) errors.add(find_place(model, item.text), "simulate: " + item.text);
  }
  if (!solve::is_adaptive(options))
    for (const auto& [key, value] : model.simulate)
      if ((key == "rtol" && options.rtol == Options{}.rtol) || (key == "atol" && options.atol == Options{}.atol))
        errors.add(value.where, "simulate: " + solve::refuse_tolerance(options, key.c_str(),
                                                                       key == "rtol" ? options.rtol : options.atol));
  errors.throw_if_any();
  return options;
}

}  // namespace coenergy::io
