#include "coenergy/control/hinf.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "coenergy/base/error.hpp"
#include "coenergy/control/equations.hpp"
#include "coenergy/control/norms.hpp"
#include "coenergy/control/regulators.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/factorizations.hpp"
#include "coenergy/math/matrix_algebra.hpp"

namespace coenergy::control {

using math::Matrix;
using math::part;
using math::put;
using math::transpose;

namespace {

double norm(const Matrix& a) { return a.data.empty() ? 0 : math::compute_singular_values(a).s[0]; }

/// X = U₂ U₁⁻¹ of the stable subspace of a Hamiltonian matrix; nothing where there is none, or X is no solution that is
/// positive.
std::optional<Matrix> solve_hamiltonian(const Matrix& h) {
  const int n = h.rows / 2;
  try {
    const math::Schur schur = math::compute_schur(h, [](Complex x) { return x.real() < 0; });
    if (schur.chosen != n) return std::nullopt;
    const Matrix upper = part(schur.z, 0, 0, n, n), lower = part(schur.z, n, 0, n, n);
    if (math::reciprocal_condition(upper) < 1e-14) return std::nullopt;
    const Matrix x = math::symmetric(transpose(math::solve(transpose(upper), transpose(lower))));
    if (n > 0 && math::compute_symmetric_pairs(x).values[0] < -1e-9 * norm(x)) return std::nullopt;
    return x;
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

/// The symmetric square root of what is positive.
Matrix square_root(const Matrix& a) {
  const math::SymmetricPairs pairs = math::compute_symmetric_pairs(math::symmetric(a));
  Matrix scaled = pairs.vectors;
  for (int j = 0; j < a.rows; ++j)
    for (int i = 0; i < a.rows; ++i) scaled(i, j) *= std::sqrt(std::max(0.0, pairs.values[j]));
  return scaled * transpose(pairs.vectors);
}

/// The plant with D12 = [0; 1], D21 = [0 1], D22 = 0, and how its controller becomes that of the given one.
struct Scaled {
  Matrix a, b1, b2, c1, c2, d11;
  Matrix input, output;  // u = input ũ, ỹ = output y
  int m1, m2, p1, p2, n;
};

Scaled scale(const GeneralPlant& plant) {
  const LinearSystem& s = plant.system;
  Scaled r;
  r.n = s.states(), r.m2 = plant.controls, r.p2 = plant.measurements;
  r.m1 = s.inputs() - r.m2, r.p1 = s.outputs() - r.p2;
  if (s.is_sampled()) throw Error("H-infinity and H2 controllers are designed of continuous plants; see d2c");
  if (r.m2 < 1 || r.p2 < 1 || r.m1 < r.p2 || r.p1 < r.m2)
    throw Error("there must be at least as many errors as inputs, and as many disturbances as measurements");
  const Matrix d12 = part(s.d, 0, r.m1, r.p1, r.m2), d21 = part(s.d, r.p1, 0, r.p2, r.m1);
  const math::SingularValues u = math::compute_singular_values(d12), y = math::compute_singular_values(d21);
  const double small = 1e-10 * std::max(1.0, math::max_abs(s.d));
  if (u.s.back() <= small) throw Error("an input is in no error: D12 has not full rank; weight it");
  if (y.s.back() <= small) throw Error("a measurement has no noise: D21 has not full rank; add some");
  // errors and disturbances turned, so that the directions of u and y come last
  Matrix turn_z(r.p1, r.p1), turn_w(r.m1, r.m1);
  for (int i = 0; i < r.p1; ++i)
    for (int j = 0; j < r.p1; ++j) turn_z((j + r.p1 - r.m2) % r.p1, i) = u.u(i, j);
  for (int i = 0; i < r.m1; ++i)
    for (int j = 0; j < r.m1; ++j) turn_w(i, (j + r.m1 - r.p2) % r.m1) = y.vt(j, i);
  r.input = transpose(u.vt);
  for (int j = 0; j < r.m2; ++j)
    for (int i = 0; i < r.m2; ++i) r.input(i, j) /= u.s[j];
  r.output = transpose(y.u);
  for (int j = 0; j < r.p2; ++j)
    for (int i = 0; i < r.p2; ++i) r.output(i, j) /= y.s[i];
  r.a = s.a;
  r.b1 = part(s.b, 0, 0, r.n, r.m1) * turn_w, r.b2 = part(s.b, 0, r.m1, r.n, r.m2) * r.input;
  r.c1 = turn_z * part(s.c, 0, 0, r.p1, r.n), r.c2 = r.output * part(s.c, r.p1, 0, r.p2, r.n);
  r.d11 = turn_z * part(s.d, 0, 0, r.p1, r.m1) * turn_w;
  return r;
}

/// u = K (y − D22 u) solved for u, in the units of the given plant.
LinearSystem unscale(const Scaled& r, const GeneralPlant& plant, const Matrix& a, const Matrix& b, const Matrix& c,
                     const Matrix& d) {
  LinearSystem k{a, b * r.output, r.input * c, r.input * d * r.output, 0};
  const Matrix d22 = part(plant.system.d, r.p1, r.m1, r.p2, r.m2);
  if (math::max_abs(d22) == 0) return k;
  return close_loop(k, make_gain(d22));
}

/// The central controller for γ, or nothing.
std::optional<LinearSystem> try_gamma(const Scaled& r, const GeneralPlant& plant, double gamma) {
  const int m1 = r.m1, m2 = r.m2, p1 = r.p1, p2 = r.p2, n = r.n, z = p1 - m2, w = m1 - p2;
  const double g2 = gamma * gamma;
  const Matrix d1111 = part(r.d11, 0, 0, z, w), d1112 = part(r.d11, 0, w, z, p2), d1121 = part(r.d11, z, 0, m2, w),
               d1122 = part(r.d11, z, w, m2, p2);
  if (std::max(norm(part(r.d11, 0, 0, z, m1)), norm(part(r.d11, 0, 0, p1, w))) >= gamma) return std::nullopt;
  Matrix d12(p1, m2), d21(p2, m1);
  put(d12, z, 0, math::identity(m2)), put(d21, 0, w, math::identity(p2));
  const Matrix b = math::beside(r.b1, r.b2), c = math::above(r.c1, r.c2);
  const Matrix row = math::beside(r.d11, d12), column = math::above(r.d11, d21);
  Matrix weight = transpose(row) * row, noise = column * transpose(column);
  for (int i = 0; i < m1; ++i) weight(i, i) -= g2;
  for (int i = 0; i < p1; ++i) noise(i, i) -= g2;
  if (math::reciprocal_condition(weight) < 1e-15 || math::reciprocal_condition(noise) < 1e-15) return std::nullopt;

  const auto hamiltonian = [n](const Matrix& a, const Matrix& b, const Matrix& c, const Matrix& d, const Matrix& r) {
    Matrix h(2 * n, 2 * n);
    put(h, 0, 0, a), put(h, n, 0, -(transpose(c) * c)), put(h, n, n, -transpose(a));
    return h - math::above(b, -(transpose(c) * d)) * math::solve(r, math::beside(transpose(d) * c, transpose(b)));
  };
  const std::optional<Matrix> x = solve_hamiltonian(hamiltonian(r.a, b, r.c1, row, weight));
  if (!x) return std::nullopt;
  const std::optional<Matrix> y =
      solve_hamiltonian(hamiltonian(transpose(r.a), transpose(c), transpose(r.b1), transpose(column), noise));
  if (!y) return std::nullopt;
  for (const Complex value : math::compute_eigenvalues(*x * *y))
    if (std::abs(value) >= g2) return std::nullopt;

  const Matrix f = -math::solve(weight, transpose(row) * r.c1 + transpose(b) * *x);
  const Matrix l = -transpose(math::solve(noise, transpose(r.b1 * transpose(column) + *y * transpose(c))));
  const Matrix f12 = part(f, w, 0, p2, n), f2 = part(f, m1, 0, m2, n), l12 = part(l, 0, z, n, m2),
               l2 = part(l, 0, p1, n, p2);
  const Matrix inner = g2 * math::identity(z) - d1111 * transpose(d1111);
  const Matrix outer = g2 * math::identity(w) - transpose(d1111) * d1111;
  const Matrix direct = -(d1121 * transpose(d1111) * math::solve(inner, d1112)) - d1122;
  const Matrix left = square_root(math::identity(m2) - d1121 * math::solve(outer, transpose(d1121)));
  const Matrix right = square_root(math::identity(p2) - transpose(d1112) * math::solve(inner, d1112));
  const Matrix mix = math::inverse(math::identity(n) - 1 / g2 * (*y * *x));
  const Matrix b2 = mix * (r.b2 + l12) * left, c2 = -(right * (r.c2 + f12));
  const Matrix b1 = -(mix * l2) + b2 * math::solve(left, direct);
  const Matrix c_right = math::solve(right, c2);
  const Matrix c1 = f2 + direct * c_right;
  return unscale(r, plant, r.a + b * f + b1 * c_right, b1, c1, direct);
}

/// The plant with the controller in it, from w to z.
LinearSystem close(const GeneralPlant& plant, const LinearSystem& k) {
  const LinearSystem& s = plant.system;
  const int m1 = s.inputs() - plant.controls, p1 = s.outputs() - plant.measurements;
  // the controller sees all outputs and drives all inputs; only y and u count
  LinearSystem all = k;
  all.b = math::beside(Matrix(k.states(), p1), k.b);
  all.c = math::above(Matrix(m1, k.states()), k.c);
  all.d = Matrix(s.inputs(), s.outputs());
  put(all.d, m1, p1, k.d);
  LinearSystem loop = close_loop(s, all, 1);
  loop.b = part(loop.b, 0, 0, loop.states(), m1), loop.c = part(loop.c, 0, 0, p1, loop.states());
  loop.d = part(loop.d, 0, 0, p1, m1);
  return loop;
}

void check_plant(const GeneralPlant& plant) {
  const LinearSystem& s = plant.system;
  LinearSystem inner = s;
  inner.b = part(s.b, 0, s.inputs() - plant.controls, s.states(), plant.controls);
  check_controllable(inner, false);
  inner.c = part(s.c, s.outputs() - plant.measurements, 0, plant.measurements, s.states());
  inner.d = Matrix(plant.measurements, plant.controls);
  check_controllable(transpose(inner), false, "observed");
}

}  // namespace

Synthesis design_hinf(const GeneralPlant& plant, double tolerance) {
  check_plant(plant);
  const Scaled scaled = scale(plant);
  double low = 0, high = 1;
  std::optional<LinearSystem> best;
  for (int k = 0; k < 60 && !(best = try_gamma(scaled, plant, high)); ++k) low = high, high *= 4;
  if (!best)
    throw Error("no controller makes the norm finite: a zero on the imaginary axis is between inputs and errors");
  while (high - low > tolerance * high && high > 1e-12) {
    const double middle = (low + high) / 2;
    if (std::optional<LinearSystem> next = try_gamma(scaled, plant, middle))
      best = std::move(next), high = middle;
    else
      low = middle;
  }
  return {std::move(*best), high};
}

Synthesis design_h2(const GeneralPlant& plant) {
  check_plant(plant);
  const Scaled r = scale(plant);
  if (math::max_abs(r.d11) > 0) throw Error("H2: a disturbance acts on an error directly; the norm is infinite");
  Matrix d12(r.p1, r.m2), d21(r.p2, r.m1);
  put(d12, r.p1 - r.m2, 0, math::identity(r.m2)), put(d21, 0, r.m1 - r.p2, math::identity(r.p2));
  const Riccati x = solve_riccati(r.a, r.b2, transpose(r.c1) * r.c1, math::identity(r.m2), transpose(r.c1) * d12);
  const Riccati y = solve_riccati(transpose(r.a), transpose(r.c2), r.b1 * transpose(r.b1), math::identity(r.p2),
                                  r.b1 * transpose(d21));
  const Matrix f = -x.gain, l = -transpose(y.gain);
  Synthesis result;
  result.controller = unscale(r, plant, r.a + r.b2 * f + l * r.c2, -l, f, Matrix(r.m2, r.p2));
  result.gamma = find_h2_norm(close(plant, result.controller));
  return result;
}

}  // namespace coenergy::control
