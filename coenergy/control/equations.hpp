#pragma once
#include <vector>

#include "coenergy/control/linear_system.hpp"

namespace coenergy::control {

/// X of A X + X Aᵀ + Q = 0 (Bartels, Stewart 1972); of samples A X Aᵀ − X + Q = 0, by the first with Cayley's
/// transform. Throws Error where A has eigenvalues λ and −λ (λ and 1/λ).
math::Matrix solve_lyapunov(const math::Matrix& a, const math::Matrix& q);
math::Matrix solve_discrete_lyapunov(const math::Matrix& a, const math::Matrix& q);

/// X of A X − X Λ = C. Throws std::runtime_error where they share an eigenvalue.
math::Matrix solve_sylvester(const math::Matrix& a, const math::Matrix& lambda, const math::Matrix& c);

/// The stabilising solution of a Riccati equation, with the gain and the eigenvalues of the closed loop A − B K.
///
///   AᵀX + X A − (X B + S) R⁻¹ (BᵀX + Sᵀ) + Q = 0,               K = R⁻¹ (BᵀX + Sᵀ)
///   AᵀX A − X − (AᵀX B + S)(R + BᵀX B)⁻¹(BᵀX A + Sᵀ) + Q = 0,   K = (R + BᵀX B)⁻¹(BᵀX A + Sᵀ)     of samples
///
/// By the ordered QZ form of the extended pencil (Van Dooren 1981), which inverts neither R nor A, then one Newton step.
struct Riccati {
  math::Matrix x, gain;
  std::vector<Complex> poles;
};
/// Throws Error where there is none.
Riccati solve_riccati(const math::Matrix& a, const math::Matrix& b, const math::Matrix& q, const math::Matrix& r,
                      const math::Matrix& s = {});
Riccati solve_discrete_riccati(const math::Matrix& a, const math::Matrix& b, const math::Matrix& q,
                               const math::Matrix& r, const math::Matrix& s = {});

}  // namespace coenergy::control
