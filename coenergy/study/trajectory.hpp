#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/study/minimum.hpp"

namespace coenergy::study {

/// The best motion of a machine between two states, as a section of the model file asks for it:
///
///   optimize:
///     inputs: {T1.tau: {min: -10 N.m, max: 10 N.m}, …}   entries that are free functions of time
///     time: {min: 0.1 s, max: 5 s, guess: 1 s}           how long it lasts; one value: so long
///     end: {hip.q: 90 deg, hip.qd: 0 rad/s}              signals at the end, from the start that the model has
///     limits: {hip.qd: {min: -3 rad/s, max: 3 rad/s}}    signals on the way
///     minimize: time                                     or {integral: "T1.tau^2 + T2.tau^2"}
///     intervals: 50
///
/// Direct collocation by Hermite and Simpson: at both ends and in the middle of each interval of length h all variables
/// z = (q, v, a, x, ẋ, y) and the inputs u are unknowns, which satisfy the equations of the model themselves,
/// R(t, z, u) = 0, and
///
///   s_m = ½ (s_k + s_{k+1}) + h/8 (ṡ_k − ṡ_{k+1}),   s_{k+1} = s_k + h/6 (ṡ_k + 4 ṡ_m + ṡ_{k+1}),   s = q, v, x
///
/// of order 4 where inputs are smooth; a jump of an input is a ramp over half an interval. Derivatives are those of the
/// model's own equations, sparse; second derivatives are differences of them.
class Trajectory {
 public:
  /// Throws Error with the mistakes of the section, and where the machine has closed loops, free rotations, events or
  /// samples.
  Trajectory(const model::Model& model,
             const std::function<equations::System(const model::Model&, const std::vector<std::string>&)>& compile);
  ~Trajectory();

  /// Whether the section `optimize` of a model asks for a motion.
  static bool is_wanted(const model::Model& model);

  Minimisation problem() const;
  /// A motion as a table: time, inputs, and all signals, at the nodes.
  struct Course {
    std::vector<std::string> names, units;
    std::vector<double> values;  ///< row by row
    double duration = 0;
    int inputs = 0;
  };
  Course course(const std::vector<double>& x) const;
  bool minimizes_time() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coenergy::study
