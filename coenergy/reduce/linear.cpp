#include "coenergy/reduce/linear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/control/discretize.hpp"
#include "coenergy/control/equations.hpp"
#include "coenergy/control/norms.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/factorizations.hpp"
#include "coenergy/math/matrix_algebra.hpp"

namespace coenergy::reduce {

using math::Matrix;
using math::part;
using math::transpose;

namespace {

/// S of P = S Sᵀ, with as many columns as P has rank.
Matrix find_root(const Matrix& p) {
  const math::SymmetricPairs pairs = math::compute_symmetric_pairs(p);
  const int n = p.rows;
  const double least = 1e-16 * std::max(0.0, n > 0 ? pairs.values[n - 1] : 0);
  std::vector<int> kept;
  for (int k = n - 1; k >= 0 && pairs.values[k] > least; --k) kept.push_back(k);
  Matrix s(n, int(kept.size()));
  for (int j = 0; j < s.columns; ++j)
    for (int i = 0; i < n; ++i) s(i, j) = std::sqrt(pairs.values[kept[j]]) * pairs.vectors(i, kept[j]);
  return s;
}

struct Roots {
  Matrix reached, seen;
  math::SingularValues product;
};

Roots find_roots_of_gramians(const LinearSystem& s) {
  if (s.is_sampled()) return find_roots_of_gramians(control::find_cayley_transform(s));  // the gramians are the same
  for (const Complex p : control::find_poles(s))
    if (p.real() >= 0)
      throw Error(fmt::format("the model is unstable: it has the pole {:.6g}{:+.6g}j 1/s, and so no gramians", p.real(),
                              p.imag()));
  Roots roots{find_root(control::find_gramian(s)), find_root(control::find_gramian(control::transpose(s))), {}};
  roots.product = math::compute_singular_values(transpose(roots.seen) * roots.reached);
  return roots;
}

LinearSystem project(const LinearSystem& s, const Matrix& left, const Matrix& right) {
  return {left * s.a * right, left * s.b, s.c * right, s.d, s.period};
}

/// The states behind the first `order` are at rest: ẋ₂ = 0, or x₂(k + 1) = x₂(k).
LinearSystem rest_others(const LinearSystem& s, int order) {
  const int n = s.states(), left = n - order;
  const Matrix still =
      (s.is_sampled() ? math::identity(left) : Matrix(left, left)) - part(s.a, order, order, left, left);
  const Matrix by =
      math::solve(still, math::beside(part(s.a, order, 0, left, order), part(s.b, order, 0, left, s.inputs())));
  const Matrix by_x = part(by, 0, 0, left, order), by_u = part(by, 0, order, left, s.inputs());
  const Matrix a12 = part(s.a, 0, order, order, left), c2 = part(s.c, 0, order, s.outputs(), left);
  return {part(s.a, 0, 0, order, order) + a12 * by_x, part(s.b, 0, 0, order, s.inputs()) + a12 * by_u,
          part(s.c, 0, 0, s.outputs(), order) + c2 * by_x, s.d + c2 * by_u, s.period};
}

ReducedSystem balance(const LinearSystem& s, int order, bool residual) {
  const Roots roots = find_roots_of_gramians(s);
  ReducedSystem result;
  result.hankel = roots.product.s;
  int rank = 0;
  while (rank < int(result.hankel.size()) && result.hankel[rank] > 1e-15 * result.hankel[0]) ++rank;
  if (order > rank)
    throw Error(fmt::format("order {}: only {} states are both reached and seen; take no more", order, rank));
  const int kept = residual ? rank : order;
  Matrix left(kept, s.states()), right(s.states(), kept);
  const Matrix seen = roots.seen * part(roots.product.u, 0, 0, roots.product.u.rows, kept);
  const Matrix reached = roots.reached * transpose(part(roots.product.vt, 0, 0, kept, roots.product.vt.columns));
  for (int k = 0; k < kept; ++k)
    for (int i = 0; i < s.states(); ++i) {
      left(k, i) = seen(i, k) / std::sqrt(result.hankel[k]);
      right(i, k) = reached(i, k) / std::sqrt(result.hankel[k]);
    }
  result.system = project(s, left, right);
  if (residual) result.system = rest_others(result.system, order);
  result.bound = 0;
  for (std::size_t k = order; k < result.hankel.size(); ++k) result.bound += 2 * result.hankel[k];
  return result;
}

ReducedSystem truncate_modes(const LinearSystem& s, int order) {
  std::vector<double> sizes;
  const auto slowness = [&](Complex p) { return s.is_sampled() ? std::abs(std::log(p + 1e-300)) : std::abs(p); };
  for (const Complex p : control::find_poles(s)) sizes.push_back(slowness(p));
  std::sort(sizes.begin(), sizes.end());
  if (sizes[order] - sizes[order - 1] <= 1e-9 * sizes[order])
    throw Error(fmt::format("order {} divides a pair of modes; take {} or {}", order, order - 1, order + 1));
  const double border = (sizes[order] + sizes[order - 1]) / 2;
  const math::Schur schur = math::compute_schur(s.a, [&](Complex p) { return slowness(p) < border; });
  const int n = s.states(), left = n - order;
  LinearSystem turned = project(s, transpose(schur.z), schur.z);
  const Matrix a11 = part(turned.a, 0, 0, order, order), a22 = part(turned.a, order, order, left, left);
  // x₁ = z₁ + X x₂ takes A₁₂ away: A₁₁ X − X A₂₂ = −A₁₂
  const Matrix x = control::solve_sylvester(a11, a22, -part(turned.a, 0, order, order, left));
  const Matrix b2 = part(turned.b, order, 0, left, s.inputs());
  const Matrix c1 = part(turned.c, 0, 0, s.outputs(), order);
  const Matrix c2 = part(turned.c, 0, order, s.outputs(), left) + c1 * x;
  const Matrix still = (s.is_sampled() ? math::identity(left) : Matrix(left, left)) - a22;
  ReducedSystem result;
  result.system = {a11, part(turned.b, 0, 0, order, s.inputs()) - x * b2, c1, s.d + c2 * math::solve(still, b2),
                   s.period};
  return result;
}

/// Real columns that span (σ − A)⁻¹ B b for points in conjugate pairs, orthonormal.
class Basis {
 public:
  explicit Basis(const Matrix& a) : a_(a) {}
  void add(Complex point, const math::ComplexMatrix& direction) {
    const int n = a_.rows;
    math::ComplexMatrix pencil(n, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) pencil(i, j) = (i == j ? point : 0) - a_(i, j);
    const math::ComplexMatrix x = math::solve(pencil, direction);
    for (int j = 0; j < x.columns; ++j) {
      std::vector<double> real(n), imaginary(n);
      for (int i = 0; i < n; ++i) real[i] = x(i, j).real(), imaginary[i] = x(i, j).imag();
      append(std::move(real));
      if (point.imag() != 0) append(std::move(imaginary));
    }
  }
  Matrix matrix(int columns) const {
    Matrix v(a_.rows, std::min(columns, int(vectors_.size())));
    for (int j = 0; j < v.columns; ++j) std::copy(vectors_[j].begin(), vectors_[j].end(), &v(0, j));
    return v;
  }
  int size() const { return int(vectors_.size()); }

 private:
  void append(std::vector<double> x) {
    const auto length = [](const std::vector<double>& v) {
      double sum = 0;
      for (const double value : v) sum += value * value;
      return std::sqrt(sum);
    };
    const double before = length(x);
    for (int pass = 0; pass < 2; ++pass)
      for (const std::vector<double>& v : vectors_) {
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) sum += v[i] * x[i];
        for (std::size_t i = 0; i < x.size(); ++i) x[i] -= sum * v[i];
      }
    const double after = length(x);
    if (!(after > 1e-12 * before)) return;
    for (double& value : x) value /= after;
    vectors_.push_back(std::move(x));
  }
  const Matrix& a_;
  std::vector<std::vector<double>> vectors_;
};

math::ComplexMatrix to_complex(const Matrix& m) {
  math::ComplexMatrix c(m.rows, m.columns);
  for (std::size_t i = 0; i < m.data.size(); ++i) c.data[i] = m.data[i];
  return c;
}

/// Left and right spaces of equal size; the projection is oblique.
LinearSystem project_obliquely(const LinearSystem& s, const Matrix& w, const Matrix& v) {
  const Matrix mix = transpose(w) * v;
  if (math::reciprocal_condition(mix) < 1e-15)
    throw Error("the points do not serve: what is reached and what is seen there do not match; take others");
  return project(s, math::solve(mix, transpose(w)), v);
}

ReducedSystem match_moments(const LinearSystem& s, int order, const std::vector<Complex>& points) {
  if (points.empty()) throw Error("krylov: give the points s at which the models are to agree");
  const Matrix c = transpose(s.c), a = transpose(s.a);
  Basis v(s.a), w(a);
  for (const Complex p : points) v.add(p, to_complex(s.b)), w.add(p, to_complex(c));
  const int size = std::min({order, v.size(), w.size()});
  ReducedSystem result;
  result.system = project_obliquely(s, w.matrix(size), v.matrix(size));
  result.points = points;
  return result;
}

/// A point in the upper half plane with its tangential directions.
struct Tangent {
  Complex point;
  math::ComplexMatrix right, left;
};

/// Mirror images of the poles of a reduced model, with the directions of their residues.
std::vector<Tangent> find_mirror_images(const LinearSystem& r) {
  const math::EigenPairs pairs = math::compute_eigenpairs(r.a);
  const math::ComplexMatrix inverse = math::solve(pairs.vectors, to_complex(math::identity(r.states())));
  std::vector<Tangent> tangents;
  for (int k = 0; k < r.states(); ++k) {
    if (pairs.values[k].imag() < 0) continue;
    Tangent t{-pairs.values[k], math::ComplexMatrix(r.inputs(), 1), math::ComplexMatrix(r.outputs(), 1)};
    for (int j = 0; j < r.inputs(); ++j)
      for (int i = 0; i < r.states(); ++i) t.right(j, 0) += inverse(k, i) * r.b(i, j);
    for (int j = 0; j < r.outputs(); ++j)
      for (int i = 0; i < r.states(); ++i) t.left(j, 0) += r.c(j, i) * pairs.vectors(i, k);
    tangents.push_back(std::move(t));
  }
  return tangents;
}

math::ComplexMatrix times(const Matrix& a, const math::ComplexMatrix& x) {
  math::ComplexMatrix y(a.rows, 1);
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i) y(i, 0) += a(i, j) * x(j, 0);
  return y;
}

ReducedSystem iterate_irka(const LinearSystem& s, int order) {
  if (s.is_sampled()) throw Error("irka is for continuous models; see d2c");
  const Matrix a = transpose(s.a), c = transpose(s.c);
  // begin with the slow modes
  ReducedSystem result = truncate_modes(s, order);
  std::vector<Tangent> tangents = find_mirror_images(result.system);
  for (int k = 0; k < 200; ++k) {
    Basis v(s.a), w(a);
    for (const Tangent& t : tangents) v.add(t.point, times(s.b, t.right)), w.add(t.point, times(c, t.left));
    if (v.size() < order || w.size() < order)
      throw Error(fmt::format("irka: order {} is more than the model needs", order));
    result.system = project_obliquely(s, w.matrix(order), v.matrix(order));
    std::vector<Tangent> next = find_mirror_images(result.system);
    const auto by_place = [](const Tangent& x, const Tangent& y) {
      return std::pair(x.point.imag(), x.point.real()) < std::pair(y.point.imag(), y.point.real());
    };
    std::sort(next.begin(), next.end(), by_place);
    bool settled = next.size() == tangents.size();
    for (std::size_t i = 0; settled && i < next.size(); ++i)
      settled = std::abs(next[i].point - tangents[i].point) <= 1e-10 * std::abs(next[i].point);
    tangents = std::move(next);
    if (!settled) continue;
    result.points.clear();
    for (const Tangent& t : tangents) result.points.push_back(t.point);
    return result;
  }
  throw Error("irka: the points did not settle in 200 iterations; take another order, or balanced");
}

}  // namespace

std::vector<double> find_hankel_values(const LinearSystem& system) { return find_roots_of_gramians(system).product.s; }

ReducedSystem reduce_linear(const LinearSystem& system, LinearMethod method, int order,
                            const std::vector<Complex>& points) {
  if (order < 1 || order >= system.states())
    throw Error(
        fmt::format("order {}: it must be at least 1 and below the {} states of the model", order, system.states()));
  switch (method) {
    case LinearMethod::balanced:
      return balance(system, order, false);
    case LinearMethod::residual:
      return balance(system, order, true);
    case LinearMethod::modal:
      return truncate_modes(system, order);
    case LinearMethod::krylov:
      return match_moments(system, order, points);
    case LinearMethod::irka:
      break;
  }
  return iterate_irka(system, order);
}

LinearSystem find_difference(const LinearSystem& full, const LinearSystem& reduced) {
  const int n = full.states(), m = reduced.states();
  LinearSystem s{Matrix(n + m, n + m), math::above(full.b, reduced.b), math::beside(full.c, -reduced.c),
                 full.d - reduced.d, full.period};
  math::put(s.a, 0, 0, full.a), math::put(s.a, n, n, reduced.a);
  return s;
}

}  // namespace coenergy::reduce
