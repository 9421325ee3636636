#include "coenergy/system/kernel.hpp"

#include <map>
#include <stdexcept>

#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::system {

using symbolic::Expr;
using symbolic::Vec3;

Layout::Layout(const Variables& v)
    : coordinates(v.coordinates()),
      rotations(v.rotations()),
      multipliers(v.multipliers()),
      states(v.states()),
      algebraics(v.algebraics()),
      discretes(v.discretes()),
      parameters(v.parameters()) {}

int Layout::value_index(const Address& a) const {
  const int q = 1, v = q + nq(), acc = v + nv(), l = acc + nv(), x = l + multipliers, xd = x + states, y = xd + states,
            d = y + algebraics, p = d + discretes;
  switch (a.source) {
    case Source::time:
      return 0;
    case Source::q:
      return q + a.index;
    case Source::rotation_q:
      return q + coordinates + 4 * a.index + a.part;
    case Source::v:
      return v + a.index;
    case Source::rotation_v:
      return v + coordinates + 3 * a.index + a.part;
    case Source::a:
      return acc + a.index;
    case Source::rotation_a:
      return acc + coordinates + 3 * a.index + a.part;
    case Source::lambda:
      return l + a.index;
    case Source::x:
      return x + a.index;
    case Source::xd:
      return xd + a.index;
    case Source::y:
      return y + a.index;
    case Source::d:
      return d + a.index;
    case Source::parameter:
      return p + a.index;
  }
  throw std::logic_error("unknown source");
}

int Layout::unknown_index(const Address& a) const {
  switch (a.source) {
    case Source::q:
    case Source::v:
    case Source::a:
      return a.index;
    case Source::rotation_q:
    case Source::rotation_v:
    case Source::rotation_a:
      return coordinates + 3 * a.index + a.part;
    case Source::lambda:
      return nv() + a.index;
    case Source::x:
    case Source::xd:
      return nv() + multipliers + a.index;
    case Source::y:
      return nv() + multipliers + states + a.index;
    default:
      return -1;
  }
}

namespace {

/// All variables of a set as program inputs, in the order of the value array.
std::vector<Expr> input_symbols(EquationSet& set) {
  Variables& v = set.variables;
  std::vector<Expr> s{v.time()};
  for (int k = 0; k < v.coordinates(); ++k) s.push_back(v.coordinate(k).q);
  for (int k = 0; k < v.rotations(); ++k) s.insert(s.end(), v.rotation(k).p.begin(), v.rotation(k).p.end());
  for (int k = 0; k < v.coordinates(); ++k) s.push_back(v.coordinate(k).v);
  for (int k = 0; k < v.rotations(); ++k) s.insert(s.end(), v.rotation(k).w.e.begin(), v.rotation(k).w.e.end());
  for (int k = 0; k < v.coordinates(); ++k) s.push_back(v.coordinate(k).a);
  for (int k = 0; k < v.rotations(); ++k) s.insert(s.end(), v.rotation(k).alpha.e.begin(), v.rotation(k).alpha.e.end());
  for (int k = 0; k < v.multipliers(); ++k) s.push_back(v.multiplier(k));
  for (int k = 0; k < v.states(); ++k) s.push_back(v.state(k).x);
  for (int k = 0; k < v.states(); ++k) s.push_back(v.state(k).xd);
  for (int k = 0; k < v.algebraics(); ++k) s.push_back(v.algebraic(k));
  for (int k = 0; k < v.discretes(); ++k) s.push_back(v.discrete(k));
  for (int k = 0; k < v.parameters(); ++k) s.push_back(v.parameter(k));
  return s;
}

WeightKind weight_of(Source source) {
  switch (source) {
    case Source::q:
    case Source::rotation_q:
      return WeightKind::q;
    case Source::v:
    case Source::rotation_v:
      return WeightKind::v;
    case Source::a:
    case Source::rotation_a:
      return WeightKind::a;
    case Source::lambda:
      return WeightKind::lambda;
    case Source::x:
      return WeightKind::x;
    case Source::xd:
      return WeightKind::xd;
    case Source::y:
      return WeightKind::y;
    default:
      throw std::logic_error("no weight belongs to this variable");
  }
}

struct SparseJacobian {
  std::vector<Kernel::Entry> entries;
  std::vector<Expr> values;
};

/// Partial derivatives of `e` (in local rows `rows`) to every unknown; rotations along their body axes.
SparseJacobian differentiate(const EquationSet& set, const Layout& layout, const std::vector<Expr>& e,
                             const std::vector<int>& rows) {
  std::vector<Expr> symbols;
  std::vector<Address> addresses;
  for (const Expr& s : symbolic::free_symbols(e)) {
    const Address at = set.variables.address(s);
    if (layout.unknown_index(at) < 0) continue;
    symbols.push_back(s);
    addresses.push_back(at);
  }

  SparseJacobian result;
  // quaternion entries of one rotation in one row are gathered first, then projected on the three body axes
  std::map<std::pair<int, int>, std::array<Expr, 4>> rotation_entries;
  for (const symbolic::JacobianEntry& entry : symbolic::jacobian(e, symbols)) {
    const Address at = addresses[entry.column];
    if (at.source == Source::rotation_q) {
      rotation_entries[{entry.row, at.index}][at.part] = entry.value;
      continue;
    }
    result.entries.push_back({rows[entry.row], layout.unknown_index(at), weight_of(at.source)});
    result.values.push_back(entry.value);
  }
  for (const auto& [key, slope] : rotation_entries) {
    for (int j = 0; j < 3; ++j) {
      Vec3 unit;
      unit[j] = 1;
      const auto rate = symbolic::quaternion_rate(set.variables.rotation(key.second).p, unit);
      Expr value = slope[0] * rate[0] + slope[1] * rate[1] + slope[2] * rate[2] + slope[3] * rate[3];
      if (value.is_zero()) continue;
      result.entries.push_back(
          {rows[key.first], layout.unknown_index({Source::rotation_q, key.second, j}), WeightKind::q});
      result.values.push_back(value);
    }
  }
  return result;
}

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

symbolic::Function Kernel::make_function(const std::vector<Expr>& e) const {
  std::vector<symbolic::NamedExpr> outputs;
  outputs.reserve(e.size());
  for (std::size_t i = 0; i < e.size(); ++i) outputs.push_back({"r" + std::to_string(i), e[i]});
  return symbolic::Function(symbolic::make_program(input_symbols(*set), outputs));
}

Kernel::Kernel(std::shared_ptr<EquationSet> equations) : set(std::move(equations)) {
  set->variables.time();
  layout = Layout(set->variables);
  gather_rows(*set, layout, rows, row_expr);
  constraint_rows = static_cast<int>(set->constraint.size() + set->velocity_constraint.size());
  residual = make_function(row_expr);

  // derivatives: ordinary rows first, then the constraint rows, so that other levels can replace those
  const std::size_t ordinary = rows.size() - constraint_rows;
  SparseJacobian upper = differentiate(*set, layout, {row_expr.begin(), row_expr.begin() + ordinary},
                                       {rows.begin(), rows.begin() + ordinary});
  const std::vector<int> lower_rows(rows.begin() + ordinary, rows.end());
  const std::vector<Expr> phi(row_expr.begin() + ordinary, row_expr.end());
  SparseJacobian lower = differentiate(*set, layout, phi, lower_rows);
  constraint_entries_begin = upper.entries.size();
  entries = upper.entries;
  entries.insert(entries.end(), lower.entries.begin(), lower.entries.end());
  std::vector<Expr> values = upper.values;
  values.insert(values.end(), lower.values.begin(), lower.values.end());
  jacobian = make_function(values);

  if (constraint_rows > 0) {
    std::vector<Expr> phid, phidd;
    for (std::size_t i = 0; i < phi.size(); ++i) {
      phid.push_back(i < set->constraint.size() ? set->variables.time_derivative(phi[i]) : phi[i]);
      phidd.push_back(set->variables.time_derivative(phid.back()));
    }
    velocity = make_function(phid);
    acceleration = make_function(phidd);
    SparseJacobian jv = differentiate(*set, layout, phid, lower_rows),
                   ja = differentiate(*set, layout, phidd, lower_rows);
    velocity_jacobian = make_function(jv.values);
    acceleration_jacobian = make_function(ja.values);
    velocity_entries = jv.entries;
    acceleration_entries = ja.entries;
  }
  energy = make_function({set->stored, set->supplied, set->dissipated});
}

std::vector<Expr> Kernel::parameter_derivative(int parameter, int level) const {
  const Expr p = set->variables.parameter(parameter);
  std::vector<Expr> slope;
  const std::size_t ordinary = rows.size() - constraint_rows;
  for (std::size_t i = 0; i < row_expr.size(); ++i) {
    Expr e = row_expr[i];
    // a velocity constraint begins at its second level
    const int first = i >= ordinary + set->constraint.size() ? 1 : 0;
    if (i >= ordinary)
      for (int k = first; k < level; ++k) e = set->variables.time_derivative(e);
    slope.push_back(e.is_number() ? Expr(0) : symbolic::derivative(e, p));
  }
  return slope;
}

}  // namespace coenergy::system
