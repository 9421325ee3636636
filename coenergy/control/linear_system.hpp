#pragma once
#include <complex>
#include <string>
#include <vector>

#include "coenergy/analyze/state_space.hpp"
#include "coenergy/math/matrix.hpp"

namespace coenergy::control {

using Complex = std::complex<double>;

/// ẋ = A x + B u, y = C x + D u; with a period T the samples x(k+1) = A x(k) + B u(k).
struct LinearSystem {
  math::Matrix a, b, c, d;
  double period = 0;  ///< s; 0: continuous

  int states() const { return a.rows; }
  int inputs() const { return b.columns; }
  int outputs() const { return c.rows; }
  bool is_sampled() const { return period > 0; }
};

/// Throws Error where the model depends on rates of its inputs: it is improper.
LinearSystem make_linear_system(const analyze::StateSpace& model, double period = 0);

/// One input to one output: (b₀ sᵐ + … + b_m)/(a₀ sⁿ + … + a_n).
struct TransferFunction {
  std::vector<double> num, den;
};
/// k Π(s − z)/Π(s − p).
struct ZeroPoleGain {
  std::vector<Complex> zeros, poles;
  double gain = 0;
};

/// The system in controllable form. Throws Error for a zero denominator and for more zeros than poles (improper).
LinearSystem make_linear_system(const TransferFunction& function, double period = 0);

std::vector<Complex> find_poles(const LinearSystem& system);
/// Invariant zeros: where the pencil [A − λ B; C D] loses rank. Infinite ones are taken off first by orthogonal steps
/// (Emami-Naeini, Van Dooren 1982), so that finite ones come out of an ordinary eigenvalue problem.
std::vector<Complex> find_zeros(const LinearSystem& system);
/// Of one channel, of its minimal realisation.
ZeroPoleGain find_zero_pole_gain(const LinearSystem& system, int output = 0, int input = 0);
TransferFunction find_transfer_function(const LinearSystem& system, int output = 0, int input = 0);

/// C (sI − A)⁻¹ B + D.
math::ComplexMatrix respond(const LinearSystem& system, Complex s);
/// At an angular frequency, rad/s: s = jω, or z = exp(jωT).
math::ComplexMatrix respond_at(const LinearSystem& system, double omega);

/// In the left half plane, or inside of the unit circle.
bool is_stable(const LinearSystem& system);
bool is_stable_value(const LinearSystem& system, Complex value);

LinearSystem select_channel(const LinearSystem& system, int output, int input);
/// second · first.
LinearSystem connect_in_series(const LinearSystem& first, const LinearSystem& second);
/// y = G (r + sign K y) of the loop; throws Error where it is algebraic: I − sign D_G D_K singular.
LinearSystem close_loop(const LinearSystem& plant, const LinearSystem& controller, double sign = -1);
LinearSystem make_gain(const math::Matrix& k, double period = 0);
LinearSystem transpose(const LinearSystem& system);

/// What the input reaches, then what the output sees, by staircases of orthogonal steps.
LinearSystem find_minimal(const LinearSystem& system, double tolerance = 1e-10);
/// The eigenvalues that the inputs do not reach; of the transposed system those that outputs do not see.
std::vector<Complex> find_uncontrollable(const LinearSystem& system, double tolerance = 1e-10);

/// Coefficients of Π(s − r), the highest first; roots are real or in conjugate pairs.
std::vector<double> expand_roots(const std::vector<Complex>& roots);
std::vector<Complex> find_roots(const std::vector<double>& polynomial);

}  // namespace coenergy::control
