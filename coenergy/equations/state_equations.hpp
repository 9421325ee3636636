#pragma once
#include <string>
#include <utility>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/symbolic/expr.hpp"

namespace coenergy::equations {

/// The equations of first order in explicit form, ẋ = f(t, q, v, x, d, p), as far as they can be solved by symbols.
struct StateEquations {
  std::vector<std::pair<std::string, symbolic::Expr>> rates;  ///< name of a state, its rate
  /// Rows that stay implicit because they are nonlinear: name of the row, its expression that is zero. They may hold
  /// algebraic variables, and then rates may too.
  std::vector<std::pair<std::string, symbolic::Expr>> implicit;
  std::string text;                ///< "der(L1.i) = (U1.v - C1.v - L1.i*R1.R)/L1.L" …
  std::vector<std::string> lines;  ///< the same, each equation in one line
};

/// A row as it is read: its name, and the expression that is zero.
struct PrintedEquation {
  std::string row, zero;
};
/// All rows that are written for themselves: System::equations() as data.
std::vector<PrintedEquation> print_equations(const System& system);

/// Sums of signals that are zero, the first of which is an algebraic variable: rows of CircuitSummary::constraints.
using Relations = std::vector<std::vector<std::pair<std::string, int>>>;

/// Eliminates the algebraic variables from the rows of states and algebraic variables: those the relations give, then
/// one after the other, each from a row that is linear in it and where the division is simplest. Then solves for the
/// rates. Systems of more than `limit` unknowns, and those whose equations become too long to be read, keep their
/// implicit form.
StateEquations make_state_equations(const System& system, const Relations& relations = {}, int limit = 150);

}  // namespace coenergy::equations
