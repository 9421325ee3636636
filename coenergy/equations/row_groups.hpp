#pragma once
#include <span>
#include <vector>

#include "coenergy/equations/layout.hpp"
#include "coenergy/symbolic/expr.hpp"

namespace coenergy::equations {

/// Expressions of one shape (see RowShape), which differ by their symbols only.
struct RowGroup {
  symbolic::Expr e;                     ///< of the first member
  std::vector<symbolic::Expr> symbols;  ///< of it, in the order of the inputs
  std::vector<int> members;             ///< places of the expressions among all
  std::vector<int> inputs;              ///< places of their symbols in the value array, member by member

  std::span<const int> inputs_of(std::size_t member) const {
    return std::span(inputs).subspan(member * symbols.size(), symbols.size());
  }
};

/// Expressions over the value array of a set, sorted by their shapes.
struct RowGroups {
  std::vector<RowGroup> groups;  ///< of `fewest` members or more
  std::vector<int> numbers;      ///< expressions that are numbers
  std::vector<int> others;       ///< the rest, in order

  static constexpr std::size_t fewest = 64;  ///< members that are worth a group
};

RowGroups find_row_groups(EquationSet& set, std::span<const symbolic::Expr> e);

}  // namespace coenergy::equations
