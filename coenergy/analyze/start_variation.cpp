#include "coenergy/analyze/start_variation.hpp"

#include <cmath>

#include "coenergy/base/argument.hpp"
#include "coenergy/solve/projection.hpp"
#include "coenergy/solve/start_motion.hpp"

namespace coenergy::analyze {
namespace {

using equations::Evaluator;
using equations::Level;
using equations::Point;
using equations::System;

/// The assembled start for the present parameters, with the modes of `start`.
Point assemble(Evaluator& evaluator, const Point& start) {
  Point p = evaluator.start();
  p.t = start.t, p.d = start.d;
  solve::Statistics statistics;
  std::vector<std::string> notes;
  solve::find_start_motion(evaluator, statistics, p, notes);
  return p;
}

/// Changes of positions and velocities by differences of assembled starts.
void differentiate_assembly(Evaluator& evaluator, const Point& start, const Direction& direction, Variation& v) {
  const System& s = evaluator.system();
  const solve::Tangent tangent(s);
  const double step = 1e-3 * (direction.value != 0 ? std::abs(direction.value) : 1);
  std::vector<double> before;
  for (const auto& [k, slope] : direction.parameters) before.push_back(evaluator.parameter(k));
  const auto set = [&](double by) {
    for (std::size_t j = 0; j < before.size(); ++j)
      evaluator.set_parameter_alone(direction.parameters[j].first, before[j] + by * direction.parameters[j].second);
  };
  v.q.assign(s.nv(), 0.0), v.v.assign(s.nv(), 0.0);
  std::vector<double> way(s.nv());
  try {
    const Point middle = assemble(evaluator, start);
    for (const auto& [steps, weight] :
         {std::pair(-2, 1.0), std::pair(-1, -8.0), std::pair(1, 8.0), std::pair(2, -1.0)}) {
      set(steps * step);
      const Point p = assemble(evaluator, start);
      tangent.difference(middle.q, p.q, way);
      for (int i = 0; i < s.nv(); ++i) {
        v.q[i] += weight / (12 * step) * way[i];
        v.v[i] += weight / (12 * step) * p.v[i];
      }
    }
  } catch (const Error& e) {
    set(0);
    throw Error(argument("parameter ") + direction.name +
                ": the start cannot be assembled for values beside this one: " + e.what());
  }
  set(0);
}

/// sum += columns of the constraint rows · factors
void add_rows(const System& s, const std::vector<double>& matrix, const std::vector<double>& factors,
              std::vector<double>& sum) {
  const auto& pattern = s.pattern();
  for (int j = 0; j < s.nv(); ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
      if (const int row = pattern.row[k] - s.nv(); row >= 0 && row < s.nl()) sum[row] += matrix[k] * factors[j];
}

}  // namespace

void project_variations(Evaluator& evaluator, const Point& p, const std::vector<Direction>& directions,
                        std::vector<Variation>& variations) {
  const System& s = evaluator.system();
  if (s.nl() == 0) return;
  solve::Statistics statistics;
  solve::ConstraintProjection projection(evaluator, statistics);
  std::vector<double> by_q(s.pattern().row.size()), by_v(by_q);
  const auto correct = [&](Level level) {
    evaluator.jacobian(p, level, {.q = 1}, by_q);
    if (level == Level::velocity) evaluator.jacobian(p, level, {.v = 1}, by_v);
    std::vector<std::vector<double>> left;
    for (std::size_t k = 0; k < directions.size(); ++k) {
      const std::vector<double> term = compute_parameter_term(evaluator, p, level, directions[k], variations[k].d);
      std::vector<double>& r = left.emplace_back(term.begin() + s.nv(), term.begin() + s.nv() + s.nl());
      add_rows(s, by_q, variations[k].q, r);
      if (level == Level::velocity) add_rows(s, by_v, variations[k].v, r);
      for (int c = 0; c < s.nl() && level == Level::position; ++c)
        if (s.is_velocity_constraint(c)) r[c] = 0;
    }
    if (!projection.find_corrections(p, level, left)) return;
    for (std::size_t k = 0; k < directions.size(); ++k) {
      std::vector<double>& to = level == Level::position ? variations[k].q : variations[k].v;
      for (int i = 0; i < s.nv(); ++i) to[i] += left[k][i];
    }
  };
  correct(Level::position);
  correct(Level::velocity);
}

std::vector<Variation> compute_start_variations(Evaluator& evaluator, const solve::Options& options, const Point& start,
                                                const std::vector<Direction>& directions) {
  const System& s = evaluator.system();
  std::vector<Variation> variations;
  for (const Direction& direction : directions) {
    Variation v{direction.q, direction.v, direction.x, direction.d};
    v.q.resize(s.nv()), v.v.resize(s.nv()), v.x.resize(s.nx()), v.d.resize(s.nd());
    if (s.nl() > 0 && !options.from && !direction.parameters.empty())
      differentiate_assembly(evaluator, start, direction, v);
    variations.push_back(std::move(v));
  }
  project_variations(evaluator, start, directions, variations);
  return variations;
}

}  // namespace coenergy::analyze
