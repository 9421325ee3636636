#include "coenergy/io/netlist_analyses.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "coenergy/analyze/phasors.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"
#include "coenergy/solve/static_newton.hpp"

namespace coenergy::io {

using Kind = Netlist::Analysis::Kind;

namespace {

/// There is no operating point, for the reason given.
struct NoRest : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace

/// The circuit at rest, with values of its own for the parameters.
class NetlistAnalyses::Rest {
 public:
  Rest(const equations::System& system, const solve::Options& options)
      : options_(options), evaluator_(system), time_(evaluator_) {}

  solve::Start find() {
    solve::Start start = solve::initialize(evaluator_, options_);
    if (!start.good) throw NoRest(start.text);
    return start;
  }
  /// The point at rest that a small change of the circuit leads to from another one, so that a sweep shows hysteresis;
  /// found anew where it does not lead to any.
  equations::Point follow(const equations::Point& from) {
    constexpr double beyond_all_time_constants = 1e9;  // s
    constexpr int most_switchings = 50;
    solve::Statistics statistics;
    solve::StaticNewton newton(evaluator_, statistics);
    equations::Point p = from;
    for (int k = 0; k < most_switchings && newton.solve(p, beyond_all_time_constants, 0); ++k) {
      std::fill(p.xd.begin(), p.xd.end(), 0.0);
      if (!evaluator_.update_modes(p)) return p;
    }
    return find().point;
  }
  equations::Evaluator& evaluator() { return evaluator_; }
  /// Values of some signals, by index.
  std::vector<double> signals(const equations::Point& p, const std::vector<int>& wanted) {
    all_.resize(evaluator_.system().signals().size());
    evaluator_.signals(p, all_);
    std::vector<double> values;
    for (int k : wanted) values.push_back(all_[static_cast<std::size_t>(k)]);
    return values;
  }

 private:
  const solve::Options& options_;
  equations::Evaluator evaluator_;
  solve::HeldTime time_;
  std::vector<double> all_;
};

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
    if (analysis.kind == Kind::dc) return run_dc(rest, analysis);
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

/// Operating points over the values of one or two sources.
NetlistTable NetlistAnalyses::run_dc(Rest& rest, const Netlist::Analysis& analysis) {
  NetlistTable table;
  table.kind = Kind::dc;
  table.keys = analysis.sweeps.size();
  std::vector<int> parameters;
  for (const Netlist::Sweep& sweep : analysis.sweeps) {
    const std::string& type = netlist_.model.find(sweep.component)->type;
    const char* entry = type == "electrical.VoltageSource" ? "v" : type == "electrical.CurrentSource" ? "i" : "R";
    parameters.push_back(system_.find_parameter(sweep.component + "." + entry));
    table.names.push_back(sweep.component);
    table.units.push_back(*entry == 'v' ? "V" : *entry == 'i' ? "A" : "ohm");
    if (parameters.back() < 0)
      throw Error(analysis.where, ".dc: the value of " + sweep.component + " is no number that could be varied");
  }
  for (int k : kept_) {
    const equations::SignalInfo& info = system_.signals()[static_cast<std::size_t>(k)];
    table.names.push_back(netlist_.label(info.name)), table.units.push_back(info.unit);
  }
  sweep(rest, analysis, parameters, table);
  for (const std::string& name : netlist_.dc_signals) table.wanted.insert(netlist_.label(name));
  return table;
}

void NetlistAnalyses::sweep(Rest& rest, const Netlist::Analysis& analysis, const std::vector<int>& parameters,
                            NetlistTable& table) {
  const std::vector<double> outer = analysis.sweeps.size() > 1 ? analysis.sweeps[1].values() : std::vector<double>{0};
  Measures measures(netlist_, Kind::dc);
  const std::vector<int> measured = measures.empty() ? std::vector<int>{} : measures.find_signals(system_);
  std::optional<equations::Point> last;
  for (double second : outer) {
    measures.taker().begin_again();
    std::optional<double> previous;
    for (double first : analysis.sweeps[0].values()) {
      rest.evaluator().set_parameter(parameters[0], first);
      if (parameters.size() > 1) rest.evaluator().set_parameter(parameters[1], second);
      const std::optional<equations::Point> from = last;
      last = last ? rest.follow(*last) : rest.find().point;
      if (!measured.empty() && previous)
        measure_sweep(measures, rest, measured, parameters[0], {*previous, *from}, {first, *last});
      previous = first;
      std::vector<double> row{first};
      if (parameters.size() > 1) row.push_back(second);
      const std::vector<double> values = rest.signals(*last, kept_);
      row.insert(row.end(), values.begin(), values.end());
      table.rows.push_back(std::move(row));
    }
  }
  table.measures = measures.results(known_);
}

/// Between two rows of a sweep measures see operating points of values in between.
void NetlistAnalyses::measure_sweep(Measures& measures, Rest& rest, const std::vector<int>& signals, int parameter,
                                    std::pair<double, const equations::Point&> from,
                                    std::pair<double, const equations::Point&> to) {
  const auto read = [&](double value, const equations::Point& p) {
    rest.evaluator().set_parameter(parameter, value);
    return rest.signals(p, signals);
  };
  const std::vector<double> y0 = read(from.first, from.second), y1 = read(to.first, to.second);
  measures.taker().add({from.first, to.first, y0, y1, [&](double s, std::span<double> y) {
                          const double value = from.first + s * (to.first - from.first);
                          rest.evaluator().set_parameter(parameter, value);
                          const std::vector<double> between = read(value, rest.follow(from.second));
                          std::copy(between.begin(), between.end(), y.begin());
                        }});
  rest.evaluator().set_parameter(parameter, to.first);
}

NetlistTable NetlistAnalyses::run_ac(Rest& rest, const Netlist::Analysis& analysis) {
  NetlistTable table{Kind::ac, "", {"frequency"}, {"Hz"}, 1, {}, {}, {}, true, ""};
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
