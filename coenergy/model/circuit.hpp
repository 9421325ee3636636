#pragma once
#include <optional>
#include <string>

#include "coenergy/model/equations.hpp"

namespace coenergy::model {

/// What an element is between two of its pins, for the topology of a circuit. The order is the priority in the normal
/// tree.
enum class BranchKind {
  voltage,     ///< the voltage is given (source, electromotive force)
  capacitive,  ///< the voltage is a state
  resistive,   ///< a relation of voltage and current
  inductive,   ///< the current is a state
  current,     ///< the current is given
};

/// One branch of an element from p to n; an n-pole states a tree of them.
struct Branch {
  Pin p, n;
  BranchKind kind = BranchKind::resistive;
  State state = {};  ///< of a capacitive or inductive branch, always: its voltage p − n or current p → n; of
                     ///< another: a variable that is algebraic in this instance (a diode without charge)
  std::optional<Expr> value = {};  ///< of a source, always: its voltage p − n or current p → n
  bool follows = false;            ///< a voltage that motion makes: in a loop with sources alone it follows them, see
                                   ///< Equations::follow_voltage
};

/// A port whose across variable is given, whatever flows: that of a pressure source.
struct HeldPort {
  int port;
  Expr value;
};

/// Two coils of other components, by their names, that share flux: φ_a = L_a i_a + M i_b, φ_b = M i_a + L_b i_b (H).
struct FluxCoupling {
  std::string a, b;
  double L_a, L_b, M;
};

}  // namespace coenergy::model
