#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/generate/routine.hpp"

namespace coenergy::generate {

// Pieces of loop_program.hpp: one printer for each language, and what they share.

std::string print_c_loops(const Generated& g, const std::string& header);
std::string print_python_loops(const Generated& g, const std::string& header);
std::string print_matlab_loops(const Generated& g, const std::string& header);

/// "0, 2"; indices from `first`.
std::string list(const std::vector<int>& numbers, int first = 0);
/// Lines with a prefix, without what could end or continue a comment.
std::string comment(const std::string& text, const std::string& prefix, const std::string& before,
                    const std::string& after);
/// "q, qd, Q".
std::string names(const std::vector<Array>& arrays);

/// Texts of a language that is interpreted, which differ in their spelling only.
struct ScriptTexts {
  std::string_view frame, close, acceleration, rest, lambda;
  int first;  ///< index of the first entry of an array
};
std::string fill(const ScriptTexts& texts, const Generated& g);

}  // namespace coenergy::generate
