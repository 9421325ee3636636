#include "coenergy/control/filters.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "coenergy/base/error.hpp"

namespace coenergy::control {

namespace {

constexpr double pi = std::numbers::pi;
constexpr int most = 40;  // order

Complex value_at(const ZeroPoleGain& f, Complex s) {
  Complex value = f.gain;
  for (const Complex z : f.zeros) value *= s - z;
  for (const Complex p : f.poles) value /= s - p;
  return value;
}

/// Gain one at s = 0.
void normalize(ZeroPoleGain& f, double gain = 1) { f.gain = 1, f.gain = gain / value_at(f, 0).real(); }

ZeroPoleGain make_chebyshev(int n, double ripple) {
  const double epsilon = std::sqrt(std::pow(10, ripple / 10) - 1), a = std::asinh(1 / epsilon) / n;
  ZeroPoleGain f;
  for (int k = 0; k < n; ++k) {
    const double angle = pi * (2 * k + 1) / (2 * n);
    f.poles.emplace_back(-std::sinh(a) * std::sin(angle), std::cosh(a) * std::cos(angle));
  }
  normalize(f, n % 2 == 0 ? 1 / std::sqrt(1 + epsilon * epsilon) : 1);
  return f;
}

ZeroPoleGain make_inverse_chebyshev(int n, double attenuation) {
  const double a = std::asinh(std::sqrt(std::pow(10, attenuation / 10) - 1)) / n;
  ZeroPoleGain f;
  for (int k = 0; k < n; ++k) {
    const double angle = pi * (2 * k + 1) / (2 * n);
    f.poles.push_back(1.0 / Complex(-std::sinh(a) * std::sin(angle), std::cosh(a) * std::cos(angle)));
    if (2 * k + 1 != n) f.zeros.emplace_back(0, 1 / std::cos(angle));
  }
  normalize(f);
  return f;
}

/// Jacobi's functions by Landen's transform (Orfanidis 2006): k₀ = k, k_i = (k_{i−1}/(1 + k'_{i−1}))².
std::vector<double> landen(double k) {
  std::vector<double> v;
  while (k > 1e-17 && v.size() < 12) v.push_back(k = std::pow(k / (1 + std::sqrt((1 - k) * (1 + k))), 2));
  return v;
}

/// cd(u K, k), and sn with the sine instead.
Complex ascend(Complex w, double k) {
  const std::vector<double> v = landen(k);
  for (auto x = v.rbegin(); x != v.rend(); ++x) w = (1 + *x) * w / (1.0 + *x * w * w);
  return w;
}
Complex cd(Complex u, double k) { return ascend(std::cos(u * pi / 2.0), k); }
double sn(double u, double k) { return ascend(std::sin(u * pi / 2), k).real(); }

/// u of sn(u K, k) = w, for imaginary w.
Complex inverse_sn(Complex w, double k) {
  double before = k;
  for (const double x : landen(k)) {
    w = 2.0 * w / ((1 + x) * (1.0 + std::sqrt(1.0 - w * w * before * before)));
    before = x;
  }
  return std::asin(w) * 2.0 / pi;
}

/// The modulus k of the pass band: N K'/K = K₁'/K₁.
double find_modulus(int n, double k1) {
  const double rest = std::sqrt((1 - k1) * (1 + k1));
  double product = 1;
  for (int i = 1; i <= n / 2; ++i) product *= sn((2.0 * i - 1) / n, rest);
  const double k_rest = std::pow(rest, n) * std::pow(product, 4);
  return std::sqrt((1 - k_rest) * (1 + k_rest));
}

ZeroPoleGain make_elliptic(int n, double ripple, double attenuation) {
  const double pass = std::sqrt(std::pow(10, ripple / 10) - 1), stop = std::sqrt(std::pow(10, attenuation / 10) - 1);
  const double k1 = pass / stop, k = find_modulus(n, k1);
  const Complex v0 = Complex(0, -1) * inverse_sn(Complex(0, 1 / pass), k1) / double(n);
  ZeroPoleGain f;
  for (int i = 1; i <= n / 2; ++i) {
    const double u = (2.0 * i - 1) / n;
    const Complex zero = Complex(0, 1) / (k * cd(u, k)), pole = Complex(0, 1) * cd(u - Complex(0, 1) * v0, k);
    f.zeros.push_back(Complex(0, zero.imag())), f.zeros.push_back(Complex(0, -zero.imag()));
    f.poles.push_back(pole), f.poles.push_back(std::conj(pole));
  }
  if (n % 2 == 1) f.poles.push_back((Complex(0, 1) * ascend(std::sin(Complex(0, 1) * v0 * pi / 2.0), k)).real());
  normalize(f, n % 2 == 0 ? std::pow(10, -ripple / 20) : 1);
  return f;
}

ZeroPoleGain make_prototype(const FilterSpec& spec) {
  const int n = spec.order;
  ZeroPoleGain f;
  switch (spec.family) {
    case FilterFamily::butterworth:
      for (int k = 0; k < n; ++k) f.poles.push_back(std::polar(1.0, pi * (2 * k + n + 1) / (2 * n)));
      f.gain = 1;
      return f;
    case FilterFamily::chebyshev:
      return make_chebyshev(n, spec.ripple);
    case FilterFamily::inverse_chebyshev:
      return make_inverse_chebyshev(n, spec.attenuation);
    case FilterFamily::elliptic:
      return make_elliptic(n, spec.ripple, spec.attenuation);
    case FilterFamily::bessel:
      break;
  }
  // reverse Bessel polynomial: a_k = (2n − k)!/(2^(n−k) k! (n − k)!), scaled to end with one
  std::vector<double> c;
  for (int k = n; k >= 0; --k)
    c.push_back(std::exp(std::lgamma(2 * n - k + 1.0) - (n - k) * std::log(2.0) - std::lgamma(k + 1.0) -
                         std::lgamma(n - k + 1.0)));
  const double scale = std::pow(c.back(), 1.0 / n);
  for (Complex p : find_roots(c)) f.poles.push_back(p / scale);
  normalize(f);
  return f;
}

/// s → (s² + ω₀²)/(B s): each root becomes two.
void spread(std::vector<Complex>& roots, double width, double centre) {
  std::vector<Complex> result;
  for (const Complex r : roots) {
    const Complex half = r * width / 2.0, distance = std::sqrt(half * half - centre * centre);
    result.push_back(half + distance), result.push_back(half - distance);
  }
  roots = std::move(result);
}

ZeroPoleGain transform(ZeroPoleGain f, FilterPass pass, const std::vector<double>& corners) {
  const int excess = int(f.poles.size()) - int(f.zeros.size());
  const bool two = pass == FilterPass::band || pass == FilterPass::stop;
  const double width = two ? corners[1] - corners[0] : corners[0],
               centre = two ? std::sqrt(corners[0] * corners[1]) : 0;
  if (pass == FilterPass::high || pass == FilterPass::stop) {
    // s → 1/s first
    f.gain = value_at(f, 0).real();
    for (Complex& z : f.zeros) z = 1.0 / z;
    for (Complex& p : f.poles) p = 1.0 / p;
    f.zeros.resize(f.poles.size(), 0.0);
    if (pass == FilterPass::high) {
      for (auto* list : {&f.zeros, &f.poles})
        for (Complex& x : *list) x *= width;
      return f;
    }
    // s/width → s/(s² + ω₀²) is the inverse of a band of the inverse roots
    for (auto* list : {&f.zeros, &f.poles}) {
      std::vector<Complex> result;
      for (const Complex r : *list) {
        if (std::abs(r) == 0) {
          result.emplace_back(0, centre), result.emplace_back(0, -centre);
          continue;
        }
        const Complex half = width * r / 2.0, distance = std::sqrt(half * half - centre * centre);
        result.push_back(half + distance), result.push_back(half - distance);
      }
      *list = std::move(result);
    }
    return f;
  }
  if (two) {
    spread(f.zeros, width, centre), spread(f.poles, width, centre);
    f.zeros.insert(f.zeros.end(), excess, 0.0);
  } else {
    for (auto* list : {&f.zeros, &f.poles})
      for (Complex& x : *list) x *= width;
  }
  f.gain *= std::pow(width, excess);
  return f;
}

void check(const FilterSpec& spec) {
  const bool two = spec.pass == FilterPass::band || spec.pass == FilterPass::stop;
  if (spec.order < 1 || spec.order > most) throw Error(fmt::format("order = {} must be 1 to {}", spec.order, most));
  if (spec.corners.size() != (two ? 2u : 1u))
    throw Error(fmt::format("{} corner frequencies: {} needed", spec.corners.size(), two ? "two are" : "one is"));
  for (const double w : spec.corners)
    if (!(w > 0) || !std::isfinite(w)) throw Error(fmt::format("corner frequency {} must be > 0", w));
  if (two && !(spec.corners[1] > spec.corners[0])) throw Error("the second corner frequency must be the higher one");
  if (!(spec.ripple > 0)) throw Error(fmt::format("ripple = {} dB must be > 0", spec.ripple));
  if (!(spec.attenuation > spec.ripple)) throw Error("the attenuation must be larger than the ripple");
}

}  // namespace

ZeroPoleGain design_filter(const FilterSpec& spec) {
  check(spec);
  return transform(make_prototype(spec), spec.pass, spec.corners);
}

ZeroPoleGain design_sampled_filter(const FilterSpec& spec, double period) {
  check(spec);
  FilterSpec warped = spec;
  for (double& w : warped.corners) {
    if (!(w < pi / period))
      throw Error(
          fmt::format("corner frequency {} rad/s must be below half the sampling frequency, {} rad/s", w, pi / period));
    w = 2 / period * std::tan(w * period / 2);
  }
  const ZeroPoleGain f = design_filter(warped);
  const double twice = 2 / period;
  ZeroPoleGain z;
  Complex gain = f.gain;
  for (const Complex p : f.poles) z.poles.push_back((twice + p) / (twice - p)), gain /= twice - p;
  for (const Complex x : f.zeros) z.zeros.push_back((twice + x) / (twice - x)), gain *= twice - x;
  z.zeros.resize(z.poles.size(), -1.0);
  z.gain = gain.real();
  return z;
}

TransferFunction expand(const ZeroPoleGain& zpk) {
  TransferFunction f{expand_roots(zpk.zeros), expand_roots(zpk.poles)};
  for (double& x : f.num) x *= zpk.gain;
  return f;
}

}  // namespace coenergy::control
