#include <ginac/ginac.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

/// Lagrange equations of a planar chain of n links, as lagrange_bench.cpp derives them. Prints the seconds it took and
/// the sum of the equations at a point.
int main(int argc, char** argv) {
  using namespace GiNaC;
  const int n = argc > 1 ? std::atoi(argv[1]) : 12;
  std::vector<symbol> q, qd, qdd;
  for (int i = 0; i < n; ++i) {
    q.emplace_back("q" + std::to_string(i));
    qd.emplace_back("qd" + std::to_string(i));
    qdd.emplace_back("qdd" + std::to_string(i));
  }
  const std::clock_t begin = std::clock();
  ex angle = 0, rate = 0, x = 0, y = 0, lagrangian = 0;
  for (int i = 0; i < n; ++i) {
    angle += q[i];
    rate += qd[i];
    x += cos(angle);
    y += sin(angle);
    ex vx = 0, vy = 0;
    for (int j = 0; j <= i; ++j) vx += x.diff(q[j]) * qd[j], vy += y.diff(q[j]) * qd[j];
    lagrangian += (vx * vx + vy * vy) / 2 + rate * rate / 4 - ex(9.81) * y;
  }
  std::vector<ex> equations;
  for (int i = 0; i < n; ++i) {
    const ex momentum = lagrangian.diff(qd[i]);
    ex equation = -lagrangian.diff(q[i]);
    for (int j = 0; j < n; ++j) equation += momentum.diff(q[j]) * qd[j] + momentum.diff(qd[j]) * qdd[j];
    equations.push_back(equation);
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;

  exmap point;
  for (int i = 0; i < n; ++i) point[q[i]] = 0.1 * (i + 1), point[qd[i]] = 0.2 * (i + 1), point[qdd[i]] = 0.3 * (i + 1);
  double sum = 0;
  for (const ex& e : equations) sum += ex_to<numeric>(e.subs(point).evalf()).to_double();
  std::printf("%.6f %.17g\n", seconds, sum);
  return 0;
}
