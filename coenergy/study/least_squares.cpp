#include "coenergy/study/least_squares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/math/decompositions.hpp"

namespace coenergy::study {

namespace {

/// Sums of one point: the triangle of the free parameters, in their scale, and the cost.
struct Linearised {
  math::Matrix triangle;
  double cost = 0, squares = 0;
  int rows = 0;
  std::string failure;
};

class Marquardt {
 public:
  Marquardt(const LeastSquares& problem, const FitOptions& options, int held)
      : problem_(problem), options_(options), n_(static_cast<int>(problem.start.size())), held_(held) {
    for (int k = 0; k < n_; ++k) {
      const auto i = static_cast<std::size_t>(k);
      double size = i < problem.scale.size() ? problem.scale[i] : 0;
      if (!(size > 0)) size = std::abs(problem.start[i]);
      scale_.push_back(size > 0 ? size : 1);
    }
  }

  Fit run() {
    Fit fit;
    fit.p = problem_.start;
    find_loss_scale(fit.p);
    Linearised at = linearise(fit.p, true);
    if (!at.failure.empty()) return fail(fit, "at the start values: " + at.failure);
    double damping = problem_.is_linear && options_.loss == Loss::squares ? 0 : 1e-3, growth = 2;
    for (fit.iterations = 0;; ++fit.iterations) {
      fit.trace.push_back({fit.p, at.cost, damping});
      if (fit.iterations == options_.most_iterations) {
        conclude(fit, at);
        fit.good = false, fit.text = fmt::format("no minimum is reached in {} steps", fit.iterations);
        return fit;
      }
      const std::vector<char> fixed = find_fixed(fit.p, at);
      bool done = false;
      for (int tries = 0;; ++tries) {
        std::vector<double> step = solve(at, fixed, damping), next = fit.p;
        double size = 0;
        for (int k = 0; k < n_; ++k) {
          const auto i = static_cast<std::size_t>(k);
          next[i] = clip(i, next[i] + step[i] * scale_[i]);
          size = std::max(size, std::abs(next[i] - fit.p[i]) / std::max(std::abs(fit.p[i]), 1e-3 * scale_[i]));
        }
        constexpr int most_tries = 40;
        if (!(size > 0) || tries == most_tries) {
          done = true;
          break;
        }
        const Linearised there = linearise(next, false);
        const double foreseen = foresee(at, step, fixed), gained = there.failure.empty() ? at.cost - there.cost : -1;
        // beyond round-off of the cost nothing can be told, and a step that small is the last one
        const bool is_noise = size < options_.tolerance && std::abs(at.cost - there.cost) < 1e-10 * at.cost;
        if (there.failure.empty() && (gained > 0 || is_noise || (damping == 0 && gained >= -1e-12 * at.cost))) {
          const double ratio = foreseen > 0 ? gained / foreseen : 1;
          if (damping > 0) damping = std::max(damping * std::max(1.0 / 3, 1 - std::pow(2 * ratio - 1, 3)), 1e-14);
          growth = 2;
          if (gained > 0 || damping == 0) fit.p = next;
          done = size < options_.tolerance || (problem_.is_linear && options_.loss == Loss::squares);
          break;
        }
        if (size < options_.tolerance) {
          done = true;
          break;
        }
        damping = std::max(damping, 1e-10) * growth, growth *= 2;
      }
      if (options_.loss != Loss::squares) find_loss_scale(fit.p);
      at = linearise(fit.p, true);
      if (!at.failure.empty()) return fail(fit, at.failure);
      if (done) break;
    }
    ++fit.iterations;
    fit.trace.push_back({fit.p, at.cost, damping});
    conclude(fit, at);
    fit.good = true;
    return fit;
  }

 private:
  static Fit fail(Fit& fit, std::string text) {
    fit.text = std::move(text);
    return std::move(fit);
  }
  double clip(std::size_t k, double p) const {
    if (k < problem_.lower.size()) p = std::max(p, problem_.lower[k]);
    if (k < problem_.upper.size()) p = std::min(p, problem_.upper[k]);
    return p;
  }

  /// From the median of |r|, which a few large ones do not move.
  void find_loss_scale(std::span<const double> p) {
    if (options_.loss == Loss::squares) return;
    std::vector<double> sizes;
    problem_.residuals(p, false, [&](double r, std::span<const double>) { sizes.push_back(std::abs(r)); });
    if (sizes.empty()) return;
    std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2), sizes.end());
    const double deviation = 1.4826 * sizes[sizes.size() / 2];
    limit_ = (options_.loss == Loss::huber ? 1.345 : 2.385) * (deviation > 0 ? deviation : 1);
  }
  /// ρ(r²), and the weight ρ'.
  std::pair<double, double> lose(double r) const {
    const double size = std::abs(r);
    if (options_.loss == Loss::huber && size > limit_) return {limit_ * (2 * size - limit_), limit_ / size};
    if (options_.loss == Loss::cauchy) {
      const double u = r / limit_;
      return {limit_ * limit_ * std::log1p(u * u), 1 / (1 + u * u)};
    }
    return {r * r, 1};
  }

  Linearised linearise(std::span<const double> p, bool slopes) const {
    Linearised at;
    RowTriangle triangle(n_);
    std::vector<double> row(static_cast<std::size_t>(n_));
    at.failure = problem_.residuals(p, slopes, [&](double r, std::span<const double> d) {
      const auto [cost, weight] = lose(r);
      at.cost += cost, at.squares += weight * r * r, ++at.rows;
      if (!slopes) return;
      const double root = std::sqrt(weight);
      for (std::size_t k = 0; k < row.size(); ++k) row[k] = static_cast<int>(k) == held_ ? 0 : root * d[k] * scale_[k];
      triangle.add(row, root * r);
    });
    if (at.failure.empty() && !std::isfinite(at.cost)) at.failure = "a residual is no number";
    if (slopes) at.triangle = triangle.triangle();
    return at;
  }

  /// Parameters at a bound beyond which the cost would fall.
  std::vector<char> find_fixed(const std::vector<double>& p, const Linearised& at) const {
    std::vector<char> fixed(static_cast<std::size_t>(n_), 0);
    for (int k = 0; k < n_; ++k) {
      const auto i = static_cast<std::size_t>(k);
      double gradient = 0;
      for (int j = 0; j <= k; ++j) gradient += at.triangle(j, k) * at.triangle(j, n_);
      if (k == held_) fixed[i] = 1;
      if (i < problem_.lower.size() && p[i] <= problem_.lower[i] && gradient > 0) fixed[i] = 1;
      if (i < problem_.upper.size() && p[i] >= problem_.upper[i] && gradient < 0) fixed[i] = 1;
    }
    return fixed;
  }
  /// The step in scaled parameters. Columns that vanish are damped too.
  std::vector<double> solve(const Linearised& at, const std::vector<char>& fixed, double damping) const {
    math::Matrix a(2 * n_, n_), b(2 * n_, 1);
    for (int j = 0; j < n_; ++j) {
      if (fixed[static_cast<std::size_t>(j)] != 0) continue;
      double length = 0;
      for (int i = 0; i <= j; ++i) a(i, j) = at.triangle(i, j), length += a(i, j) * a(i, j);
      a(n_ + j, j) = std::sqrt(damping * length);
    }
    for (int i = 0; i < n_; ++i) b(i, 0) = -at.triangle(i, n_);
    return math::solve_least_squares(a, b, problem_.slope_error).data;
  }
  double foresee(const Linearised& at, const std::vector<double>& step, const std::vector<char>&) const {
    double before = 0, after = 0;
    for (int i = 0; i < n_; ++i) {
      double r = at.triangle(i, n_);
      before += r * r;
      for (int j = i; j < n_; ++j) r += at.triangle(i, j) * step[static_cast<std::size_t>(j)];
      after += r * r;
    }
    return before - after;
  }

  void conclude(Fit& fit, const Linearised& at) const {
    fit.residuals = at.rows, fit.cost = at.cost;
    const std::vector<char> fixed = find_fixed(fit.p, at);
    fit.at_bound = fixed;
    std::vector<int> moving;
    for (int k = 0; k < n_; ++k)
      if (fixed[static_cast<std::size_t>(k)] == 0) moving.push_back(k);
    const int n = static_cast<int>(moving.size());
    // columns of unit length, so that rank does not depend on the parameters' sizes
    math::Matrix r(n_, n);
    std::vector<double> length(static_cast<std::size_t>(n));
    double longest = 0;
    for (int j = 0; j < n; ++j) {
      double square = 0;
      for (int i = 0; i < n_; ++i)
        r(i, j) = at.triangle(i, moving[static_cast<std::size_t>(j)]), square += r(i, j) * r(i, j);
      length[static_cast<std::size_t>(j)] = std::sqrt(square), longest = std::max(longest, std::sqrt(square));
    }
    const double least = problem_.slope_error * std::sqrt(static_cast<double>(std::max(1, at.rows)));
    for (int j = 0; j < n; ++j) {
      double& size = length[static_cast<std::size_t>(j)];
      if (!(size > problem_.slope_error * longest)) size = longest > 0 ? longest : 1;
      for (int i = 0; i < n_; ++i) r(i, j) /= size;
    }
    fit.sigma.assign(static_cast<std::size_t>(n_), 0), fit.half_width = fit.sigma;
    fit.correlation = math::Matrix(n_, n_);
    if (n == 0) return;
    const math::SingularValues svd = math::compute_singular_values(r);
    fit.rank = 0;
    while (fit.rank < n && svd.s[static_cast<std::size_t>(fit.rank)] > least * svd.s[0]) ++fit.rank;
    const int freedoms = at.rows - fit.rank;
    fit.variance = freedoms > 0 ? at.squares / freedoms : 0;
    math::Matrix covariance(n, n);
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        double sum = 0;
        for (int k = 0; k < fit.rank; ++k)
          sum +=
              svd.vt(k, a) * svd.vt(k, b) / (svd.s[static_cast<std::size_t>(k)] * svd.s[static_cast<std::size_t>(k)]);
        covariance(a, b) =
            sum * fit.variance / (length[static_cast<std::size_t>(a)] * length[static_cast<std::size_t>(b)]);
      }
    const double t = student_quantile(0.95, freedoms);
    for (int a = 0; a < n; ++a) {
      const auto k = static_cast<std::size_t>(moving[static_cast<std::size_t>(a)]);
      fit.sigma[k] = scale_[k] * std::sqrt(covariance(a, a));
      fit.half_width[k] = t * fit.sigma[k];
      for (int b = 0; b < n; ++b) {
        const double size = std::sqrt(covariance(a, a) * covariance(b, b));
        fit.correlation(moving[static_cast<std::size_t>(a)], moving[static_cast<std::size_t>(b)]) =
            size > 0 ? covariance(a, b) / size : a == b;
      }
    }
    for (int k = fit.rank; k < n; ++k) {
      std::vector<double> direction(static_cast<std::size_t>(n_), 0);
      for (int a = 0; a < n; ++a) {
        const auto i = static_cast<std::size_t>(moving[static_cast<std::size_t>(a)]);
        const double size = std::abs(fit.p[i]) > 0 ? std::abs(fit.p[i]) : scale_[i];
        direction[i] = svd.vt(k, a) / length[static_cast<std::size_t>(a)] * scale_[i] / size;
      }
      fit.free.push_back(std::move(direction));
    }
    make_sparse(fit.free);
    for (const std::vector<double>& direction : fit.free)
      for (std::size_t i = 0; i < direction.size(); ++i)
        if (direction[i] != 0) fit.sigma[i] = fit.half_width[i] = std::numeric_limits<double>::infinity();
  }

  /// Combinations of the same directions in each of which one parameter moves that rests in the others.
  static void make_sparse(std::vector<std::vector<double>>& free) {
    for (std::size_t k = 0; k < free.size(); ++k) {
      std::size_t pivot = 0, row = k;
      for (std::size_t r = k; r < free.size(); ++r)
        for (std::size_t i = 0; i < free[r].size(); ++i)
          if (std::abs(free[r][i]) > std::abs(free[row][pivot])) row = r, pivot = i;
      std::swap(free[k], free[row]);
      const double size = free[k][pivot];
      for (double& x : free[k]) x /= size;
      for (std::size_t r = 0; r < free.size(); ++r) {
        const double factor = free[r][pivot];
        for (std::size_t i = 0; r != k && i < free[r].size(); ++i) free[r][i] -= factor * free[k][i];
      }
    }
    constexpr double nothing = 1e-3;  // of the largest
    for (std::vector<double>& direction : free)
      for (double& x : direction)
        if (std::abs(x) < nothing) x = 0;
  }

  const LeastSquares& problem_;
  const FitOptions& options_;
  int n_, held_;
  std::vector<double> scale_;
  double limit_ = 1;
};

/// A small fraction near a number, as "", "^2", "^(1/2)"; the number itself where there is none.
std::string power_text(double exponent) {
  if (std::abs(exponent - 1) < 0.02) return "";
  for (const int below : {1, 2, 3}) {
    const double above = std::round(exponent * below);
    if (std::abs(exponent * below - above) > 0.02 * below || above == 0) continue;
    return below == 1 ? fmt::format("^{:g}", above) : fmt::format("^({:g}/{})", above, below);
  }
  return fmt::format("^{:.3g}", exponent);
}

}  // namespace

Fit fit(const LeastSquares& problem, const FitOptions& options) { return Marquardt(problem, options, -1).run(); }

Interval find_profile(const LeastSquares& problem, const Fit& best, int parameter, const FitOptions& options) {
  const auto k = static_cast<std::size_t>(parameter);
  Interval interval;
  if (!std::isfinite(best.half_width[k]) || !(best.sigma[k] > 0) || best.at_bound[k] != 0) return interval;
  const double t = best.half_width[k] / best.sigma[k], limit = best.cost + t * t * best.variance;
  const auto cost_at = [&](double value, std::vector<double>& others) {
    LeastSquares held = problem;
    held.start = others, held.start[k] = value;
    const Fit found = Marquardt(held, options, parameter).run();
    if (!found.good) return std::numeric_limits<double>::infinity();
    others = found.p;
    return found.cost;
  };
  for (const double side : {-1.0, 1.0}) {
    std::vector<double> others = best.p;
    double inside = best.p[k], outside = inside, step = best.half_width[k];
    bool found = false;
    constexpr int most = 12;
    for (int tries = 0; tries < most && !found; ++tries) {
      outside = inside + side * step;
      std::vector<double> trial = others;
      if (cost_at(outside, trial) > limit)
        found = true;
      else
        inside = outside, others = trial, step *= 1.5;
    }
    if (!found) continue;
    for (int tries = 0; tries < 40 && std::abs(outside - inside) > 1e-4 * best.half_width[k]; ++tries) {
      const double middle = (inside + outside) / 2;
      std::vector<double> trial = others;
      (cost_at(middle, trial) > limit ? outside : inside) = middle;
    }
    (side < 0 ? interval.low : interval.high) = (inside + outside) / 2;
  }
  return interval;
}

std::vector<std::string> describe_free(const Fit& fit, const std::vector<std::string>& names) {
  std::vector<std::string> lines;
  for (const std::vector<double>& direction : fit.free) {
    std::vector<std::size_t> involved;
    for (std::size_t k = 0; k < direction.size(); ++k)
      if (direction[k] != 0) involved.push_back(k);
    if (involved.size() == 1) {
      lines.push_back(names[involved[0]] + " is not identifiable: it changes nothing that was measured");
      continue;
    }
    std::string list, known;
    for (std::size_t j = 0; j < involved.size(); ++j)
      list += (j == 0 ? "" : j + 1 == involved.size() ? " and " : ", ") + names[involved[j]];
    // invariants p_j / p_1^(n_j/n_1) of the direction δ ln p = n
    const std::size_t first = involved[0];
    for (std::size_t j = 1; j < involved.size(); ++j) {
      const double exponent = direction[involved[j]] / direction[first];
      const bool divides = exponent > 0;
      std::string text;
      // the parameter that changes by the smaller power has none
      if (std::abs(exponent) >= 1)
        text = names[involved[j]] + (divides ? "/" : "*") + names[first] + power_text(std::abs(exponent));
      else
        text = names[first] + (divides ? "/" : "*") + names[involved[j]] + power_text(std::abs(1 / exponent));
      known += (known.empty() ? "" : ", ") + text;
    }
    lines.push_back(list + " are not identifiable: only " + known + (involved.size() == 2 ? " is" : " are"));
  }
  return lines;
}

}  // namespace coenergy::study
