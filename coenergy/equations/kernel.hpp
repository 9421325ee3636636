#pragma once
#include <memory>
#include <span>
#include <vector>

#include "coenergy/equations/partial_derivatives.hpp"

namespace coenergy::equations {

/// A function of the variables of a set, in the order of the value array, and of further symbols after them.
symbolic::Function make_function(EquationSet& set, std::span<const symbolic::Expr> e,
                                 std::span<const symbolic::Expr> further_inputs = {});

/// A function of some symbols.
symbolic::Function make_function(std::span<const symbolic::Expr> inputs, std::span<const symbolic::Expr> e);

/// An equation set made ready to compute: residuals, partial derivatives and energies as programs over its value array.
/// All but the residual are made when they are first needed.
struct Kernel {
  explicit Kernel(std::shared_ptr<EquationSet> set);

  std::shared_ptr<EquationSet> set;
  Layout layout;
  std::vector<int> rows;        ///< local row of each residual output (constraint rows last)
  int constraint_rows = 0;      ///< how many of them, at the end, are constraints
  RowFunction residual;         ///< all rows, constraints at position level (velocity constraints as they are)
  PartialDerivatives balances;  ///< of the rows before the constraints

  /// The constraint rows at one level.
  struct Constraints {
    LazyFunction rows;  ///< alone; those at position level are in the residual too
    PartialDerivatives derivatives;
  };
  Constraints position, velocity, acceleration;  ///< empty without constraints
  const Constraints& constraints(Level level) const;

  LazyFunction energy;  ///< stored, supplied power, dissipated power

  /// ∂(residual rows)/∂(a symbol of the set), constraints at the given level (0, 1, 2): made on demand.
  std::vector<symbolic::Expr> partial_derivative(const symbolic::Expr& symbol, int level) const;
  symbolic::Function make_function(const std::vector<symbolic::Expr>& e) const;
  LazyFunction make_lazy(std::vector<symbolic::Expr> e) const;
  LazyRows make_lazy_rows(std::vector<symbolic::Expr> e) const;

  std::vector<symbolic::Expr> row_expr;  ///< residual expressions, for printing and further derivation
};

}  // namespace coenergy::equations
