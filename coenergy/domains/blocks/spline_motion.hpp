#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Motion through given points by a cubic spline: y(times[k]) = values[k], at rest before the first and after the last
/// (clamped, y″ continuous in between). Velocity and acceleration are its derivatives.
struct SplineMotion {
  List times, values;

  void describe(Description& d) {
    d.name("blocks.SplineMotion", "motion through points by a cubic spline, at rest at both ends");
    d.parameter(times, "times", "s", "increasing times");
    d.parameter(values, "values", "any", "positions at these times");
    d.output("y", "", "position");
    d.output("v", "", "velocity");
    d.output("a", "", "acceleration");
  }

  void equations(Equations& eq) const {
    const std::vector<double> t = eq.numbers(times), y = eq.numbers(values);
    if (t.size() != y.size() || t.size() < 2)
      eq.refuse("times and values need the same number of points, two or more; they have " + std::to_string(t.size()) +
                " and " + std::to_string(y.size()));
    for (std::size_t k = 1; k < t.size(); ++k)
      if (!(t[k] > t[k - 1])) eq.refuse("times must increase");
    const std::vector<double> slope = find_slopes(t, y);
    Expr position = y[0], velocity = 0, acceleration = 0;
    for (std::size_t k = 0; k + 1 < t.size(); ++k) {
      // y_k + m_k s + c s² + e s³ on the piece of length h
      const double h = t[k + 1] - t[k], rise = (y[k + 1] - y[k]) / h;
      const double c = (3 * rise - 2 * slope[k] - slope[k + 1]) / h, e = (slope[k] + slope[k + 1] - 2 * rise) / (h * h);
      const Expr s = eq.time() - t[k], begun = less_equal(0, s);
      eq.indicator("point", s);
      position = select(begun, y[k] + s * (slope[k] + s * (c + s * e)), position);
      velocity = select(begun, slope[k] + s * (2 * c + 3 * e * s), velocity);
      acceleration = select(begun, 2 * c + 6 * e * s, acceleration);
    }
    const Expr ended = less_equal(t.back(), eq.time());
    eq.indicator("end", eq.time() - t.back());
    eq.output("y", "", select(ended, y.back(), position));
    eq.output("v", "", select(ended, 0, velocity));
    eq.output("a", "", select(ended, 0, acceleration));
  }

 private:
  /// m_{k−1}/h_{k−1} + 2 m_k (1/h_{k−1} + 1/h_k) + m_{k+1}/h_k = 3 (Δ_{k−1}/h_{k−1} + Δ_k/h_k), m = 0 at both ends.
  static std::vector<double> find_slopes(const std::vector<double>& t, const std::vector<double>& y) {
    const std::size_t n = t.size();
    std::vector<double> m(n, 0.0), diagonal(n, 1.0), right(n, 0.0);
    const auto inverse = [&](std::size_t k) { return 1 / (t[k + 1] - t[k]); };
    for (std::size_t k = 1; k + 1 < n; ++k) {
      const double a = inverse(k - 1), b = inverse(k), factor = k > 1 ? a / diagonal[k - 1] : 0;
      diagonal[k] = 2 * (a + b) - factor * (k > 1 ? a : 0);
      right[k] = 3 * ((y[k] - y[k - 1]) * a * a + (y[k + 1] - y[k]) * b * b) - factor * right[k - 1];
    }
    for (std::size_t k = n - 1; k-- > 1;) m[k] = (right[k] - inverse(k) * m[k + 1]) / diagonal[k];
    return m;
  }
};

}  // namespace coenergy::domains::blocks
