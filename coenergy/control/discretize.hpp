#pragma once
#include "coenergy/control/linear_system.hpp"

namespace coenergy::control {

/// How a continuous system and samples of it belong together:
///   zoh      the input is held between samples: exact
///   tustin   s = (2/T)(z − 1)/(z + 1); with `prewarp` (rad/s) the factor is ω/tan(ωT/2), and both agree at ω
///   matched  zeros and poles by z = exp(sT), zeros at infinity but one to −1, the gain of low frequencies
///   impulse  T times the samples of the impulse response
enum class Hold { zoh, tustin, matched, impulse };

/// Throws Error for a period that is none, and where a method does not serve: matched of several channels, impulse with a
/// direct gain.
LinearSystem to_sampled(const LinearSystem& continuous, double period, Hold hold = Hold::zoh, double prewarp = 0);
/// The inverse of zoh, by the logarithm, and of tustin. Throws Error where there is none: poles that are zero or negative
/// have no continuous counterpart of the same order.
LinearSystem to_continuous(const LinearSystem& sampled, Hold hold = Hold::zoh, double prewarp = 0);

/// log A, the eigenvalues of which are not on the negative axis: square roots, then Gauss's formula for ∫ X/(1 + tX).
math::Matrix compute_logarithm(const math::Matrix& a);

}  // namespace coenergy::control
