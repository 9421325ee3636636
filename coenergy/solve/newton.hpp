#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/solve/linear_matrix.hpp"
#include "coenergy/solve/result.hpp"
#include "coenergy/solve/round_off.hpp"
#include "coenergy/solve/tangent.hpp"

namespace coenergy::solve {

/// Unknowns that are multipliers: the ones that may be damped in a factorisation.
std::vector<int> multiplier_indices(const equations::System& system);

/// How the configuration, velocities and states at one instant follow from the unknowns (a, λ, ẋ, y) solved for:
///
///   q = q₀ ∘ exp(θ₀ + c_q a),   v = v₀ + c_v a,   x = x₀ + c_x ẋ
///
/// Every implicit one-stage method is a choice of these numbers; all zero with the constraints at acceleration level is
/// the restart solve.
struct Rule {
  equations::Level level = equations::Level::position;
  double cq = 0, cv = 0, cx = 0;
  std::vector<double> q0{}, theta0{}, v0{}, x0{};
};

struct NewtonReport {
  bool converged = false;
  int iterations = 0;
  double left = 0;  ///< what further corrections would sum up to, in units of the tolerance
  // where it did not converge
  int worst_row = -1;        ///< largest residual relative to the coefficients of its row
  double residual = 0;       ///< of that row
  bool singular = false;     ///< the matrix could not be factored …
  int singular_column = -1;  ///< … for want of a pivot for this unknown

  /// The matrix could not be factored; columns and rows of bound variables have no names.
  void note_singular(const equations::System& system, int column, int row);
  /// "largest residual: cylinder.a mass balance, 3.1e4", or which unknown is not determined.
  std::string text(const equations::System& system) const;
};

struct NewtonSettings {
  double tolerance = 1e-8;
  int max_iterations = 20;
  bool line_search = false;  ///< halve a correction that makes the residual larger
};

/// Newton's iteration for R(t, q, v, a, λ, x, ẋ, y, d) = 0 in (a, λ, ẋ, y) under a Rule.
///
/// The matrix is S = ∂R/∂(a, λ, ẋ, y) + c_v ∂R/∂v + c_q ∂R/∂q + c_x ∂R/∂x, exact up to T(θ) ≈ 1 in the columns of
/// rotations. It is kept, also from one solve to the next with the same rule, while corrections shrink at least tenfold
/// per iteration; a small correction by a matrix that is kept counts only where the residual confirms it. Converged when
/// every correction of a, ẋ and y is below tolerance · max(|value|, nominal), or below the round-off that q and x
/// allow, or when corrections no longer shrink and all rows are round-off. Multipliers
/// follow from the others and are not tested. A matrix that is singular because constraints are redundant is damped
/// (see SparseLu), which gives the multipliers of smallest change. Next to a singular position damping converges too
/// slowly; then the multipliers of constraints that are redundant anyway keep their values, and all others are solved
/// for without damping.
class Newton {
 public:
  Newton(equations::Evaluator& evaluator, const NewtonSettings& settings, Statistics& statistics);

  /// Starts from a, λ, ẋ, y of p; t and d are given. Leaves all of p at the solution, or at the last iterate.
  NewtonReport solve(const Rule& rule, equations::Point& p);
  /// To be called when R changed by itself: new modes, new parameters. The matrix of a linear system is kept where it is
  /// the same.
  void forget_matrix() { has_matrix_ = has_matrix_ && linear_.is_linear(); }
  /// `spare`: multipliers, counted from 0, of constraints that follow from the others wherever the mechanism goes.
  void damp_multipliers(std::vector<int> spare = {});
  bool is_damped() const { return lu_.damping() > 0; }
  void visit(StateArchive& archive) {
    archive(lu_, matrix_, linear_, spare_, holds_spare_, has_matrix_, matrix_cq_, matrix_cv_, matrix_cx_,
            matrix_level_);
  }

 private:
  NewtonReport iterate(const Rule& rule, equations::Point& p);
  void place_on_rule(const Rule& rule, equations::Point& p);
  bool update_matrix(const Rule& rule, const equations::Point& p);
  void correct(equations::Point& p, double factor) const;
  double correction_size(const Rule& rule, const equations::Point& p) const;
  bool moves_multipliers(const equations::Point& p) const;
  bool is_round_off(const equations::Point& p, const std::vector<double>& residual);
  bool have_rows_shrunk(const equations::Point& p);
  double residual_size() const;
  bool evaluate(const Rule& rule, equations::Point& p);
  bool search_line(const Rule& rule, equations::Point& p, double size_before);
  NewtonReport fail(NewtonReport report) const;

  equations::Evaluator* evaluator_;
  NewtonSettings settings_;
  Statistics* statistics_;
  Tangent tangent_;
  const equations::SparsePattern* pattern_;
  math::SparseLu<double> lu_;
  RoundOff round_off_;
  const bool is_restart_linear_;
  LinearMatrix linear_;
  std::vector<double> nominal_, matrix_, residual_, before_, delta_, theta_, bound_;
  std::vector<int> spare_;  // unknowns
  bool holds_spare_ = false;
  equations::Point given_;
  bool has_matrix_ = false;
  double matrix_cq_ = 0, matrix_cv_ = 0, matrix_cx_ = 0;
  equations::Level matrix_level_ = equations::Level::position;
};

}  // namespace coenergy::solve
