#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// PID controller, derivative on the measurement (Åström, Hägglund: PID Controllers, 1995):
///
///   ẋ = θ − θ_ref,   y = −kp (θ − b θ_ref) − ki x − kd (θ̇ − c θ̇_ref),   held within ±limit
///
/// θ measure, θ_ref reference, b setpoint_weight (1), c derivative_weight (0). θ̇ − c θ̇_ref is `rate` where given; else it is the filtered derivative s/(1 + filter·s) of
/// θ − c θ_ref, which starts at zero: ż = (θ − c θ_ref − its value at the start − z)/filter, z(0) = 0. With `tracking` the integrator follows a limited output
/// with this time constant (back-calculation): ẋ = θ − θ_ref + (v − y)/(ki·tracking), v the output before the limit.
struct Pid {
  Parameter reference, measure, rate, kp, ki, kd, weight, derivative_weight, filter, limit, tracking;

  void describe(Description& d);
  void equations(Equations& eq) const;
};

}  // namespace coenergy::domains::blocks
