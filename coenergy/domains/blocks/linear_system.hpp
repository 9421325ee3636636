#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Coefficients of a polynomial, highest power first.
using Polynomial = std::vector<Expr>;

Polynomial multiply(const Polynomial& a, const Polynomial& b);

/// Writes y = num/den u of degrees m ≤ n in controllable canonical form, at rest at the start: with a₀ = 1 and b padded
/// to degree n
///
///   D x_i = x_{i+1},  D x_n = u − Σ a_{n+1−i} x_i,  y = b₀ u + Σ (b_{n+1−i} − a_{n+1−i} b₀) x_i
///
/// where D is d/dt, or of a sampled block the step to the next sample. The states are called x<first>, x<first+1>, ….
/// Refuses a numerator of a higher degree and a leading coefficient of zero.
Expr write_transfer(Equations& eq, Polynomial num, Polynomial den, const Expr& u, const Sampling& sampling,
                    int first = 1);

}  // namespace coenergy::domains::blocks
