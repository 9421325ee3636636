#include "apps/coenergy/netlist_analyses.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>

#include "apps/coenergy/netlist_measures.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/analyze/phasors.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"
#include "coenergy/solve/static_newton.hpp"

namespace coenergy::app {

namespace {

using io::Netlist;
using Kind = Netlist::Analysis::Kind;

/// A table that goes to a file or to the terminal.
struct Table {
  std::vector<std::string> names, units;
  std::vector<std::vector<double>> rows;
};

/// One model at rest.
class Rest {
 public:
  explicit Rest(model::Model model)
      : prepared_(prepare(std::move(model))), evaluator_(prepared_.compiled.system), time_(evaluator_) {}

  solve::Start find() {
    solve::Start start = with_places(prepared_.model, [&] { return solve::initialize(evaluator_, prepared_.options); });
    if (!start.good) throw Failure("op: " + start.text);
    return start;
  }
  /// The point at rest that a small change of the model leads to from another one, so that a sweep shows hysteresis;
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
  const equations::System& system() const { return prepared_.compiled.system; }
  equations::Evaluator& evaluator() { return evaluator_; }
  std::vector<double> signals(const equations::Point& p) {
    std::vector<double> values(system().signals().size());
    evaluator_.signals(p, values);
    return values;
  }

 private:
  Prepared prepared_;
  equations::Evaluator evaluator_;
  solve::HeldTime time_;
};

class Analyses {
 public:
  Analyses(const RunArguments& arguments, const Netlist& netlist)
      : arguments_(arguments), netlist_(netlist), shows_(!arguments.quiet && !arguments.model.json) {
    for (const Netlist::Analysis& a : netlist.analyses) tables_ += a.kind != Kind::op ? 1 : 0;
    saved_.insert(netlist.saved.begin(), netlist.saved.end());
    for (const auto& [node, name] : netlist.nodes)
      nodes_.insert(netlist.label(node + "." + across_name(model::Domain::electrical)));
  }

  Analysed run() {
    Analysed analysed;
    for (const Netlist::Analysis& analysis : netlist_.analyses) {
      try {
        if (analysis.kind == Kind::op) run_op();
        if (analysis.kind == Kind::dc) run_dc(analysis);
        if (analysis.kind == Kind::ac) run_ac(analysis);
      } catch (const Error& e) {
        analysed.errors.add(e);
      } catch (const Failure& e) {
        analysed.failures.push_back(analysis.where.text() + ": " + e.what());
      }
    }
    analysed.results = std::move(result_);
    return analysed;
  }

 private:
  void run_op() {
    Rest rest(io::make_dc_model(netlist_));
    const solve::Start start = rest.find();
    const std::vector<double> values = rest.signals(start.point);
    result_["op"]["method"] = start.method;
    if (shows_) fmt::print(".op: operating point by {}\n", start.method);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const equations::SignalInfo& info = rest.system().signals()[k];
      if (!is_kept(info.name)) continue;
      const std::string& name = netlist_.label(info.name);
      result_["op"]["signals"][name] = values[k];
      if (shows_) fmt::print("{:<30}{:>22.12g} {}\n", name, values[k], info.unit);
    }
  }

  /// Operating points over the values of one or two sources.
  void run_dc(const Netlist::Analysis& analysis) {
    const model::Model model = io::make_dc_model(netlist_);
    Table table;
    for (const Netlist::Sweep& sweep : analysis.sweeps) table.names.push_back(sweep.component);
    const std::vector<double> outer = analysis.sweeps.size() > 1 ? analysis.sweeps[1].values() : std::vector<double>{0};
    Rest rest(model);
    std::vector<int> parameters;
    for (const Netlist::Sweep& sweep : analysis.sweeps) {
      const std::string& type = model.find(sweep.component)->type;
      const char* entry = type == "electrical.VoltageSource" ? "v" : type == "electrical.CurrentSource" ? "i" : "R";
      parameters.push_back(rest.system().find_parameter(sweep.component + "." + entry));
      table.units.push_back(*entry == 'v' ? "V" : *entry == 'i' ? "A" : "ohm");
      if (parameters.back() < 0)
        throw Error(analysis.where, ".dc: the value of " + sweep.component + " is no number that could be varied");
    }
    const std::vector<int> kept = find_kept(rest.system());
    for (int k : kept) {
      const equations::SignalInfo& info = rest.system().signals()[static_cast<std::size_t>(k)];
      table.names.push_back(netlist_.label(info.name)), table.units.push_back(info.unit);
    }
    Measures measures(netlist_, Kind::dc);
    const std::vector<int> measured = measures.empty() ? std::vector<int>{} : measures.find_signals(rest.system());
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
          add_sweep_piece(measures, rest, measured, {*previous, *from}, {first, *last}, parameters[0]);
        previous = first;
        const std::vector<double> values = rest.signals(*last);
        std::vector<double> row{first};
        if (parameters.size() > 1) row.push_back(second);
        for (int k : kept) row.push_back(values[static_cast<std::size_t>(k)]);
        table.rows.push_back(std::move(row));
      }
    }
    std::set<std::string> wanted;
    for (const std::string& name : netlist_.dc_signals) wanted.insert(netlist_.label(name));
    show("dc", table, analysis.sweeps.size(), wanted);
    tell(measures);
  }

  /// Between two rows of a sweep measures see operating points of values in between.
  static void add_sweep_piece(Measures& measures, Rest& rest, const std::vector<int>& measured,
                              std::pair<double, const equations::Point&> from,
                              std::pair<double, const equations::Point&> to, int parameter) {
    const auto read = [&](const equations::Point& p, std::span<double> y) {
      const std::vector<double> all = rest.signals(p);
      for (std::size_t k = 0; k < measured.size(); ++k) y[k] = all[static_cast<std::size_t>(measured[k])];
    };
    std::vector<double> y0(measured.size()), y1(measured.size());
    rest.evaluator().set_parameter(parameter, from.first);
    read(from.second, y0);
    rest.evaluator().set_parameter(parameter, to.first);
    read(to.second, y1);
    measures.taker().add({from.first, to.first, y0, y1, [&](double s, std::span<double> y) {
                            rest.evaluator().set_parameter(parameter, from.first + s * (to.first - from.first));
                            read(rest.follow(from.second), y);
                          }});
    rest.evaluator().set_parameter(parameter, to.first);
  }

  void tell(const Measures& measures) {
    nlohmann::json list = result_.contains("measures") ? result_["measures"] : nlohmann::json::array();
    measures.tell(list, shows_);
    if (!list.empty()) result_["measures"] = std::move(list);
  }

  void run_ac(const Netlist::Analysis& analysis) {
    Rest rest(io::make_dc_model(netlist_));
    const solve::Start start = rest.find();
    std::vector<std::pair<int, std::complex<double>>> inputs;
    for (const Netlist::Source& source : netlist_.sources)
      if (source.magnitude != 0)
        inputs.emplace_back(rest.system().find_parameter(source.component + (source.is_voltage ? ".v" : ".i")),
                            std::polar(source.magnitude, source.phase * std::numbers::pi / 180));
    if (inputs.empty()) throw Error(analysis.where, ".ac: no source has an ac value, such as V1 in 0 DC 0 AC 1");
    const std::vector<int> kept = find_kept(rest.system());
    Table table{{"frequency"}, {"Hz"}, {}};
    for (int k : kept) {
      const equations::SignalInfo& info = rest.system().signals()[static_cast<std::size_t>(k)];
      const std::string& name = netlist_.label(info.name);
      table.names.push_back(name + " magnitude"), table.units.push_back(info.unit);
      table.names.push_back(name + " phase"), table.units.push_back("deg");
    }
    analyze::Phasors phasors(rest.evaluator(), start.point, kept);
    for (double f : analysis.ac.frequencies()) {
      std::vector<double> row{f};
      for (const std::complex<double>& z : phasors.solve(2 * std::numbers::pi * f, inputs))
        row.push_back(std::abs(z)), row.push_back(std::arg(z) * 180 / std::numbers::pi);
      table.rows.push_back(std::move(row));
    }
    std::set<std::string> wanted;
    for (const std::string& signal : netlist_.ac_signals)
      for (const char* part : {" magnitude", " phase"}) wanted.insert(netlist_.label(signal) + part);
    show("ac", table, 1, wanted);
    Measures measures(netlist_, Kind::ac);
    if (!measures.empty()) measure_ac(measures, rest, start.point, analysis.ac, inputs);
    tell(measures);
  }

  /// Between two rows measures see the steady state at frequencies in between.
  static void measure_ac(Measures& measures, Rest& rest, const equations::Point& point, const Netlist::AcAnalysis& ac,
                         const std::vector<std::pair<int, std::complex<double>>>& inputs) {
    analyze::Phasors phasors(rest.evaluator(), point, measures.find_signals(rest.system()));
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

  /// To the file, to the terminal (the columns that are wanted, else those of nodes), and to the results.
  void show(const std::string& kind, const Table& table, std::size_t keys, const std::set<std::string>& wanted) {
    const std::string path = make_path(kind);
    if (!path.empty()) {
      write_result([&] {
        io::CsvWriter csv(path, table.names, table.units);
        for (const auto& row : table.rows) csv.append(row);
        csv.close();
      });
      if (shows_) fmt::print(".{}: {} rows, result: {}\n", kind, table.rows.size(), path);
    }
    nlohmann::json rows = nlohmann::json::array();
    for (const auto& row : table.rows) {
      nlohmann::json j;
      for (std::size_t k = 0; k < row.size(); ++k) j[table.names[k]] = row[k];
      rows.push_back(std::move(j));
    }
    result_[kind].push_back(std::move(rows));
    if (!shows_ || !path.empty()) return;
    std::vector<std::size_t> columns;
    for (std::size_t k = 0; k < table.names.size(); ++k)
      if (k < keys || (wanted.empty() ? is_of_node(table.names[k]) : wanted.count(table.names[k]) != 0))
        columns.push_back(k);
    for (std::size_t k : columns) fmt::print("{:>22}", table.names[k]);
    fmt::print("\n");
    for (const auto& row : table.rows) {
      for (std::size_t k : columns) fmt::print("{:>22.12g}", row[k]);
      fmt::print("\n");
    }
  }

  bool is_kept(const std::string& signal) const { return saved_.empty() || saved_.count(signal) != 0; }
  std::vector<int> find_kept(const equations::System& system) const {
    std::vector<int> kept;
    for (std::size_t k = 0; k < system.signals().size(); ++k)
      if (is_kept(system.signals()[k].name)) kept.push_back(static_cast<int>(k));
    return kept;
  }

  bool is_of_node(const std::string& column) const { return nodes_.count(column.substr(0, column.find(' '))) != 0; }

  /// The file of the next table; empty without --output.
  std::string make_path(const std::string& kind) {
    if (arguments_.output.empty() || tables_ == 1) return arguments_.output;
    const int k = ++count_[kind];
    return arguments_.output.substr(0, arguments_.output.size() - 4) + "." + kind + (k > 1 ? std::to_string(k) : "") +
           ".csv";
  }

  const RunArguments& arguments_;
  const Netlist& netlist_;
  bool shows_;
  int tables_ = 0;  // of .dc, .ac and .tran
  std::map<std::string, int> count_;
  std::set<std::string> saved_, nodes_;  // names of signals
  nlohmann::json result_;
};

}  // namespace

void Analysed::throw_if_any() const {
  errors.throw_if_any();
  if (!failures.empty()) throw Failure(fmt::format("{}", fmt::join(failures, "\n")));
}

Analysed run_analyses(const RunArguments& arguments, const Netlist& netlist) {
  const bool at_rest = std::any_of(netlist.analyses.begin(), netlist.analyses.end(),
                                   [](const auto& a) { return a.kind != Kind::transient; });
  if (at_rest) check_sets_at_rest(arguments.model, netlist);
  return Analyses(arguments, netlist).run();
}

}  // namespace coenergy::app
