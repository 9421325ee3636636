#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/solve/constraint_rows.hpp"

namespace coenergy::solve {

/// Start positions and rates that satisfy the constraints, with the smallest change of what has a start value.
///
///   ⎡W   Φ_zᵀ⎤ ⎡z⎤   ⎡−W m⎤
///   ⎣Φ_z   0 ⎦ ⎣μ⎦ = ⎣ −Φ ⎦ repeated,   δq = T z,   Φ_z = Φ_q T,   m = Σ z,   W = diag(w/nominal²)
///
/// Coordinates marked as fixed do not move. w = 1 of coordinates with a start value of their own, given as a guess or
/// by default; those that follow (poses of bodies that hang on joints, joints that close loops, nodes of struts and
/// gears) weigh next to nothing and take what they can before any other moves. What need not move stays to the last
/// digit.
///
/// While it is `rigid`, a flexible body moves without strain, by six numbers: u of its first node and ω, world axes;
/// node k with δx = u + ω × (x_k − x_0) and δθ = R_kᵀ ω in body axes (and by finite turns). Redundant constraints are
/// allowed.
class Assembly {
 public:
  Assembly(equations::Evaluator& evaluator, Statistics& statistics, bool rigid);

  using Outcome = ConstraintRows::Outcome;
  /// Φ(q, t) = 0 by moving p.q; `fixed` has nv marks.
  Outcome close_position(equations::Point& p, std::vector<char> fixed);
  /// Comes nearer to Φ = 0 from where close_position() leads nowhere: the same corrections with multipliers that give
  /// way, so that no constraint may demand a far move.
  void approach(equations::Point& p, std::vector<char> fixed);
  /// Φ̇ = 0 by changing p.v.
  Outcome close_velocity(equations::Point& p, std::vector<char> fixed);
  const ConstraintRows& rows() const { return rows_; }

 private:
  /// Column of T: a coordinate by itself (body −1), or part 0 … 5 of the motion of a flexible body.
  struct Unknown {
    int body = -1, part = 0, coordinate = 0;
    double weight = 1;
  };
  /// A row of T: the coordinate itself, or what it is of which node.
  struct Coordinate {
    int first = 0;  // unknown
    int body = -1, node = 0, axis = 0;
    bool turns = false;
  };
  void number_unknowns(bool rigid);
  void make_pattern();
  /// The row of T of a coordinate, one or six numbers.
  std::array<double, 6> row_of_map(const equations::Point& p, const Coordinate& c) const;
  bool factor(const equations::Point& p, equations::Level level);
  Outcome iterate(equations::Point& p);
  Outcome change_rates(equations::Point& p);
  bool is_as_good(const Outcome& later, const Outcome& before) const;
  bool fix_unmoved(std::span<const double> from, std::span<const double> to);
  double limited(const equations::Point& p) const;
  void move(equations::Point& p, double factor);
  bool is_fixed(const Unknown& z) const { return z.body < 0 && fixed_[z.coordinate] != 0; }

  equations::Evaluator* evaluator_;
  Statistics* statistics_;
  const equations::System& s_;
  Tangent tangent_;
  ConstraintRows rows_;
  std::vector<Unknown> unknowns_;
  std::vector<Coordinate> coordinates_;
  int nz_ = 0, nl_;
  struct Place {
    int in_matrix, in_transpose, coordinate, part, entry;
  };
  std::vector<Place> places_;
  std::vector<int> column_start_, row_, diagonal_;
  std::vector<char> fixed_;
  std::vector<double> values_, rhs_, moved_, dq_;
  std::optional<math::SparseLu<double>> lu_;
};

}  // namespace coenergy::solve
