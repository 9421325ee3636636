#pragma once
#include <optional>
#include <vector>

#include "coenergy/analyze/direction.hpp"
#include "coenergy/analyze/response.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/math/rotation.hpp"
#include "coenergy/math/sparse_lu.hpp"

namespace coenergy::analyze {

/// Derivatives of the variables to one parameter, at a fixed time: δz = ∂z/∂p. Those of q along the tangent, nv numbers:
/// of a rotation a vector in body axes.
struct Variation {
  std::vector<double> q, v, x, d;
};

/// ∂R/∂p + ∂R/∂d δd at a point, constraints at a level.
std::vector<double> compute_parameter_term(equations::Evaluator& evaluator, const equations::Point& point,
                                           equations::Level level, const Direction& direction,
                                           const std::vector<double>& d);

/// All derivatives that follow from those of q, v, x and d.
Deviation complete_variation(Response& response, const Variation& variation, const std::vector<double>& term);

/// Derivative of a value by its gradient.
double differentiate(const equations::Evaluator::Gradient& gradient, const Deviation& deviation,
                     const std::vector<double>& d, const Direction& direction);

/// One step of the variational equations
///
///   R_q δθ + R_v δv + R_a δa + R_λ δλ + R_x δx + R_ẋ δẋ + R_y δy + R_d δd + R_p = 0,   δv̇ = δa
///
/// (constraints at acceleration level) by Radau IIA with three stages, along the motion given at the three stages.
/// Where that motion is a step of the same method the result is the derivative of the step itself. The matrix is that
/// of all stages at once, factored once for all directions.
///
/// δθ of a scalar coordinate is δq, and δθ̇ = δv. That of a rotation is a vector in body axes, δθ̇ = δω − ω × δθ: in
/// world axes φ = R δθ, φ̇ = R δω, so that with the R of the stages
///
///   δθ_i = R_iᵀ (R_0 δθ_0 + h Σ a_ij R_j δω_j),   δω_j = δω_0 + h Σ a_jk δα_k.
class VariationStep {
 public:
  explicit VariationStep(equations::Evaluator& evaluator);
  /// `stages` are the points at from + c_i h, of the motion that is at `start` before. False where the equations are
  /// singular.
  bool take(double h, const equations::Point& start, const std::vector<equations::Point>& stages,
            const std::vector<Direction>& directions, const std::vector<Variation>& from);
  /// The variation of a direction at a part s of the step, 0 … 1, where the motion is at `point`.
  Variation at(std::size_t direction, double s, const equations::Point& point) const;

 private:
  /// A column of one stage: rows of the stages that coordinates reach, and where entries of the system's matrix go.
  struct Column {
    std::vector<int> rows;
    struct Place {
      int entry, row;  // in the pattern of the system; among rows
    };
    std::vector<Place> own;
    std::vector<Place> of_part[3];  // of the columns of its rotation, or its own
  };
  void make_pattern();
  void fill_matrix(const std::vector<equations::Point>& stages);
  bool factor();
  void solve(std::vector<double>& right);
  std::vector<double> make_right_side(const std::vector<equations::Point>& stages, const Direction& direction,
                                      const Variation& from);
  bool turns(int coordinate) const { return coordinate >= scalars_; }
  /// R of rotation r at stage i, in the world; stage −1: the start.
  const math::Matrix3& rotation(int stage, int r) const { return rotations_[(stage + 1) * rotation_count_ + r]; }
  math::Matrix3 relative_rotation(int i, int j, int r) const;  ///< R_iᵀ R_j
  std::vector<math::Matrix3> find_rotations(const equations::Point& p) const;

  equations::Evaluator& evaluator_;
  const equations::System& s_;
  int scalars_, rotation_count_;
  double h_ = 0;
  std::vector<Column> columns_;
  std::vector<int> column_start_, row_;
  std::vector<double> matrix_, residual_;
  std::optional<math::SparseLu<double>> lu_;
  // of each stage, in the pattern of the system: by (a, λ, ẋ, y), by (v, x), by q
  std::vector<double> s0_[3], by_v_and_x_[3], by_q_[3];
  std::vector<math::Matrix3> rotations_;  // of the start and of the stages
  std::vector<Variation> from_;
  std::vector<std::vector<double>> rates_;  // of each direction: (δa, δλ, δẋ, δy) of the three stages
};

}  // namespace coenergy::analyze
