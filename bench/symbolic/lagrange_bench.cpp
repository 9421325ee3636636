#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "chain.hpp"
#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/symbolic/function.hpp"
#include "report.hpp"

namespace bench {

namespace {

/// Lagrange's equations d/dt ∂L/∂q̇ − ∂L/∂q of a planar chain of n links with relative angles, with unit masses, lengths
/// and inertias ½, exactly as lagrange_ginac.cpp derives them.
struct Pendulum {
  std::vector<Expr> inputs;  ///< q, q̇, q̈
  std::vector<NamedExpr> equations;
};

Pendulum make_pendulum(Graph& g, int n) {
  std::vector<Expr> q, qd, qdd;
  for (int i = 0; i < n; ++i) q.push_back(g.symbol("q" + std::to_string(i)));
  for (int i = 0; i < n; ++i) qd.push_back(g.symbol("qd" + std::to_string(i)));
  for (int i = 0; i < n; ++i) qdd.push_back(g.symbol("qdd" + std::to_string(i)));
  Expr angle = 0, rate = 0, x = 0, y = 0, lagrangian = 0;
  for (int i = 0; i < n; ++i) {
    angle += q[i], rate += qd[i];
    x += cos(angle), y += sin(angle);
    const Expr vx = time_derivative(x, q, qd), vy = time_derivative(y, q, qd);
    lagrangian += (vx * vx + vy * vy) / 2 + rate * rate / 4 - 9.81 * y;
  }
  std::vector<Expr> state = q, change = qd;
  state.insert(state.end(), qd.begin(), qd.end());
  change.insert(change.end(), qdd.begin(), qdd.end());
  const std::vector<Expr> momentum = gradient(lagrangian, qd), force = gradient(lagrangian, q);
  const std::vector<Expr> momentum_rate = directional_derivative(momentum, state, change);
  Pendulum p;
  p.inputs = state;
  p.inputs.insert(p.inputs.end(), qdd.begin(), qdd.end());
  for (int i = 0; i < n; ++i) p.equations.push_back({"e" + std::to_string(i), momentum_rate[i] - force[i]});
  return p;
}

/// Sum of all equations at q = 0.1, 0.2 …, q̇ = 0.2, 0.4 …, q̈ = 0.3, 0.6 …
double check_sum(const Pendulum& p, int n) {
  std::vector<double> x;
  for (const double step : {0.1, 0.2, 0.3})
    for (int i = 0; i < n; ++i) x.push_back(step * (i + 1));
  double sum = 0;
  for (const double v : evaluate(Function(make_program(p.inputs, p.equations)), x)) sum += v;
  return sum;
}

/// Two numbers that another program prints, or false.
bool run_other(const std::string& command, double& first, double& second) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return false;
  const int read = fscanf(pipe, "%lf %lf", &first, &second);
  return pclose(pipe) == 0 && read == 2;
}

void compare_with_ginac(Report& report, double own_time, double own_sum, int n) {
  double time, sum;
  if (!std::filesystem::exists(BENCH_GINAC) ||
      !run_other(std::string(BENCH_GINAC) + " " + std::to_string(n), time, sum)) {
    report.note("GiNaC is not installed: not compared");
    return;
  }
  report.note(fmt::format("GiNaC {:.3f} s", time));
  report.at_most("difference of the equations at a point", std::fabs(sum - own_sum) / std::fabs(sum), 1e-10, "");
  report.at_least("times faster than GiNaC", time / own_time, 10, "");
}

void compare_with_sympy(Report& report, const Options& options) {
  report.heading("equations of the spatial 7-joint chain");
  const double own = best_time(10, [] {
    Graph g;
    const Chain chain = make_chain(g, 7);
    make_program(chain.inputs, chain.torques);
  });
  report.note(fmt::format("derivation and lowering {:.2f} ms", own * 1e3));
  double time = 0, torque = 0;
  if (!options.sympy) {
    report.note("--sympy compares with SymPy's Kane method (a minute)");
  } else if (!run_other("/usr/bin/python3 " BENCH_FOLDER "/kane.py", time, torque)) {
    report.note("SymPy is not installed: not compared");
  } else {
    // the same numbers as in kane.py: every input is a fixed function of its position
    Graph g;
    const Chain chain = make_chain(g, 7);
    std::vector<double> x(chain.inputs.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.5 + 0.4 * std::sin(static_cast<double>(i + 1));
    double sum = 0;
    for (const double v : evaluate(Function(make_program(chain.inputs, chain.torques)), x)) sum += v;
    report.note(fmt::format("SymPy's Kane method {:.1f} s", time));
    report.at_most("difference of the torques at a point", std::fabs(sum - torque) / std::fabs(torque), 1e-10, "");
    report.at_least("times faster than SymPy", time / own, 1000, "");
  }
}

}  // namespace

void run_lagrange(Report& report, const Options& options) {
  constexpr int n = 12;
  report.heading("Lagrange equations of the planar 12-link chain");
  std::size_t nodes = 0;
  const double time = best_time(10, [&] {
    Graph g;
    make_pendulum(g, n);
    nodes = g.size();
  });
  Graph g;
  const Pendulum p = make_pendulum(g, n);
  const OperationCount c = make_program(p.inputs, p.equations).count();
  report.note(fmt::format("{:.2f} ms, {} nodes, {} multiplications, {} additions, {} functions", time * 1e3, nodes,
                          c.multiplications, c.additions, c.functions));
  compare_with_ginac(report, time, check_sum(p, n), n);
  compare_with_sympy(report, options);
}

}  // namespace bench
