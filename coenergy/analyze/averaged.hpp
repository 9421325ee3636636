#pragma once
#include "coenergy/analyze/sampled.hpp"

namespace coenergy::analyze {

/// The continuous model that a system with samples is for what changes slowly against them: held values become states that
/// follow with the delay of their holds, and nothing is answered at other frequencies.
///
/// A tick every T sets δ(t) = L_d δ(t − T) + L_z z + L_u u, and what is held has the mean D = δ (1 − e^{−sT})/(sT). With
/// e^{−sT} = (1 − sT/2)/(1 + sT/2) + O((sT)³) both are rational: δ = D + T/2 Ḋ, δ(t − T) = D − T/2 Ḋ, so
///
///   T/2 (1 + L_d) Ḋ = (L_d − 1) D + L_z z + L_u u.
///
/// An integrator of samples is an integrator, a hold a lag of T/2, a delay of n samples one of n T. What has another clock
/// is seen as it is held, D. Response and poles are right to (sT)²/12 of themselves.
///
/// Throws coenergy::Error where a value alternates from sample to sample (an eigenvalue −1 of L_d), which has no slow part.
StateSpace average(const SampledModel& model);

}  // namespace coenergy::analyze
