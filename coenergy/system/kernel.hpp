#pragma once
#include <memory>
#include <vector>

#include "coenergy/symbolic/function.hpp"
#include "coenergy/system/equation_set.hpp"

namespace coenergy::system {

/// Numbers of variables of each kind and their places: the layout of the value array and of the unknowns.
///
/// values   t | q of coordinates | quaternions | v | ω | a | ω̇ | λ | x | ẋ | y | d | parameters
/// unknowns v of coordinates | ω | λ | x | y
struct Layout {
  int coordinates = 0, rotations = 0, multipliers = 0, states = 0, algebraics = 0, discretes = 0, parameters = 0;
  explicit Layout(const Variables& v);
  Layout() = default;
  int nq() const { return coordinates + 4 * rotations; }
  int nv() const { return coordinates + 3 * rotations; }
  int n() const { return nv() + multipliers + states + algebraics; }
  int values() const { return 1 + nq() + 2 * nv() + multipliers + 2 * states + algebraics + discretes + parameters; }
  int value_index(const Address& a) const;
  /// Unknown (column) a symbol belongs to; −1 for time, discrete variables and parameters.
  int unknown_index(const Address& a) const;
};

/// Which of the Weights multiplies a partial derivative.
enum class WeightKind : std::uint8_t { q, v, a, lambda, x, xd, y };

/// An equation set made ready to compute: residuals, partial derivatives and energies as programs over its value array.
struct Kernel {
  explicit Kernel(std::shared_ptr<EquationSet> set);

  /// Structural non-zero ∂(row)/∂(unknown); rows and columns are local unknown indices.
  struct Entry {
    int row, column;
    WeightKind weight;
  };
  std::shared_ptr<EquationSet> set;
  Layout layout;
  std::vector<int> rows;        ///< local row of each residual output (constraint rows last)
  int constraint_rows = 0;      ///< how many of them, at the end, are constraints
  symbolic::Function residual;  ///< all rows, constraints at position level (velocity constraints as they are)
  symbolic::Function jacobian;  ///< entries of the non-constraint rows, then those of the constraint rows
  std::vector<Entry> entries;
  std::size_t constraint_entries_begin = 0;

  // constraint rows at velocity and acceleration level; empty without constraints
  symbolic::Function velocity, acceleration, velocity_jacobian, acceleration_jacobian;
  std::vector<Entry> velocity_entries, acceleration_entries;

  symbolic::Function energy;  ///< stored, supplied power, dissipated power

  /// ∂(residual rows)/∂(local parameter), constraints at the given level (0, 1, 2): made on demand.
  std::vector<symbolic::Expr> parameter_derivative(int parameter, int level) const;
  symbolic::Function make_function(const std::vector<symbolic::Expr>& e) const;

  std::vector<symbolic::Expr> row_expr;  ///< residual expressions, for printing and further derivation
};

}  // namespace coenergy::system
