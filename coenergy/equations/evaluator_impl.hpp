#pragma once
#include <span>
#include <vector>

#include "coenergy/equations/data.hpp"

namespace coenergy::equations {

/// The memory of an evaluator; for evaluator.cpp (residuals, matrices, signals), evaluator_derivatives.cpp and
/// evaluator_events.cpp.
struct Evaluator::Impl {
  explicit Impl(System s);
  const double* load(const Point& p);
  bool update_modes(Point& p, bool comparisons_only, std::span<const char> held);
  /// Inputs of an instance: the value array itself, or gathered from it.
  const double* inputs(const Instance& instance);
  /// The outputs of a function, until the next call.
  const double* call(const symbolic::Function& f, const double* in);
  /// r = ∂R/∂(a value that is no unknown), by its place in the value array.
  void add_partials(const Point& p, Level level, int input, std::span<double> r);
  Gradient gradient(const Point& p, const symbolic::Expr& e);
  Gradient energy_gradient(const Point& p);
  /// Adds the partial derivatives of an expression of an instance to those by all values.
  void add_gradient(const Instance& instance, const symbolic::Expr& e, std::vector<double>& all);
  Gradient split(const Point& p, const std::vector<double>& all) const;

  System system;
  const System::Data& data;
  std::vector<double> values, gathered;
  void follow_clocks(int parameter);
  Workspace memory;
  std::vector<Clock> clocks;  ///< for the present parameters
};

}  // namespace coenergy::equations
