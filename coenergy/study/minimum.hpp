#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace coenergy::study {

/// min f(x) over lower ≤ x ≤ upper with lower_g ≤ g(x) ≤ upper_g (±infinity: none; equal: an equation).
struct Minimisation {
  std::vector<double> start, lower, upper;
  std::vector<double> lower_g, upper_g;
  /// Places of the derivatives of g that can differ from zero.
  std::vector<int> rows, columns;
  /// False where there is no value at x.
  std::function<bool(std::span<const double> x, double& f, std::span<double> g)> values;
  std::function<bool(std::span<const double> x, std::span<double> gradient, std::span<double> slopes)> derivatives;
  /// Lower triangle of the second derivatives of factor·f + Σ multiplier·g, where they are known; entries at one place add up.
  std::vector<int> hessian_rows, hessian_columns;
  std::function<bool(std::span<const double> x, double factor, std::span<const double> multipliers,
                     std::span<double> values)>
      hessian;
};

struct MinimumOptions {
  std::string method = "auto";  ///< ipopt, slsqp, mma (gradients); cobyla (none); auto: ipopt, else slsqp
  double tolerance = 1e-9;
  int most_iterations = 500;
};

struct Minimum {
  bool good = false;
  std::string text, method;
  std::vector<double> x, g;
  double f = 0;
  /// Of the constraints and bounds, where the method gives them: f changes by −λ per unit by which an active limit is
  /// relaxed; > 0 at an upper limit, < 0 at a lower one.
  std::vector<double> multipliers, bound_multipliers;
  int iterations = 0;
};

/// The methods that this program was built with, the best first.
std::vector<std::string> minimum_methods();

/// A local minimum by a library made for it: Ipopt, NLopt. Throws Error for a method that is none, or that the program
/// was built without.
Minimum find_minimum(const Minimisation& problem, const MinimumOptions& options = {});

// of each library, where it was found when the program was built
Minimum minimize_by_ipopt(const Minimisation& problem, const MinimumOptions& options);
Minimum minimize_by_nlopt(const Minimisation& problem, const MinimumOptions& options);

}  // namespace coenergy::study
