#include "coenergy/control/equations.hpp"

#include <cmath>
#include <stdexcept>

#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/factorizations.hpp"
#include "coenergy/math/matrix_algebra.hpp"

namespace coenergy::control {

using math::Matrix;
using math::part;
using math::put;
using math::transpose;

Matrix solve_lyapunov(const Matrix& a, const Matrix& q) {
  if (a.rows == 0) return q;
  try {
    const math::Schur schur = math::compute_schur(a);
    const Matrix right = -(transpose(schur.z) * q * schur.z);
    return math::symmetric(schur.z * math::solve_triangular_sylvester(schur.t, schur.t, right) * transpose(schur.z));
  } catch (const std::runtime_error&) {
    throw Error("Lyapunov's equation has no solution: two eigenvalues of the matrix have the sum zero");
  }
}

Matrix solve_discrete_lyapunov(const Matrix& a, const Matrix& q) {
  // F = (A + 1)⁻¹(A − 1) has F X + X Fᵀ + 2 (A + 1)⁻¹ Q (A + 1)⁻ᵀ = 0
  const Matrix one = math::identity(a.rows), sum = a + one;
  if (math::reciprocal_condition(sum) < 1e-15)
    throw Error("Lyapunov's equation has no solution: the matrix has the eigenvalue -1");
  const Matrix left = math::inverse(sum);
  return solve_lyapunov(left * (a - one), 2.0 * (left * q * transpose(left)));
}

Matrix solve_sylvester(const Matrix& a, const Matrix& lambda, const Matrix& c) {
  const math::Schur left = math::compute_schur(a), right = math::compute_schur(transpose(lambda));
  return left.z * math::solve_triangular_sylvester(left.t, right.t, transpose(left.z) * c * right.z, true) *
         transpose(right.z);
}

namespace {

/// The subspace (1; X) of the stable values of λ N − M, whose last m columns are taken off by a turn of the rows.
Matrix find_stable_subspace(const Matrix& m, const Matrix& n, int inputs, bool sampled) {
  const int size = m.rows - inputs;
  Matrix last = part(m, 0, size, m.rows, inputs);
  // rows that are orthogonal to the columns of the inputs
  const math::SingularValues columns = math::compute_singular_values(last);
  const Matrix rows = transpose(part(columns.u, 0, inputs, m.rows, size));
  const Matrix left = rows * part(m, 0, 0, m.rows, size), right = rows * part(n, 0, 0, m.rows, size);
  const math::ChooseRatio stable = [sampled](Complex alpha, double beta) {
    return sampled ? std::abs(alpha) < std::abs(beta) : alpha.real() * beta < 0;
  };
  const math::GeneralizedSchur schur = math::compute_generalized_schur(left, right, stable);
  if (schur.chosen != size / 2)
    throw Error(
        "Riccati's equation has no stabilising solution: a mode that is not stable is not controlled, or one on the "
        "border of stability is not weighted");
  return part(schur.z, 0, 0, size, size / 2);
}

Matrix divide_subspace(const Matrix& basis) {
  const int n = basis.columns;
  const Matrix upper = part(basis, 0, 0, n, n), lower = part(basis, n, 0, n, n);
  if (math::reciprocal_condition(upper) < 1e-15)
    throw Error("Riccati's equation has no stabilising solution: a mode that is not stable is not controlled");
  return math::symmetric(transpose(math::solve(transpose(upper), transpose(lower))));
}

Matrix cross_or_none(const Matrix& s, int n, int m) { return s.data.empty() ? Matrix(n, m) : s; }

void check_gain_weight(const Matrix& r) {
  if (math::reciprocal_condition(r) < 1e-15) throw Error("the weight of the inputs, R, is singular");
}

}  // namespace

Riccati solve_riccati(const Matrix& a, const Matrix& b, const Matrix& q, const Matrix& r, const Matrix& cross) {
  const int n = a.rows, m = b.columns, all = 2 * n + m;
  const Matrix s = cross_or_none(cross, n, m);
  check_gain_weight(r);
  Matrix pencil(all, all), rate(all, all);
  put(pencil, 0, 0, a), put(pencil, 0, 2 * n, b);
  put(pencil, n, 0, -q), put(pencil, n, n, -transpose(a)), put(pencil, n, 2 * n, -s);
  put(pencil, 2 * n, 0, transpose(s)), put(pencil, 2 * n, n, transpose(b)), put(pencil, 2 * n, 2 * n, r);
  put(rate, 0, 0, math::identity(2 * n));
  Riccati result;
  result.x = divide_subspace(find_stable_subspace(pencil, rate, m, false));
  const auto gain_of = [&](const Matrix& x) { return math::solve(r, transpose(b) * x + transpose(s)); };
  result.gain = gain_of(result.x);
  // Newton's step (Kleinman 1968): Lyapunov's equation of the loop
  const Matrix loop = a - b * result.gain, &k = result.gain;
  const Matrix cost = q - s * k - transpose(s * k) + transpose(k) * r * k;
  result.x = solve_lyapunov(transpose(loop), math::symmetric(cost));
  result.gain = gain_of(result.x);
  result.poles = math::compute_eigenvalues(a - b * result.gain);
  return result;
}

Riccati solve_discrete_riccati(const Matrix& a, const Matrix& b, const Matrix& q, const Matrix& r,
                               const Matrix& cross) {
  const int n = a.rows, m = b.columns, all = 2 * n + m;
  const Matrix s = cross_or_none(cross, n, m);
  Matrix pencil(all, all), rate(all, all);
  put(pencil, 0, 0, a), put(pencil, 0, 2 * n, b);
  put(pencil, n, 0, -q), put(pencil, n, n, math::identity(n)), put(pencil, n, 2 * n, -s);
  put(pencil, 2 * n, 0, transpose(s)), put(pencil, 2 * n, 2 * n, r);
  put(rate, 0, 0, math::identity(n)), put(rate, n, n, transpose(a)), put(rate, 2 * n, n, -transpose(b));
  Riccati result;
  result.x = divide_subspace(find_stable_subspace(pencil, rate, m, true));
  const auto gain_of = [&](const Matrix& x) {
    return math::solve(r + transpose(b) * x * b, transpose(b) * x * a + transpose(s));
  };
  result.gain = gain_of(result.x);
  const Matrix loop = a - b * result.gain, &k = result.gain;
  const Matrix cost = q - s * k - transpose(s * k) + transpose(k) * r * k;
  result.x = solve_discrete_lyapunov(transpose(loop), math::symmetric(cost));
  result.gain = gain_of(result.x);
  result.poles = math::compute_eigenvalues(a - b * result.gain);
  return result;
}

}  // namespace coenergy::control
