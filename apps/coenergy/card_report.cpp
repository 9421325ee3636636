#include "apps/coenergy/card_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "coenergy/base/names.hpp"

namespace coenergy::app {

namespace {

using Kind = io::Netlist::Analysis::Kind;

constexpr std::size_t most_curves = 12;

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

std::vector<double> column(const io::NetlistTable& table, std::size_t k) {
  std::vector<double> values;
  for (const std::vector<double>& row : table.rows) values.push_back(row[k]);
  return values;
}

ReportTable list_values(const io::NetlistTable& table, const std::string& title) {
  ReportTable list{title, {"name", "value", "unit"}, {}};
  for (std::size_t k = 0; k < table.names.size(); ++k)
    list.rows.push_back({table.names[k], format_number(table.rows[0][k]), table.units[k]});
  return list;
}

/// Columns to be drawn.
std::vector<std::size_t> choose_columns(const io::NetlistTable& table, const std::set<std::string>& nodes) {
  std::vector<std::size_t> chosen;
  for (std::size_t k = table.keys; k < table.names.size(); ++k) {
    const std::string& name = table.names[k];
    const bool is_of_node = nodes.count(name.substr(0, name.find(' '))) != 0;
    if (table.kind == Kind::noise || (table.wanted.empty() ? is_of_node : table.wanted.count(name) != 0))
      chosen.push_back(k);
  }
  return chosen;
}

/// Decibels, phases that go on beyond half a turn, or the values themselves.
std::vector<double> to_drawn(std::vector<double> values, const std::string& what) {
  if (what == "magnitude")
    for (double& x : values) x = 20 * std::log10(x);
  if (what == "phase")
    for (std::size_t k = 1; k < values.size(); ++k) values[k] -= 360 * std::round((values[k] - values[k - 1]) / 360);
  return values;
}

}  // namespace

void CardPage::add(const io::NetlistTable& table, const std::set<std::string>& nodes) {
  if (table.rows.empty()) return;
  if (table.kind == Kind::op) return tables.push_back(list_values(table, "Operating point"));
  if (table.kind == Kind::transfer) return tables.push_back(list_values(table, "Transfer function"));
  // with several sources there is a curve for each value of all but the first, which a table tells better
  if (table.keys != 1) return;
  const bool over_frequency = table.kind == Kind::ac || table.kind == Kind::noise;
  std::map<std::string, std::size_t> place;  // a diagram for magnitudes, one for phases, or one for each unit
  for (const std::size_t k : choose_columns(table, nodes)) {
    const std::string& name = table.names[k];
    const std::size_t space = table.kind == Kind::ac ? name.rfind(' ') : std::string::npos;
    const std::string what = space == std::string::npos ? "" : name.substr(space + 1);
    const std::string unit = what == "magnitude" ? "dB" : what == "phase" ? "deg" : table.units[k];
    const auto [at, is_new] = place.emplace(what + unit, charts.size());
    if (is_new) {
      const std::string title = what == "magnitude"         ? "Magnitude"
                                : what == "phase"           ? "Phase"
                                : table.kind == Kind::noise ? "Noise"
                                                            : "Over " + table.names[0];
      charts.push_back(
          {title, with_unit(table.names[0], table.units[0]), "[" + (unit.empty() ? "–" : unit) + "]", over_frequency});
    }
    ReportChart& chart = charts[at->second];
    if (chart.curves.size() < most_curves)
      chart.curves.push_back({name.substr(0, space), column(table, 0), to_drawn(column(table, k), what)});
  }
}

void CardPage::add_measures(const nlohmann::json& measures) {
  if (!measures.is_array() || measures.empty()) return;
  ReportTable list{"Measures", {"name", "card", "value", "at"}, {}};
  const auto text = [](const nlohmann::json& item, const char* key) {
    return item.contains(key) ? format_number(item[key].get<double>()) : std::string("–");
  };
  for (const nlohmann::json& item : measures)
    list.rows.push_back(
        {item["name"], "." + item["analysis"].get<std::string>(),
         item.contains("failure") ? "failed: " + item["failure"].get<std::string>() : text(item, "value"),
         item.contains("trigger") ? text(item, "trigger") + " to " + text(item, "target") : text(item, "at")});
  tables.push_back(std::move(list));
}

void CardPage::move_to(Report& report) {
  std::move(charts.begin(), charts.end(), std::back_inserter(report.charts));
  report.tables.insert(report.tables.begin(), tables.begin(), tables.end());
}

}  // namespace coenergy::app
