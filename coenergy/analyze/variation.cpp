#include "coenergy/analyze/variation.hpp"

#include <array>

#include "coenergy/solve/radau_method.hpp"

namespace coenergy::analyze {
namespace {

using equations::Evaluator;
using equations::Level;
using equations::Point;

const solve::RadauMethod& method() { return solve::radau_method(); }

/// Entry of A², for coordinates, which are integrated twice.
double squared(int i, int j) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += method().a[i][k] * method().a[k][j];
  return sum;
}

/// ∫₀ˢ ℓ_j and ∫₀ˢ∫ ℓ_j of the Lagrange polynomial ℓ_j of the stages.
struct Weights {
  double once, twice;
};
Weights integrate(int j, double s) {
  const double* c = method().c;
  const double b = c[(j + 1) % 3], e = c[(j + 2) % 3], scale = 1 / ((c[j] - b) * (c[j] - e));
  // (u − b)(u − e) = u² − (b + e) u + b e
  const double once = s * (s * (s / 3 - (b + e) / 2) + b * e);
  const double twice = s * s * (s * (s / 12 - (b + e) / 6) + b * e / 2);
  return {scale * once, scale * twice};
}

/// The pattern of all stages: coordinates and states of a stage reach all of them, other unknowns their own.
void make_pattern(const equations::System& s, std::vector<int>& column_start, std::vector<int>& row) {
  const auto& pattern = s.pattern();
  const int n = s.n(), x = s.nv() + s.nl();
  column_start.assign(1, 0);
  for (int stage = 0; stage < 3; ++stage)
    for (int column = 0; column < n; ++column) {
      const bool integrated = column < s.nv() || (column >= x && column < x + s.nx());
      for (int i = 0; i < 3; ++i)
        if (i == stage || integrated)
          for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k)
            row.push_back(i * n + pattern.row[k]);
      column_start.push_back(static_cast<int>(row.size()));
    }
}

/// sum += matrix (in the pattern of the system), columns from `first` on, times factors
void add_product(const equations::System& s, const std::vector<double>& matrix, int first,
                 const std::vector<double>& factors, double* sum) {
  const auto& pattern = s.pattern();
  for (std::size_t j = 0; j < factors.size(); ++j)
    for (int k = pattern.column_start[first + int(j)]; k < pattern.column_start[first + int(j) + 1]; ++k)
      sum[pattern.row[k]] += matrix[k] * factors[j];
}

}  // namespace

std::vector<double> compute_parameter_term(Evaluator& evaluator, const Point& point, Level level,
                                           const Direction& direction, const std::vector<double>& d) {
  const int n = evaluator.system().n();
  std::vector<double> term(n, 0.0), part(n);
  const auto add = [&](double factor) {
    for (int i = 0; i < n; ++i) term[i] += factor * part[i];
  };
  for (const auto& [k, weight] : direction.parameters) {
    evaluator.parameter_derivative(point, level, k, part);
    add(weight);
  }
  for (std::size_t k = 0; k < d.size(); ++k) {
    if (d[k] == 0) continue;
    evaluator.discrete_derivative(point, level, static_cast<int>(k), part);
    add(d[k]);
  }
  return term;
}

Deviation complete_variation(Response& response, const Variation& variation, const std::vector<double>& term) {
  Deviation deviation;
  deviation.q = variation.q, deviation.v = variation.v, deviation.x = variation.x;
  response.complete(deviation, term);
  return deviation;
}

double differentiate(const Evaluator::Gradient& g, const Deviation& deviation, const std::vector<double>& d,
                     const Direction& direction) {
  double sum = 0;
  const auto add = [&sum](const std::vector<double>& slope, const std::vector<double>& by) {
    for (std::size_t i = 0; i < by.size(); ++i) sum += slope[i] == 0 ? 0 : slope[i] * by[i];
  };
  add(g.q, deviation.q), add(g.v, deviation.v), add(g.a, deviation.a), add(g.lambda, deviation.lambda);
  add(g.x, deviation.x), add(g.xd, deviation.xd), add(g.y, deviation.y), add(g.d, d);
  for (const auto& [k, weight] : direction.parameters) sum += g.parameters[k] * weight;
  return sum;
}

VariationStep::VariationStep(Evaluator& evaluator) : evaluator_(evaluator), s_(evaluator.system()) {
  make_pattern(s_, column_start_, row_);
  lu_.emplace(3 * s_.n(), column_start_, row_);
  matrix_.resize(row_.size());
  for (int i = 0; i < 3; ++i)
    for (auto* part : {&s0_[i], &by_v_and_x_[i], &by_q_[i]}) part->resize(s_.pattern().row.size());
}

void VariationStep::fill_matrix(const std::vector<Point>& stages) {
  for (int i = 0; i < 3; ++i) {
    evaluator_.jacobian(stages[i], Level::acceleration, {.a = 1, .lambda = 1, .xd = 1, .y = 1}, s0_[i]);
    evaluator_.jacobian(stages[i], Level::acceleration, {.v = 1, .x = 1}, by_v_and_x_[i]);
    if (s_.nv() > 0) evaluator_.jacobian(stages[i], Level::acceleration, {.q = 1}, by_q_[i]);
  }
  const auto& pattern = s_.pattern();
  const int x = s_.nv() + s_.nl();
  double* to = matrix_.data();
  for (int stage = 0; stage < 3; ++stage)
    for (int column = 0; column < s_.n(); ++column) {
      const bool coordinate = column < s_.nv(), integrated = coordinate || (column >= x && column < x + s_.nx());
      for (int i = 0; i < 3; ++i) {
        if (i != stage && !integrated) continue;
        const double once = h_ * method().a[i][stage], twice = coordinate ? h_ * h_ * squared(i, stage) : 0;
        for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k)
          *to++ = (i == stage ? s0_[i][k] : 0) + (integrated ? once * by_v_and_x_[i][k] : 0) + twice * by_q_[i][k];
      }
    }
}

std::vector<double> VariationStep::make_right_side(const std::vector<Point>& stages, const Direction& direction,
                                                   const Variation& from) {
  std::vector<double> right;
  for (int i = 0; i < 3; ++i) {
    std::vector<double> sum = compute_parameter_term(evaluator_, stages[i], Level::acceleration, direction, from.d);
    std::vector<double> q = from.q;
    for (std::size_t k = 0; k < q.size(); ++k) q[k] += method().c[i] * h_ * from.v[k];
    add_product(s_, by_q_[i], 0, q, sum.data());
    add_product(s_, by_v_and_x_[i], 0, from.v, sum.data());
    add_product(s_, by_v_and_x_[i], s_.nv() + s_.nl(), from.x, sum.data());
    for (double value : sum) right.push_back(-value);
  }
  return right;
}

bool VariationStep::take(double h, const std::vector<Point>& stages, const std::vector<Direction>& directions,
                         const std::vector<Variation>& from) {
  h_ = h;
  from_ = from;
  fill_matrix(stages);
  if (!lu_->factor(matrix_)) return false;
  rates_.clear();
  for (std::size_t k = 0; k < directions.size(); ++k) {
    rates_.push_back(make_right_side(stages, directions[k], from[k]));
    lu_->solve(rates_.back());
  }
  return true;
}

Variation VariationStep::at(std::size_t direction, double s) const {
  Variation v = from_[direction];
  const std::vector<double>& rates = rates_[direction];
  const int n = s_.n(), x = s_.nv() + s_.nl();
  for (int i = 0; i < s_.nv(); ++i) v.q[i] += s * h_ * v.v[i];
  for (int j = 0; j < 3; ++j) {
    const Weights w = integrate(j, s);
    for (int i = 0; i < s_.nv(); ++i) {
      v.q[i] += h_ * h_ * w.twice * rates[j * n + i];
      v.v[i] += h_ * w.once * rates[j * n + i];
    }
    for (int i = 0; i < s_.nx(); ++i) v.x[i] += h_ * w.once * rates[j * n + x + i];
  }
  return v;
}

}  // namespace coenergy::analyze
