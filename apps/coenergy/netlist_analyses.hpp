#pragma once
#include <nlohmann/json.hpp>

#include "apps/coenergy/verbs.hpp"
#include "coenergy/io/spice.hpp"

namespace coenergy::app {

/// What cards gave.
struct Analysed {
  nlohmann::json results;             ///< for --json: op, dc and ac, each present where a card asks for it
  ErrorList errors;                   ///< of cards that cannot be carried out as they stand
  std::vector<std::string> failures;  ///< of computations

  void throw_if_any() const;
};

/// Carries out the .op, .dc and .ac cards of a netlist, in their order, and prints what they give; with an output file
/// the tables go there (to NAME.dc.csv, NAME.ac.csv where the file is taken by .tran or by another table).
/// A card that cannot be carried out stops no other.
Analysed run_analyses(const RunArguments& arguments, const io::Netlist& netlist);

}  // namespace coenergy::app
