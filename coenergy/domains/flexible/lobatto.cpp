#include "coenergy/domains/flexible/lobatto.hpp"

#include <cmath>
#include <numbers>

namespace coenergy::domains::flexible {
namespace {

/// Pₙ, Pₙ′ and Pₙ″ of Legendre at x, |x| < 1.
struct Legendre {
  double value, slope, curvature;
};
Legendre legendre(int n, double x) {
  double before = 1, value = x;
  if (n == 0) return {1, 0, 0};
  for (int k = 2; k <= n; ++k) {
    const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
    before = value, value = next;
  }
  const double slope = n * (before - x * value) / (1 - x * x);
  return {value, slope, (2 * x * slope - n * (n + 1) * value) / (1 - x * x)};
}

constexpr int iterations = 20;  // of Newton's method, which converges quadratically from these guesses

}  // namespace

Quadrature make_gauss(int n) {
  Quadrature q;
  for (int i = 0; i < n; ++i) {
    double x = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    for (int k = 0; k < iterations; ++k) {
      const Legendre p = legendre(n, x);
      x -= p.value / p.slope;
    }
    const double slope = legendre(n, x).slope;
    q.at.push_back(x);
    q.weight.push_back(2 / ((1 - x * x) * slope * slope));
  }
  return q;
}

Quadrature make_lobatto(int n) {
  Quadrature q;
  for (int i = 0; i < n; ++i) {
    double x = -std::cos(std::numbers::pi * i / (n - 1));
    for (int k = 0; k < iterations && i > 0 && i < n - 1; ++k) {
      const Legendre p = legendre(n - 1, x);
      x -= p.slope / p.curvature;
    }
    const bool is_end = i == 0 || i == n - 1;
    const double value = is_end ? 1 : legendre(n - 1, x).value;
    q.at.push_back(i == 0 ? -1 : i == n - 1 ? 1 : x);
    q.weight.push_back(2 / (n * (n - 1) * value * value));
  }
  return q;
}

Basis make_basis(const std::vector<double>& nodes, double xi) {
  Basis b;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    double value = 1, slope = 0;
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      if (j == i) continue;
      const double factor = (xi - nodes[j]) / (nodes[i] - nodes[j]);
      slope = slope * factor + value / (nodes[i] - nodes[j]);
      value *= factor;
    }
    b.value.push_back(value), b.slope.push_back(slope);
  }
  return b;
}

}  // namespace coenergy::domains::flexible
