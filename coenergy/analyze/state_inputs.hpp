#pragma once
#include <string>
#include <vector>

#include "coenergy/analyze/actuation.hpp"

namespace coenergy::analyze {

/// Inputs that make a motion by way of states: voltages of motors, whose currents have the forces.
///
///   τ(q, v, a, x_A) = 0      forces that drives would have to add: n equations for n states x_A, at every row
///   ẋ_A                       of the x_A of neighbouring rows, by polynomials through seven of them
///   ẋ_A(u) = ẋ_A              the rows of states and algebraic variables, for n inputs u, all other rates and variables
///
/// x_A are the states whose rates the inputs change. All other states but the energy account must have no part in this.
class StateInputs {
 public:
  /// `p` is a point of the motion; `inputs` are parameters by index. Throws Error where inputs do not move as many states
  /// as there are of them, or where other states matter.
  StateInputs(equations::Evaluator& evaluator, const equations::Point& p, std::vector<int> inputs);

  const std::vector<int>& inputs() const { return inputs_; }
  std::vector<std::string> states() const;  ///< names of x_A

  /// The next row of the motion: false where no x_A makes it.
  bool add(const equations::Point& p);
  /// Of every row the values of the inputs, then those of x_A. Throws Error for fewer than seven rows; nothing where the
  /// inputs cannot make the rates.
  std::optional<math::Matrix> compute();

 private:
  bool find_states(equations::Point& p);
  bool find_inputs(equations::Point& p, const std::vector<double>& rates, std::vector<double>& u);
  math::Matrix matrix_of_rates(const equations::Point& p, bool with_inputs);
  std::vector<double> residual(const equations::Point& p);
  void choose_states(const equations::Point& p);
  void check_others(const equations::Point& p);

  equations::Evaluator* evaluator_;
  std::vector<int> inputs_, chosen_, others_;  // parameters, states
  Actuation actuation_;
  std::vector<equations::Point> rows_;
};

}  // namespace coenergy::analyze
