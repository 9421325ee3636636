#include "coenergy/analyze/averaged.hpp"

#include <algorithm>
#include <stdexcept>

#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"

namespace coenergy::analyze {
namespace {

using math::Matrix;

/// The ticks that set a held value, and the one of them that sets the fewest others: there its law is its own.
struct Law {
  std::vector<std::size_t> ticks;
  std::size_t own = 0;
};

bool sets(const SampledModel::Tick& tick, int i) {
  for (int j = 0; j < tick.by_z.columns; ++j)
    if (tick.by_z(i, j) != 0) return true;
  for (int j = 0; j < tick.by_u.columns; ++j)
    if (tick.by_u(i, j) != 0) return true;
  for (int j = 0; j < tick.by_d.columns; ++j)
    if (tick.by_d(i, j) != (i == j ? 1 : 0)) return true;
  return false;
}

std::vector<Law> find_laws(const SampledModel& m) {
  const int nd = m.by_held.columns;
  std::vector<Law> laws(nd);
  std::vector<int> set_at(m.ticks.size());
  for (std::size_t k = 0; k < m.ticks.size(); ++k)
    for (int i = 0; i < nd; ++i)
      if (sets(m.ticks[k], i)) laws[i].ticks.push_back(k), ++set_at[k];
  for (Law& law : laws)
    if (!law.ticks.empty())
      law.own = *std::min_element(law.ticks.begin(), law.ticks.end(),
                                  [&](std::size_t a, std::size_t b) { return set_at[a] < set_at[b]; });
  return laws;
}

/// Ḋ by (z, D, u), side by side.
Matrix find_rates(const SampledModel& m) {
  const int nz = m.linear.model.a.rows, nd = m.by_held.columns, nu = m.linear.model.b.columns;
  const std::vector<Law> laws = find_laws(m);
  Matrix left(nd, nd), right(nd, nz + nd + nu);
  for (int i = 0; i < nd; ++i) {
    left(i, i) = 1;
    if (laws[i].ticks.empty()) continue;  // keeps its value
    const SampledModel::Tick& tick = m.ticks[laws[i].own];
    const double half = m.period / static_cast<double>(laws[i].ticks.size()) / 2;
    left(i, i) = half, right(i, nz + i) = -1;
    for (int j = 0; j < nd; ++j) {
      right(i, nz + j) += tick.by_d(i, j);
      if (laws[j].ticks == laws[i].ticks) left(i, j) += half * tick.by_d(i, j);
    }
    for (int j = 0; j < nz; ++j) right(i, j) = tick.by_z(i, j);
    for (int j = 0; j < nu; ++j) right(i, nz + nd + j) = tick.by_u(i, j);
  }
  try {
    return nd == 0 ? right : math::solve(left, right);
  } catch (const std::runtime_error&) {
    throw Error("what alternates from sample to sample has no averaged equivalent; take the sampled model as it is");
  }
}

}  // namespace

StateSpace average(const SampledModel& m) {
  const StateSpace& flow = m.linear.model;
  const int nz = flow.a.rows, nd = m.by_held.columns, nu = flow.b.columns, outputs = flow.c.rows;
  const Matrix rates = find_rates(m);
  StateSpace result = flow;
  result.states.insert(result.states.end(), m.held.begin(), m.held.end());
  result.state_units.insert(result.state_units.end(), m.held_units.begin(), m.held_units.end());
  result.a = Matrix(nz + nd, nz + nd), result.b = Matrix(nz + nd, nu), result.c = Matrix(outputs, nz + nd);
  result.e = Matrix(nz + nd, nu);
  for (int i = 0; i < nz; ++i) {
    for (int j = 0; j < nz; ++j) result.a(i, j) = flow.a(i, j);
    for (int j = 0; j < nd; ++j) result.a(i, nz + j) = m.by_held(i, j);
    for (int j = 0; j < nu; ++j) result.b(i, j) = flow.b(i, j), result.e(i, j) = flow.e(i, j);
  }
  for (int i = 0; i < nd; ++i) {
    for (int j = 0; j < nz + nd; ++j) result.a(nz + i, j) = rates(i, j);
    for (int j = 0; j < nu; ++j) result.b(nz + i, j) = rates(i, nz + nd + j);
  }
  for (int i = 0; i < outputs; ++i) {
    for (int j = 0; j < nz; ++j) result.c(i, j) = flow.c(i, j);
    for (int j = 0; j < nd; ++j) result.c(i, nz + j) = m.outputs_held(i, j);
  }
  return result;
}

}  // namespace coenergy::analyze
