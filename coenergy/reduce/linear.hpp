#pragma once
#include <vector>

#include "coenergy/control/linear_system.hpp"

namespace coenergy::reduce {

using control::Complex;
using control::LinearSystem;

/// Linear models in fewer states.
///
///   balanced    P and Q of what inputs reach and outputs see; of their square roots P = S Sᵀ, Q = R Rᵀ the singular values of
///               RᵀS are Hankel's, and the states with the largest ones stay (Moore 1981; square-root method of Tombs and
///               Postlethwaite 1987: the product P Q is never formed). ‖G − G_r‖∞ ≤ 2 Σ of those left out.
///   residual    the same states, the others at rest with them: exact at s = 0
///   modal       the modes of lowest |λ|, complex pairs whole, with the steady answer of the others as a direct gain
///   krylov      matches G and G′ at given points s: projection onto (σ − A)⁻¹B and (σ − A)⁻ᵀCᵀ
///   irka        those points where the reduced poles have their mirror images: stationary in the H2 norm (Gugercin,
///               Antoulas, Beattie 2008)
enum class LinearMethod { balanced, residual, modal, krylov, irka };

struct ReducedSystem {
  LinearSystem system;
  std::vector<double> hankel;   ///< of balanced and residual: all values, falling
  std::vector<Complex> points;  ///< of krylov and irka: where it meets the full model
  double bound = -1;            ///< of the H∞ norm of the error; −1: none is known
};

/// Throws Error for an order that is not below the states', for unstable systems where gramians are needed, naming the pole, and
/// for iterations that do not settle.
ReducedSystem reduce_linear(const LinearSystem& system, LinearMethod method, int order,
                            const std::vector<Complex>& points = {});

std::vector<double> find_hankel_values(const LinearSystem& system);

/// G − G_r.
LinearSystem find_difference(const LinearSystem& full, const LinearSystem& reduced);

}  // namespace coenergy::reduce
