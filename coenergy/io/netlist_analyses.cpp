#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

#include "coenergy/analyze/phasors.hpp"
#include "coenergy/io/netlist_rest.hpp"

namespace coenergy::io {

using Kind = Netlist::Analysis::Kind;

NetlistAnalyses::NetlistAnalyses(const Netlist& netlist, equations::System at_rest, solve::Options options)
    : netlist_(netlist), system_(std::move(at_rest)), options_(std::move(options)) {
  const std::set<std::string> saved(netlist.saved.begin(), netlist.saved.end());
  for (std::size_t k = 0; k < system_.signals().size(); ++k)
    if (saved.empty() || saved.contains(system_.signals()[k].name)) kept_.push_back(static_cast<int>(k));
}

NetlistTable NetlistAnalyses::run(const Netlist::Analysis& analysis) {
  Rest rest(system_, options_);
  try {
    if (analysis.kind == Kind::op) return run_op(rest);
    if (analysis.kind == Kind::dc) return run_dc(analysis);
    if (analysis.kind == Kind::transfer) return run_transfer(analysis);
    if (analysis.kind == Kind::noise) return run_noise(analysis);
    return run_ac(rest, analysis);
  } catch (const NoRest& e) {
    NetlistTable table;
    table.kind = analysis.kind;
    table.good = false;
    table.text = e.what();
    return table;
  }
}

NetlistTable NetlistAnalyses::run_op(Rest& rest) {
  NetlistTable table;
  const solve::Start start = rest.find();
  table.method = start.method;
  for (int k : kept_) {
    const equations::SignalInfo& info = system_.signals()[static_cast<std::size_t>(k)];
    table.names.push_back(netlist_.label(info.name)), table.units.push_back(info.unit);
  }
  table.rows.push_back(rest.signals(start.point, kept_));
  return table;
}

/// The circuits of a sweep. Values that are parameters of the system are set; where others change, which may decide on
/// the equations, the netlist is read and compiled anew.
class NetlistAnalyses::SweptCircuits {
 public:
  SweptCircuits(NetlistAnalyses& analyses, const Netlist::Analysis& analysis, const Measures& measures)
      : a_(analyses), analysis_(analysis), measures_(measures) {}

  /// All that is kept of the point at rest for a value of each name, the measured ones behind them. It is near the last
  /// one of the same circuit, unless there is none.
  std::vector<double> solve(const std::vector<std::vector<double>>& rows, bool remembers = true) {
    Circuit& c = find_circuit(rows);
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (c.parameters[k] >= 0) c.rest.evaluator().set_parameter(c.parameters[k], rows[k][0]);
    equations::Point p = c.last ? c.rest.follow(*c.last) : c.rest.find().point;
    std::vector<double> values = c.rest.signals(p, c.kept);
    if (remembers) c.last = std::move(p);
    return values;
  }

 private:
  struct Circuit {
    Circuit(equations::System made, const solve::Options& options) : system(std::move(made)), rest(system, options) {}
    equations::System system;
    Rest rest;
    std::vector<int> parameters, kept;
    std::optional<equations::Point> last;
  };

  Circuit& find_circuit(const std::vector<std::vector<double>>& rows) {
    constexpr std::size_t most = 200;  // circuits kept
    NetlistValues values;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const Netlist::Sweep& sweep = analysis_.sweeps[k];
      for (std::size_t c = 0; sweep.component.empty() && c < rows[k].size(); ++c)
        values.push_back({sweep.names[c], rows[k][c], analysis_.where});
    }
    std::vector<double> key;
    for (const NetlistValue& v : values) key.push_back(v.value);
    if (const auto place = circuits_.find(key); place != circuits_.end()) return *place->second;
    if (circuits_.size() >= most) circuits_.clear();
    auto made = std::make_unique<Circuit>(values.empty() ? a_.system_ : a_.compile_with(values), a_.options_);
    prepare(*made);
    return *(circuits_[key] = std::move(made));
  }

  void prepare(Circuit& c) const {
    for (const Netlist::Sweep& sweep : analysis_.sweeps) {
      c.parameters.push_back(-1);
      if (sweep.component.empty()) continue;
      c.parameters.back() = c.system.find_parameter(sweep.component + "." + a_.entry_of(sweep));
      if (c.parameters.back() < 0)
        throw Error(analysis_.where, ".dc: the value of " + sweep.component + " is no number that could be varied");
    }
    for (int k : a_.kept_)
      c.kept.push_back(c.system.find_signal(a_.system_.signals()[static_cast<std::size_t>(k)].name));
    if (!measures_.empty())
      for (int k : measures_.find_signals(c.system)) c.kept.push_back(k);
    if (std::find(c.kept.begin(), c.kept.end(), -1) != c.kept.end())
      throw Error(analysis_.where, ".dc: another value makes a circuit with other signals");
  }

  NetlistAnalyses& a_;
  const Netlist::Analysis& analysis_;
  const Measures& measures_;
  std::map<std::vector<double>, std::unique_ptr<Circuit>> circuits_;
};

/// The entry of a component that a sweep varies.
std::string NetlistAnalyses::entry_of(const Netlist::Sweep& sweep) const {
  const std::string& type = netlist_.model.find(sweep.component)->type;
  return type == "electrical.VoltageSource" ? "v" : type == "electrical.CurrentSource" ? "i" : "R";
}

/// Operating points over all values, those of the first sweep changing fastest.
NetlistTable NetlistAnalyses::run_dc(const Netlist::Analysis& analysis) {
  NetlistTable table;
  table.kind = Kind::dc;
  for (const Netlist::Sweep& sweep : analysis.sweeps) {
    const std::string entry = sweep.component.empty() ? "" : entry_of(sweep);
    for (const std::string& name : sweep.names) {
      table.names.push_back(name);
      table.units.push_back(entry == "v" ? "V" : entry == "i" ? "A" : entry == "R" ? "ohm" : "");
    }
  }
  table.keys = table.names.size();
  for (int k : kept_) {
    const equations::SignalInfo& info = system_.signals()[static_cast<std::size_t>(k)];
    table.names.push_back(netlist_.label(info.name)), table.units.push_back(info.unit);
  }
  Measures measures(netlist_, Kind::dc);
  SweptCircuits circuits(*this, analysis, measures);
  std::vector<std::size_t> at(analysis.sweeps.size(), 0);
  std::optional<std::pair<std::vector<std::vector<double>>, std::vector<double>>> last;
  for (bool more = true; more;) {
    std::vector<std::vector<double>> rows;
    for (std::size_t k = 0; k < at.size(); ++k) rows.push_back(analysis.sweeps[k].rows[at[k]]);
    if (at[0] == 0) measures.taker().begin_again(), last.reset();
    std::vector<double> values = circuits.solve(rows), row;
    for (const std::vector<double>& r : rows) row.insert(row.end(), r.begin(), r.end());
    const auto kept = values.begin() + static_cast<std::ptrdiff_t>(kept_.size());
    row.insert(row.end(), values.begin(), kept);
    table.rows.push_back(std::move(row));
    std::vector<double> measured(kept, values.end());
    if (last && !measures.empty()) measure_between(measures, circuits, *last, {rows, measured});
    last.emplace(std::move(rows), std::move(measured));
    // the next values, as a counter has its digits
    more = false;
    for (std::size_t k = 0; k < at.size() && !more; ++k) {
      more = ++at[k] < analysis.sweeps[k].rows.size();
      if (!more) at[k] = 0;
    }
  }
  table.measures = measures.results(known_);
  for (const std::string& name : netlist_.dc_signals) table.wanted.insert(netlist_.label(name));
  return table;
}

/// Between two rows of a sweep measures see operating points of values in between.
void NetlistAnalyses::measure_between(Measures& measures, SweptCircuits& circuits, const SweepPoint& from,
                                      const SweepPoint& to) {
  const double x0 = from.first[0][0], x1 = to.first[0][0];
  measures.taker().add({x0, x1, from.second, to.second, [&](double s, std::span<double> y) {
                          std::vector<std::vector<double>> rows = to.first;
                          for (std::size_t c = 0; c < rows[0].size(); ++c)
                            rows[0][c] = from.first[0][c] + s * (to.first[0][c] - from.first[0][c]);
                          const std::vector<double> values = circuits.solve(rows, false);
                          std::copy(values.end() - static_cast<std::ptrdiff_t>(y.size()), values.end(), y.begin());
                        }});
}

NetlistTable NetlistAnalyses::run_ac(Rest& rest, const Netlist::Analysis& analysis) {
  NetlistTable table{Kind::ac, "", {"frequency"}, {"Hz"}, 1, {}, {}, {}, {}, true, ""};
  const solve::Start start = rest.find();
  Inputs inputs;
  for (const Netlist::Source& source : netlist_.sources)
    if (source.magnitude != 0)
      inputs.emplace_back(system_.find_parameter(source.component + (source.is_voltage ? ".v" : ".i")),
                          std::polar(source.magnitude, source.phase * std::numbers::pi / 180));
  if (inputs.empty()) throw Error(analysis.where, ".ac: no source has an ac value, such as V1 in 0 DC 0 AC 1");
  for (int k : kept_) {
    const equations::SignalInfo& info = system_.signals()[static_cast<std::size_t>(k)];
    const std::string& name = netlist_.label(info.name);
    table.names.push_back(name + " magnitude"), table.units.push_back(info.unit);
    table.names.push_back(name + " phase"), table.units.push_back("deg");
  }
  analyze::Phasors phasors(rest.evaluator(), start.point, kept_);
  for (double f : analysis.ac.frequencies()) {
    std::vector<double> row{f};
    for (const std::complex<double>& z : phasors.solve(2 * std::numbers::pi * f, inputs))
      row.push_back(std::abs(z)), row.push_back(std::arg(z) * 180 / std::numbers::pi);
    table.rows.push_back(std::move(row));
  }
  for (const std::string& signal : netlist_.ac_signals)
    for (const char* part : {" magnitude", " phase"}) table.wanted.insert(netlist_.label(signal) + part);
  Measures measures(netlist_, Kind::ac);
  if (!measures.empty()) measure_ac(measures, rest, start.point, analysis.ac, inputs);
  table.measures = measures.results(known_);
  return table;
}

/// Between two rows measures see the steady state at frequencies in between.
void NetlistAnalyses::measure_ac(Measures& measures, Rest& rest, const equations::Point& point,
                                 const Netlist::AcAnalysis& ac, const Inputs& inputs) {
  analyze::Phasors phasors(rest.evaluator(), point, measures.find_signals(system_));
  const auto read = [&](double f) { return measures.to_values(phasors.solve(2 * std::numbers::pi * f, inputs)); };
  std::optional<std::pair<double, std::vector<double>>> last;
  for (double f : ac.frequencies()) {
    std::vector<double> y = read(f);
    if (last)
      measures.taker().add({last->first, f, last->second, y, [&](double s, std::span<double> between) {
                              const std::vector<double> found = read(last->first + s * (f - last->first));
                              std::copy(found.begin(), found.end(), between.begin());
                            }});
    last = {f, std::move(y)};
  }
}

}  // namespace coenergy::io
