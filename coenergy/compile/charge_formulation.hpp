#pragma once
#include <string>
#include <vector>

namespace coenergy::compile {

/// Rows of the charge formulation (see charges.hpp), which vanish where the equations of the system hold.
struct ChargeFormulation {
  struct Row {
    std::string name, unit;
    std::string residual, size;  ///< signals: the sum of all terms, and of their absolute values
  };
  std::vector<Row> rows;
  std::vector<std::string> left_out;  ///< what has no rates that could be compared
  std::string text;                   ///< Λ, D and Q
};

}  // namespace coenergy::compile
