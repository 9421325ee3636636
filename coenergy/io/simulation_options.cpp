#include "coenergy/io/simulation_options.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "coenergy/model/expression.hpp"
#include "coenergy/system/component_values.hpp"

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

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list = {
      {{"t_start", "s", "start of the run"}, [](Options& o, double v) { o.t_start = v; }, {}},
      {{"t_end", "s", "end of the run"}, [](Options& o, double v) { o.t_end = v; }, {}},
      {{"step", "s", "fixed step, or first step of an adaptive method"}, [](Options& o, double v) { o.step = v; }, {}},
      {{"max_step", "s", "largest adaptive step"}, [](Options& o, double v) { o.max_step = v; }, {}},
      {{"output_step", "s", "spacing of the recorded rows; every step without it"},
       [](Options& o, double v) { o.output_step = v; },
       {}},
      {{"method", "word", "integration method"},
       {},
       [](Options& o, const std::string& w) { o.method = solve::canonical_method(w); }},
      {{"adaptive", "word", "true or false: step size by error control"},
       {},
       [](Options& o, const std::string& w) { o.adaptive = to_bool(w); }},
      {{"rtol", "", "relative error allowed in a step"}, [](Options& o, double v) { o.rtol = v; }, {}},
      {{"atol", "", "absolute error allowed in a step, times the nominal value"},
       [](Options& o, double v) { o.atol = v; },
       {}},
      {{"rho_inf", "", "damping of high frequencies, 0 (most) to 1 (none)"},
       [](Options& o, double v) { o.rho_inf = v; },
       {}},
      {{"alpha_m", "", "generalised-alpha parameter, instead of rho_inf"},
       [](Options& o, double v) { o.alpha_m = v; },
       {}},
      {{"alpha_f", "", "generalised-alpha parameter, instead of rho_inf"},
       [](Options& o, double v) { o.alpha_f = v; },
       {}},
      {{"newton_tolerance", "", "relative size of the last Newton correction"},
       [](Options& o, double v) { o.newton_tolerance = v; },
       {}},
      {{"start", "word", "given or steady: states at the start as given, or settled with all inputs held"},
       {},
       [](Options& o, const std::string& w) { o.start = w; }},
      {{"coordinates", "word", "all or minimal: explicit methods integrate the independent coordinates alone"},
       {},
       [](Options& o, const std::string& w) { o.coordinates = w; }},
      {{"hold", "V", "map of nodes: voltages that a steady start keeps while it settles"}, {}, {}, &Options::hold},
      {{"guess", "V", "map of nodes: voltages that a steady start settles from"}, {}, {}, &Options::guess},
      {{"restart", "word", "true or false: re-solve after events"},
       {},
       [](Options& o, const std::string& w) { o.restart = to_bool(w); }},
      {{"record_events", "word", "true or false: rows before and after events"},
       {},
       [](Options& o, const std::string& w) { o.record_events = to_bool(w); }},
      {{"signals", "", "list of the signals that are recorded; all without it"}, {}, {}, nullptr, &Options::signals},
  };
  return list;
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

Options read_simulation_options(const model::Model& model) {
  Options options;
  ErrorList errors;
  symbolic::Graph graph;
  const system::ModelParameters parameters(model, graph, errors);
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
  errors.throw_if_any();
  return options;
}

}  // namespace coenergy::io
