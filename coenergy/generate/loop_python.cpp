#include <fmt/format.h>

#include "coenergy/generate/loop_text.hpp"
#include "coenergy/generate/text_template.hpp"

namespace coenergy::generate {
namespace {

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

}  // namespace

std::string print_python_loops(const Generated& g, const std::string& header) {
  const bool closed = g.loops.constraints > 0, forward = g.main.name == "forward_dynamics";
  std::string failed;
  for (const Array& a : g.main.outputs) failed += fmt::format("[0.0]*{}, ", a.entries.size());
  std::string text = fill(
      {python_body, python_close, python_acceleration, forward ? python_forward : python_inverse, python_lambda, 0}, g);
  const std::string call = fmt::format("    {} = {}_terms(qc, qdc, t{}{})\n", closed ? "M, f, b" : "M, f", g.main.name,
                                       g.loops.has_others ? ", x" : "", g.loops.has_parameters ? ", p" : "");
  return std::string(python_solver) + TextTemplate(text)
                                          .set("TERMS", call)
                                          .set("FAILED", "(" + failed + ")")
                                          .set("HEADER", comment(header, "# ", "", ""))
                                          .text();
}

}  // namespace coenergy::generate
