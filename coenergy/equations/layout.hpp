#pragma once
#include <vector>

#include "coenergy/equations/equation_set.hpp"

namespace coenergy::equations {

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
  Address address(int value_index) const;  ///< the inverse
  /// Unknown (column) a symbol belongs to; −1 for time, discrete variables and parameters.
  int unknown_index(const Address& a) const;
};

/// All variables of a set as program inputs, in the order of the value array.
std::vector<symbolic::Expr> input_symbols(EquationSet& set);

}  // namespace coenergy::equations
