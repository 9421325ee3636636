#include "apps/coenergy/netlist_analyses.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "apps/coenergy/messages.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/io/netlist_analyses.hpp"

namespace coenergy::app {

namespace {

using io::Netlist;
using Kind = Netlist::Analysis::Kind;

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::op:
      return "op";
    case Kind::dc:
      return "dc";
    case Kind::ac:
      return "ac";
    case Kind::transient:
      return "tran";
    case Kind::transfer:
      return "tf";
    case Kind::noise:
      return "noise";
  }
  return "";
}

/// Tells what the cards of a netlist give.
class Cards {
 public:
  Cards(const RunArguments& arguments, const Netlist& netlist)
      : arguments_(arguments), shows_(!arguments.quiet && !arguments.model.json) {
    for (const Netlist::Analysis& a : netlist.analyses)
      tables_ += a.kind != Kind::op && a.kind != Kind::transfer ? 1 : 0;
    for (const auto& [node, name] : netlist.nodes)
      nodes_.insert(netlist.label(node + "." + across_name(model::Domain::electrical)));
  }

  void tell(const io::NetlistTable& table) {
    page_.add(table, nodes_);
    for (std::size_t k = 0; k < table.names.size(); ++k) result_["units"][table.names[k]] = table.units[k];
    if (table.kind == Kind::op) return tell_operating_point(table);
    if (table.kind == Kind::transfer) return tell_transfer(table);
    show(table);
    tell_totals(table);
    nlohmann::json list = result_.contains("measures") ? result_["measures"] : nlohmann::json::array();
    tell_measures(table.kind, table.measures, list, shows_);
    if (!list.empty()) result_["measures"] = std::move(list);
  }
  nlohmann::json take_result() { return std::move(result_); }
  CardPage take_page() { return std::move(page_); }

 private:
  void tell_operating_point(const io::NetlistTable& table) {
    result_["op"]["method"] = table.method;
    if (shows_) fmt::print(".op: operating point by {}\n", table.method);
    for (std::size_t k = 0; k < table.names.size(); ++k) {
      result_["op"]["signals"][table.names[k]] = table.rows[0][k];
      if (shows_) fmt::print("{:<30}{:>22.12g} {}\n", table.names[k], table.rows[0][k], table.units[k]);
    }
  }

  void tell_transfer(const io::NetlistTable& table) {
    nlohmann::json values;
    if (shows_) fmt::print(".tf: at the operating point by {}\n", table.method);
    for (std::size_t k = 0; k < table.names.size(); ++k) {
      values[table.names[k]] = table.rows[0][k];
      if (shows_) fmt::print("{:<30}{:>22.12g} {}\n", table.names[k], table.rows[0][k], table.units[k]);
    }
    result_["tf"].push_back(std::move(values));
  }

  /// Of noise, over all frequencies.
  void tell_totals(const io::NetlistTable& table) {
    nlohmann::json values;
    for (std::size_t k = 0; k < table.totals.size(); ++k) {
      const auto& [name, value] = table.totals[k];
      const std::string unit = table.units[k + 1].substr(0, 1);
      values[name] = value, result_["units"][name] = unit;
      if (shows_) fmt::print("{:<30}{:>22.12g} {}\n", name, value, unit);
    }
    if (!values.is_null()) result_["noise_totals"].push_back(std::move(values));
  }

  /// To the file, to the terminal (the columns that are wanted, else those of nodes), and to the results.
  void show(const io::NetlistTable& table) {
    const std::string kind = name_of(table.kind);
    const std::string path = make_path(kind);
    if (!path.empty()) {
      write_result([&] {
        io::ResultHeader header;
        header.names = table.names, header.units = table.units, header.file = arguments_.model.file;
        const auto writer = io::make_result_writer(path, header, arguments_.units);
        for (const auto& row : table.rows) writer->append(row);
        writer->close();
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
      if (k < table.keys || (table.kind == Kind::noise ? true
                             : table.wanted.empty()    ? is_of_node(table.names[k])
                                                       : table.wanted.count(table.names[k]) != 0))
        columns.push_back(k);
    for (std::size_t k : columns)
      fmt::print("{:>22}", table.names[k] + (table.units[k].empty() ? "" : " (" + table.units[k] + ")"));
    fmt::print("\n");
    for (const auto& row : table.rows) {
      for (std::size_t k : columns) fmt::print("{:>22.12g}", row[k]);
      fmt::print("\n");
    }
  }

  bool is_of_node(const std::string& column) const { return nodes_.count(column.substr(0, column.find(' '))) != 0; }

  /// The file of the next table; empty without --output.
  std::string make_path(const std::string& kind) {
    if (arguments_.output.empty() || tables_ == 1) return arguments_.output;
    const int k = ++count_[kind];
    const std::size_t dot = arguments_.output.rfind('.');
    return arguments_.output.substr(0, dot) + "." + kind + (k > 1 ? std::to_string(k) : "") +
           arguments_.output.substr(dot);
  }

  const RunArguments& arguments_;
  bool shows_;
  int tables_ = 0;  // of .dc, .ac and .tran
  std::map<std::string, int> count_;
  std::set<std::string> nodes_;  // names of their signals
  nlohmann::json result_;
  CardPage page_;
};

nlohmann::json to_json(const analyze::MeasureResult& r) {
  nlohmann::json j;
  if (r.value) j["value"] = *r.value;
  if (r.trigger) j["trigger"] = *r.trigger;
  if (r.target) j[r.trigger ? "target" : "at"] = *r.target;
  if (!r.failure.empty()) j["failure"] = r.failure;
  return j;
}

}  // namespace

nlohmann::json Analysed::answer() const {
  nlohmann::json all = results.is_null() ? nlohmann::json::object() : results;
  try {
    errors.throw_if_any();
  } catch (const Error& e) {
    all["errors"] = errors_as_json(e);
  }
  for (const std::string& failure : failures) all["errors"].push_back({{"text", failure}});
  return all;
}

void Analysed::throw_if_any() const {
  errors.throw_if_any();
  if (!failures.empty()) throw Failure(fmt::format("{}", fmt::join(failures, "\n")));
}

Analysed run_analyses(const RunArguments& arguments, const io::Netlist& netlist) {
  const auto is_at_rest = [](const Netlist::Analysis& a) { return a.kind != Kind::transient; };
  if (std::none_of(netlist.analyses.begin(), netlist.analyses.end(), is_at_rest)) return {};
  check_sets_at_rest(arguments.model, netlist);
  const Prepared p = prepare(io::make_dc_model(netlist));
  io::NetlistAnalyses analyses(netlist, p.compiled.system, p.options);
  analyses.compile_with = [&](const io::NetlistValues& values) {
    ModelArguments changed = arguments.model;
    changed.values.insert(changed.values.end(), values.begin(), values.end());
    return prepare(load_model_at_rest(changed)).compiled.system;
  };
  analyses.compile_model = [&](const model::Model& model) { return prepare(model).compiled.system; };
  Cards cards(arguments, netlist);
  Analysed analysed;
  for (const Netlist::Analysis& analysis : netlist.analyses) {
    if (!is_at_rest(analysis)) continue;
    try {
      const io::NetlistTable table = with_places(p.model, [&] { return analyses.run(analysis); });
      if (table.good)
        cards.tell(table);
      else
        analysed.failures.push_back(analysis.where.text() + ": op: " + table.text);
    } catch (const Error& e) {
      analysed.errors.add(e);
    } catch (const Failure& e) {
      analysed.failures.push_back(analysis.where.text() + ": " + e.what());
    }
  }
  analysed.measures = analyses.known_measures();
  analysed.results = cards.take_result(), analysed.page = cards.take_page();
  return analysed;
}

void tell_measures(Kind kind, const std::vector<io::NetlistMeasure>& measures, nlohmann::json& list, bool shows) {
  if (shows && !measures.empty()) fmt::print("measures of .{}\n", name_of(kind));
  for (const auto& [card, r] : measures) {
    nlohmann::json item = to_json(r);
    item["name"] = card->name;
    item["analysis"] = name_of(kind);
    list.push_back(std::move(item));
    if (!r.value) fmt::print(stderr, "{}: .meas {} failed: {}\n", card->where.text(), card->name, r.failure);
    if (!shows) continue;
    if (!r.value)
      fmt::print("{:<30}{:>22}\n", card->name, "failed");
    else if (r.trigger)
      fmt::print("{:<30}{:>22.12g} from {:.12g} to {:.12g}\n", card->name, *r.value, *r.trigger, *r.target);
    else if (r.target && *r.target != *r.value)
      fmt::print("{:<30}{:>22.12g} at {:.12g}\n", card->name, *r.value, *r.target);
    else
      fmt::print("{:<30}{:>22.12g}\n", card->name, *r.value);
  }
}

}  // namespace coenergy::app
