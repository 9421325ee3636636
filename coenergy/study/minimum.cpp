#include "coenergy/study/minimum.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/base/argument.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"

namespace coenergy::study {

std::vector<std::string> minimum_methods() {
  std::vector<std::string> methods;
#ifdef COENERGY_IPOPT
  methods.emplace_back("ipopt");
#endif
#ifdef COENERGY_NLOPT
  for (const char* name : {"slsqp", "mma", "cobyla"}) methods.emplace_back(name);
#endif
  return methods;
}

namespace {

/// Multipliers of a method that gives none: those with which ∇f + Σ λ ∇g + μ comes closest to zero at the minimum, of the
/// limits that are reached there.
[[maybe_unused]] void find_multipliers(const Minimisation& problem, Minimum& found) {
  const std::size_t n = problem.start.size(), m = problem.lower_g.size();
  std::vector<double> gradient(n), slopes(problem.rows.size());
  if (!problem.derivatives(found.x, gradient, slopes)) return;
  const auto reaches = [](double value, double low, double high) {
    const double close = 1e-6 * (1 + std::abs(value));
    return value < low + close || value > high - close;
  };
  std::vector<int> active;  // constraints, then bounds
  for (std::size_t i = 0; i < m; ++i)
    if (reaches(found.g[i], problem.lower_g[i], problem.upper_g[i])) active.push_back(static_cast<int>(i));
  for (std::size_t k = 0; k < n; ++k)
    if (reaches(found.x[k], problem.lower[k], problem.upper[k])) active.push_back(static_cast<int>(m + k));
  math::Matrix a(static_cast<int>(n), static_cast<int>(active.size())), b(static_cast<int>(n), 1);
  for (std::size_t k = 0; k < n; ++k) b(static_cast<int>(k), 0) = -gradient[k];
  for (int j = 0; j < a.columns; ++j) {
    const int limit = active[static_cast<std::size_t>(j)];
    if (limit >= static_cast<int>(m)) a(limit - static_cast<int>(m), j) = 1;
    for (std::size_t e = 0; e < slopes.size(); ++e)
      if (problem.rows[e] == limit) a(problem.columns[e], j) += slopes[e];
  }
  const math::Matrix x = math::solve_least_squares(a, b);
  found.multipliers.assign(m, 0), found.bound_multipliers.assign(n, 0);
  for (int j = 0; j < a.columns; ++j) {
    const auto limit = static_cast<std::size_t>(active[static_cast<std::size_t>(j)]);
    (limit < m ? found.multipliers[limit] : found.bound_multipliers[limit - m]) = x(j, 0);
  }
}

}  // namespace

Minimum find_minimum(const Minimisation& problem, const MinimumOptions& options) {
  const std::vector<std::string> all{"ipopt", "slsqp", "mma", "cobyla"}, here = minimum_methods();
  const std::string method = options.method == "auto" && !here.empty() ? here.front() : options.method;
  if (std::find(all.begin(), all.end(), method) == all.end() && method != "auto")
    throw Error(argument("method ") + method + ": it must be auto, ipopt, slsqp, mma or cobyla" +
                did_you_mean(method, all));
  if (std::find(here.begin(), here.end(), method) == here.end())
    throw Error((method == "auto" ? std::string("optimize") : argument("method ") + method) +
                ": the program was built without it; install " +
                (method == "ipopt"  ? "coinor-libipopt-dev"
                 : method == "auto" ? "coinor-libipopt-dev or libnlopt-dev"
                                    : "libnlopt-dev") +
                " and build again");
#ifdef COENERGY_IPOPT
  if (method == "ipopt") return minimize_by_ipopt(problem, options);
#endif
#ifdef COENERGY_NLOPT
  MinimumOptions chosen = options;
  chosen.method = method;
  Minimum found = minimize_by_nlopt(problem, chosen);
  if (found.good) find_multipliers(problem, found);
  return found;
#else
  return {};
#endif
}

}  // namespace coenergy::study
