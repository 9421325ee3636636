#pragma once
#include <optional>
#include <vector>

#include "coenergy/analyze/direction.hpp"
#include "coenergy/analyze/response.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/math/sparse_lu.hpp"

namespace coenergy::analyze {

/// Derivatives of the variables to one parameter, at a fixed time: δz = ∂z/∂p.
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
///   R_q δq + R_v δv + R_a δa + R_λ δλ + R_x δx + R_ẋ δẋ + R_y δy + R_d δd + R_p = 0,  δq̇ = δv, δv̇ = δa
///
/// by Radau IIA with three stages, along the motion given at the three stages. Where that motion is a step of the same
/// method the result is the derivative of the step itself. The matrix is that of all stages at once, factored once for
/// all directions.
class VariationStep {
 public:
  explicit VariationStep(equations::Evaluator& evaluator);
  /// `stages` are the points at from + c_i h. False where the equations are singular.
  bool take(double h, const std::vector<equations::Point>& stages, const std::vector<Direction>& directions,
            const std::vector<Variation>& from);
  /// The variation of a direction at a part s of the step, 0 … 1, on the collocation polynomial.
  Variation at(std::size_t direction, double s) const;

 private:
  void fill_matrix(const std::vector<equations::Point>& stages);
  std::vector<double> make_right_side(const std::vector<equations::Point>& stages, const Direction& direction,
                                      const Variation& from);

  equations::Evaluator& evaluator_;
  const equations::System& s_;
  double h_ = 0;
  std::vector<int> column_start_, row_;
  std::vector<double> matrix_;
  std::optional<math::SparseLu<double>> lu_;
  // of each stage, in the pattern of the system: by (a, λ, ẋ, y), by (v, x), by q
  std::vector<double> s0_[3], by_v_and_x_[3], by_q_[3];
  std::vector<Variation> from_;
  std::vector<std::vector<double>> rates_;  // of each direction: (δa, δλ, δẋ, δy) of the three stages
};

}  // namespace coenergy::analyze
