#include <fmt/format.h>

#include "coenergy/generate/main_data.hpp"

namespace coenergy::generate {
namespace {

constexpr std::string_view matlab_main =
    R"(% Calls %NAME% with the start values of the model and prints the results, one number a line.
% %NAME%_main(FILE) takes the inputs from a file instead: %ORDER%, numbers with blanks between.%RUNHELP%
function %NAME%_main(varargin)
%ARRAYS%%RUNCALL%  if nargin > 0
    file = fopen(varargin{1}, 'r');
    numbers = fscanf(file, '%f');
    fclose(file);
%READ%  end
%CALL%  fprintf('%.17g\n', %OUTPUTS%);
end
%RUN%)";

constexpr std::string_view matlab_run = R"(
function xd = rates(t, x%EXTRA%)
  n = %N%;
%RATES%end
)";

constexpr std::string_view matlab_run_call = R"(  if nargin > 0 && strcmp(varargin{1}, 'run')
    wish = {%TEND%, %STEPS%, %ROWS%};
    if nargin == 4
      wish = varargin(2:4);
    end
    [finish, steps, rows] = wish{:};
    each = ceil(steps/rows);
    h = (finish - %BEGIN%)/rows/each;
%ONCE%    x = [q(:); qd(:)];
    fprintf('%NAMES%\n%UNITS%\n');
    for row = 0:rows
      t = %BEGIN% + row*each*h;
%ROW%      fprintf('%.17g', t);
      fprintf(',%.17g', x);
      fprintf('\n');
      if row == rows
        return
      end
      for i = 0:each - 1
        s = t + i*h;
        k1 = rates(s, x%EXTRA%);
        k2 = rates(s + h/2, x + h/2*k1%EXTRA%);
        k3 = rates(s + h/2, x + h/2*k2%EXTRA%);
        k4 = rates(s + h, x + h*k3%EXTRA%);
        x = x + h/6*(k1 + 2*k2 + 2*k3 + k4);
      end
    end
  end
)";

constexpr std::string_view matlab_forces = R"(% Forces and torques in the %N% joints at time t: yours to write.
function Q = user_forces(t, q, qd)
  Q = zeros(%N%, 1);
end
)";

}  // namespace

std::vector<SourceFile> make_matlab_main(const MainData& d) {
  const std::string& name = d.main.name;
  std::string arrays, printed;
  for (const Array* a : d.given) arrays += fmt::format("  {} = [{}];\n", a->name, numbers(*a));
  const std::string once = d.once != nullptr ? "k = " + d.once->name + "(p);\n" : "";
  const std::string call =
      (once.empty() ? "" : "  " + once) +
      fmt::format("  [{}{}] = {}({});\n", join(d.outputs, ", "), d.loops ? ", status" : "", name,
                  join(d.inputs, ", ")) +
      (d.loops ? "  if status ~= 0\n    error('the loops cannot be closed, or are singular');\n  end\n" : "");
  std::string run, run_call;
  if (d.runs) {
    // parameters are handed down to the rates
    std::string passed;
    for (const std::string& e : d.extra)
      if (e != "t") passed += ", " + e;
    const std::string tree =
        "  xd = [x(n + 1:end); %NAME%(x(1:n), x(n + 1:end), user_forces(t, x(1:n), x(n + 1:end))%CALL%)];\n";
    const std::string loops =
        "  [qc, qdc] = %NAME%(x(1:n), x(n + 1:end), zeros(n, 1)%CALL%);\n"
        "  [qc, qdc, qdd%LAMBDA%, status] = %NAME%(qc, qdc, user_forces(t, qc, qdc)%CALL%);\n"
        "  if status ~= 0\n    error('the loops cannot be closed, or are singular');\n  end\n"
        "  xd = [qdc(:); qdd(:)];\n";
    run = TextTemplate(matlab_run)
              .set("RATES", d.loops ? loops : tree)
              .set("CALL", d.extras("t"))
              .set("LAMBDA", d.closed ? ", multipliers" : "")
              .set("N", std::to_string(d.n()))
              .set("NAME", name)
              .set("EXTRA", passed)
              .text();
    const std::string close =
        fmt::format("      [qc, qdc] = {}(x(1:{}), x({}:end), zeros({}, 1){});\n      x = [qc(:); qdc(:)];\n", name,
                    d.n(), d.n() + 1, d.n(), d.extras("t"));
    run_call = d.set_run(TextTemplate(matlab_run_call))
                   .set("ONCE", once.empty() ? "" : "    " + once)
                   .set("ROW", d.loops ? close : "")
                   .set("NAMES", "time," + join(d.names(), ","))
                   .set("UNITS", "s," + join(d.units(), ","))
                   .set("EXTRA", passed)
                   .text();
  }
  TextTemplate main(matlab_main);
  main.set("RUNHELP", d.runs ? "\n% " + name +
                                   "_main('run', T, STEPS, ROWS) integrates the motion to the time T and prints a "
                                   "table, as the program\n% does; 'run' by itself, the run of the model."
                             : "")
      .set("NAME", name)
      .set("ORDER", join(d.order, ", "))
      .set("ARRAYS", arrays)
      .set("RUN", run)
      .set("RUNCALL", run_call)
      .set("READ", split_numbers(d,
                                 [](const Array& a, std::size_t first) {
                                   return fmt::format("    {} = numbers({}:{});\n", a.name, first + 1,
                                                      first + a.entries.size());
                                 }))
      .set("CALL", call)
      .set("OUTPUTS", "[" + join(d.outputs, "(:); ") + "(:)]");
  std::vector<SourceFile> files{{name + "_main.m", main.text()}};
  if (d.runs)
    files.push_back({"user_forces.m", TextTemplate(matlab_forces).set("N", std::to_string(d.n())).text(), true});
  return files;
}

}  // namespace coenergy::generate
