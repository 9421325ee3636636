#pragma once
#include <string>

#include "coenergy/symbolic/program.hpp"

namespace coenergy::symbolic {

enum class Language { c, cpp, matlab, python, latex };

struct PrintOptions {
  std::string name = "f";  ///< function name, an identifier
  std::string header{};    ///< comment lines at the top, without comment signs
};

/// Source text of a program as one function `void name(const double* in, double* out)` (C99, C++), `function out =
/// name(in)` (Matlab/Octave), `def name(inp)` (Python), or aligned equations (LaTeX). Self-contained: tables are
/// printed with the code, external functions as prototypes. Only the graph is printed: names are made identifiers,
/// never passed through.
///
/// A value that is used once and has no name is written inside the expression that uses it, with parentheses that keep
/// the order of evaluation, so that C compiled with -ffp-contract=off computes the same operations as the other
/// engines. Throws coenergy::Error where options.name is not an identifier.
std::string print(const Program& program, Language language, const PrintOptions& options = {});

}  // namespace coenergy::symbolic
