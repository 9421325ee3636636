#include "coenergy/domains/flexible/modal_inertia.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coenergy/math/decompositions.hpp"

namespace coenergy::domains::flexible {

using model::ModalBody;
using Vector = ModalBody::Vector;
using Matrix = ModalBody::Matrix;
using Field = ShapedPoints::Field;

namespace {

/// P = Σ a_k (M b)_kᵀ: what all inertias are made of.
Matrix moments(const Field& a, const Field& weighed) {
  Matrix p{};
  for (std::size_t k = 0; k < a.size(); ++k)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) p[3 * i + j] += a[k][i] * weighed[k][j];
  return p;
}
double trace(const Matrix& p) { return p[0] + p[4] + p[8]; }
/// Σ a × b.
Vector turn_of(const Matrix& p) { return {p[5] - p[7], p[6] - p[2], p[1] - p[3]}; }
/// Σ 2 a·b 1 − a bᵀ − b aᵀ.
Matrix spread_of(const Matrix& p) {
  Matrix j{};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) j[3 * i + k] = (i == k ? 2 * trace(p) : 0) - p[3 * i + k] - p[3 * k + i];
  return j;
}
Vector sum_of(const Field& f) {
  Vector s{};
  for (const Vector& v : f)
    for (int i = 0; i < 3; ++i) s[i] += v[i];
  return s;
}
template <std::size_t N>
void add(std::array<double, N>& a, const std::array<double, N>& b, double factor = 1) {
  for (std::size_t i = 0; i < N; ++i) a[i] += factor * b[i];
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector times(const Matrix& m, const Vector& v) {
  return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
          m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}
Matrix outer(const Vector& a, const Vector& b) {
  Matrix p{};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) p[3 * i + k] = a[i] * b[k];
  return p;
}

void add_turning(const ShapedPoints& points, const ShapedPoints::Turning& part, ModalBody& body) {
  const std::size_t n = static_cast<std::size_t>(body.modes);
  const Vector& r = points.position[part.point];
  const Vector& s = part.moment;
  add(body.moment, s);
  add(body.inertia, part.inertia);
  add(body.inertia, spread_of(outer(r, s)));
  for (std::size_t i = 0; i < n; ++i) {
    const Vector &u = points.shift[i][part.point], &w = part.turn[i];
    const Vector turned = cross(w, s), spin = times(part.inertia, w);
    add(body.slide[i], turned);
    add(body.spin[i], spin);
    add(body.spin[i], cross(r, turned));
    add(body.spin[i], cross(s, u));
    // (W×) J and its transpose
    for (int c = 0; c < 3; ++c) {
      const Vector column{part.inertia[c], part.inertia[3 + c], part.inertia[6 + c]};
      const Vector moved = cross(w, column);
      for (int k = 0; k < 3; ++k)
        body.inertia_slope[i][3 * k + c] += moved[k], body.inertia_slope[i][3 * c + k] += moved[k];
    }
    add(body.inertia_slope[i], spread_of(outer(u, s)));
    add(body.inertia_slope[i], spread_of(outer(r, turned)));
    for (std::size_t k = 0; k < n; ++k)
      body.modal_mass[i * n + k] +=
          dot(part.turn[k], spin) + dot(points.shift[k][part.point], turned) + dot(u, cross(part.turn[k], s));
  }
}

}  // namespace

void add_inertia(const ShapedPoints& points, ModalBody& body) {
  const std::size_t n = static_cast<std::size_t>(body.modes);
  body.slide.resize(n), body.spin.resize(n), body.inertia_slope.resize(n);
  body.inertia_bend.resize(n * n), body.spin_slope.resize(n * n), body.modal_mass.resize(n * n);
  if (!points.bend.empty()) body.slide_slope.resize(n * n);

  const Field weighed = points.weigh(points.position);
  for (const Vector& v : points.weigh(Field(points.position.size(), Vector{1, 0, 0}))) body.mass += v[0];
  add(body.moment, sum_of(weighed));
  add(body.inertia, spread_of(moments(points.position, weighed)), 0.5);
  for (std::size_t i = 0; i < n; ++i) {
    const Field moved = points.weigh(points.shift[i]);
    const Matrix first = moments(points.position, moved);
    add(body.slide[i], sum_of(moved));
    add(body.spin[i], turn_of(first));
    add(body.inertia_slope[i], spread_of(first));
    for (std::size_t k = 0; k < n; ++k) {
      const Matrix second = moments(points.shift[k], moved);
      body.modal_mass[i * n + k] += trace(second);
      add(body.inertia_bend[i * n + k], spread_of(second));
      add(body.spin_slope[i * n + k], turn_of(second));  // U_k × U_i
      if (points.bend.empty()) continue;
      const Field bent = points.weigh(points.bend[i * n + k]);
      const Matrix third = moments(points.position, bent);
      add(body.slide_slope[i * n + k], sum_of(bent));
      add(body.inertia_bend[i * n + k], spread_of(third));
      add(body.spin_slope[i * n + k], turn_of(third));
    }
  }
  for (const ShapedPoints::Turning& part : points.turning) add_turning(points, part, body);
}

namespace {

struct Modes {
  std::vector<double> frequency;            // rad/s, rising
  std::vector<std::vector<double>> vector;  // φᵀMφ = 1
};
Modes compute_modes(const ModalBody& body) {
  const int n = body.modes;
  math::Matrix k(n, n), m(n, n);
  k.data = body.stiffness, m.data = body.modal_mass;
  const math::GeneralizedEigenPairs pairs = math::compute_generalized_eigenpairs(k, m);
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  const auto square = [&](int i) { return pairs.alpha[i].real() / pairs.beta[i]; };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return square(a) < square(b); });
  Modes modes;
  for (int i : order) {
    std::vector<double> v(static_cast<std::size_t>(n));
    double weight = 0;
    for (int a = 0; a < n; ++a) v[a] = pairs.vectors(a, i).real();
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) weight += v[a] * m(a, b) * v[b];
    for (double& x : v) x /= std::sqrt(weight);
    modes.frequency.push_back(std::sqrt(std::max(square(i), 0.0)));
    modes.vector.push_back(std::move(v));
  }
  return modes;
}

}  // namespace

std::vector<double> compute_held_frequencies(const ModalBody& body) { return compute_modes(body).frequency; }

void add_damping(const std::vector<double>& ratios, double tau, ModalBody& body) {
  const std::size_t n = static_cast<std::size_t>(body.modes);
  body.damping.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n * n; ++i) body.damping[i] = tau * body.stiffness[i];
  if (ratios.empty() || n == 0) return;
  const Modes modes = compute_modes(body);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> weighed(n);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) weighed[a] += body.modal_mass[a * n + b] * modes.vector[j][b];
    const double rate = 2 * ratios[std::min(j, ratios.size() - 1)] * modes.frequency[j];
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) body.damping[a * n + b] += rate * weighed[a] * weighed[b];
  }
}

}  // namespace coenergy::domains::flexible
