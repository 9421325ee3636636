#pragma once
#include <memory>
#include <span>
#include <vector>

#include "coenergy/equations/partial_derivatives.hpp"

namespace coenergy::equations {

/// A matrix S = ∂R/∂u of rows that are computed by recursion, with the steps of the recursion as further unknowns.
///
/// Rows R(u, z) and bound variables z = φ(u, z), each of which depends on earlier ones, have the matrix
///
///   ⎡ ∂R/∂u     ∂R/∂z   ⎤
///   ⎣ ∂φ/∂u   ∂φ/∂z − 1 ⎦
///
/// of which S is the Schur complement: with zeros below the right-hand side, it gives the solution of S. A chain of n
/// joints has a full S, which takes O(n²) operations to write down and O(n³) to factor. The recursion that computes its
/// rows has a few neighbours in each step: O(n) for both. The z, which follow from u at once, vary like algebraic
/// variables: the weight of y is theirs too.
class Cascade {
 public:
  using Entry = PartialDerivatives::Entry;

  Cascade() = default;
  /// `rows` are the local rows of the expressions `e`; bound variables come behind the unknowns, as rows and columns.
  Cascade(const std::shared_ptr<EquationSet>& set, const Layout& layout, const std::vector<symbolic::Expr>& e,
          const std::vector<int>& rows);

  int variables() const { return variables_; }
  const std::vector<Entry>& entries() const { return entries_; }
  /// values[places[i]] of every part += entry i.
  void add_to(std::span<const MatrixPart> parts, std::span<const int> places, const double* in,
              Workspace& memory) const;
  /// z at the inputs `in`.
  void evaluate(const double* in, std::span<double> z, Workspace& memory) const;

 private:
  int variables_ = 0;
  std::vector<Entry> entries_;
  LazyRows function_;
  LazyFunction values_;
};

}  // namespace coenergy::equations
