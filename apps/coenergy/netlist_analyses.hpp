#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/coenergy/card_report.hpp"
#include "apps/coenergy/verbs.hpp"
#include "coenergy/io/netlist_measures.hpp"

namespace coenergy::app {

/// What cards gave.
struct Analysed {
  nlohmann::json results;                  ///< for --json: op, dc and ac, each present where a card asks for it
  ErrorList errors;                        ///< of cards that cannot be carried out as they stand
  std::vector<std::string> failures;       ///< of computations
  std::map<std::string, double> measures;  ///< those that have a value
  CardPage page;                           ///< what they add to a report

  /// The results, with what went wrong as "errors".
  nlohmann::json answer() const;
  void throw_if_any() const;
};

/// Carries out the .op, .dc and .ac cards of a netlist, in their order, and prints what they give; with an output file
/// the tables go there (to NAME.dc.csv, NAME.ac.csv where the file is taken by .tran or by another table).
/// A card that cannot be carried out stops no other.
Analysed run_analyses(const RunArguments& arguments, const io::Netlist& netlist);

/// Adds an item for every measure to a list, prints them if `shows`, and tells of those that failed.
void tell_measures(io::Netlist::Analysis::Kind kind, const std::vector<io::NetlistMeasure>& measures,
                   nlohmann::json& list, bool shows);

}  // namespace coenergy::app
