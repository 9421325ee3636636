#pragma once
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "coenergy/io/netlist_analyses.hpp"
#include "coenergy/io/report.hpp"

namespace coenergy::app {

/// What cards of a netlist add to its page: operating point and transfer function as tables, answers over frequency and over
/// values of sources as diagrams, of the signals that .print asks for, else of the nodes.
struct CardPage {
  std::vector<ReportChart> charts;
  std::vector<ReportTable> tables;

  /// `nodes` are the names of the voltages of nodes.
  void add(const io::NetlistTable& table, const std::set<std::string>& nodes);
  /// The list of measures as --json prints it.
  void add_measures(const nlohmann::json& measures);
  void move_to(Report& report);
};

}  // namespace coenergy::app
