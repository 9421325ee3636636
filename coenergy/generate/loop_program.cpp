#include "coenergy/generate/loop_program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "coenergy/generate/text_template.hpp"

namespace coenergy::generate {

using symbolic::Language;

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

constexpr std::string_view python_solver = R"(

def _solve(a, b):
    """Solution of a x = b, b with several columns; None where a is singular."""
    n = len(a)
    a = [list(a[i]) + list(b[i]) for i in range(n)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(a[i][k]))
        if not abs(a[pivot][k]) > 0:
            return None
        a[k], a[pivot] = a[pivot], a[k]
        for i in range(k + 1, n):
            factor = a[i][k]/a[k][k]
            a[i] = [x - factor*y for x, y in zip(a[i], a[k])]
    for k in range(n - 1, -1, -1):
        a[k] = [x/a[k][k] for x in a[k]]
        for i in range(k):
            a[i] = [x - a[i][k]*y for x, y in zip(a[i], a[k])]
    return [row[n:] for row in a]

)";

constexpr std::string_view python_body = R"(
%HEADER%def %NAME%(%ARGUMENTS%):
    n, independent, dependent, rows, constraints = %N%, [%INDEPENDENT%], [%DEPENDENTS%], [%ROWLIST%], %ROWS%
    failed = %FAILED%
    qc, qdc, acceleration = list(q), list(qd), [0.0]*n
    T = [[float(i == j) for j in independent] for i in range(n)]
%CLOSE%%TERMS%    M = [M[i*n:(i + 1)*n] for i in range(n)]
%ACCELERATION%)";

constexpr std::string_view python_close = R"(    # positions of the dependent coordinates: Newton-Raphson
    for k in range(51):
        h, J, g = %NAME%_closure(qc, t%P%)
        J = [J[i*n:(i + 1)*n] for i in range(constraints)]
        Jv = [[J[r][d] for d in dependent] for r in rows]
        w = _solve(Jv, [[h[r]] for r in rows])
        if w is None:
            return failed + (2,)
        largest = max([abs(w[i][0])/(1 + abs(qc[d])) for i, d in enumerate(dependent)])
        for i, d in enumerate(dependent):
            qc[d] -= 0.5*w[i][0]/largest if largest > 0.5 else w[i][0]
        if largest <= 1e-12:
            break
        if k == 50 or not largest < 1e100:
            return failed + (1,)
    if not all(abs(x) < 1e-8 for x in h):
        return failed + (1,)
    # velocities, and T: all velocities by the independent ones
    w = _solve(Jv, [[-g[r] - sum(J[r][u]*qd[u] for u in independent)] + [-J[r][u] for u in independent] for r in rows])
    for i, d in enumerate(dependent):
        qdc[d] = w[i][0]
        T[d] = w[i][1:]
)";

constexpr std::string_view python_acceleration = R"(    w = _solve(Jv, [[-b[r]] for r in rows])
    for i, d in enumerate(dependent):
        acceleration[d] = w[i][0]
)";

constexpr std::string_view python_forward = R"(    # reduced equations: T' M T qdd_u = T' (Q + f - M qdd)
    rest = [Q[i] + f[i] - sum(M[i][j]*acceleration[j] for j in range(n)) for i in range(n)]
    MT = [[sum(M[i][k]*T[k][j] for k in range(n)) for j in range(len(independent))] for i in range(n)]
    A = [[sum(T[k][i]*MT[k][j] for k in range(n)) for j in range(len(independent))] for i in range(len(independent))]
    r = _solve(A, [[sum(T[k][i]*rest[k] for k in range(n))] for i in range(len(independent))])
    if r is None:
        return failed + (2,)
    qdd = [acceleration[i] + sum(T[i][j]*r[j][0] for j in range(len(independent))) for i in range(n)]
    rest = [rest[i] - sum(MT[i][j]*r[j][0] for j in range(len(independent))) for i in range(n)]
%LAMBDA%    return qc, qdc, qdd%LAMBDANAME%, 0
)";

constexpr std::string_view python_inverse =
    R"(    qddc = [acceleration[i] + sum(T[i][j]*qdd[u] for j, u in enumerate(independent)) for i in range(n)]
    # what the motion needs, projected: (S T)' Qa = T' (M qdd - f)
    need = [sum(M[i][j]*qddc[j] for j in range(n)) - f[i] for i in range(n)]
    actuated = [%ACTUATED%]
    r = _solve([[T[a][i] for a in actuated] for i in range(len(independent))],
               [[sum(T[k][i]*need[k] for k in range(n))] for i in range(len(independent))])
    if r is None:
        return failed + (2,)
    Qa = [x[0] for x in r]
    rest = [-x for x in need]
    for a, x in zip(actuated, Qa):
        rest[a] += x
%LAMBDA%    return Qa, qc, qdc, qddc%LAMBDANAME%, 0
)";

constexpr std::string_view python_lambda = R"(    multipliers = [0.0]*constraints
    w = _solve([list(column) for column in zip(*Jv)], [[rest[d]] for d in dependent])
    for i, row in enumerate(rows):
        multipliers[row] = w[i][0]
)";

constexpr std::string_view matlab_body = R"(%HEADER%function [%RESULTS%] = %NAME%(%ARGUMENTS%)
  n = %N%; independent = [%INDEPENDENT%]; dependent = [%DEPENDENTS%]; rows = [%ROWLIST%];
  status = 0; %FAILED%
  qc = q(:); qdc = qd(:); acceleration = zeros(n, 1);
  T = zeros(n, numel(independent));
  T(independent, :) = eye(numel(independent));
%CLOSE%%TERMS%  M = reshape(M, n, n)';
%ACCELERATION%)";

constexpr std::string_view matlab_close = R"(  % positions of the dependent coordinates: Newton-Raphson
  for k = 0:50
    [h, J, g] = %NAME%_closure(qc, t%P%);
    J = reshape(J, n, %ROWS%)';
    Jv = J(rows, dependent);
    if rcond(Jv) < 1e-14
      status = 2;
      return
    end
    h = h(:);
    w = Jv\h(rows);
    largest = max(abs(w)./(1 + abs(qc(dependent))));
    qc(dependent) = qc(dependent) - w*min(1, 0.5/max(largest, 0.5));
    if largest <= 1e-12
      break
    end
    if k == 50 || ~(largest < 1e100)
      status = 1;
      return
    end
  end
  if any(~(abs(h) < 1e-8))
    status = 1;
    return
  end
  % velocities, and T: all velocities by the independent ones
  g = g(:);
  qdc(dependent) = Jv\(-g(rows) - J(rows, independent)*qdc(independent));
  T(dependent, :) = -Jv\J(rows, independent);
)";

constexpr std::string_view matlab_acceleration = R"(  b = b(:);
  acceleration(dependent) = -Jv\b(rows);
)";

constexpr std::string_view matlab_forward = R"(  % reduced equations: T' M T qdd_u = T' (Q + f - M qdd)
  rest = Q(:) + f(:) - M*acceleration;
  qdd = acceleration + T*((T'*M*T)\(T'*rest));
  rest = Q(:) + f(:) - M*qdd;
%LAMBDA%end
)";

constexpr std::string_view matlab_inverse = R"(  given = qdd(:);
  qddc = acceleration + T*given(independent);
  % what the motion needs, projected: (S T)' Qa = T' (M qdd - f)
  need = M*qddc - f(:);
  actuated = [%ACTUATED%];
  ST = T(actuated, :)';
  if rcond(ST) < 1e-14
    status = 2;
    return
  end
  Qa = ST\(T'*need);
  rest = -need;
  rest(actuated) = rest(actuated) + Qa;
%LAMBDA%end
)";

constexpr std::string_view matlab_lambda = R"(  multipliers = zeros(%ROWS%, 1);
  multipliers(rows) = Jv'\rest(dependent);
)";

/// "0, 2"; indices from `first`.
std::string list(const std::vector<int>& numbers, int first = 0) {
  std::string text;
  for (const int k : numbers) text += (text.empty() ? "" : ", ") + std::to_string(k + first);
  return text;
}

std::string comment(const std::string& text, const std::string& prefix, const std::string& before,
                    const std::string& after) {
  std::string out = before;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    // what could end or continue a comment is left out
    std::erase_if(line, [](char c) { return c == '*' || c == '\\' || static_cast<unsigned char>(c) < 32; });
    out += prefix + line + "\n";
    begin = end + 1;
  }
  return out + after;
}

std::string names(const std::vector<Array>& arrays) {
  std::string text;
  for (const Array& a : arrays) text += (text.empty() ? "" : ", ") + a.name;
  return text;
}

std::string print_c(const Generated& g, const std::string& header) {
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

/// What Python and Matlab have in common.
std::string fill(std::string_view frame, const Generated& g, std::string_view close, std::string_view acceleration,
                 std::string_view rest, std::string_view lambda, int first) {
  const LoopPlan& plan = g.loops;
  const bool closed = plan.constraints > 0;
  TextTemplate body(frame);
  body.set("CLOSE", closed ? std::string(close) : "")
      .set("ACCELERATION", (closed ? std::string(acceleration) : "") + std::string(rest))
      .set("LAMBDA", closed ? std::string(lambda) : "")
      .set("LAMBDANAME", closed ? ", multipliers" : "")
      .set("NAME", g.main.name)
      .set("N", std::to_string(plan.coordinates))
      .set("ROWS", std::to_string(plan.constraints))
      .set("INDEPENDENT", list(plan.independent, first))
      .set("DEPENDENTS", list(plan.dependent, first))
      .set("ROWLIST", list(plan.rows, first))
      .set("ACTUATED", list(plan.actuated, first))
      .set("ARGUMENTS", names(g.main.inputs))
      .set("X", plan.has_others ? ", x" : "")
      .set("P", plan.has_parameters ? ", p" : "");
  return body.text();
}

std::string print_python(const Generated& g, const std::string& header) {
  const bool closed = g.loops.constraints > 0, forward = g.main.name == "forward_dynamics";
  std::string failed;
  for (const Array& a : g.main.outputs) failed += fmt::format("[0.0]*{}, ", a.entries.size());
  std::string text = fill(python_body, g, python_close, python_acceleration, forward ? python_forward : python_inverse,
                          python_lambda, 0);
  const std::string call = fmt::format("    {} = {}_terms(qc, qdc, t{}{})\n", closed ? "M, f, b" : "M, f", g.main.name,
                                       g.loops.has_others ? ", x" : "", g.loops.has_parameters ? ", p" : "");
  return std::string(python_solver) + TextTemplate(text)
                                          .set("TERMS", call)
                                          .set("FAILED", "(" + failed + ")")
                                          .set("HEADER", comment(header, "# ", "", ""))
                                          .text();
}

std::string print_matlab(const Generated& g, const std::string& header) {
  const bool closed = g.loops.constraints > 0, forward = g.main.name == "forward_dynamics";
  std::string failed;
  for (const Array& a : g.main.outputs) failed += fmt::format("{} = zeros({}, 1); ", a.name, a.entries.size());
  // the accelerations that were asked for are also an input of inverse dynamics
  std::string text = fill(matlab_body, g, matlab_close, matlab_acceleration, forward ? matlab_forward : matlab_inverse,
                          matlab_lambda, 1);
  const std::string call = fmt::format("  [{}] = {}_terms(qc, qdc, t{}{});\n", closed ? "M, f, b" : "M, f", g.main.name,
                                       g.loops.has_others ? ", x" : "", g.loops.has_parameters ? ", p" : "");
  return TextTemplate(text)
      .set("TERMS", call)
      .set("FAILED", failed)
      .set("RESULTS", names(g.main.outputs) + ", status")
      .set("ROWS", std::to_string(g.loops.constraints))
      .set("HEADER", comment(header, "% ", "", ""))
      .text();
}

}  // namespace

std::string print_loops(const Generated& g, Language language, const std::string& header) {
  if (language == Language::python) return print_python(g, header);
  if (language == Language::matlab) return print_matlab(g, header);
  return print_c(g, header);
}

}  // namespace coenergy::generate
