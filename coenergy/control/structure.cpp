// Zeros, minimal realisations and what cannot be controlled: by orthogonal steps that tell ranks.
#include <algorithm>
#include <cmath>

#include "coenergy/control/linear_system.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/factorizations.hpp"
#include "coenergy/math/matrix_algebra.hpp"

namespace coenergy::control {

using math::Matrix;
using math::part;

namespace {

int rank_of(const math::SingularValues& s, double tolerance) {
  return int(std::count_if(s.s.begin(), s.s.end(), [&](double x) { return x > tolerance; }));
}

/// States in units in which the rows and columns of A, B and C are alike: powers of two, which change no digit.
LinearSystem balance_units(LinearSystem s) {
  const int n = s.states();
  for (int pass = 0; pass < 20; ++pass) {
    bool changed = false;
    for (int i = 0; i < n; ++i) {
      double row = 0, column = 0;
      for (int j = 0; j < n; ++j)
        if (j != i) row = std::max(row, std::abs(s.a(i, j))), column = std::max(column, std::abs(s.a(j, i)));
      for (int j = 0; j < s.inputs(); ++j) row = std::max(row, std::abs(s.b(i, j)));
      for (int j = 0; j < s.outputs(); ++j) column = std::max(column, std::abs(s.c(j, i)));
      if (!(row > 0) || !(column > 0)) continue;
      const int power = int(std::lround(std::log2(row / column) / 2));
      if (power == 0) continue;
      changed = true;
      const double up = std::ldexp(1.0, power), down = std::ldexp(1.0, -power);
      for (int j = 0; j < n; ++j)
        if (j != i) s.a(i, j) *= down, s.a(j, i) *= up;
      for (int j = 0; j < s.inputs(); ++j) s.b(i, j) *= down;
      for (int j = 0; j < s.outputs(); ++j) s.c(j, i) *= up;
    }
    if (!changed) break;
  }
  return s;
}

double size_of(const LinearSystem& s) {
  return std::max({math::max_abs(s.a), math::max_abs(s.b), math::max_abs(s.c), math::max_abs(s.d)});
}

/// Takes off rows of D that are none, with the states that outputs without D see: then D has full row rank.
LinearSystem reduce_rows(LinearSystem s, double tolerance) {
  for (;;) {
    const int n = s.states(), p = s.outputs();
    if (p == 0) return s;
    const math::SingularValues of_d = math::compute_singular_values(s.d);
    const int rank = s.inputs() == 0 ? 0 : rank_of(of_d, tolerance);
    if (rank == p) return s;
    const Matrix turned_c = math::transpose(of_d.u) * s.c, turned_d = math::transpose(of_d.u) * s.d;
    const Matrix free = part(turned_c, rank, 0, p - rank, n);  // rows of C without D
    s.c = part(turned_c, 0, 0, rank, n), s.d = part(turned_d, 0, 0, rank, s.inputs());
    if (n == 0) return s;
    const math::SingularValues of_c = math::compute_singular_values(free);
    const int seen = rank_of(of_c, tolerance);
    if (seen == 0) return s;
    // states that are seen come last
    Matrix v(n, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) v(i, (j + n - seen) % n) = of_c.vt(j, i);
    const Matrix a = math::transpose(v) * s.a * v, b = math::transpose(v) * s.b, c = s.c * v;
    const int left = n - seen;
    s.c = math::above(part(a, left, 0, seen, left), part(c, 0, 0, rank, left));
    s.d = math::above(part(b, left, 0, seen, s.inputs()), s.d);
    s.a = part(a, 0, 0, left, left), s.b = part(b, 0, 0, left, s.inputs());
  }
}

/// Orthogonal axes in which the states that the inputs reach come first, and how many they are.
std::pair<Matrix, int> find_reached(const LinearSystem& s, double tolerance) {
  const int n = s.states();
  Matrix axes = math::identity(n), a = s.a, drive = s.b;
  int done = 0;
  while (done < n) {
    if (drive.columns == 0) break;
    const math::SingularValues of = math::compute_singular_values(drive);
    const int rank = rank_of(of, tolerance);
    if (rank == 0) break;
    Matrix turn = math::identity(n);
    math::put(turn, done, done, of.u);
    axes = axes * turn;
    a = math::transpose(turn) * a * turn;
    const int next = done + rank;
    drive = part(a, next, done, n - next, rank);
    done = next;
  }
  return {axes, done};
}

LinearSystem keep_reached(const LinearSystem& s, double tolerance) {
  const auto [axes, count] = find_reached(s, tolerance);
  const Matrix v = part(axes, 0, 0, s.states(), count), w = math::transpose(v);
  return {w * s.a * v, w * s.b, s.c * v, s.d, s.period};
}

}  // namespace

std::vector<Complex> find_zeros(const LinearSystem& system) {
  LinearSystem s = balance_units(system);
  const double tolerance = 1e-12 * size_of(s);
  s = reduce_rows(s, tolerance);
  s = transpose(reduce_rows(transpose(s), tolerance));
  s = reduce_rows(s, tolerance);
  if (s.states() == 0) return {};
  if (s.inputs() == 0 || s.outputs() == 0) return math::compute_eigenvalues(s.a);
  // D is square and regular now
  return math::compute_eigenvalues(s.a - s.b * math::solve(s.d, s.c));
}

LinearSystem find_minimal(const LinearSystem& system, double tolerance) {
  LinearSystem s = balance_units(system);
  const double limit = tolerance * std::max(math::max_abs(s.a), math::max_abs(s.b));
  s = keep_reached(s, limit);
  const double seen = tolerance * std::max(math::max_abs(s.a), math::max_abs(s.c));
  return transpose(keep_reached(transpose(s), seen));
}

std::vector<Complex> find_uncontrollable(const LinearSystem& system, double tolerance) {
  const LinearSystem s = balance_units(system);
  const auto [axes, count] = find_reached(s, tolerance * std::max(math::max_abs(s.a), math::max_abs(s.b)));
  const int n = s.states(), left = n - count;
  const Matrix v = part(axes, 0, count, n, left);
  return math::compute_eigenvalues(math::transpose(v) * s.a * v);
}

}  // namespace coenergy::control
