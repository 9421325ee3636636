#include "coenergy/solve/redundancy.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/math/decompositions.hpp"

namespace coenergy::solve {
namespace {

// rank by dense orthogonalisation, which makes the best choice, costs nl²·nv: up to 10 ms; beyond it by elimination
constexpr double dense_work_limit = 1e7;
// way to the second point, in units of each coordinate: singular values grow to about as much, far above the 1e-9 of
// the rank, while the projection still finds the way back
constexpr double excursion = 0.02;

bool has(const std::vector<int>& list, int k) { return std::find(list.begin(), list.end(), k) != list.end(); }

}  // namespace

std::vector<int> find_dependent_rows(ConstraintProjection& projection, const equations::Point& p, double tolerance) {
  const double nl = double(p.lambda.size()), nv = double(p.v.size());
  if (nl == 0) return {};
  if (nl * nl * nv <= dense_work_limit)
    return math::compute_row_rank(projection.constraint_matrix(p), tolerance).dependent;
  return math::compute_sparse_row_rank(int(nl), int(nv), projection.constraint_entries(p), tolerance).dependent;
}

Redundancy find_redundancy(equations::Evaluator& evaluator, ConstraintProjection& projection,
                           const equations::Point& p) {
  Redundancy result;
  result.always = find_dependent_rows(projection, p);
  if (result.always.empty()) return result;

  // any direction will do that is none of the mechanism's own
  equations::Point away = p;
  std::vector<double> way(p.v.size());
  for (std::size_t i = 0; i < way.size(); ++i)
    way[i] = excursion * evaluator.system().unknown(int(i)).nominal * std::sin(1 + 2.3 * double(i));
  evaluator.retract(away.q, way);
  if (!projection.project_position(away).good) return result;
  const std::vector<int> there = find_dependent_rows(projection, away);
  if (there.size() >= result.always.size()) return result;

  // the rows left out there are the good choice; what else is dependent here is a matter of the position
  for (int k : result.always)
    if (!has(there, k)) result.here.push_back(k);
  result.here.resize(result.always.size() - there.size());
  result.always = there;
  return result;
}

}  // namespace coenergy::solve
