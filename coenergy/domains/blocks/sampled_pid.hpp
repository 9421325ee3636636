#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Digital PID controller with the sampling period T (Brüls 2005, eqs. 4.125–4.127):
///
///   x_{k+1} = x_k + T (θ_{k+1} − θ_ref,k+1),   y_k = −kp (θ_k − b θ_ref,k) − ki x_k − kd θ̇_k,   held within ±limit
///
/// y is held from t_k = offset + k T to t_{k+1}; x_0 = 0. θ̇_k is `rate` where given, else the difference of θ − c θ_ref
/// between two samples over T. b is setpoint_weight (1), c derivative_weight (0). Inputs are sampled
/// as they are just before the instant; there is no computing delay. With `anti_windup: clamp` x stops while the output
/// is limited and the error would drive it further.
struct SampledPid {
  Parameter reference, measure, rate, kp, ki, kd, weight, derivative_weight, limit;
  Sampling sampling;
  Choice anti_windup;
  Discrete x, y;

  void describe(Description& d);
  void equations(Equations& eq) const;
};

}  // namespace coenergy::domains::blocks
