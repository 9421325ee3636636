#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "coenergy/compile/compile.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::analyze {

/// A model with one of the values of a sweep, and how it is run.
struct Variant {
  model::Model model;
  solve::Options options;
};

struct SweepTable;

struct SweepRequest {
  std::size_t values = 0;                      ///< how many variants there are
  std::function<Variant(std::size_t)> make;    ///< each of them
  std::vector<std::string> signals;            ///< columns of the table
  bool at_rest = false;                        ///< operating points instead of the ends of runs
  std::function<void(const SweepTable&)> row;  ///< told of every row when it is there; may be empty
  /// How a model is compiled; compile::compile() where nothing is given.
  std::function<equations::System(const model::Model&)> compile;
};

struct SweepTable {
  std::vector<std::string> units;               ///< of the columns
  std::vector<std::vector<double>> rows;        ///< signals of each variant, as far as it came
  std::vector<std::vector<std::string>> notes;  ///< of each row: what its run or operating point told
  int compilations = 0;

  bool good = true;
  std::string text;  ///< why a row is missing
};

/// Runs, or operating points, of models that differ in a value. The model is compiled once, and again only where a value
/// decides on the equations (a count, a word, a number that is built in): see compile::ModelValues. Throws Error for
/// signals that are none and for values that are refused.
SweepTable sweep(const model::Registry& registry, const SweepRequest& request);

}  // namespace coenergy::analyze
