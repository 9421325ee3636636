#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/component_modes.hpp"
#include "coenergy/math/sparse_matrix.hpp"
#include "coenergy/reduce/rigid_motion.hpp"

namespace coenergy::reduce {

/// What of a mechanism a reduced model is made of, by name.
struct Choice {
  std::vector<std::string> theta;       ///< joints whose coordinates are the rigid ones, θ
  std::vector<std::string> directions;  ///< signals of positions whose loads are to be followed: constraint modes
  std::vector<std::string> sensors;     ///< further signals of positions, told in the coordinates of the reduced model
  std::vector<std::string> gravity;     ///< parameters of the gravity field
  int internal = 3;                     ///< internal modes
  int candidates = 5;                   ///< that many are computed, to find the internal ones again elsewhere
};

/// A flexible or rigid mechanism at rest and free of strain, as the reduction looks at it. u = (q, λ):
///
///   K = ⎡∂R/∂q  Φ_qᵀ⎤     M = ∂R/∂a     in the rows of balances, without gravity
///       ⎣ Φ_q     0 ⎦
///
/// Throws Error for names that do not exist, for states, algebraic variables and non-holonomic constraints.
class Mechanism {
 public:
  Mechanism(const equations::System& system, const Choice& choice, const equations::Point& start);

  const equations::System& system() const { return evaluator_.system(); }
  equations::Evaluator& evaluator() { return evaluator_; }
  const Choice& choice() const { return choice_; }
  const equations::Point& start() const { return start_; }

  const std::vector<int>& theta() const { return theta_; }
  std::vector<double> theta_of(const equations::Point& p) const;
  int directions() const { return int(directions_.size()); }
  const std::vector<std::string>& sensor_names() const { return sensor_names_; }  ///< directions, then the others
  /// The derivative of a sensor to the coordinates.
  std::vector<double> sensor_row(const equations::Point& p, int sensor);

  math::SparseMatrix stiffness(const equations::Point& p);
  math::SparseMatrix mass(const equations::Point& p);
  math::SparseMatrix damping(const equations::Point& p);
  /// K with θ held, of rigid motions alone; and K with θ and the constraint directions held. Throws Error where the
  /// mechanism moves freely then.
  math::ComponentModes hold_rigid(const equations::Point& p, const RigidMotion& motion);
  math::ComponentModes hold_all(const equations::Point& p);
  /// Balances and Φ at p, n_q + n_λ numbers.
  std::vector<double> residual(const equations::Point& p);
  /// The force of gravity on the coordinates.
  std::vector<double> gravity(const equations::Point& p);

 private:
  math::SparseMatrix matrix(const equations::Point& p, const equations::Weights& weights, int rows);
  [[noreturn]] void refuse(const std::string& name, const std::string& held) const;
  void check_kinds() const;
  void set_gravity(bool on);

  equations::Evaluator evaluator_;
  Choice choice_;
  equations::Point start_;
  std::vector<int> theta_, directions_, sensors_;
  std::vector<std::string> sensor_names_;
  std::vector<int> gravity_;
  std::vector<double> gravity_values_;
};

}  // namespace coenergy::reduce
