#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "coenergy/equations/variables.hpp"

namespace coenergy::equations {

/// Equations over variables, in symbolic form: those of one kind of component (with local variables, instantiated many
/// times) or those of a whole system.
struct EquationSet {
  EquationSet() : variables(graph) {}
  EquationSet(const EquationSet&) = delete;
  EquationSet& operator=(const EquationSet&) = delete;

  symbolic::Graph graph;
  std::mutex mutex;  ///< for whoever derives from the equations of a system that is already shared
  Variables variables;

  // one list entry per contribution, keyed by the unknown that owns the row
  std::vector<std::pair<int, symbolic::Expr>> balance;              ///< coordinate index
  std::vector<std::pair<int, symbolic::Vec3>> rotation_balance;     ///< rotation index, torque in body axes
  std::vector<std::pair<int, symbolic::Expr>> constraint;           ///< multiplier index, Φ
  std::vector<std::pair<int, symbolic::Expr>> velocity_constraint;  ///< multiplier index, ψ
  std::vector<std::pair<int, symbolic::Expr>> state;
  std::vector<std::pair<int, symbolic::Expr>> algebraic;
  symbolic::Expr stored, supplied, dissipated;  ///< energy, and powers

  /// Φ(q, t) of a multiplier: records it and adds Φ_qᵀ λ to the balances.
  void add_constraint(int multiplier, const symbolic::Expr& phi);
  /// ψ(q, v, t) = A(q, t) v + b(q, t) of a multiplier, which has no position level: adds Aᵀλ to the balances.
  void add_velocity_constraint(int multiplier, const symbolic::Expr& psi);

 private:
  /// Adds (∂e/∂symbol) λ to the balance of every coordinate or rotation; `of_rates`: symbols are rates, else positions.
  void add_constraint_forces(int multiplier, const symbolic::Expr& e, bool of_rates);
};

/// Which unknowns of a system the local variables of an equation set stand for.
struct Binding {
  std::vector<int> coordinates, rotations, multipliers, states, algebraics, discretes, parameters;
};

}  // namespace coenergy::equations
