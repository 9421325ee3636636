#pragma once
#include <memory>
#include <vector>

#include "coenergy/solve/newton.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/solve/redundancy.hpp"
#include "coenergy/solve/tangent.hpp"
#include "coenergy/system/signal_reader.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::solve {

struct StepOutcome {
  bool good = false;
  double error = 0;     ///< estimate in units of the tolerance; 0 for methods without one
  NewtonReport newton;  ///< of the solve that failed
};

/// A method of integration, one step at a time. A step starts at an accepted, consistent point and may be tried again
/// with another size; only accept() moves the method's memory on.
class Stepper {
 public:
  explicit Stepper(system::Evaluator& evaluator);
  virtual ~Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  /// The motion is smooth only from p on: what the method remembers from before is void.
  virtual void begin(const system::Point& p) = 0;
  /// Whether the motion goes on smoothly through p, the end of the last step, although modes have changed there: its
  /// accelerations, rates and algebraic variables still solve the equations. Then begin() need not be called.
  virtual bool continues(const system::Point& p) { return static_cast<void>(p), false; }
  /// From `from` over h; `to` has all its vectors sized and is overwritten except for d.
  virtual StepOutcome step(const system::Point& from, double h, system::Point& to) = 0;
  virtual void accept(const system::Point& from, const system::Point& to) = 0;
  /// q, v and x at from.t + s·(to.t − from.t), 0 ≤ s ≤ 1, in the last step. Cubic Hermite polynomials unless the method
  /// has better.
  virtual void interpolate(const system::Point& from, const system::Point& to, double s, system::Point& at);
  /// Whether interpolate() also gives a, λ, ẋ and y, so that they need not be solved for. A stiff state that is only
  /// interpolated can make them wrong by far more than itself.
  virtual bool interpolates_all() const { return false; }
  /// What interpolate() must give; everything, unless told otherwise. The rest of the point stays as it was.
  void want(const system::SignalReader::Needs& needs) { wanted_ = needs; }
  /// The error of a step is proportional to this power of its size.
  virtual int error_order() const = 0;
  /// The next step of a method that controls its error itself; 0 for all others.
  virtual double suggested_step() const { return 0; }

 protected:
  Tangent tangent_;
  system::Evaluator* evaluator_;
  system::SignalReader::Needs wanted_;

 private:
  std::vector<double> theta_, rate_;
};

/// Root mean square of errors relative to atol·nominal + rtol·|value|.
class ErrorNorm {
 public:
  ErrorNorm(const system::System& system, const Options& options);
  void clear() { sum_ = {}; }
  /// Errors summed apart from the norm, in registers.
  struct Sum {
    double squares = 0;
    int count = 0;
  };
  void add_state(Sum& sum, int i, double error, double size) const { add(sum, error, size, nominal_x_[i]); }
  void add_algebraic(Sum& sum, int i, double error, double size) const { add(sum, error, size, nominal_y_[i]); }
  void add(const Sum& sum) { sum_.squares += sum.squares, sum_.count += sum.count; }

  void add_position(int i, double error, double size) { add(error, size, nominal_v_[i]); }
  void add_velocity(int i, double error, double size) { add(error, size, nominal_v_[i]); }
  void add_state(int i, double error, double size) { add(error, size, nominal_x_[i]); }
  void add_algebraic(int i, double error, double size) { add(error, size, nominal_y_[i]); }
  double value() const;

 private:
  void add(Sum& sum, double error, double size, double nominal) const {
    const double relative = error / (atol_ * nominal + rtol_ * size);
    sum.squares += relative * relative;
    ++sum.count;
  }
  void add(double error, double size, double nominal) { add(sum_, error, size, nominal); }
  double rtol_, atol_;
  std::vector<double> nominal_v_, nominal_x_, nominal_y_;
  Sum sum_;
};

/// The method that options name, for a system with such constraints.
std::unique_ptr<Stepper> make_stepper(system::Evaluator& evaluator, const Options& options, Statistics& statistics,
                                      const Redundancy& redundancy);

}  // namespace coenergy::solve
