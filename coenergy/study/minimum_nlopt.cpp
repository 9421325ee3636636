#include "coenergy/study/minimum.hpp"

#ifdef COENERGY_NLOPT
#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>

namespace coenergy::study {

namespace {

struct Calls {
  const Minimisation* problem;
  nlopt_opt opt;
  std::vector<int> upper, lower, equal;  ///< constraints g ≤ upper, g ≥ lower, g = upper
  std::vector<double> g, gradient, slopes;
  std::exception_ptr thrown;
  bool was_missing = false;

  template <class Action>
  void guard(Action&& action) {
    try {
      if (action()) return;
      was_missing = true;
    } catch (...) {
      thrown = std::current_exception();
    }
    nlopt_force_stop(opt);
  }
};

double find_f(unsigned n, const double* x, double* gradient, void* data) {
  Calls& c = *static_cast<Calls*>(data);
  double f = HUGE_VAL;
  c.guard([&] {
    if (gradient != nullptr && !c.problem->derivatives({x, n}, {gradient, n}, c.slopes)) return false;
    return c.problem->values({x, n}, f, c.g);
  });
  return f;
}

/// `sign` ·(g − limit) of the constraints in `list`.
void find_constraints(Calls& c, const std::vector<int>& list, double sign, const std::vector<double>& limit, unsigned n,
                      const double* x, double* result, double* gradient) {
  c.guard([&] {
    double f = 0;
    if (!c.problem->values({x, n}, f, c.g)) return false;
    for (std::size_t k = 0; k < list.size(); ++k) {
      const auto i = static_cast<std::size_t>(list[k]);
      result[k] = sign * (c.g[i] - limit[i]);
    }
    if (gradient == nullptr) return true;
    if (!c.problem->derivatives({x, n}, c.gradient, c.slopes)) return false;
    std::fill_n(gradient, list.size() * n, 0.0);
    for (std::size_t e = 0; e < c.slopes.size(); ++e)
      for (std::size_t k = 0; k < list.size(); ++k)
        if (list[k] == c.problem->rows[e])
          gradient[k * n + static_cast<std::size_t>(c.problem->columns[e])] += sign * c.slopes[e];
    return true;
  });
}

void find_upper(unsigned, double* result, unsigned n, const double* x, double* gradient, void* data) {
  Calls& c = *static_cast<Calls*>(data);
  find_constraints(c, c.upper, 1, c.problem->upper_g, n, x, result, gradient);
}
void find_lower(unsigned, double* result, unsigned n, const double* x, double* gradient, void* data) {
  Calls& c = *static_cast<Calls*>(data);
  find_constraints(c, c.lower, -1, c.problem->lower_g, n, x, result, gradient);
}
void find_equal(unsigned, double* result, unsigned n, const double* x, double* gradient, void* data) {
  Calls& c = *static_cast<Calls*>(data);
  find_constraints(c, c.equal, 1, c.problem->upper_g, n, x, result, gradient);
}

}  // namespace

Minimum minimize_by_nlopt(const Minimisation& problem, const MinimumOptions& options) {
  const auto n = static_cast<unsigned>(problem.start.size());
  const nlopt_algorithm algorithm = options.method == "mma"      ? NLOPT_LD_MMA
                                    : options.method == "cobyla" ? NLOPT_LN_COBYLA
                                                                 : NLOPT_LD_SLSQP;
  nlopt_opt opt = nlopt_create(algorithm, n);
  Calls calls{&problem,
              opt,
              {},
              {},
              {},
              std::vector<double>(problem.lower_g.size()),
              std::vector<double>(n),
              std::vector<double>(problem.rows.size()),
              {}};
  for (std::size_t i = 0; i < problem.lower_g.size(); ++i) {
    const int k = static_cast<int>(i);
    if (problem.lower_g[i] == problem.upper_g[i]) {
      calls.equal.push_back(k);
      continue;
    }
    if (std::isfinite(problem.upper_g[i])) calls.upper.push_back(k);
    if (std::isfinite(problem.lower_g[i])) calls.lower.push_back(k);
  }
  nlopt_set_lower_bounds(opt, problem.lower.data());
  nlopt_set_upper_bounds(opt, problem.upper.data());
  nlopt_set_min_objective(opt, find_f, &calls);
  const auto add = [&](const std::vector<int>& list, auto function, bool equal) {
    if (list.empty()) return;
    const std::vector<double> tolerances(list.size(), 1e-9);
    const auto count = static_cast<unsigned>(list.size());
    if (equal)
      nlopt_add_equality_mconstraint(opt, count, function, &calls, tolerances.data());
    else
      nlopt_add_inequality_mconstraint(opt, count, function, &calls, tolerances.data());
  };
  add(calls.upper, find_upper, false), add(calls.lower, find_lower, false), add(calls.equal, find_equal, true);
  nlopt_set_xtol_rel(opt, options.tolerance);
  nlopt_set_maxeval(opt, options.most_iterations * 20);
  Minimum result;
  result.method = options.method, result.x = problem.start;
  for (unsigned k = 0; k < n; ++k) result.x[k] = std::clamp(result.x[k], problem.lower[k], problem.upper[k]);
  const nlopt_result status = nlopt_optimize(opt, result.x.data(), &result.f);
  result.iterations = nlopt_get_numevals(opt);
  nlopt_destroy(opt);
  if (calls.thrown) std::rethrow_exception(calls.thrown);
  result.g.resize(problem.lower_g.size());
  problem.values(result.x, result.f, result.g);
  result.good = status > 0 && status != NLOPT_MAXEVAL_REACHED;
  if (!result.good)
    result.text = calls.was_missing                 ? "there is no value where the search went"
                  : status == NLOPT_MAXEVAL_REACHED ? "no minimum is reached in the evaluations allowed"
                  : status == NLOPT_INVALID_ARGS    ? "the method cannot take constraints of this kind"
                                                    : "the search failed";
  for (std::size_t i = 0; i < result.g.size() && result.good; ++i) {
    const double size = 1e-6 * (1 + std::abs(result.g[i]));
    if (result.g[i] > problem.upper_g[i] + size || result.g[i] < problem.lower_g[i] - size)
      result.good = false, result.text = "the constraints contradict each other where the search ended";
  }
  return result;
}

}  // namespace coenergy::study
#endif
