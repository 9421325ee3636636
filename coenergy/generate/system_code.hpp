#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/generate/write.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/symbolic/program.hpp"

namespace coenergy::generate {

/// What generated code of a whole model needs besides the System.
struct SystemRequest {
  std::string model;                 ///< title, for comments
  std::string prefix = "model";      ///< of all names in the code, an identifier
  std::vector<std::string> outputs;  ///< signals; none: all
  std::vector<std::string> inputs;   ///< parameters that drive the model, of linearize; none: none
  solve::Options options;            ///< the run whose start the code begins with
};

/// A straight-line function of the code; arrays in, arrays out.
struct CodeFunction {
  std::string name;  ///< without the prefix
  symbolic::Program program;
  std::vector<symbolic::ArrayArgument> inputs, outputs;
};

/// A variable along which a kernel is differentiated: its place in the value array; a body axis of a quaternion.
struct CodeSeed {
  int place, axis;  ///< axis −1: a number
  int column;       ///< unknown
  int kind;         ///< 0: a, λ, ẋ, y; 1: v, x; 2: q
};

/// Equations over one value array: all of the model but its elements that repeat, or one kind of these.
struct CodeKernel {
  CodeFunction rows, rows_direction;                ///< constraints, behind the others, at acceleration level
  CodeFunction constraints, constraints_direction;  ///< positions (0 where there are none), then their rates
  CodeFunction energy;                              ///< that is stored
  std::vector<CodeSeed> seeds;
  int values = 0, row_count = 0, constraint_count = 0;
  struct Instance {
    std::vector<int> gather, rows, unknowns;  ///< of the system; gather and unknowns empty: the same
  };
  std::vector<Instance> instances;
};

/// The compiled equations of a model in explicit form, ready to be printed: everything that its code computes as
/// straight-line programs over one array of values (see equations::Layout), and the tables that say what they mean.
///
///   ẋ = f(t, x, d, p):   rows R(t, q, v, a, λ, x, ẋ, y, d, p) = 0 are solved for (a, λ, ẋ, y) by Newton's method, with
///                        the constraints at acceleration level and ∂R/∂(…) by directional derivatives of the rows
struct SystemCode {
  SystemRequest request;
  equations::System system;
  std::vector<CodeKernel> kernels;
  CodeFunction signals, signals_direction, indicators, updates, clocks, laws, laws_direction, start_laws;
  std::vector<std::string> output_names, output_units;
  int energy_output = -1;                ///< an output that is the stored energy of all kernels; −1: none
  std::vector<int> inputs;               ///< parameters
  std::vector<std::vector<int>> follow;  ///< by parameter: the laws that it changes, in order
  std::vector<int> start_places;         ///< of start values that follow from parameters
  std::vector<double> start;             ///< consistent values
  std::vector<double> start_law_values;  ///< with the parameters as they are
  std::vector<int> spare;                ///< by multiplier: 1 where its constraint follows from the others
  bool linear_in_rates = false;
  /// What everything reads, as places in the value array: each row, output, indicator.
  std::vector<std::vector<int>> row_reads, output_reads, indicator_reads;
  std::vector<int> output_place;         ///< of an output that is a variable itself; −1: it is none
  std::vector<std::string> value_names;  ///< of the value array
  std::vector<std::string> notes;
};

/// Makes the code of a system. Throws Error for outputs and inputs that are not there, and where the model has no
/// explicit form that the code could compute, naming what stands in the way.
SystemCode make_system_code(const equations::System& system, const SystemRequest& request);

/// PREFIX.h and PREFIX.c, or PREFIX.hpp and PREFIX.cpp; self-contained.
std::vector<SourceFile> write_system(const SystemCode& code, symbolic::Language language, const RunPlan& plan = {});

}  // namespace coenergy::generate
