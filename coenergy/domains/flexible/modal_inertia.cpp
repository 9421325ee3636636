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

double dot(const Field& a, const Field& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < 6; ++i) sum += a[k][i] * b[k][i];
  return sum;
}
/// Three fields, for the axes x, y, z.
using Fields = std::array<Field, 3>;
Vector dot(const Fields& a, const Field& b) { return {dot(a[0], b), dot(a[1], b), dot(a[2], b)}; }
Fields weigh(const ShapedPoints& points, const Fields& f) {
  return {points.weigh(f[0]), points.weigh(f[1]), points.weigh(f[2])};
}
/// e_a × u at every point: what turning about an axis does to points that are displaced by u.
template <class At>
Fields turned(std::size_t count, At&& u, double turn) {
  Fields f;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t k = 0; k < count; ++k) {
      const auto& r = u(k);
      ShapedPoints::Twist t{};
      t[(a + 1) % 3] = -r[(a + 2) % 3], t[(a + 2) % 3] = r[(a + 1) % 3];
      t[3 + a] = turn;
      f[a].push_back(t);
    }
  return f;
}
void add_products(Matrix& j, const Fields& a, const Fields& weighed) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = dot(a[i], weighed[k]);
      j[3 * i + k] += x, j[3 * k + i] += x;
    }
}

}  // namespace

void set_inertia(const ShapedPoints& points, ModalBody& body) {
  const std::size_t n = static_cast<std::size_t>(body.modes), count = points.position.size();
  body.slide.resize(n), body.spin.resize(n), body.inertia_slope.resize(n);
  body.inertia_bend.resize(n * n), body.spin_slope.resize(n * n), body.modal_mass.resize(n * n);
  if (!points.bend.empty()) body.slide_slope.resize(n * n);

  Fields along;
  for (std::size_t a = 0; a < 3; ++a) {
    ShapedPoints::Twist unit{};
    unit[a] = 1;
    along[a].assign(count, unit);
  }
  const Fields about = turned(
      count, [&](std::size_t k) -> const Vector& { return points.position[k]; }, 1);
  const Fields along_weighed = weigh(points, along), about_weighed = weigh(points, about);
  body.mass = dot(along[0], along_weighed[0]);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    body.moment[i] = (dot(along[j], about_weighed[k]) - dot(along[k], about_weighed[j])) / 2;
    for (std::size_t m = 0; m < 3; ++m) body.inertia[3 * i + m] = dot(about[i], about_weighed[m]);
  }

  std::vector<Field> shape_weighed;
  std::vector<Fields> about_slope, slope_weighed;
  for (std::size_t i = 0; i < n; ++i) {
    shape_weighed.push_back(points.weigh(points.shift[i]));
    about_slope.push_back(turned(
        count, [&](std::size_t k) -> const ShapedPoints::Twist& { return points.shift[i][k]; }, 0));
    slope_weighed.push_back(weigh(points, about_slope[i]));
  }
  for (std::size_t i = 0; i < n; ++i) {
    body.slide[i] = dot(along, shape_weighed[i]);
    body.spin[i] = dot(about, shape_weighed[i]);
    add_products(body.inertia_slope[i], about_slope[i], about_weighed);
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t at = i * n + k;
      body.modal_mass[at] = dot(points.shift[k], shape_weighed[i]);
      add_products(body.inertia_bend[at], about_slope[i], slope_weighed[k]);
      body.spin_slope[at] = dot(about_slope[k], shape_weighed[i]);
      if (points.bend.empty()) continue;
      const Field& g = points.bend[at];
      const Vector slide = dot(along_weighed, g), spin = dot(about_weighed, g);
      body.slide_slope[at] = slide;
      for (std::size_t c = 0; c < 3; ++c) body.spin_slope[at][c] += spin[c];
      add_products(body.inertia_bend[at],
                   turned(
                       count, [&](std::size_t p) -> const ShapedPoints::Twist& { return g[p]; }, 0),
                   about_weighed);
    }
  }
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

void set_damping(const std::vector<double>& ratios, double tau, ModalBody& body) {
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
