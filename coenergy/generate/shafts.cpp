#include "coenergy/generate/shafts.hpp"

#include <algorithm>

#include "coenergy/base/error.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::generate {
namespace {

using mechanics::MechanismModel;
using symbolic::Expr;

Expr slope(const Expr& e, const Expr& s) { return e.is_number() ? Expr(0) : symbolic::derivative(e, s); }

std::vector<Expr> list(const std::vector<MechanismModel::Freedom>& shafts, Expr MechanismModel::Freedom::*part) {
  std::vector<Expr> all;
  for (const MechanismModel::Freedom& f : shafts) all.push_back(f.*part);
  return all;
}

/// x of A x + (rest of e with x = 0) = 0, where e is linear in x.
std::vector<Expr> solve_for(const std::vector<Expr>& e, const std::vector<Expr>& x, const std::vector<Expr>& A) {
  const std::vector<Expr> zeros(x.size(), Expr(0));
  std::vector<Expr> right;
  for (const Expr& row : e) right.push_back(-symbolic::substitute(row, x, zeros));
  return symbolic::solve_linear(A, right, static_cast<int>(x.size()));
}

/// Whether the slopes of e by x do not depend on x.
bool is_linear(const std::vector<Expr>& A, const std::vector<Expr>& x) {
  return std::none_of(A.begin(), A.end(), [&](const Expr& a) {
    return std::any_of(x.begin(), x.end(), [&](const Expr& s) { return !a.is_number() && symbolic::depends_on(a, s); });
  });
}

}  // namespace

std::vector<std::string> include_shafts(MechanismModel& mechanism) {
  if (!mechanism.forces || mechanism.forces->shafts.empty()) return {};
  MechanismModel::Forces& f = *mechanism.forces;
  const std::size_t joints = mechanism.freedoms.size(), count = f.shafts.size();
  const std::vector<Expr> q = list(f.shafts, &MechanismModel::Freedom::q),
                          v = list(f.shafts, &MechanismModel::Freedom::v),
                          a = list(f.shafts, &MechanismModel::Freedom::a);
  std::vector<std::string> names;
  for (const auto& shaft : f.shafts) names.push_back(shaft.name);

  // the constraints that hold shafts, and their slopes by them
  std::vector<Expr> h, rate, acceleration, A, B;
  for (const auto& c : f.constraints) {
    std::vector<Expr> row;
    for (const Expr& s : a) row.push_back(slope(c.acceleration, s));
    if (std::all_of(row.begin(), row.end(), [](const Expr& e) { return e.is_zero(); })) continue;
    h.push_back(c.h), rate.push_back(c.rate), acceleration.push_back(c.acceleration);
    A.insert(A.end(), row.begin(), row.end());
    for (const Expr& s : q) B.push_back(slope(c.h, s));
  }
  if (h.size() != count) return names;
  try {
    const std::vector<Expr> moved = solve_for(acceleration, a, A), turned = solve_for(rate, v, A);
    std::vector<Expr> from = a, to = moved;
    from.insert(from.end(), v.begin(), v.end()), to.insert(to.end(), turned.begin(), turned.end());
    std::vector<Expr> rows(f.rows.begin(), f.rows.begin() + static_cast<std::ptrdiff_t>(joints));
    for (std::size_t i = 0; i < joints; ++i)
      for (std::size_t k = 0; k < count; ++k) rows[i] += slope(moved[k], mechanism.freedoms[i].a) * f.rows[joints + k];
    rows = symbolic::substitute(rows, from, to);
    if (is_linear(B, q)) rows = symbolic::substitute(rows, q, solve_for(h, q, B));
    std::copy(rows.begin(), rows.end(), f.rows.begin());
  } catch (const Error&) {
    return names;  // constraints that do not determine the shafts
  }
  return {};
}

}  // namespace coenergy::generate
