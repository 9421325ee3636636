#include "coenergy/analyze/variation.hpp"

#include <algorithm>

#include "coenergy/solve/newton.hpp"
#include "coenergy/solve/radau_method.hpp"

namespace coenergy::analyze {
namespace {

using equations::Evaluator;
using equations::Level;
using equations::Point;

const solve::RadauMethod& method() { return solve::radau_method(); }

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

VariationStep::VariationStep(Evaluator& evaluator)
    : evaluator_(evaluator),
      s_(evaluator.system()),
      scalars_(s_.nv() - 3 * (s_.nq() - s_.nv())),
      rotation_count_(s_.nq() - s_.nv()) {
  make_pattern();
  std::vector<int> multipliers;
  for (int stage = 0; stage < 3; ++stage)
    for (int k : solve::multiplier_indices(s_)) multipliers.push_back(stage * s_.n() + k);
  lu_.emplace(3 * s_.n(), column_start_, row_, multipliers);
  matrix_.resize(row_.size()), residual_.resize(3 * static_cast<std::size_t>(s_.n()));
  for (int i = 0; i < 3; ++i)
    for (auto* part : {&s0_[i], &by_v_and_x_[i], &by_q_[i]}) part->resize(s_.pattern().row.size());
}

/// Coordinates and states of a stage reach all stages, other unknowns their own. A rate of rotation turns with the body,
/// so that it reaches what any of the three angles does.
void VariationStep::make_pattern() {
  const auto& pattern = s_.pattern();
  const int n = s_.n(), x = s_.nv() + s_.nl();
  for (int column = 0; column < n; ++column) {
    const int first = column < s_.nv() && turns(column) ? column - (column - scalars_) % 3 : column;
    const int parts = column < s_.nv() && turns(column) ? 3 : 1;
    Column& c = columns_.emplace_back();
    for (int k = pattern.column_start[first]; k < pattern.column_start[first + parts]; ++k)
      c.rows.push_back(pattern.row[k]);
    std::sort(c.rows.begin(), c.rows.end());
    c.rows.erase(std::unique(c.rows.begin(), c.rows.end()), c.rows.end());
    const auto add = [&](int from, std::vector<Column::Place>& places) {
      for (int k = pattern.column_start[from]; k < pattern.column_start[from + 1]; ++k)
        places.push_back(
            {k, static_cast<int>(std::lower_bound(c.rows.begin(), c.rows.end(), pattern.row[k]) - c.rows.begin())});
    };
    add(column, c.own);
    for (int part = 0; part < parts; ++part) add(first + part, c.of_part[part]);
  }
  column_start_.assign(1, 0);
  for (int stage = 0; stage < 3; ++stage)
    for (int column = 0; column < n; ++column) {
      const bool integrated = column < s_.nv() || (column >= x && column < x + s_.nx());
      for (int i = 0; i < 3; ++i)
        if (i == stage || integrated)
          for (int row : columns_[column].rows) row_.push_back(i * n + row);
      column_start_.push_back(static_cast<int>(row_.size()));
    }
}

std::vector<math::Matrix3> VariationStep::find_rotations(const Point& p) const {
  std::vector<math::Matrix3> all;
  for (int r = 0; r < rotation_count_; ++r) {
    const double* q = p.q.data() + scalars_ + 4 * r;
    all.push_back(math::rotation_matrix({q[0], q[1], q[2], q[3]}));
  }
  return all;
}

math::Matrix3 VariationStep::relative_rotation(int i, int j, int r) const {
  const math::Matrix3 &a = rotation(i, r), &b = rotation(j, r);
  math::Matrix3 product{};
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l)
      for (int m = 0; m < 3; ++m) product[k][l] += a[m][k] * b[m][l];
  return product;
}

void VariationStep::fill_matrix(const std::vector<Point>& stages) {
  for (int i = 0; i < 3; ++i) {
    evaluator_.jacobian(stages[i], Level::acceleration, {.a = 1, .lambda = 1, .xd = 1, .y = 1}, s0_[i]);
    evaluator_.jacobian(stages[i], Level::acceleration, {.v = 1, .x = 1}, by_v_and_x_[i]);
    if (s_.nv() > 0) evaluator_.jacobian(stages[i], Level::acceleration, {.q = 1}, by_q_[i]);
  }
  const int x = s_.nv() + s_.nl();
  const auto& a = method().a;
  double* to = matrix_.data();
  for (int stage = 0; stage < 3; ++stage)
    for (int column = 0; column < s_.n(); ++column) {
      const Column& c = columns_[column];
      const bool coordinate = column < s_.nv(), integrated = coordinate || (column >= x && column < x + s_.nx());
      for (int i = 0; i < 3; ++i) {
        if (i != stage && !integrated) continue;
        std::fill(to, to + c.rows.size(), 0.0);
        for (const Column::Place& place : c.own)
          to[place.row] += (i == stage ? s0_[i][place.entry] : 0) +
                           (integrated ? h_ * a[i][stage] * by_v_and_x_[i][place.entry] : 0);
        for (int part = 0; coordinate && part < (turns(column) ? 3 : 1); ++part) {
          // δθ of the part at stage i by the acceleration at `stage`
          double twice = 0;
          for (int j = 0; j < 3; ++j)
            twice +=
                a[i][j] * a[j][stage] *
                (turns(column) ? relative_rotation(i, j, (column - scalars_) / 3)[part][(column - scalars_) % 3] : 1);
          for (const Column::Place& place : c.of_part[part]) to[place.row] += h_ * h_ * twice * by_q_[i][place.entry];
        }
        to += c.rows.size();
      }
    }
}

std::vector<double> VariationStep::make_right_side(const std::vector<Point>& stages, const Direction& direction,
                                                   const Variation& from) {
  std::vector<double> right;
  for (int i = 0; i < 3; ++i) {
    std::vector<double> sum = compute_parameter_term(evaluator_, stages[i], Level::acceleration, direction, from.d);
    std::vector<double> q = from.q;
    for (int k = 0; k < scalars_; ++k) q[k] += method().c[i] * h_ * from.v[k];
    for (int r = 0; r < rotation_count_; ++r) {
      const int first = scalars_ + 3 * r;
      const math::Matrix3 of_start = relative_rotation(i, -1, r);
      math::Matrix3 of_rate{};
      for (int j = 0; j < 3; ++j) {
        const math::Matrix3 turned = relative_rotation(i, j, r);
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l) of_rate[k][l] += h_ * method().a[i][j] * turned[k][l];
      }
      for (int k = 0; k < 3; ++k) {
        q[first + k] = 0;
        for (int l = 0; l < 3; ++l)
          q[first + k] += of_start[k][l] * from.q[first + l] + of_rate[k][l] * from.v[first + l];
      }
    }
    add_product(s_, by_q_[i], 0, q, sum.data());
    add_product(s_, by_v_and_x_[i], 0, from.v, sum.data());
    add_product(s_, by_v_and_x_[i], s_.nv() + s_.nl(), from.x, sum.data());
    for (double value : sum) right.push_back(-value);
  }
  return right;
}

/// Redundant constraints leave multipliers open, which are damped then.
bool VariationStep::factor() {
  if (lu_->factor(matrix_)) return true;
  if (s_.nl() == 0 || lu_->damping() > 0) return false;
  lu_->set_damping(1e-8);
  return lu_->factor(matrix_);
}

/// Repeated against the undamped matrix, so that damping leaves no trace.
void VariationStep::solve(std::vector<double>& right) {
  if (lu_->damping() == 0) return lu_->solve(right);
  std::vector<double> solution(right.size(), 0.0);
  residual_ = right;
  for (int pass = 0; pass < 4; ++pass) {
    lu_->solve(residual_);
    for (std::size_t i = 0; i < solution.size(); ++i) solution[i] += residual_[i];
    residual_ = right;
    for (std::size_t j = 0; j < solution.size(); ++j)
      for (int e = column_start_[j]; e < column_start_[j + 1]; ++e) residual_[row_[e]] -= matrix_[e] * solution[j];
  }
  right = std::move(solution);
}

bool VariationStep::take(double h, const Point& start, const std::vector<Point>& stages,
                         const std::vector<Direction>& directions, const std::vector<Variation>& from) {
  h_ = h;
  from_ = from;
  rotations_ = find_rotations(start);
  for (const Point& stage : stages)
    for (const math::Matrix3& R : find_rotations(stage)) rotations_.push_back(R);
  fill_matrix(stages);
  if (!factor()) return false;
  rates_.clear();
  for (std::size_t k = 0; k < directions.size(); ++k) {
    rates_.push_back(make_right_side(stages, directions[k], from[k]));
    solve(rates_.back());
  }
  return true;
}

Variation VariationStep::at(std::size_t direction, double s, const Point& point) const {
  Variation v = from_[direction];
  const std::vector<double>& rates = rates_[direction];
  const int n = s_.n(), x = s_.nv() + s_.nl();
  // angles by the rates at the stages
  const std::vector<math::Matrix3> there = find_rotations(point);
  for (int r = 0; r < rotation_count_; ++r) {
    const int first = scalars_ + 3 * r;
    math::Vector3 world{};
    const auto add = [&](int stage, double factor, const std::vector<double>& body) {
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) world[k] += factor * rotation(stage, r)[k][l] * body[l];
    };
    add(-1, 1, {v.q[first], v.q[first + 1], v.q[first + 2]});
    for (int j = 0; j < 3; ++j) {
      std::vector<double> rate(3);
      for (int k = 0; k < 3; ++k) {
        rate[k] = v.v[first + k];
        for (int l = 0; l < 3; ++l) rate[k] += h_ * method().a[j][l] * rates[l * n + first + k];
      }
      add(j, h_ * integrate(j, s).once, rate);
    }
    for (int k = 0; k < 3; ++k) {
      v.q[first + k] = 0;
      for (int l = 0; l < 3; ++l) v.q[first + k] += there[r][l][k] * world[l];
    }
  }
  for (int i = 0; i < scalars_; ++i) v.q[i] += s * h_ * v.v[i];
  for (int j = 0; j < 3; ++j) {
    const Weights w = integrate(j, s);
    for (int i = 0; i < scalars_; ++i) v.q[i] += h_ * h_ * w.twice * rates[j * n + i];
    for (int i = 0; i < s_.nv(); ++i) v.v[i] += h_ * w.once * rates[j * n + i];
    for (int i = 0; i < s_.nx(); ++i) v.x[i] += h_ * w.once * rates[j * n + x + i];
  }
  return v;
}

}  // namespace coenergy::analyze
