#include "coenergy/domains/blocks/filter.hpp"

#include <cmath>
#include <complex>
#include <numbers>

#include "coenergy/base/names.hpp"

namespace coenergy::domains::blocks {

namespace {

using Complex = std::complex<double>;
using Coefficients = std::vector<double>;  // highest power first

/// num/den of one section.
struct Section {
  Coefficients num, den;
};

/// Poles of the prototype in the upper half plane, and the real one of odd orders.
std::vector<Complex> find_poles(bool chebyshev, int n, double ripple) {
  std::vector<Complex> poles;
  const double epsilon = std::sqrt(std::pow(10, ripple / 10) - 1), mu = chebyshev ? std::asinh(1 / epsilon) / n : 0;
  for (int k = 1; k <= (n + 1) / 2; ++k) {
    const double gamma = std::numbers::pi * (2 * k - 1) / (2 * n);
    Complex p = chebyshev ? Complex(-std::sinh(mu) * std::sin(gamma), std::cosh(mu) * std::cos(gamma))
                          : Complex(-std::sin(gamma), std::cos(gamma));
    if (2 * k - 1 == n) p = p.real();
    poles.push_back(p);
  }
  return poles;
}

Coefficients times(const Coefficients& a, const Coefficients& b) {
  Coefficients product(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
  return product;
}

/// f(g/h) hᵐ of a polynomial f of degree ≤ m.
Coefficients substitute(const Coefficients& f, const Coefficients& g, const Coefficients& h, std::size_t m) {
  Coefficients sum;
  for (std::size_t k = 0; k < f.size(); ++k) {
    Coefficients term{f[k]};
    const std::size_t power = f.size() - 1 - k;
    for (std::size_t i = 0; i < m; ++i) term = times(term, i < power ? g : h);
    if (sum.size() < term.size()) sum.insert(sum.begin(), term.size() - sum.size(), 0.0);
    for (std::size_t i = 0; i < term.size(); ++i) sum[sum.size() - term.size() + i] += term[i];
  }
  return sum;
}

/// s of the prototype as a quotient of polynomials in s (or z).
Section find_map(const std::string& passes, const std::vector<double>& w) {
  if (passes == "low") return {{1 / w[0], 0}, {1}};
  if (passes == "high") return {{w[0]}, {1, 0}};
  const Section band{{1, 0, w[0] * w[1]}, {w[1] - w[0], 0}};
  return passes == "band" ? band : Section{band.den, band.num};
}

}  // namespace

void Filter::describe(Description& d) {
  d.name("blocks.Filter", "filter by type, order and corner frequencies (Butterworth, Chebyshev)");
  d.parameter(u, "u", "any", "input").varying();
  d.choice(passes, "passes", {"low", "high", "band", "stop"}, "what it lets pass; stop: all but a band");
  d.choice(family, "family", {"butterworth", "chebyshev"}, "kind of the filter");
  d.parameter(order, "order", "", "of the prototype: 1 to 12 (band and stop have twice as many states)")
      .between(1, 12)
      .fallback("2");
  d.parameter(corners, "corners", "Hz", "corner frequency; of band and stop both").positive();
  d.parameter(ripple, "ripple", "", "of chebyshev, in dB")
      .between(0.001, 20)
      .fallback("1")
      .used_for(family, {"chebyshev"});
  sampling.describe(d);
  d.output("x#", "", "state 1, 2, ...");
  d.output("y", "", "output");
}

std::vector<double> Filter::read_corners(Equations& eq) const {
  const std::string kind = eq[passes];
  const std::size_t needed = kind == "low" || kind == "high" ? 1 : 2;
  std::vector<double> w = eq.numbers(corners);
  if (w.size() != needed)
    eq.refuse("corners has " + std::to_string(w.size()) + " entries; a filter that passes " + kind + " needs " +
              std::to_string(needed));
  if (needed == 2 && !(w[0] < w[1])) eq.refuse("the second corner must be above the first");
  for (double& x : w) {
    x *= 2 * std::numbers::pi;
    if (!sampling.given(eq)) continue;
    const double T = eq.number(sampling.period);
    if (x * T >= std::numbers::pi)
      eq.refuse("the corner " + format_short(x / (2 * std::numbers::pi)) +
                " Hz is not below half of the sampling frequency, " + format_short(0.5 / T) + " Hz");
    x = 2 / T * std::tan(x * T / 2);
  }
  return w;
}

void Filter::equations(Equations& eq) const {
  const int n = static_cast<int>(eq.number(order));
  if (n != eq.number(order)) eq.refuse("order must be a whole number");
  const bool chebyshev = eq[family] == "chebyshev";
  const double dB = eq.number(ripple);
  const Section map = find_map(eq[passes], read_corners(eq));
  Expr y = eq[u];
  int first = 1;
  bool is_first = true;
  for (const Complex& p : find_poles(chebyshev, n, dB)) {
    Section prototype = p.imag() == 0 ? Section{{-p.real()}, {1, -p.real()}}
                                      : Section{{std::norm(p)}, {1, -2 * p.real(), std::norm(p)}};
    if (chebyshev && n % 2 == 0 && is_first) prototype.num[0] *= std::pow(10, -dB / 20);
    is_first = false;
    const std::size_t degree = prototype.den.size() - 1;
    Section section{substitute(prototype.num, map.num, map.den, degree),
                    substitute(prototype.den, map.num, map.den, degree)};
    if (sampling.given(eq)) {
      const double T = eq.number(sampling.period);
      const std::size_t m = std::max(section.num.size(), section.den.size()) - 1;
      section = {substitute(section.num, {2 / T, -2 / T}, {1, 1}, m),
                 substitute(section.den, {2 / T, -2 / T}, {1, 1}, m)};
    }
    y = write_transfer(eq, {section.num.begin(), section.num.end()}, {section.den.begin(), section.den.end()}, y,
                       sampling, first);
    first += static_cast<int>(section.den.size()) - 1;
  }
  sampling.output(eq, "y", y);
}

}  // namespace coenergy::domains::blocks
