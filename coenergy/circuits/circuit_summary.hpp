#pragma once
#include <string>
#include <utility>
#include <vector>

#include "coenergy/model/circuit.hpp"

namespace coenergy::circuits {

class Circuit;

/// A circuit in words and numbers, for `check`, reports and matrices.
struct CircuitSummary {
  /// One branch of an element, from p to n; all grounds are the last node.
  struct Branch {
    std::string element;
    model::BranchKind kind;
    int p = 0, n = 0;
  };
  std::vector<Branch> branches;
  int nodes = 0;                  ///< with the ground
  int order = 0;                  ///< free capacitor voltages and inductor currents
  std::vector<std::string> tree;  ///< elements of the normal tree
  /// Rows of F w + G z = 0 with entries ±1; the first variable of each is the dependent one.
  std::vector<std::vector<std::pair<std::string, int>>> constraints;
};

/// Coils that share all their flux with others, `followers`, are no states of their own.
CircuitSummary make_summary(const Circuit& circuit, int followers);

/// "L1.i = L2.i - L3.i" of a row of CircuitSummary::constraints.
std::string make_relation_text(const std::vector<std::pair<std::string, int>>& row);

}  // namespace coenergy::circuits
