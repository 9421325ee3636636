#include "coenergy/circuits/circuit_summary.hpp"

#include "coenergy/circuits/circuit.hpp"

namespace coenergy::circuits {

CircuitSummary make_summary(const Circuit& circuit, int followers) {
  CircuitSummary summary{{}, circuit.nodes(), circuit.order() - followers, circuit.tree(), {}};
  for (std::size_t b = 0; b < circuit.branches().size(); ++b) {
    const BranchInfo& info = circuit.branches()[b];
    summary.branches.push_back({circuit.branch_name(static_cast<int>(b)), info.kind, info.p, info.n});
  }
  for (const Circuit::Constraint& constraint : circuit.constraints())
    summary.constraints.push_back(circuit.row(constraint));
  return summary;
}

std::string make_relation_text(const std::vector<std::pair<std::string, int>>& row) {
  std::string text = row.front().first + " =";
  for (std::size_t k = 1; k < row.size(); ++k)
    text += (row[k].second < 0 ? (k == 1 ? " " : " + ") : (k == 1 ? " -" : " - ")) + row[k].first;
  return row.size() == 1 ? text + " 0" : text;
}

}  // namespace coenergy::circuits
