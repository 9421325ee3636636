#include "coenergy/study/roots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/names.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/math/dense_lu.hpp"
#include "coenergy/study/sobol.hpp"

namespace coenergy::study {

namespace {

/// Newton's iteration with all that belongs to it.
class Newton {
 public:
  Newton(const Formulas& f, const RootOptions& options)
      : f_(f), options_(options), n_(f.size()), lu_(n_), residual_(static_cast<std::size_t>(n_)) {}

  Root attempt(std::vector<double> x, bool damped) {
    Root root;
    root.damped = damped, root.x = std::move(x);
    if (!evaluate(root.x)) return fail(root, "a residual is no number at " + describe(root.x) + name_bad());
    for (int k = 0; k < options_.most_iterations; ++k) {
      root.trace.push_back({root.x, residual_});
      if (!factor(root.x)) return fail(root, describe_singularity(root.x));
      root.trace.back().determinant = determinant_;
      std::vector<double> d = correct();
      const double size = size_of(d, root.x);
      root.trace.back().correction = size;
      if (!std::isfinite(size)) return fail(root, describe_singularity(root.x));
      const double step = damped ? search(root.x, d, size) : take(root.x, d, 1);
      root.trace.back().step = step;
      if (step == 0) return fail(root, damped ? describe_stop(root.x, d) : "full steps diverge");
      root.x = trial_;
      if (size <= options_.tolerance && step == 1) return succeed(root);
      if (std::all_of(residual_.begin(), residual_.end(), [](double r) { return r == 0; })) return succeed(root);
    }
    return fail(root, fmt::format("Newton's iteration does not converge in {} steps; it is at {}, where {}",
                                  options_.most_iterations, describe(root.x), describe_largest()));
  }

 private:
  const std::vector<Variable>& variables() const { return f_.variables(); }
  std::string describe(const std::vector<double>& x) const { return describe_values(variables(), x); }

  bool evaluate(const std::vector<double>& x) {
    f_.values(x, residual_);
    return std::all_of(residual_.begin(), residual_.end(), [](double r) { return std::isfinite(r); });
  }
  std::string name_bad() const {
    for (int k = 0; k < n_; ++k)
      if (!std::isfinite(residual_[static_cast<std::size_t>(k)])) return ": " + f_.name(k);
    return "";
  }
  std::string describe_largest() const {
    int k = 0;
    for (int i = 1; i < n_; ++i)
      if (std::abs(residual_[static_cast<std::size_t>(i)]) > std::abs(residual_[static_cast<std::size_t>(k)])) k = i;
    return f_.name(k) + " is " + format_short(residual_[static_cast<std::size_t>(k)]) +
           (f_.unit(k).empty() ? "" : " " + f_.unit(k));
  }
  /// What counts as 1 of an unknown: its value, or where that is small the size of its guess and of its range.
  double scale(std::size_t k, const std::vector<double>& x) const {
    const Variable& v = variables()[k];
    double least = std::abs(v.guess);
    if (v.is_bounded()) least = std::max(least, 1e-3 * (v.upper - v.lower));
    return std::max({std::abs(x[k]), 1e-3 * (least > 0 ? least : 1)});
  }
  double size_of(const std::vector<double>& d, const std::vector<double>& x) const {
    double size = 0;
    for (std::size_t k = 0; k < d.size(); ++k) size = std::max(size, std::abs(d[k]) / scale(k, x));
    return size;
  }

  /// Rows and columns are brought to a like size first, so that the pivots tell whether it is singular.
  bool factor(const std::vector<double>& x) {
    jacobian_ = f_.jacobian(x);
    row_scale_.assign(static_cast<std::size_t>(n_), 0);
    column_scale_.assign(static_cast<std::size_t>(n_), 0);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) {
        double& largest = row_scale_[static_cast<std::size_t>(i)];
        largest = std::max(largest, std::abs(jacobian_(i, j)) * scale(static_cast<std::size_t>(j), x));
      }
    determinant_ = 0;
    for (int i = 0; i < n_; ++i)
      if (!(row_scale_[static_cast<std::size_t>(i)] > 0) || !std::isfinite(row_scale_[static_cast<std::size_t>(i)]))
        return false;
    auto a = lu_.matrix();
    math::Matrix whole = jacobian_;
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i) {
        column_scale_[static_cast<std::size_t>(j)] = scale(static_cast<std::size_t>(j), x);
        a[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(n_)] =
            jacobian_(i, j) * column_scale_[static_cast<std::size_t>(j)] / row_scale_[static_cast<std::size_t>(i)];
      }
    constexpr double singular = 1e-14;  // of the largest pivot: round-off of the scaled matrix
    if (!lu_.factor() || lu_.pivot_ratio() < singular) return false;
    determinant_ = compute_determinant(std::move(whole));
    return true;
  }
  static double compute_determinant(math::Matrix a) {
    double product = 1;
    for (int k = 0; k < a.rows; ++k) {
      int p = k;
      for (int i = k + 1; i < a.rows; ++i)
        if (std::abs(a(i, k)) > std::abs(a(p, k))) p = i;
      if (a(p, k) == 0) return 0;
      if (p != k) product = -product;
      for (int j = k; j < a.rows; ++j) std::swap(a(k, j), a(p, j));
      product *= a(k, k);
      for (int i = k + 1; i < a.rows; ++i)
        for (int j = a.rows - 1; j >= k; --j) a(i, j) -= a(i, k) / a(k, k) * a(k, j);
    }
    return product;
  }
  std::vector<double> correct() const {
    std::vector<double> d(residual_.size());
    for (std::size_t k = 0; k < d.size(); ++k) d[k] = -residual_[k] / row_scale_[k];
    lu_.solve(d);
    for (std::size_t k = 0; k < d.size(); ++k) d[k] *= column_scale_[k];
    return d;
  }

  /// The point x + step·d becomes the trial, if it lies within the bounds and has residuals; else 0.
  double take(const std::vector<double>& x, const std::vector<double>& d, double step) {
    trial_.resize(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
      trial_[k] = x[k] + step * d[k];
      const Variable& v = variables()[k];
      if (!(trial_[k] >= v.lower && trial_[k] <= v.upper)) return 0;
    }
    return evaluate(trial_) ? step : 0;
  }
  /// The longest of the steps 1, 1/2, 1/4 … that brings the next correction, by the same matrix, down.
  double search(const std::vector<double>& x, const std::vector<double>& d, double size) {
    constexpr double shortest = 1e-9;
    const std::vector<double> before = residual_;
    double step = 1;
    // a step to a bound ends at the bound
    for (std::size_t k = 0; k < x.size(); ++k) {
      const Variable& v = variables()[k];
      if (d[k] > 0 && x[k] + step * d[k] > v.upper) step = (v.upper - x[k]) / d[k] * (1 - 1e-12);
      if (d[k] < 0 && x[k] + step * d[k] < v.lower) step = (v.lower - x[k]) / d[k] * (1 - 1e-12);
    }
    for (; step > shortest; step /= 2) {
      if (take(x, d, step) == 0) continue;
      constexpr double round_off = 1e-12;
      if (size_of(correct(), x) <= (1 - step / 4) * size || size < round_off) return step;
    }
    residual_ = before;
    return 0;
  }
  std::string describe_stop(const std::vector<double>& x, const std::vector<double>& d) const {
    for (std::size_t k = 0; k < x.size(); ++k) {
      const Variable& v = variables()[k];
      const double close = 1e-9 * scale(k, x);
      if ((d[k] > 0 && x[k] > v.upper - close) || (d[k] < 0 && x[k] < v.lower + close))
        return fmt::format("Newton's iteration runs into the bound {} = {}; {} there", v.name, format_short(x[k]),
                           describe_largest());
    }
    return fmt::format(
        "Newton's iteration diverges: no step from {} brings the residuals down, where {}; try another guess, or "
        "look for all roots within bounds",
        describe(x), describe_largest());
  }
  /// Which unknowns can move, and which residuals do not tell.
  std::string describe_singularity(const std::vector<double>& x) const {
    const std::string begin = "the Jacobian is singular at " + describe(x) + ": ";
    for (int i = 0; i < n_; ++i)
      if (row_scale_[static_cast<std::size_t>(i)] == 0)
        return begin + f_.name(i) + " changes with none of the unknowns there";
    math::Matrix a = jacobian_;
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j)
        a(i, j) *= scale(static_cast<std::size_t>(j), x) / row_scale_[static_cast<std::size_t>(i)];
    const math::SingularValues svd = math::compute_singular_values(a);
    std::string unknowns, residuals;
    constexpr double part = 0.1;  // of a unit vector: what counts as taking part
    for (int k = 0; k < n_; ++k) {
      if (std::abs(svd.vt(n_ - 1, k)) > part)
        unknowns += (unknowns.empty() ? "" : ", ") + variables()[static_cast<std::size_t>(k)].name;
      if (std::abs(svd.u(k, n_ - 1)) > part) residuals += (residuals.empty() ? "" : ", ") + f_.name(k);
    }
    return begin + residuals + " do not determine " + unknowns + " there; try another guess";
  }
  static Root fail(Root& root, std::string text) {
    root.text = std::move(text);
    return std::move(root);
  }
  Root succeed(Root& root) const {
    root.good = true, root.residual = residual_;
    root.trace.push_back({root.x, residual_});
    return std::move(root);
  }

  const Formulas& f_;
  const RootOptions& options_;
  int n_;
  math::DenseLu<double> lu_;
  math::Matrix jacobian_;
  double determinant_ = 0;
  std::vector<double> residual_, trial_, row_scale_, column_scale_;
};

/// Whether two roots are one, by the sizes of their values and of the box.
bool is_same(const Formulas& f, const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double close = 1e-6;  // a double root is found to the root of the tolerance
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Variable& v = f.variables()[k];
    const double size = std::max({std::abs(a[k]), std::abs(b[k]), 1e-3 * (v.upper - v.lower)});
    if (std::abs(a[k] - b[k]) > close * size) return false;
  }
  return true;
}

}  // namespace

Formulas read_equations(const model::Model& model) {
  const model::Value *unknowns = find_section(model, "unknowns"), *residuals = find_section(model, "residuals");
  const Location file{model.file};
  if (unknowns == nullptr)
    throw Error(file, "the model has no unknowns; write unknowns: {x: GUESS, …} and residuals: [\"…\", …]");
  if (residuals == nullptr) throw Error(file, "the model has unknowns but no residuals; write residuals: [\"…\", …]");
  Formulas f(model);
  f.add_variables(*unknowns, "unknowns");
  f.add_residuals(*residuals);
  return f;
}

Root find_root(const Formulas& equations, const std::vector<double>& guess, const RootOptions& options) {
  Newton newton(equations, options);
  Root root = newton.attempt(guess, false);
  if (root.good || root.trace.size() == 1) {
    // nothing leads away from where it is singular at once
    if (root.good || root.trace[0].correction == 0) return root;
  }
  return newton.attempt(guess, true);
}

std::vector<Root> find_roots(const Formulas& equations, int starts, const RootOptions& options) {
  const std::vector<Variable>& variables = equations.variables();
  std::vector<double> guess;
  for (const Variable& v : variables) {
    guess.push_back(v.guess);
    if (!v.is_bounded())
      throw Error(v.where, "unknowns." + v.name + " needs min and max: all roots are looked for in a box");
  }
  std::vector<Root> roots;
  const auto add = [&](const std::vector<double>& start) {
    Root root = find_root(equations, start, options);
    if (!root.good) return;
    for (const Root& other : roots)
      if (is_same(equations, root.x, other.x)) return;
    roots.push_back(std::move(root));
  };
  add(guess);
  const int dimensions = static_cast<int>(variables.size());
  const Sobol sobol(std::min(dimensions, Sobol::most_dimensions));
  for (int s = 0; s < starts; ++s) {
    for (int k = 0; k < dimensions; ++k) {
      const Variable& v = variables[static_cast<std::size_t>(k)];
      // beyond the sequence's dimensions each takes another part of it
      const auto point = static_cast<std::uint64_t>(s) + static_cast<std::uint64_t>(k / Sobol::most_dimensions) * 9973u;
      guess[static_cast<std::size_t>(k)] = v.lower + (v.upper - v.lower) * sobol.at(point, k % Sobol::most_dimensions);
    }
    add(guess);
  }
  std::sort(roots.begin(), roots.end(), [](const Root& a, const Root& b) { return a.x < b.x; });
  return roots;
}

}  // namespace coenergy::study
