#include "coenergy/analyze/static_sensitivity.hpp"

#include <algorithm>

#include "coenergy/base/error.hpp"
#include "coenergy/solve/newton.hpp"
#include "coenergy/solve/static_newton.hpp"

namespace coenergy::analyze {

std::vector<Deviation> compute_static_deviations(equations::Evaluator& evaluator, const equations::Point& point,
                                                 const std::vector<Direction>& directions, bool hold_coordinates) {
  const equations::System& s = evaluator.system();
  // beyond all time constants: charges that only leak away in the limit are determined by their rate
  constexpr double slow = 1e-9;  // 1/s
  const auto level = hold_coordinates ? equations::Level::acceleration : equations::Level::position;
  equations::Weights weights{.lambda = 1, .x = 1, .xd = slow, .y = 1};
  (hold_coordinates ? weights.a : weights.q) = 1;
  std::vector<double> matrix(s.pattern().row.size());
  evaluator.jacobian(point, level, weights, matrix);
  math::SparseLu<double> lu(s.n(), s.pattern().column_start, s.pattern().row, solve::multiplier_indices(s));
  if (!lu.factor(matrix)) {
    lu.set_damping(1e-8);
    if (s.nl() == 0 || !lu.factor(matrix))
      throw Error("the equations do not determine " + s.unknown(lu.weakest_column()).name +
                  " at rest; its derivatives do not exist");
  }
  solve::Statistics statistics;
  const std::vector<char> integral = solve::StaticNewton(evaluator, statistics).integrals();

  std::vector<Deviation> all;
  for (const Direction& direction : directions) {
    std::vector<double> right = compute_parameter_term(evaluator, point, level, direction, {});
    for (double& value : right) value = -value;
    lu.solve(right);
    auto from = right.begin();
    const auto take = [&](int count) {
      std::vector<double> part(from, from + count);
      from += count;
      return part;
    };
    Deviation d;
    (hold_coordinates ? d.a : d.q) = take(s.nv());
    (hold_coordinates ? d.q : d.a).assign(s.nv(), 0.0);
    d.v.assign(s.nv(), 0.0), d.xd.assign(s.nx(), 0.0);
    d.lambda = take(s.nl()), d.x = take(s.nx()), d.y = take(s.ny());
    for (int i = 0; i < s.nx(); ++i)
      if (integral[i]) d.x[i] = 0;
    all.push_back(std::move(d));
  }
  return all;
}

}  // namespace coenergy::analyze
