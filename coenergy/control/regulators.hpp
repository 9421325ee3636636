#pragma once
#include "coenergy/control/equations.hpp"

namespace coenergy::control {

/// u = −K x with the least ∫ xᵀQx + 2 xᵀNu + uᵀRu dt (the sum of samples). Throws Error naming the mode that cannot be
/// controlled.
Riccati design_lqr(const LinearSystem& plant, const math::Matrix& q, const math::Matrix& r, const math::Matrix& n = {});

/// x̂˙ = A x̂ + B u + L (y − C x̂ − D u) for ẋ = A x + B u + w, y = C x + D u + v with covariances W, V of white noise. Of
/// samples x̂ is corrected by y before it is foretold: gain L = A X Cᵀ (C X Cᵀ + V)⁻¹.
struct Kalman {
  math::Matrix gain, covariance;
  std::vector<Complex> poles;
};
Kalman design_kalman(const LinearSystem& plant, const math::Matrix& w, const math::Matrix& v);

/// K with the eigenvalues of A − B K at the places given (conjugate pairs together). Of several inputs the choice with the
/// best conditioned eigenvectors among some fixed ones: A X − X Λ = B G, K = G X⁻¹ (Bhattacharyya, de Souza 1982).
math::Matrix place_poles(const LinearSystem& plant, const std::vector<Complex>& poles);

/// u = −K x̂ with x̂ of the observer: a system from y to u.
LinearSystem make_observer_controller(const LinearSystem& plant, const math::Matrix& gain,
                                      const math::Matrix& observer);

/// The plant with ∫ y dt of its outputs as further states, for a regulator without steady error.
LinearSystem add_integrals(const LinearSystem& plant);

/// Throws Error naming the mode, where an unstable one cannot be moved; `all`: where any cannot.
void check_controllable(const LinearSystem& plant, bool all, const char* what = "controlled");

}  // namespace coenergy::control
