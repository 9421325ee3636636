#include "coenergy/equations/solver_form.hpp"

#include <algorithm>

#include "coenergy/equations/data.hpp"

namespace coenergy::equations {
namespace {

// from here on the sparse factorisation with all bound variables costs less than the full one, and its derivatives
constexpr std::size_t fewest_columns = 100;

std::unique_ptr<const SolverForm> make_solver_form(const System::Data& data) {
  const Kernel& own = *data.kernels.front();
  const bool serves = data.instances.size() == 1 && own.constraint_rows == 0 && own.balances.by_columns() &&
                      own.balances.columns() >= fewest_columns;
  if (!serves) return nullptr;
  auto form = std::make_unique<SolverForm>();
  {
    const std::lock_guard lock(own.set->mutex);  // a graph serves one derivation at a time
    form->cascade = Cascade(own.set, data.layout, own.row_expr, own.rows);
  }
  const auto& entries = form->cascade.entries();
  SparsePattern& pattern = form->pattern;
  pattern.n = data.layout.n() + form->cascade.variables();
  std::vector<std::vector<int>> rows(pattern.n);
  for (const Cascade::Entry& e : entries) rows[e.column].push_back(e.row);
  pattern.column_start = {0};
  for (std::vector<int>& column : rows) {
    std::sort(column.begin(), column.end());
    pattern.row.insert(pattern.row.end(), column.begin(), std::unique(column.begin(), column.end()));
    pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
  }
  for (const Cascade::Entry& e : entries) {
    const auto first = pattern.row.begin() + pattern.column_start[e.column];
    const auto last = pattern.row.begin() + pattern.column_start[e.column + 1];
    form->places.push_back(static_cast<int>(std::lower_bound(first, last, e.row) - pattern.row.begin()));
  }
  return form;
}

}  // namespace

const SolverForm* solver_form(const System::Data& data) {
  std::call_once(data.solver_once, [&] { data.solver_form = make_solver_form(data); });
  return data.solver_form.get();
}

}  // namespace coenergy::equations
