#include <fmt/format.h>

#include "coenergy/generate/loop_text.hpp"
#include "coenergy/generate/text_template.hpp"

namespace coenergy::generate {
namespace {

// N coordinates, ROWS constraints, V dependent and U independent coordinates, of which there may be none
constexpr std::string_view c_solver = R"(#include <math.h>

/* a = L U with row exchanges, n x n, row by row; 0 where a is singular */
static int factor(double* a, int* order, int n) {
  int i, j, k;
  for (k = 0; k < n; ++k) {
    int pivot = k;
    double largest = 0;
    for (i = k; i < n; ++i)
      if (fabs(a[i*n + k]) > largest) largest = fabs(a[i*n + k]), pivot = i;
    if (!(largest > 0)) return 0;
    order[k] = pivot;
    for (j = 0; j < n; ++j) {
      const double x = a[k*n + j];
      a[k*n + j] = a[pivot*n + j];
      a[pivot*n + j] = x;
    }
    for (i = k + 1; i < n; ++i) {
      a[i*n + k] /= a[k*n + k];
      for (j = k + 1; j < n; ++j) a[i*n + j] -= a[i*n + k]*a[k*n + j];
    }
  }
  return 1;
}

static void exchange(double* b, int i, int j) {
  const double x = b[i];
  b[i] = b[j];
  b[j] = x;
}

/* b becomes the solution of a x = b */
static void solve(const double* a, const int* order, double* b, int n) {
  int i, j;
  for (i = 0; i < n; ++i) exchange(b, i, order[i]);
  for (i = 0; i < n; ++i)
    for (j = 0; j < i; ++j) b[i] -= a[i*n + j]*b[j];
  for (i = n - 1; i >= 0; --i) {
    for (j = i + 1; j < n; ++j) b[i] -= a[i*n + j]*b[j];
    b[i] /= a[i*n + i];
  }
}
)";

constexpr std::string_view c_transposed = R"(
/* b becomes the solution of a' x = b */
static void solve_transposed(const double* a, const int* order, double* b, int n) {
  int i, j;
  for (i = 0; i < n; ++i) {
    for (j = 0; j < i; ++j) b[i] -= a[j*n + i]*b[j];
    b[i] /= a[i*n + i];
  }
  for (i = n - 1; i >= 0; --i)
    for (j = i + 1; j < n; ++j) b[i] -= a[j*n + i]*b[j];
  for (i = n - 1; i >= 0; --i) exchange(b, i, order[i]);
}
)";

constexpr std::string_view c_numbers = R"(
enum { N = %N%, U = %U%, V = %V%, ROWS = %ROWS% }; /* coordinates: all, independent, dependent; constraints */
static const int independent[] = {%INDEPENDENT%};
%LISTS%)";

constexpr std::string_view c_closed = R"(  double h[ROWS], J[ROWS*N], g[ROWS], b[ROWS], Jv[V*V], w[V], B[V*U + 1];
  int order[V];
)";

// positions, velocities, B; then the accelerations -e of the dependent coordinates for none of the independent ones
constexpr std::string_view c_close = R"(
  /* positions of the dependent coordinates: Newton-Raphson */
  for (i = 0; i < N; ++i) qc[i] = q[i], qdc[i] = qd[i];
  for (k = 0; ; ++k) {
    double largest = 0;
    %NAME%_closure(qc, t%P%, h, J, g);
    for (i = 0; i < V; ++i) {
      w[i] = h[rows[i]];
      for (j = 0; j < V; ++j) Jv[i*V + j] = J[rows[i]*N + dependent[j]];
    }
    if (!factor(Jv, order, V)) return 2;
    solve(Jv, order, w, V);
    for (i = 0; i < V; ++i) {
      const double step = fabs(w[i])/(1 + fabs(qc[dependent[i]]));
      if (!(step <= largest)) largest = step;
    }
    for (i = 0; i < V; ++i) qc[dependent[i]] -= largest > 0.5 ? 0.5*w[i]/largest : w[i];
    if (largest <= 1e-12) break;
    if (k == 50 || !(largest < 1e100)) return 1;
  }
  for (i = 0; i < ROWS; ++i)
    if (!(fabs(h[i]) < 1e-8)) return 1;

  /* their velocities, and B: dependent by independent velocities */
  for (i = 0; i < V; ++i) {
    w[i] = -g[rows[i]];
    for (j = 0; j < U; ++j) w[i] -= J[rows[i]*N + independent[j]]*qd[independent[j]];
  }
  solve(Jv, order, w, V);
  for (i = 0; i < V; ++i) qdc[dependent[i]] = w[i];
  for (j = 0; j < U; ++j) {
    for (i = 0; i < V; ++i) w[i] = -J[rows[i]*N + independent[j]];
    solve(Jv, order, w, V);
    for (i = 0; i < V; ++i) B[i*U + j] = w[i];
  }

  %NAME%_terms(qc, qdc, t%X%%P%, M, f, b);
  for (i = 0; i < V; ++i) w[i] = -b[rows[i]];
  solve(Jv, order, w, V);
)";

constexpr std::string_view c_open = R"(
  for (i = 0; i < N; ++i) qc[i] = q[i], qdc[i] = qd[i];
  %NAME%_terms(qc, qdc, t%X%%P%, M, f);
)";

constexpr std::string_view c_forward = R"(
%HEADER%int %NAME%(%ARGUMENTS%) {
  double M[N*N], f[N], T[N*U + 1], A[U*U + 1], r[U + 1];
%CLOSED%  int pivots[U + 1], i, j, k;
%CLOSE%
  /* T: all accelerations by the independent ones; qdd: those for none of them */
  for (i = 0; i < N; ++i) qdd[i] = 0;
  for (i = 0; i < N*U; ++i) T[i] = 0;
  for (j = 0; j < U; ++j) T[independent[j]*U + j] = 1;
%DEPENDENT%
  /* reduced equations: T' M T qdd_u = T' (Q + f - M qdd) */
  for (i = 0; i < N; ++i) {
    f[i] += Q[i];
    for (j = 0; j < N; ++j) f[i] -= M[i*N + j]*qdd[j];
  }
  for (i = 0; i < U; ++i) {
    r[i] = 0;
    for (k = 0; k < N; ++k) r[i] += T[k*U + i]*f[k];
    for (j = 0; j < U; ++j) A[i*U + j] = 0;
    for (k = 0; k < N; ++k) {
      double m = 0;
      int l;
      for (l = 0; l < N; ++l) m += T[l*U + i]*M[l*N + k];
      for (j = 0; j < U; ++j) A[i*U + j] += m*T[k*U + j];
    }
  }
  if (!factor(A, pivots, U)) return 2;
  solve(A, pivots, r, U);
  for (i = 0; i < N; ++i)
    for (j = 0; j < U; ++j) qdd[i] += T[i*U + j]*r[j];
%LAMBDA%  return 0;
}
)";

constexpr std::string_view c_dependent = R"(  for (i = 0; i < V; ++i) {
    %A%[dependent[i]] = w[i];
    for (j = 0; j < U; ++j) T[dependent[i]*U + j] = B[i*U + j];
  }
)";

constexpr std::string_view c_lambda_forward = R"(
  /* multipliers: Jv' lambda = what is left of the dependent rows; f holds it up to the last accelerations */
  for (i = 0; i < ROWS; ++i) multipliers[i] = 0;
  for (i = 0; i < V; ++i) {
    w[i] = f[dependent[i]];
    for (k = 0; k < N; ++k)
      for (j = 0; j < U; ++j) w[i] -= M[dependent[i]*N + k]*T[k*U + j]*r[j];
  }
  solve_transposed(Jv, order, w, V);
  for (i = 0; i < V; ++i) multipliers[rows[i]] = w[i];
)";

constexpr std::string_view c_inverse = R"(
%HEADER%int %NAME%(%ARGUMENTS%) {
  double M[N*N], f[N], T[N*U + 1], A[U*U + 1];
%CLOSED%  int pivots[U + 1], i, j%K%;
%CLOSE%
  /* T: all accelerations by the independent ones */
  for (i = 0; i < N; ++i) qddc[i] = 0;
  for (i = 0; i < N*U; ++i) T[i] = 0;
  for (j = 0; j < U; ++j) T[independent[j]*U + j] = 1;
%DEPENDENT%  for (i = 0; i < N; ++i)
    for (j = 0; j < U; ++j) qddc[i] += T[i*U + j]*qdd[independent[j]];

  /* what the motion needs, projected: (S T)' Qa = T' (M qdd - f) */
  for (i = 0; i < N; ++i) {
    f[i] = -f[i];
    for (j = 0; j < N; ++j) f[i] += M[i*N + j]*qddc[j];
  }
  for (i = 0; i < U; ++i) {
    Qa[i] = 0;
    for (j = 0; j < N; ++j) Qa[i] += T[j*U + i]*f[j];
    for (j = 0; j < U; ++j) A[i*U + j] = T[actuated[j]*U + i];
  }
  if (!factor(A, pivots, U)) return 2;
  solve(A, pivots, Qa, U);
%LAMBDA%  return 0;
}
)";

constexpr std::string_view c_lambda_inverse = R"(
  /* multipliers: Jv' lambda = Qa - what the motion needs, dependent rows */
  for (i = 0; i < U; ++i) f[actuated[i]] -= Qa[i];
  for (i = 0; i < ROWS; ++i) multipliers[i] = 0;
  for (i = 0; i < V; ++i) w[i] = -f[dependent[i]];
  solve_transposed(Jv, order, w, V);
  for (i = 0; i < V; ++i) multipliers[rows[i]] = w[i];
)";

}  // namespace

std::string print_c_loops(const Generated& g, const std::string& header) {
  const LoopPlan& plan = g.loops;
  const bool closed = plan.constraints > 0, forward = g.main.name == "forward_dynamics";
  std::string arguments, lists;
  for (const Array& a : g.main.inputs)
    arguments += fmt::format("{}const double* {}", arguments.empty() ? "" : ", ", a.name);
  for (const Array& a : g.main.outputs) arguments += ", double* " + a.name;
  if (closed)
    lists +=
        fmt::format("static const int dependent[] = {{{}}}, rows[] = {{{}}};\n", list(plan.dependent), list(plan.rows));
  if (!forward)
    lists += fmt::format("static const int actuated[] = {{{}}};\n", plan.actuated.empty() ? "0" : list(plan.actuated));
  TextTemplate numbers(c_numbers);
  numbers.set("N", std::to_string(plan.coordinates))
      .set("U", std::to_string(plan.independent.size()))
      .set("V", std::to_string(plan.dependent.size()))
      .set("ROWS", std::to_string(plan.constraints))
      .set("INDEPENDENT", plan.independent.empty() ? "0" : list(plan.independent))
      .set("LISTS", lists);
  TextTemplate body(forward ? c_forward : c_inverse);
  body.set("HEADER", comment(header, "   ", "/*\n", "*/\n"))
      .set("CLOSED", closed ? std::string(c_closed) : "")
      .set("CLOSE", std::string(closed ? c_close : c_open))
      .set("DEPENDENT", closed ? TextTemplate(c_dependent).set("A", forward ? "qdd" : "qddc").text() : "")
      .set("LAMBDA", !closed ? "" : std::string(forward ? c_lambda_forward : c_lambda_inverse))
      .set("K", closed ? ", k" : "")
      .set("NAME", g.main.name)
      .set("ARGUMENTS", arguments)
      .set("X", plan.has_others ? ", x" : "")
      .set("P", plan.has_parameters ? ", p" : "");
  return std::string(c_solver) + (closed ? std::string(c_transposed) : "") + numbers.text() + body.text();
}

}  // namespace coenergy::generate
