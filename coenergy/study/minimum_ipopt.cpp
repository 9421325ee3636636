#include "coenergy/study/minimum.hpp"

#ifdef COENERGY_IPOPT
#include <IpStdCInterface.h>

#include <algorithm>
#include <cmath>
#include <exception>

namespace coenergy::study {

namespace {

/// What the callbacks of Ipopt need. Exceptions wait until its C code has returned.
struct Callbacks {
  const Minimisation* problem;
  std::vector<double> g, gradient, slopes;
  std::exception_ptr thrown;
  int iterations = 0;

  template <class Action>
  bool guard(Action&& action) {
    if (thrown) return false;
    try {
      return action();
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  }
};

Callbacks& of(void* data) { return *static_cast<Callbacks*>(data); }

Bool find_f(Index n, Number* x, Bool, Number* f, void* data) {
  Callbacks& c = of(data);
  return c.guard([&] { return c.problem->values({x, static_cast<std::size_t>(n)}, *f, c.g) && std::isfinite(*f); });
}
Bool find_gradient(Index n, Number* x, Bool, Number* gradient, void* data) {
  Callbacks& c = of(data);
  return c.guard([&] {
    const auto size = static_cast<std::size_t>(n);
    return c.problem->derivatives({x, size}, {gradient, size}, c.slopes);
  });
}
Bool find_g(Index n, Number* x, Bool, Index m, Number* g, void* data) {
  Callbacks& c = of(data);
  return c.guard([&] {
    double f = 0;
    return c.problem->values({x, static_cast<std::size_t>(n)}, f, {g, static_cast<std::size_t>(m)});
  });
}
Bool find_slopes(Index n, Number* x, Bool, Index, Index entries, Index* row, Index* column, Number* values,
                 void* data) {
  Callbacks& c = of(data);
  if (values == nullptr) {
    std::copy(c.problem->rows.begin(), c.problem->rows.end(), row);
    std::copy(c.problem->columns.begin(), c.problem->columns.end(), column);
    return true;
  }
  return c.guard([&] {
    return c.problem->derivatives({x, static_cast<std::size_t>(n)}, c.gradient,
                                  {values, static_cast<std::size_t>(entries)});
  });
}
Bool find_hessian(Index n, Number* x, Bool, Number factor, Index m, Number* multipliers, Bool, Index entries,
                  Index* row, Index* column, Number* values, void* data) {
  Callbacks& c = of(data);
  if (!c.problem->hessian) return false;
  if (values == nullptr) {
    std::copy(c.problem->hessian_rows.begin(), c.problem->hessian_rows.end(), row);
    std::copy(c.problem->hessian_columns.begin(), c.problem->hessian_columns.end(), column);
    return true;
  }
  return c.guard([&] {
    return c.problem->hessian({x, static_cast<std::size_t>(n)}, factor, {multipliers, static_cast<std::size_t>(m)},
                              {values, static_cast<std::size_t>(entries)});
  });
}
Bool count(Index, Index iteration, Number, Number, Number, Number, Number, Number, Number, Number, Index, void* data) {
  of(data).iterations = iteration;
  return !of(data).thrown;
}

const char* describe(ApplicationReturnStatus status) {
  switch (status) {
    case Infeasible_Problem_Detected:
      return "the constraints contradict each other: no point satisfies them near where the search ended";
    case Maximum_Iterations_Exceeded:
      return "no minimum is reached in the iterations allowed";
    case Diverging_Iterates:
      return "the objective falls without limit";
    case Restoration_Failed:
      return "no way back to points that satisfy the constraints is found";
    case Search_Direction_Becomes_Too_Small:
      return "the search has come to a halt: derivatives and values may not agree";
    case Not_Enough_Degrees_Of_Freedom:
      return "there are more equations among the constraints than variables";
    case Invalid_Number_Detected:
      return "a derivative is no number";
    case Error_In_Step_Computation:
      return "the equations of a step cannot be solved";
    default:
      return "the search failed";
  }
}

}  // namespace

Minimum minimize_by_ipopt(const Minimisation& problem, const MinimumOptions& options) {
  const std::size_t n = problem.start.size(), m = problem.lower_g.size();
  Callbacks callbacks{
      &problem, std::vector<double>(m), std::vector<double>(n), std::vector<double>(problem.rows.size()), {}};
  constexpr double most = 2e19;  // beyond 1e19 it is no bound
  const auto limit = [&](std::vector<double> values) {
    for (double& v : values) v = std::clamp(v, -most, most);
    return values;
  };
  std::vector<double> low = limit(problem.lower), high = limit(problem.upper), low_g = limit(problem.lower_g),
                      high_g = limit(problem.upper_g);
  IpoptProblem ipopt = CreateIpoptProblem(static_cast<Index>(n), low.data(), high.data(), static_cast<Index>(m),
                                          low_g.data(), high_g.data(), static_cast<Index>(problem.rows.size()),
                                          static_cast<Index>(problem.hessian_rows.size()), 0, find_f, find_g,
                                          find_gradient, find_slopes, find_hessian);
  std::string hessian = "hessian_approximation", limited = "limited-memory", tolerance = "tol", iterations = "max_iter",
              print = "print_level", banner = "sb", yes = "yes", relax = "bound_relax_factor";
  if (!problem.hessian) AddIpoptStrOption(ipopt, hessian.data(), limited.data());
  AddIpoptStrOption(ipopt, banner.data(), yes.data());
  AddIpoptIntOption(ipopt, print.data(), 0);
  AddIpoptIntOption(ipopt, iterations.data(), options.most_iterations);
  AddIpoptNumOption(ipopt, tolerance.data(), options.tolerance);
  AddIpoptNumOption(ipopt, relax.data(), 0);
  SetIntermediateCallback(ipopt, count);
  Minimum result;
  result.method = "ipopt", result.x = problem.start;
  result.g.resize(m), result.multipliers.resize(m);
  std::vector<double> at_lower(n), at_upper(n);
  const ApplicationReturnStatus status =
      IpoptSolve(ipopt, result.x.data(), result.g.data(), &result.f, result.multipliers.data(), at_lower.data(),
                 at_upper.data(), &callbacks);
  FreeIpoptProblem(ipopt);
  if (callbacks.thrown) std::rethrow_exception(callbacks.thrown);
  for (std::size_t k = 0; k < n; ++k) result.bound_multipliers.push_back(at_upper[k] - at_lower[k]);
  result.iterations = callbacks.iterations;
  result.good = status == Solve_Succeeded || status == Solved_To_Acceptable_Level;
  if (!result.good) result.text = describe(status);
  return result;
}

}  // namespace coenergy::study
#endif
