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

/// The numbers that another program prints; none where it cannot run.
std::vector<double> run_other(const std::string& command) {
  std::vector<double> numbers;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return numbers;
  for (double v; fscanf(pipe, "%lf", &v) == 1;) numbers.push_back(v);
  if (pclose(pipe) != 0) numbers.clear();
  return numbers;
}

void compare_with_ginac(Report& report, double own_time, double own_sum, int n) {
  std::vector<double> other;
  if (std::filesystem::exists(BENCH_GINAC)) other = run_other(std::string(BENCH_GINAC) + " " + std::to_string(n));
  if (other.size() != 2) {
    report.note("GiNaC is not installed: not compared");
    return;
  }
  const double time = other[0], sum = other[1];
  report.note(fmt::format("GiNaC {:.3f} s", time));
  report.at_most("difference of the equations at a point", std::fabs(sum - own_sum) / std::fabs(sum), 1e-10, "");
  report.at_least("times faster than GiNaC", time / own_time, 10, "");
}

constexpr int points = 3;

/// The torques of the 7-joint chain at the points of kane.py: every input is a fixed function of its position.
std::vector<double> torques_at_points() {
  Graph g;
  const Chain chain = make_chain(g, 7);
  const Function f(make_program(chain.inputs, chain.torques));
  std::vector<double> torques;
  for (int point = 0; point < points; ++point) {
    std::vector<double> x(chain.inputs.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.5 + 0.4 * std::sin(static_cast<double>(i + 1) + 1000 * point);
    for (const double v : evaluate(f, x)) torques.push_back(v);
  }
  return torques;
}

void compare_with_sympy(Report& report, const Options& options) {
  report.heading("equations of the spatial 7-joint chain");
  const double own = best_time(10, [] {
    Graph g;
    const Chain chain = make_chain(g, 7);
    make_program(chain.inputs, chain.torques);
  });
  report.note(fmt::format("derivation and lowering {:.2f} ms", own * 1e3));
  if (!options.sympy) {
    report.note("--sympy compares with SymPy's Kane method (a minute)");
    return;
  }
  // the seconds, then the torques
  const std::vector<double> other = run_other("/usr/bin/python3 " BENCH_FOLDER "/kane.py"),
                            torques = torques_at_points();
  if (other.size() != 1 + torques.size()) {
    report.note("SymPy is not installed: not compared");
    return;
  }
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < torques.size(); ++i) {
    difference = std::max(difference, std::fabs(other[1 + i] - torques[i]));
    largest = std::max(largest, std::fabs(other[1 + i]));
  }
  report.note(fmt::format("SymPy's Kane method {:.1f} s; its first torque is {:.15g}, ours {:.15g}", other[0], other[1],
                          torques[0]));
  // two orders of summation of some thousand terms: round-off only
  report.at_most("largest difference of 7 torques at 3 points", difference / largest, 1e-12, "");
  report.at_least("times faster than SymPy", other[0] / own, 1000, "");
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
