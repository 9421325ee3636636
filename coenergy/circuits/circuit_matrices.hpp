#pragma once
#include <string>
#include <vector>

#include "coenergy/circuits/circuit_summary.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/symbolic/expr.hpp"

namespace coenergy::circuits {

/// The equations of a circuit of R, L, C, U and I in matrices (Sass 2004, chapter 4):
///
///   A y = B w + C z          laws of Kirchhoff, of resistors and of sources
///   M ẇ = D y                M the matrix of inductances and capacitances, here of constant ones
///
/// with the states w = (i of inductors, u of capacitors), the source values z, and y = (i of sources, i of resistors, u
/// of sources, u of resistors, u of inductors, i of capacitors). Voltages fall along the current, but for sources,
/// whose current leaves at the positive pin and whose voltage is what they give.
///
/// Rows: currents at every node but the reference, as they enter; voltages around the loop that each element closes by
/// the shortest way through the elements before it; resistors R i − u = 0; sources u = z or i = z.
struct CircuitMatrices {
  using Matrix = std::vector<std::vector<symbolic::Expr>>;
  equations::System system;  ///< whose parameters the entries are
  std::vector<std::string> y, w, z;
  Matrix a, b, c, d, m;
  std::string text() const;
  /// The entries of one of them, as they are read.
  std::vector<std::vector<std::string>> print(const Matrix& matrix) const;
};

/// Throws coenergy::Error where the circuit has other elements.
CircuitMatrices make_circuit_matrices(const equations::System& system, const CircuitSummary& circuit);

}  // namespace coenergy::circuits
