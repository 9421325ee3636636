#include "coenergy/domains/flexible/beam_axis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "coenergy/math/rotation.hpp"

namespace coenergy::domains::flexible {
namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector unit(Vector a) {
  const double size = std::sqrt(dot(a, a));
  for (double& x : a) x /= size;
  return a;
}
/// a − 2 n (n·a)/(n·n).
Vector reflect(Vector a, const Vector& n) {
  const double size = dot(n, n);
  if (size == 0) return a;
  const double factor = 2 * dot(n, a) / size;
  for (int i = 0; i < 3; ++i) a[i] -= factor * n[i];
  return a;
}

/// The unit quaternion of a rotation matrix with these columns, by its largest component.
std::array<double, 4> quaternion_of(const Vector& x, const Vector& y, const Vector& z) {
  const double trace = x[0] + y[1] + z[2];
  std::array<double, 4> p;
  if (trace > 0) {
    p = {1 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0]};
  } else if (x[0] >= y[1] && x[0] >= z[2]) {
    p = {y[2] - z[1], 1 + x[0] - y[1] - z[2], y[0] + x[1], z[0] + x[2]};
  } else if (y[1] >= z[2]) {
    p = {z[0] - x[2], y[0] + x[1], 1 + y[1] - x[0] - z[2], z[1] + y[2]};
  } else {
    p = {x[1] - y[0], z[0] + x[2], z[1] + y[2], 1 + z[2] - x[0] - y[1]};
  }
  return math::normalized(p);
}

/// Gauss–Jordan elimination with row exchanges; small systems.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]), std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || a[i][k] == 0) continue;
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = 0; k < n; ++k) b[k] /= a[k][k];
  return b;
}

constexpr int steps = 400;  // along the line, for lengths and for carrying sections

}  // namespace

BeamAxis::Spline BeamAxis::Spline::make(std::vector<double> at, std::vector<double> value) {
  const std::size_t n = at.size();
  Spline s{std::move(at), std::move(value), std::vector<double>(n)};
  if (n < 3) return s;
  std::vector<std::vector<double>> a(n, std::vector<double>(n));
  std::vector<double> b(n);
  const auto h = [&](std::size_t i) { return s.at[i + 1] - s.at[i]; };
  for (std::size_t i = 1; i + 1 < n; ++i) {
    a[i][i - 1] = h(i - 1) / 6, a[i][i] = (h(i - 1) + h(i)) / 3, a[i][i + 1] = h(i) / 6;
    b[i] = (s.value[i + 1] - s.value[i]) / h(i) - (s.value[i] - s.value[i - 1]) / h(i - 1);
  }
  if (n == 3) {  // a parabola
    a[0][0] = 1, a[0][1] = -1, a[2][2] = 1, a[2][1] = -1;
  } else {
    a[0][0] = h(1), a[0][1] = -h(0) - h(1), a[0][2] = h(0);
    a[n - 1][n - 3] = h(n - 2), a[n - 1][n - 2] = -h(n - 2) - h(n - 3), a[n - 1][n - 1] = h(n - 3);
  }
  s.second = solve(a, b);
  return s;
}

double BeamAxis::Spline::operator()(double u) const {
  if (at.size() < 2) return value.empty() ? 0 : value[0];
  const std::size_t i =
      std::clamp<std::size_t>(std::upper_bound(at.begin(), at.end(), u) - at.begin(), 1, at.size() - 1) - 1;
  const double h = at[i + 1] - at[i], q = (u - at[i]) / h, p = 1 - q;
  return p * value[i] + q * value[i + 1] + h * h / 6 * ((p * p * p - p) * second[i] + (q * q * q - q) * second[i + 1]);
}

double BeamAxis::Spline::slope(double u) const {
  if (at.size() < 2) return 0;
  const std::size_t i =
      std::clamp<std::size_t>(std::upper_bound(at.begin(), at.end(), u) - at.begin(), 1, at.size() - 1) - 1;
  const double h = at[i + 1] - at[i], q = (u - at[i]) / h, p = 1 - q;
  return (value[i + 1] - value[i]) / h + h / 6 * ((1 - 3 * p * p) * second[i] + (3 * q * q - 1) * second[i + 1]);
}

namespace {

std::vector<double> equal_distances(std::size_t n) {
  std::vector<double> at;
  for (std::size_t i = 0; i < n; ++i) at.push_back(n > 1 ? static_cast<double>(i) / static_cast<double>(n - 1) : 0);
  return at;
}

}  // namespace

BeamAxis BeamAxis::arc(double length, double angle, const std::vector<double>& twist) {
  BeamAxis axis;
  axis.length_ = length, axis.angle_ = angle;
  axis.twist_ = Spline::make(equal_distances(twist.size()), twist);
  return axis;
}

BeamAxis BeamAxis::curve(const std::vector<std::array<double, 3>>& points, const std::vector<double>& twist) {
  BeamAxis axis;
  axis.twist_ = Spline::make(equal_distances(twist.size()), twist);
  std::vector<double> at{0};
  for (std::size_t k = 1; k < points.size(); ++k) {
    const Vector d{points[k][0] - points[k - 1][0], points[k][1] - points[k - 1][1], points[k][2] - points[k - 1][2]};
    at.push_back(at.back() + std::sqrt(dot(d, d)));
  }
  for (int i = 0; i < 3; ++i) {
    std::vector<double> value;
    for (const std::array<double, 3>& point : points) value.push_back(point[i]);
    axis.line_[i] = Spline::make(at, value);
  }
  const Vector t = axis.tangent(0), up = std::hypot(t[0], t[1]) > 1e-6 ? Vector{0, 0, 1} : Vector{0, 1, 0};
  axis.stations_.push_back({0, 0, unit(cross(up, t))});
  for (int k = 1; k <= steps; ++k) {
    const Station& last = axis.stations_.back();
    const double u = at.back() * k / steps;
    axis.stations_.push_back({u, last.length + axis.length_between(last.u, u), axis.carry(last.y, last.u, u)});
  }
  axis.length_ = axis.stations_.back().length;
  return axis;
}

BeamAxis::Vector BeamAxis::point(double u) const { return {line_[0](u), line_[1](u), line_[2](u)}; }
BeamAxis::Vector BeamAxis::tangent(double u) const {
  return unit({line_[0].slope(u), line_[1].slope(u), line_[2].slope(u)});
}

double BeamAxis::length_between(double u, double v) const {
  constexpr double gauss[] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
  constexpr double weight[] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};
  double sum = 0;
  for (int k = 0; k < 4; ++k) {
    const double w = (u + v) / 2 + gauss[k] * (v - u) / 2;
    sum += weight[k] * std::hypot(line_[0].slope(w), line_[1].slope(w), line_[2].slope(w));
  }
  return sum * (v - u) / 2;
}

BeamAxis::Vector BeamAxis::carry(const Vector& y, double from, double to) const {
  const Vector a = point(from), b = point(to), t = tangent(to);
  const Vector chord{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const Vector t_reflected = reflect(tangent(from), chord);
  return reflect(reflect(y, chord), {t[0] - t_reflected[0], t[1] - t_reflected[1], t[2] - t_reflected[2]});
}

BeamAxis::Section BeamAxis::at(double fraction) const {
  const double half = twist_(fraction) / 2;
  const std::array<double, 4> turned{std::cos(half), std::sin(half), 0, 0};
  if (stations_.empty()) {
    const double a = angle_ * fraction, chord = length_ * fraction * (a == 0 ? 1 : std::sin(a / 2) / (a / 2));
    return {{chord * std::cos(a / 2), chord * std::sin(a / 2), 0},
            math::multiply({std::cos(a / 2), 0, 0, std::sin(a / 2)}, turned)};
  }
  const double length = fraction * length_;
  const auto after = std::upper_bound(stations_.begin() + 1, stations_.end() - 1, length,
                                      [](double l, const Station& s) { return l < s.length; });
  const Station& from = *(after - 1);
  double u = from.u + (after->u - from.u) * (length - from.length) / (after->length - from.length);
  for (int k = 0; k < 4; ++k) {
    const double left = length - from.length - length_between(from.u, u);
    u += left / std::hypot(line_[0].slope(u), line_[1].slope(u), line_[2].slope(u));
  }
  const Vector x = tangent(u), y = unit(carry(from.y, from.u, u));
  return {point(u), math::multiply(quaternion_of(x, y, cross(x, y)), turned)};
}

}  // namespace coenergy::domains::flexible
