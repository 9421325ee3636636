#include "coenergy/equations/equation_set.hpp"

#include <map>

#include "coenergy/base/error.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::equations {

using symbolic::Expr;
using symbolic::Vec3;

void EquationSet::add_constraint(int multiplier, const Expr& phi) {
  if (phi.is_number()) throw Error("a constraint depends on no coordinate");
  constraint.emplace_back(multiplier, phi);
  add_constraint_forces(multiplier, phi, false);
}

void EquationSet::add_velocity_constraint(int multiplier, const Expr& psi) {
  if (psi.is_number()) throw Error("a constraint depends on no velocity");
  velocity_constraint.emplace_back(multiplier, psi);
  add_constraint_forces(multiplier, psi, true);
}

void EquationSet::add_constraint_forces(int multiplier, const Expr& e, bool of_rates) {
  const Expr lambda = variables.multiplier(multiplier);
  const std::vector<Expr> symbols = symbolic::free_symbols(std::span(&e, 1));
  const std::vector<Expr> slope = symbolic::gradient(e, symbols);

  // for rotations along the three body axes
  std::map<int, Vec3> torque;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const Address at = variables.address(symbols[i]);
    if (at.source == (of_rates ? Source::v : Source::q)) {
      balance.emplace_back(at.index, slope[i] * lambda);
    } else if (of_rates && at.source == Source::rotation_v) {
      torque[at.index][at.part] += slope[i];
    } else if (!of_rates && at.source == Source::rotation_q) {
      Vec3& t = torque[at.index];
      for (int j = 0; j < 3; ++j) {
        Vec3 unit;
        unit[j] = 1;
        t[j] += slope[i] * symbolic::quaternion_rate(variables.rotation(at.index).p, unit)[at.part];
      }
    }
  }
  for (const auto& [index, t] : torque) rotation_balance.emplace_back(index, lambda * t);
}

}  // namespace coenergy::equations
