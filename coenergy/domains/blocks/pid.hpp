#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// PID controller, derivative on the measurement (Åström, Hägglund: PID Controllers, 1995):
///
///   ẋ = θ − θ_ref,   y = −kp (θ − θ_ref) − ki x − kd θ̇,   held within ±limit
///
/// θ measure, θ_ref reference. θ̇ is `rate` where given; else it is the filtered derivative s/(1 + filter·s) of θ, which
/// starts from θ(0) = 0 (give `rate` to avoid that transient). With `tracking` the integrator follows a limited output
/// with this time constant (back-calculation): ẋ = θ − θ_ref + (v − y)/(ki·tracking), v the output before the limit.
struct Pid {
  Parameter reference, measure, rate, kp, ki, kd, filter, limit, tracking;

  void describe(Description& d);
  void equations(Equations& eq) const;
};

}  // namespace coenergy::domains::blocks
