#include <fmt/format.h>

#include "coenergy/generate/loop_text.hpp"
#include "coenergy/generate/text_template.hpp"

namespace coenergy::generate {
namespace {

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

}  // namespace

std::string print_matlab_loops(const Generated& g, const std::string& header) {
  const bool closed = g.loops.constraints > 0, forward = g.main.name == "forward_dynamics";
  std::string failed;
  for (const Array& a : g.main.outputs) failed += fmt::format("{} = zeros({}, 1); ", a.name, a.entries.size());
  // the accelerations that were asked for are also an input of inverse dynamics
  std::string text = fill(
      {matlab_body, matlab_close, matlab_acceleration, forward ? matlab_forward : matlab_inverse, matlab_lambda, 1}, g);
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

}  // namespace coenergy::generate
