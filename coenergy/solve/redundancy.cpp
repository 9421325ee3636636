#include "coenergy/solve/redundancy.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/math/decompositions.hpp"

namespace coenergy::solve {
namespace {

// rank by dense orthogonalisation costs nl²·nv; beyond this the singular matrix itself has to tell
constexpr double rank_work_limit = 4e9;
// way to the second point, in units of each coordinate: singular values grow to about as much, far above the 1e-9 of
// the rank, while the projection still finds the way back
constexpr double excursion = 0.02;

bool has(const std::vector<int>& list, int k) { return std::find(list.begin(), list.end(), k) != list.end(); }

}  // namespace

std::vector<int> find_dependent_rows(ConstraintProjection& projection, const system::Point& p, double tolerance) {
  const double nl = double(p.lambda.size()), nv = double(p.v.size());
  if (nl == 0 || nl * nl * nv > rank_work_limit) return {};
  return math::compute_row_rank(projection.constraint_matrix(p), tolerance).dependent;
}

Redundancy find_redundancy(system::Evaluator& evaluator, ConstraintProjection& projection, const system::Point& p) {
  Redundancy result;
  result.always = find_dependent_rows(projection, p);
  if (result.always.empty()) return result;

  // any direction will do that is none of the mechanism's own
  system::Point away = p;
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
