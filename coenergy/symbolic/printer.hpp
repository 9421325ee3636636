#pragma once
#include <string>
#include <vector>

#include "coenergy/symbolic/program.hpp"

namespace coenergy::symbolic {

enum class Language { c, cpp, matlab, python, latex };

/// An array among the arguments of a printed function: so many inputs or outputs of the program, in order.
struct ArrayArgument {
  std::string name;  ///< an identifier
  std::size_t size = 0;
};

struct PrintOptions {
  std::string name = "f";  ///< function name, an identifier
  std::string header{};    ///< comment lines at the top, without comment signs
  /// Arguments and results, where one array each is not enough; their sizes add up to those of the program.
  std::vector<ArrayArgument> inputs{}, outputs{};
};

/// Source text of a program as one function `void name(const double* in, double* out)` (C99, C++), `function out =
/// name(in)` (Matlab/Octave), `def name(inp)` (Python), or aligned equations (LaTeX); with options.inputs and outputs
/// as `void name(const double* q, const double* p, double* Q)` and so on. Self-contained: tables are printed with the
/// code, external functions as prototypes. Only the graph is printed: names are made identifiers, never passed through.
///
/// A value that is used once and has no name is written inside the expression that uses it, with parentheses that keep
/// the order of evaluation, so that C compiled with -ffp-contract=off computes the same operations as the other
/// engines. Throws coenergy::Error where options.name or the name of an array is not an identifier.
std::string print(const Program& program, Language language, const PrintOptions& options = {});

}  // namespace coenergy::symbolic
