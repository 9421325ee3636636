#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "coenergy/analyze/direction.hpp"
#include "coenergy/analyze/minimal_coordinates.hpp"
#include "coenergy/analyze/response.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/math/matrix.hpp"

namespace coenergy::analyze {

/// Whether a signal or state belongs to the energy account, which is kept where energy.dissipated is a state.
bool is_of_account(const equations::System& s, const std::string& name);

/// Deviations of all variables of a point by those that a linear model has as states and inputs.
///
/// States are minimal coordinates, independent rates, then states of first order without the energy account. Inputs are
/// parameters, with all that follows them.
class LinearDeviations {
 public:
  /// `inputs` are parameters, `outputs` signals, by index. Throws coenergy::Error for inputs that are built in or move
  /// a constraint or the instants of samples, and where the equations are singular.
  LinearDeviations(equations::Evaluator& evaluator, const equations::Point& point, std::vector<int> inputs,
                   std::vector<int> outputs);

  const MinimalCoordinates& minimal() const { return minimal_; }
  const std::vector<int>& first_order() const { return first_order_; }  ///< states of the system that are kept
  int states() const {
    return static_cast<int>(minimal_.independent.size() + minimal_.rates.size() + first_order_.size());
  }

  Deviation of_state(int j);
  Deviation of_input(int j) { return of_parameters(inputs_[j].parameters); }
  /// By the rate of an input; nothing where the equations do not hold it.
  std::optional<Deviation> of_input_rate(int j);
  Deviation of_discrete(int k);  ///< by a discrete variable
  const Direction& input(int j) const { return inputs_[j]; }
  const Direction& input_rate(int j) const { return rates_[j]; }

  /// The rates of the states, and the outputs with parameters and discrete variables that change, as a column.
  void put_rates(const Deviation& d, math::Matrix& result, int column) const;
  void put_outputs(const Deviation& d, const Direction& parameters, const std::vector<double>& discretes,
                   math::Matrix& result, int column) const;

 private:
  Deviation of_parameters(const std::vector<std::pair<int, double>>& slopes);
  Deviation nothing() const;
  void check_input(int parameter, const Direction& input);

  equations::Evaluator& evaluator_;
  const equations::System& s_;
  equations::Point point_;
  MinimalCoordinates minimal_;
  Response response_;
  std::vector<int> first_order_;
  std::vector<Direction> inputs_, rates_;  // what changes with an input, and with its rate
  std::vector<equations::Evaluator::Gradient> gradients_;
};

}  // namespace coenergy::analyze
