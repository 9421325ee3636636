#include "coenergy/domains/blocks/state_space.hpp"

#include <algorithm>
#include <cmath>

namespace coenergy::domains::blocks {

void StateSpace::describe(Description& d) {
  d.name("blocks.StateSpace", "linear system: dx/dt = A x + B u, y = C x + D u; sampled: x at the next sample");
  d.parameter(u, "u", "any", "inputs").varying();
  d.parameter(A, "A", "any", "system matrix, n rows of n");
  d.parameter(B, "B", "any", "input matrix, n rows of one entry per input");
  d.parameter(C, "C", "any", "output matrix, one row of n per output");
  d.parameter(D, "D", "any", "direct matrix, one row per output; without it zero").optional();
  d.parameter(x0, "x0", "any", "states at the start; without it zero").optional();
  sampling.describe(d);
  d.output("x#", "", "state 1, 2, ...");
  d.outputs_by("y", "", [A = A, C = C](const auto& size) {
    return size(C) / std::max<std::size_t>(1, std::lround(std::sqrt(size(A))));
  });
}

void StateSpace::equations(Equations& eq) const {
  const std::vector<Expr> inputs = eq[u], a = eq[A], b = eq[B], c = eq[C], direct = eq[D];
  const std::vector<double> start = eq.numbers(x0);
  const std::size_t n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(a.size())))),
                    m = inputs.size();

  // the lists must fit each other
  auto check = [&](const char* name, std::size_t size, std::size_t rows, std::size_t columns) {
    if (size != rows * columns)
      eq.refuse(std::string(name) + " has " + std::to_string(size) + " entries; it needs " + std::to_string(rows) +
                " x " + std::to_string(columns));
  };
  if (n == 0 || n * n != a.size()) eq.refuse("A has " + std::to_string(a.size()) + " entries, which is no square");
  if (m == 0) eq.refuse("u has no input");
  check("B", b.size(), n, m);
  if (c.empty() || c.size() % n != 0)
    eq.refuse("C has " + std::to_string(c.size()) + " entries; it needs rows of " + std::to_string(n));
  const std::size_t p = c.size() / n;
  if (eq.has(D)) check("D", direct.size(), p, m);
  if (eq.has(x0)) check("x0", start.size(), n, 1);

  const bool sampled = sampling.given(eq);
  std::vector<State> states;
  std::vector<Discrete> samples;
  std::vector<Expr> x;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string name = "x" + std::to_string(i + 1);
    const double from = start.empty() ? 0 : start[i];
    if (sampled)
      x.push_back(eq[samples.emplace_back(eq.make_discrete(name, "", from))]);
    else
      x.push_back(eq[states.emplace_back(eq.make_state(name, "", from))]);
  }
  auto row = [&](const std::vector<Expr>& of_x, const std::vector<Expr>& of_u, std::size_t i) {
    Expr e = 0;
    for (std::size_t j = 0; j < n; ++j) e += of_x[i * n + j] * x[j];
    for (std::size_t j = 0; j < m && !of_u.empty(); ++j) e += of_u[i * m + j] * inputs[j];
    return e;
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (sampled)
      sampling.update(eq, samples[i], row(a, b, i));
    else
      eq.zero(states[i], eq.der(states[i]) - row(a, b, i));
  }
  for (std::size_t i = 0; i < p; ++i)
    sampling.output(eq, p == 1 ? "y" : "y" + std::to_string(i + 1), row(c, direct, i));
}

}  // namespace coenergy::domains::blocks
