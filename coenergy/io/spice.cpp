#include "coenergy/io/spice.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

#include "coenergy/base/names.hpp"
#include "coenergy/io/spice_expander.hpp"
#include "coenergy/io/spice_steps.hpp"

namespace coenergy::io {

Netlist parse_netlist(std::string_view text, const std::string& file, const NetlistValues& values) {
  if (text.find('\0') != std::string_view::npos) throw Error({file}, "this is no text; a netlist was expected");
  ErrorList errors;
  Netlist netlist;
  netlist.model.file = file;
  spice::Cards cards = spice::read_cards(text, file, errors);
  spice::set_values(cards, values);
  netlist.steps = cards.steps;
  spice::Expander(cards, netlist, errors).run();
  if (errors.empty() && netlist.model.components.empty())
    errors.add({file}, "the netlist has no elements; its first line is the title");
  errors.throw_if_any();
  return netlist;
}

Netlist read_netlist(const std::filesystem::path& path, const NetlistValues& values) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Error("cannot read " + path.string() + ": there is no such file");
  std::stringstream text;
  text << stream.rdbuf();
  return parse_netlist(text.str(), path.string(), values);
}

std::vector<double> Netlist::AcAnalysis::frequencies() const {
  std::vector<double> all;
  if (spacing == "lin") {
    for (int k = 0; k < points; ++k) all.push_back(points == 1 ? from : from + (to - from) * k / (points - 1));
    return all;
  }
  // so many in every decade or octave, up to the end
  const double factor = std::pow(spacing == "dec" ? 10.0 : 2.0, 1.0 / points);
  for (int k = 0; k < 100'000'000; ++k) {
    const double f = from * std::pow(factor, k);
    if (f > to * (1 + 1e-9)) break;
    all.push_back(f);
  }
  return all;
}

std::vector<NetlistValues> list_steps(const Netlist& netlist) {
  std::vector<NetlistValues> all(1);
  for (const Netlist::Step& step : netlist.steps) {
    std::vector<NetlistValues> more;
    for (const std::vector<double>& row : step.rows)
      for (NetlistValues values : all) {
        for (std::size_t c = 0; c < row.size(); ++c) values.push_back({step.names[c], row[c], step.where});
        more.push_back(std::move(values));
      }
    all = std::move(more);
  }
  return all;
}

const std::string& Netlist::label(const std::string& signal) const {
  const auto place = labels.find(signal);
  return place == labels.end() ? signal : place->second;
}

model::Model make_dc_model(const Netlist& netlist) {
  model::Model model = netlist.model;
  for (const Netlist::Source& source : netlist.sources) {
    if (source.is_constant) continue;
    model::Component& c = *model.find(source.component);
    model::Value value(format_number(source.dc) + (source.is_voltage ? " V" : " A"));
    value.where = c.where;
    std::vector<std::pair<std::string, model::Value>> entries;
    for (const auto& [name, old] : c.values)
      if (name == "p" || name == "n") entries.emplace_back(name, old);
    entries.emplace_back(source.is_voltage ? "v" : "i", std::move(value));
    c.type = source.is_voltage ? "electrical.VoltageSource" : "electrical.CurrentSource";
    c.values = std::move(entries);
  }
  std::erase_if(model.simulate, [](const auto& option) { return option.first == "start" || option.first == "hold"; });
  model.simulate.emplace_back("start", model::Value("steady"));
  return model;
}

model::Model read_spice(const std::filesystem::path& path) { return read_netlist(path).model; }

}  // namespace coenergy::io
