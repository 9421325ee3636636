#pragma once
#include <cmath>
#include <memory>
#include <vector>

#include "coenergy/equations/signal_reader.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/solve/newton.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/solve/redundancy.hpp"
#include "coenergy/solve/tangent.hpp"

namespace coenergy::solve {

struct StepOutcome {
  bool good = false;
  double error = 0;     ///< estimate in units of the tolerance; 0 for methods without one
  NewtonReport newton;  ///< of the solve that failed
  /// The next step should be at most this many times as long, or of a step that failed this part of it, for Newton's
  /// iteration to converge well: its rate is about proportional to the step. 0: not known.
  double newton_limit = 0;
  /// Of a method that chooses its own steps: the step that it can make, where it is shorter than the one asked for. 0:
  /// that one.
  double longest = 0;
};

/// A method of integration, one step at a time. A step starts at an accepted, consistent point and may be tried again
/// with another size; only accept() moves the method's memory on.
class Stepper {
 public:
  explicit Stepper(equations::Evaluator& evaluator);
  virtual ~Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  /// The motion is smooth only from p on: what the method remembers from before is void.
  virtual void begin(const equations::Point& p) = 0;
  /// Whether the motion goes on smoothly through p, the end of the last step, although modes have changed there: its
  /// accelerations, rates and algebraic variables still solve the equations. Then begin() need not be called.
  virtual bool continues(const equations::Point& p) { return static_cast<void>(p), false; }
  /// From `from` over h; `to` has all its vectors sized and is overwritten except for d.
  virtual StepOutcome step(const equations::Point& from, double h, equations::Point& to) = 0;
  virtual void accept(const equations::Point& from, const equations::Point& to) = 0;
  /// q, v and x at from.t + s·(to.t − from.t), 0 ≤ s ≤ 1, in the last step. Cubic Hermite polynomials unless the method
  /// has better.
  virtual void interpolate(const equations::Point& from, const equations::Point& to, double s, equations::Point& at);
  /// Whether interpolate() also gives a, λ, ẋ and y, so that they need not be solved for. A stiff state that is only
  /// interpolated can make them wrong by far more than itself.
  virtual bool interpolates_all() const { return false; }
  /// Solves the equations at a point that interpolate() gave in the last step, with what the step has at hand; false
  /// where it has nothing, or that does not converge.
  virtual bool solve_between(equations::Point& at) { return static_cast<void>(at), false; }
  /// Points inside the last step at which the equations were solved too.
  virtual int inner_points() const { return 0; }
  virtual const equations::Point& inner_point(int i) const { return static_cast<void>(i), inner_; }
  /// What interpolate() must give; everything, unless told otherwise. The rest of the point stays as it was.
  void want(const equations::SignalReader::Needs& needs) { wanted_ = needs; }
  /// The error of a step is proportional to this power of its size.
  virtual int error_order() const = 0;
  /// The next step of a method that controls its error itself; 0 for all others.
  virtual double suggested_step() const { return 0; }
  /// All that the next steps depend on, to the last bit; scratch memory is left out. A saved run calls this between
  /// accept() or begin() and step().
  virtual void visit(StateArchive& archive) = 0;

 protected:
  Tangent tangent_;
  equations::Evaluator* evaluator_;
  equations::SignalReader::Needs wanted_;

 private:
  std::vector<double> theta_, rate_;
  equations::Point inner_;
};

/// The largest of errors relative to atol·nominal + rtol·|value|. Not their mean: of a hundred gates in a chain one
/// switches at a time, and the 99 others, which rest, would hide its error.
class ErrorNorm {
 public:
  ErrorNorm(const equations::System& system, const Options& options);
  void clear() { largest_ = {}; }
  /// Errors gathered apart from the norm, in registers.
  struct Largest {
    double value = 0;
  };
  void add_state(Largest& largest, int i, double error, double size) const { add(largest, error, size, nominal_x_[i]); }
  void add_algebraic(Largest& largest, int i, double error, double size) const {
    add(largest, error, size, nominal_y_[i]);
  }
  void add(const Largest& largest) { keep(largest_, largest.value); }

  void add_position(int i, double error, double size) { add(largest_, error, size, nominal_v_[i]); }
  void add_velocity(int i, double error, double size) { add(largest_, error, size, nominal_v_[i]); }
  void add_state(int i, double error, double size) { add(largest_, error, size, nominal_x_[i]); }
  void add_algebraic(int i, double error, double size) { add(largest_, error, size, nominal_y_[i]); }
  double allowed_velocity(int i, double size) const { return atol_ * nominal_v_[i] + rtol_ * size; }
  double allowed_state(int i, double size) const { return atol_ * nominal_x_[i] + rtol_ * size; }
  double allowed_algebraic(int i, double size) const { return atol_ * nominal_y_[i] + rtol_ * size; }
  double rtol() const { return rtol_; }
  /// Not a number where any error is none.
  double value() const { return largest_.value; }

 private:
  void add(Largest& largest, double error, double size, double nominal) const {
    keep(largest, std::abs(error) / (atol_ * nominal + rtol_ * size));
  }
  static void keep(Largest& largest, double value) {
    if (value > largest.value || value != value) largest.value = value;
  }
  double rtol_, atol_;
  std::vector<double> nominal_v_, nominal_x_, nominal_y_;
  Largest largest_;
};

/// The method that options name, for a system with such constraints.
std::unique_ptr<Stepper> make_stepper(equations::Evaluator& evaluator, const Options& options, Statistics& statistics,
                                      const Redundancy& redundancy);

}  // namespace coenergy::solve
