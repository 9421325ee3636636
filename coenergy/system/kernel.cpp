#include "coenergy/system/kernel.hpp"

#include <map>

#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::system {

using symbolic::Expr;

namespace {

/// Sums the contributions of each row.
void gather_rows(const EquationSet& set, const Layout& layout, std::vector<int>& rows, std::vector<Expr>& values) {
  std::map<int, std::vector<Expr>> sums;
  for (const auto& [k, e] : set.balance) sums[layout.unknown_index({Source::q, k})].push_back(e);
  for (const auto& [k, e] : set.rotation_balance)
    for (int j = 0; j < 3; ++j) sums[layout.unknown_index({Source::rotation_q, k, j})].push_back(e[j]);
  for (const auto& [k, e] : set.state) sums[layout.unknown_index({Source::x, k})].push_back(e);
  for (const auto& [k, e] : set.algebraic) sums[layout.unknown_index({Source::y, k})].push_back(e);
  for (const auto& [row, terms] : sums) {
    rows.push_back(row);
    values.push_back(symbolic::sum(terms));
  }
  for (const auto& [k, phi] : set.constraint) {
    rows.push_back(layout.unknown_index({Source::lambda, k}));
    values.push_back(phi);
  }
  for (const auto& [k, psi] : set.velocity_constraint) {
    rows.push_back(layout.unknown_index({Source::lambda, k}));
    values.push_back(psi);
  }
}

}  // namespace

symbolic::Function make_function(EquationSet& set, std::span<const Expr> e, std::span<const Expr> further_inputs) {
  std::vector<symbolic::NamedExpr> outputs;
  outputs.reserve(e.size());
  for (std::size_t i = 0; i < e.size(); ++i) outputs.push_back({"r" + std::to_string(i), e[i]});
  std::vector<Expr> inputs = input_symbols(set);
  inputs.insert(inputs.end(), further_inputs.begin(), further_inputs.end());
  return symbolic::Function(symbolic::make_program(inputs, outputs));
}

symbolic::Function Kernel::make_function(const std::vector<Expr>& e) const { return system::make_function(*set, e); }

LazyFunction Kernel::make_lazy(std::vector<Expr> e) const {
  return {set->mutex, [set = set, e = std::move(e)] { return system::make_function(*set, e); }};
}

const Kernel::Constraints& Kernel::constraints(Level level) const {
  return level == Level::position ? position : level == Level::velocity ? velocity : acceleration;
}

Kernel::Kernel(std::shared_ptr<EquationSet> equations) : set(std::move(equations)) {
  set->variables.time();
  layout = Layout(set->variables);
  gather_rows(*set, layout, rows, row_expr);
  constraint_rows = static_cast<int>(set->constraint.size() + set->velocity_constraint.size());
  residual = make_function(row_expr);
  const auto ordinary = static_cast<std::ptrdiff_t>(rows.size()) - constraint_rows;
  balances = PartialDerivatives(set, layout, {row_expr.begin(), row_expr.begin() + ordinary},
                                {rows.begin(), rows.begin() + ordinary});
  if (constraint_rows > 0) {
    const std::vector<int> lower_rows(rows.begin() + ordinary, rows.end());
    const std::vector<Expr> phi(row_expr.begin() + ordinary, row_expr.end());
    std::vector<Expr> phid, phidd;
    for (std::size_t i = 0; i < phi.size(); ++i) {
      phid.push_back(i < set->constraint.size() ? set->variables.time_derivative(phi[i]) : phi[i]);
      phidd.push_back(set->variables.time_derivative(phid.back()));
    }
    position = {{}, {set, layout, phi, lower_rows}};
    velocity = {make_lazy(phid), {set, layout, phid, lower_rows}};
    acceleration = {make_lazy(phidd), {set, layout, phidd, lower_rows}};
  }
  energy = make_lazy({set->stored, set->supplied, set->dissipated});
}

std::vector<Expr> Kernel::partial_derivative(const Expr& symbol, int level) const {
  std::vector<Expr> slope;
  const std::size_t ordinary = rows.size() - constraint_rows;
  for (std::size_t i = 0; i < row_expr.size(); ++i) {
    Expr e = row_expr[i];
    // a velocity constraint begins at its second level
    const int first = i >= ordinary + set->constraint.size() ? 1 : 0;
    if (i >= ordinary)
      for (int k = first; k < level; ++k) e = set->variables.time_derivative(e);
    slope.push_back(e.is_number() ? Expr(0) : symbolic::derivative(e, symbol));
  }
  return slope;
}

}  // namespace coenergy::system
