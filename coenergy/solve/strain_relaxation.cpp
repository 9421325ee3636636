#include "coenergy/solve/strain_relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "coenergy/math/sparse_lu.hpp"

namespace coenergy::solve {
namespace {

using equations::Point;

constexpr int max_iterations = 60;
constexpr double damping = 1e-12;       // of redundant constraints, relative to the equilibrated matrix
constexpr double softness = 1e-9;       // W² of coordinates, relative to the largest stiffness
constexpr double small_change = 1e-10;  // nominal values
constexpr double largest_move = 0.2;    // m, rad at a time

class Relaxation {
 public:
  Relaxation(equations::Evaluator& evaluator, Statistics& statistics, const std::vector<char>& fixed, const Point& p)
      : evaluator_(evaluator),
        s_(evaluator.system()),
        statistics_(statistics),
        tangent_(s_),
        fixed_(fixed),
        n_(s_.nv() + s_.nl()),
        is_node_(s_.nv(), 0),
        start_(p),
        point_(p),
        by_q_(s_.pattern().row.size()),
        by_lambda_(by_q_),
        residual_(s_.n()),
        right_(n_),
        moved_(s_.nv()),
        step_(s_.nv()) {
    for (auto* part : {&point_.v, &point_.a, &point_.lambda, &point_.xd}) std::fill(part->begin(), part->end(), 0.0);
    for (const auto& body : s_.flexible_bodies())
      for (const equations::FlexibleNode& node : body)
        for (int i = 0; i < 3; ++i) is_node_[node.x[i]] = is_node_[node.turn + i] = 1;
    make_pattern();
    evaluator_.residual(point_, equations::Level::position, residual_);
    rest_.assign(residual_.begin(), residual_.begin() + s_.nv());
  }

  bool run() {
    for (int k = 0; k < max_iterations; ++k) {
      evaluator_.residual(point_, equations::Level::position, residual_);
      ++statistics_.residuals;
      if (!factor()) return false;
      find_right_side();
      lu_->solve(right_);
      double largest = 0;
      for (int i = 0; i < s_.nv(); ++i) largest = std::max(largest, std::abs(right_[i]) / s_.unknown(i).nominal);
      if (!std::isfinite(largest)) return false;
      const double part = largest > largest_move ? largest_move / largest : 1;
      for (int i = 0; i < s_.nv(); ++i) step_[i] = part * right_[i];
      evaluator_.retract(point_.q, step_);
      tangent_.difference(start_.q, point_.q, moved_);
      if (largest <= small_change) return true;
    }
    return false;
  }
  const std::vector<double>& q() const { return point_.q; }

  /// Work of the nodes' forces from the start to here, by Gauss's formula of three points: exact for strains that are
  /// quadratic in the displacement.
  std::vector<double> find_energies() {
    constexpr double nodes[] = {0.1127016653792583, 0.5, 0.8872983346207417}, weights[] = {5. / 18, 8. / 18, 5. / 18};
    std::vector<double> energies(s_.flexible_bodies().size());
    for (int k = 0; k < 3; ++k) {
      Point at = start_;
      at.v = point_.v, at.a = point_.a, at.lambda = point_.lambda, at.xd = point_.xd;
      for (int i = 0; i < s_.nv(); ++i) step_[i] = nodes[k] * moved_[i];
      evaluator_.retract(at.q, step_);
      evaluator_.residual(at, equations::Level::position, residual_);
      for (std::size_t b = 0; b < energies.size(); ++b)
        for (const equations::FlexibleNode& node : s_.flexible_bodies()[b])
          for (int i = 0; i < 3; ++i)
            for (const int c : {node.x[i], node.turn + i})
              energies[b] += weights[k] * (residual_[c] - rest_[c]) * moved_[c];
    }
    return energies;
  }

 private:
  struct Entry {
    int row, column, place;  // in the pattern of the system; −1: a diagonal that it does not have
  };

  void make_pattern() {
    const auto& pattern = s_.pattern();
    std::vector<int> column_start{0}, row;
    for (int column = 0; column < n_; ++column) {
      bool has_diagonal = column >= s_.nv();
      for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k) {
        if (pattern.row[k] >= n_) continue;
        has_diagonal = has_diagonal || pattern.row[k] == column;
        entries_.push_back({pattern.row[k], column, k});
      }
      if (!has_diagonal) entries_.push_back({column, column, -1});
      column_start.push_back(static_cast<int>(entries_.size()));
    }
    for (const Entry& e : entries_) row.push_back(e.row);
    std::vector<int> multipliers(s_.nl());
    std::iota(multipliers.begin(), multipliers.end(), s_.nv());
    lu_.emplace(n_, column_start, row, multipliers);
    lu_->set_damping(damping);
    matrix_.resize(entries_.size());
  }

  bool is_left_out(int multiplier) const { return s_.is_velocity_constraint(multiplier - s_.nv()); }

  bool factor() {
    evaluator_.jacobian(point_, equations::Level::position, {.q = 1}, by_q_);
    evaluator_.jacobian(point_, equations::Level::position, {.lambda = 1}, by_lambda_);
    statistics_.jacobians += 2, ++statistics_.factorizations;
    const int nv = s_.nv();
    double stiffest = 0;
    for (const Entry& e : entries_)
      if (e.place >= 0 && e.row < nv && e.column < nv && is_node_[e.row] && is_node_[e.column])
        stiffest = std::max(stiffest, std::abs(by_q_[e.place]));
    weight_ = stiffest * softness;
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      const Entry& e = entries_[k];
      double value = 0;
      if (e.row < nv && e.column < nv) {
        if (e.place >= 0 && is_node_[e.row] && is_node_[e.column]) value = by_q_[e.place];
        if (e.row == e.column) value += weight_;
      } else if (e.row < nv) {
        value = is_left_out(e.column) ? 0 : by_lambda_[e.place];
      } else if (e.column < nv) {
        value = is_left_out(e.row) ? 0 : by_q_[e.place];
      }
      // fixed coordinates keep their values
      if ((e.row < nv && fixed_[e.row]) || (e.column < nv && fixed_[e.column])) value = e.row == e.column ? 1 : 0;
      matrix_[k] = value;
    }
    return lu_->factor(matrix_);
  }

  void find_right_side() {
    for (int i = 0; i < s_.nv(); ++i)
      right_[i] = fixed_[i] ? 0 : -(is_node_[i] ? residual_[i] - rest_[i] : 0) - weight_ * moved_[i];
    for (int i = s_.nv(); i < n_; ++i) right_[i] = is_left_out(i) ? 0 : -residual_[i];
  }

  equations::Evaluator& evaluator_;
  const equations::System& s_;
  Statistics& statistics_;
  Tangent tangent_;
  const std::vector<char>& fixed_;
  int n_;
  std::vector<char> is_node_;
  Point start_, point_;
  std::vector<Entry> entries_;
  std::vector<double> by_q_, by_lambda_, matrix_, residual_, right_, moved_, step_, rest_;
  double weight_ = 0;
  std::optional<math::SparseLu<double>> lu_;
};

}  // namespace

StrainRelaxation relax_strain(equations::Evaluator& evaluator, Statistics& statistics, const std::vector<char>& fixed,
                              Point& p) {
  Relaxation relaxation(evaluator, statistics, fixed, p);
  StrainRelaxation result;
  result.good = relaxation.run();
  p.q = relaxation.q();
  if (result.good) result.energies = relaxation.find_energies();
  return result;
}

}  // namespace coenergy::solve
