#include "coenergy/equations/kernel.hpp"

#include <algorithm>

#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::equations {

using symbolic::Expr;

namespace {

/// Sums the contributions of each row.
void gather_rows(const EquationSet& set, const Layout& layout, std::vector<int>& rows, std::vector<Expr>& values) {
  std::vector<std::pair<int, Expr>> terms;
  for (const auto& [k, e] : set.balance) terms.emplace_back(layout.unknown_index({Source::q, k}), e);
  for (const auto& [k, e] : set.rotation_balance)
    for (int j = 0; j < 3; ++j) terms.emplace_back(layout.unknown_index({Source::rotation_q, k, j}), e[j]);
  for (const auto& [k, e] : set.state) terms.emplace_back(layout.unknown_index({Source::x, k}), e);
  for (const auto& [k, e] : set.algebraic) terms.emplace_back(layout.unknown_index({Source::y, k}), e);
  std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Expr> of_row;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    of_row.push_back(terms[i].second);
    if (i + 1 < terms.size() && terms[i + 1].first == terms[i].first) continue;
    rows.push_back(terms[i].first);
    values.push_back(symbolic::sum(of_row));
    of_row.clear();
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

symbolic::Function make_function(std::span<const Expr> inputs, std::span<const Expr> e) {
  std::vector<symbolic::NamedExpr> outputs;
  outputs.reserve(e.size());
  for (std::size_t i = 0; i < e.size(); ++i) outputs.push_back({"r" + std::to_string(i), e[i]});
  return symbolic::Function(symbolic::make_program(inputs, outputs));
}

symbolic::Function make_function(EquationSet& set, std::span<const Expr> e, std::span<const Expr> further_inputs) {
  std::vector<Expr> inputs = input_symbols(set);
  inputs.insert(inputs.end(), further_inputs.begin(), further_inputs.end());
  return make_function(inputs, e);
}

symbolic::Function Kernel::make_function(const std::vector<Expr>& e) const { return equations::make_function(*set, e); }

LazyFunction Kernel::make_lazy(std::vector<Expr> e) const {
  return {set->mutex, [set = set, e = std::move(e)] { return equations::make_function(*set, e); }};
}

LazyRows Kernel::make_lazy_rows(std::vector<Expr> e) const {
  return {set->mutex, [set = set, e = std::move(e)] { return RowFunction(*set, e); }};
}

const Kernel::Constraints& Kernel::constraints(Level level) const {
  return level == Level::position ? position : level == Level::velocity ? velocity : acceleration;
}

Kernel::Kernel(std::shared_ptr<EquationSet> equations) : set(std::move(equations)) {
  set->variables.time();
  layout = Layout(set->variables);
  gather_rows(*set, layout, rows, row_expr);
  constraint_rows = static_cast<int>(set->constraint.size() + set->velocity_constraint.size());
  residual = RowFunction(*set, row_expr);
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
    position = {make_lazy(phi), {set, layout, phi, lower_rows}};
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

}  // namespace coenergy::equations
