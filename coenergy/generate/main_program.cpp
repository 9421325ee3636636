#include "coenergy/generate/main_program.hpp"

#include <fmt/format.h>

#include "coenergy/base/names.hpp"
#include "coenergy/generate/text_template.hpp"

namespace coenergy::generate {

using symbolic::Language;

namespace {

constexpr std::string_view c_main =
    R"(/* Calls %NAME% with the start values of the model and prints the results, one number a line.
   %NAME%_main FILE takes the inputs from a file instead: %ORDER%, numbers with blanks between.%RUNHELP% */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "%HEADER%"

%ARRAYS%
static int read_array(FILE* file, double* a, int n) {
  int i;
  for (i = 0; i < n; ++i)
    if (fscanf(file, "%lf", &a[i]) != 1) return 0;
  return 1;
}

static void print_array(const double* a, int n) {
  int i;
  for (i = 0; i < n; ++i) printf("%.17g\n", a[i]);
}
%RUN%
int main(int argc, char** argv) {
%RUNCALL%  if (argc > 1) {
    FILE* file = fopen(argv[1], "r");
    if (!file || !(%READ%)) {
      fprintf(stderr, "%s: cannot be read, or holds too few numbers\n", argv[1]);
      return 2;
    }
    fclose(file);
  }
%CALL%%PRINT%  return 0;
}
)";

constexpr std::string_view c_run = R"(
void user_forces(double t, const double* q, const double* qd, double* Q);

%RATES%
/* Runge-Kutta of the fourth order over `steps` equal steps */
static void run(double end, int steps) {
  double x[2*N], y[2*N], k[4][2*N];
  const double h = end/steps;
  int i, step;
  memcpy(x, q, sizeof q);
  memcpy(x + N, qd, sizeof qd);
  for (step = 0; step < steps; ++step) {
    const double t = step*h;
    rates(t, x, k[0]);
    for (i = 0; i < 2*N; ++i) y[i] = x[i] + h/2*k[0][i];
    rates(t + h/2, y, k[1]);
    for (i = 0; i < 2*N; ++i) y[i] = x[i] + h/2*k[1][i];
    rates(t + h/2, y, k[2]);
    for (i = 0; i < 2*N; ++i) y[i] = x[i] + h*k[2][i];
    rates(t + h, y, k[3]);
    for (i = 0; i < 2*N; ++i) x[i] += h/6*(k[0][i] + 2*k[1][i] + 2*k[2][i] + k[3][i]);
  }
%END%  print_array(x, 2*N);
}
)";

constexpr std::string_view c_rates = R"(/* rates and accelerations at a time and a state */
static void rates(double t, const double* x, double* xd) {
  memcpy(xd, x + N, N*sizeof(double));
  user_forces(t, x, x + N, Q);
  %NAME%(x, x + N, Q%EXTRA%, xd + N);
}
)";

constexpr std::string_view c_loop_rates =
    R"(/* closed loops, rates and accelerations at a time and a state, whose independent coordinates count */
static void rates(double t, const double* x, double* xd) {
  int failed;
  memset(Q, 0, sizeof Q);
  failed = %NAME%(x, x + N, Q%EXTRA%, qc, xd, xd + N%LAMBDA%);
  if (!failed) {
    user_forces(t, qc, xd, Q);
    failed = %NAME%(qc, xd, Q%EXTRA%, qc, xd, xd + N%LAMBDA%);
  }
  if (failed) {
    fprintf(stderr, failed == 1 ? "the loops cannot be closed at t = %g\n" : "singular at t = %g\n", t);
    exit(1);
  }
}
)";

constexpr std::string_view c_run_call = R"(  if (argc == 4 && strcmp(argv[1], "run") == 0) {
%ONCE%    run(atof(argv[2]), atoi(argv[3]));
    return 0;
  }
)";

constexpr std::string_view c_forces = R"(/* Forces and torques Q[%N%] in the joints at time t: yours to write. */
void user_forces(double t, const double* q, const double* qd, double* Q) {
  int i;
  (void)t, (void)q, (void)qd;
  for (i = 0; i < %N%; ++i) Q[i] = 0;
}
)";

constexpr std::string_view python_main =
    R"(# Calls %NAME% with the start values of the model and prints the results, one number a line.
# %NAME%_main.py FILE takes the inputs from a file instead: %ORDER%, numbers with blanks between.%RUNHELP%
import sys
%IMPORT%
%ARRAYS%

%RUN%def main():
    global %INPUTS%
%RUNCALL%    if len(sys.argv) > 1:
        numbers = [float(word) for word in open(sys.argv[1]).read().split()]
%READ%%CALL%    for array in (%OUTPUTS%,):
        for value in array:
            print(repr(float(value)))


main()
)";

constexpr std::string_view python_run = R"(def rates(t, x):
    n = %N%
    q, qd = x[:n], x[n:]
%RATES%

def run(end, steps):
    """Runge-Kutta of the fourth order over equal steps."""
    x, h = list(q) + list(qd), end/steps
    for step in range(steps):
        t = step*h
        k1 = rates(t, x)
        k2 = rates(t + h/2, [a + h/2*b for a, b in zip(x, k1)])
        k3 = rates(t + h/2, [a + h/2*b for a, b in zip(x, k2)])
        k4 = rates(t + h, [a + h*b for a, b in zip(x, k3)])
        x = [a + h/6*(b + 2*c + 2*d + e) for a, b, c, d, e in zip(x, k1, k2, k3, k4)]
%END%    return x


)";

constexpr std::string_view python_run_call = R"(    if len(sys.argv) == 4 and sys.argv[1] == "run":
%ONCE%        for value in run(float(sys.argv[2]), int(sys.argv[3])):
            print(repr(value))
        return
)";

constexpr std::string_view python_forces = R"(# Forces and torques in the %N% joints at time t: yours to write.
def user_forces(t, q, qd):
    return [0.0]*%N%
)";

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

constexpr std::string_view matlab_run_call = R"(  if nargin == 3 && strcmp(varargin{1}, 'run')
%ONCE%    x = [q(:); qd(:)];
    steps = varargin{3};
    h = varargin{2}/steps;
    for step = 0:steps - 1
      t = step*h;
      k1 = rates(t, x%EXTRA%);
      k2 = rates(t + h/2, x + h/2*k1%EXTRA%);
      k3 = rates(t + h/2, x + h/2*k2%EXTRA%);
      k4 = rates(t + h, x + h*k3%EXTRA%);
      x = x + h/6*(k1 + 2*k2 + 2*k3 + k4);
    end
%END%    fprintf('%.17g\n', x);
    return
  end
)";

constexpr std::string_view matlab_forces = R"(% Forces and torques in the %N% joints at time t: yours to write.
function Q = user_forces(t, q, qd)
  Q = zeros(%N%, 1);
end
)";

std::string numbers(const Array& a) {
  std::string text;
  for (const Array::Entry& e : a.entries) text += (text.empty() ? "" : ", ") + format_number(e.start);
  return text;
}

std::string join(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : separator) + w;
  return text;
}

/// The arrays a main program holds: those the user gives, and what follows from them.
struct Data {
  explicit Data(const Generated& g) : main(g.main) {
    for (const Array& a : g.main.inputs)
      if (g.once.empty() || a.name != "k") given.push_back(&a);
    if (!g.once.empty()) {
      once = &g.once[0];
      given.push_back(&once->inputs[0]);
    }
    // a run needs the state alone as configuration, and all accelerations
    runs = g.main.name == "forward_dynamics" && !g.has_quaternions &&
           g.main.outputs[0].entries.size() == g.main.inputs[0].entries.size();
    for (std::size_t i = 3; i < g.main.inputs.size(); ++i) {
      runs = runs && g.main.inputs[i].name != "x";
      extra.push_back(g.main.inputs[i].name);
    }
    loops = !g.parts.empty();
    closed = loops && g.loops.constraints > 0;
    for (const Array* a : given) order.push_back(a->name);
    for (const Array& a : g.main.inputs) inputs.push_back(a.name);
    for (const Array& a : g.main.outputs) outputs.push_back(a.name);
  }
  const Routine& main;
  const Routine* once = nullptr;
  std::vector<const Array*> given;
  std::vector<std::string> order, inputs, outputs;
  bool runs = false;
  bool loops = false, closed = false;  ///< the function closes loops and tells how it ended; it has multipliers
  std::vector<std::string> extra;      ///< arguments after the third
  std::size_t n() const { return main.inputs[1].entries.size(); }
  /// ", a, b" of the extra arguments, the time spelt as given.
  std::string extras(const std::string& time) const {
    std::string text;
    for (const std::string& name : extra) text += ", " + (name == "t" ? time : name);
    return text;
  }
};

std::vector<SourceFile> make_c(const Data& d, bool cpp) {
  const std::string& name = d.main.name;
  std::string arrays = d.runs ? fmt::format("enum {{ N = {} }};\n", d.n()) : "";
  std::string print;
  std::vector<std::string> read;
  for (const Array* a : d.given) {
    arrays += fmt::format("static double {}[{}] = {{{}}};\n", a->name, a->entries.size(), numbers(*a));
    read.push_back(fmt::format("read_array(file, {}, {})", a->name, a->entries.size()));
  }
  if (d.once != nullptr) arrays += fmt::format("static double k[{}];\n", d.once->outputs[0].entries.size());
  for (const Array& a : d.main.outputs) {
    arrays += fmt::format("static double {}[{}];\n", a.name, a.entries.size());
    print += fmt::format("  print_array({}, {});\n", a.name, a.entries.size());
  }
  const std::string once = d.once != nullptr ? d.once->name + "(p, k);\n" : "";
  std::string call = (once.empty() ? "" : "  " + once) +
                     fmt::format("  {}({}, {});\n", name, join(d.inputs, ", "), join(d.outputs, ", "));
  if (d.loops)
    call = fmt::format("  switch ({}({}, {})) {{\n", name, join(d.inputs, ", "), join(d.outputs, ", ")) +
           "    case 1:\n      fprintf(stderr, \"the loops cannot be closed\\n\");\n      return 1;\n"
           "    case 2:\n      fprintf(stderr, \"singular\\n\");\n      return 1;\n  }\n";
  std::string run, run_call;
  if (d.runs) {
    run = TextTemplate(c_run)
              .set("RATES", std::string(d.loops ? c_loop_rates : c_rates))
              .set("END",
                   d.loops ? "  rates(end, x, k[0]);\n  memcpy(x, qc, sizeof qc);\n  memcpy(x + N, k[0], sizeof qc);\n"
                           : "")
              .set("NAME", name)
              .set("LAMBDA", d.closed ? ", multipliers" : "")
              .set("EXTRA", d.extras("&t"))
              .text();
    run_call = TextTemplate(c_run_call).set("ONCE", once.empty() ? "" : "    " + once).text();
  }
  TextTemplate main(c_main);
  main.set("RUNHELP",
           d.runs ? "\n   " + name + "_main run T STEPS integrates the motion to the time T and prints q and qd." : "")
      .set("NAME", name)
      .set("ORDER", join(d.order, ", "))
      .set("HEADER", name + (cpp ? ".hpp" : ".h"))
      .set("ARRAYS", arrays)
      .set("RUN", run)
      .set("RUNCALL", run_call)
      .set("READ", join(read, " && "))
      .set("CALL", call)
      .set("PRINT", print);
  const std::string ending = cpp ? ".cpp" : ".c";
  std::vector<SourceFile> files{{name + "_main" + ending, main.text()}};
  if (d.runs) files.push_back({"user_forces" + ending, TextTemplate(c_forces).set("N", std::to_string(d.n())).text()});
  return files;
}

/// Statements that split the numbers of a file into the arrays.
std::string split_numbers(const Data& d, const std::function<std::string(const Array&, std::size_t)>& statement) {
  std::string text;
  std::size_t first = 0;
  for (const Array* a : d.given) {
    text += statement(*a, first);
    first += a->entries.size();
  }
  return text;
}

std::vector<SourceFile> make_python(const Data& d) {
  const std::string& name = d.main.name;
  std::string arrays, import = "from " + name + " import " + name;
  for (const Array* a : d.given) arrays += fmt::format("{} = [{}]\n", a->name, numbers(*a));
  if (d.once != nullptr) arrays += "k = []\n", import += ", " + d.once->name;
  if (d.runs) import += "\nfrom user_forces import user_forces";
  const std::string once = d.once != nullptr ? "k = " + d.once->name + "(p)\n" : "";
  const std::string call =
      (once.empty() ? "" : "    " + once) +
      fmt::format("    {}{} = {}({})\n", join(d.outputs, ", "), d.loops ? ", status" : "", name, join(d.inputs, ", ")) +
      (d.loops ? "    if status != 0:\n"
                 "        sys.exit(\"the loops cannot be closed\" if status == 1 else \"singular\")\n"
               : "");
  std::vector<std::string> globals = d.order;
  if (d.once != nullptr) globals.push_back("k");
  std::string run, run_call;
  if (d.runs) {
    const std::string tree = "    return qd + %NAME%(q, qd, user_forces(t, q, qd)%EXTRA%)\n";
    const std::string loops =
        "    qc, qdc, *rest = %NAME%(q, qd, [0.0]*n%EXTRA%)\n"
        "    qc, qdc, qdd, *rest = %NAME%(qc, qdc, user_forces(t, qc, qdc)%EXTRA%)\n"
        "    if rest[-1] != 0:\n"
        "        raise ValueError(\"the loops cannot be closed, or are singular, at t = %g\" % t)\n"
        "    x[:] = qc + qdc\n"
        "    return qdc + qdd\n";
    run = TextTemplate(python_run)
              .set("RATES", d.loops ? loops : tree)
              .set("END", d.loops ? "    rates(end, x)\n" : "")
              .set("N", std::to_string(d.n()))
              .set("NAME", name)
              .set("EXTRA", d.extras("[t]"))
              .text();
    run_call = TextTemplate(python_run_call).set("ONCE", once.empty() ? "" : "        " + once).text();
  }
  TextTemplate main(python_main);
  main.set(
          "RUNHELP",
          d.runs ? "\n# " + name + "_main.py run T STEPS integrates the motion to the time T and prints q and qd." : "")
      .set("NAME", name)
      .set("ORDER", join(d.order, ", "))
      .set("IMPORT", import)
      .set("ARRAYS", arrays)
      .set("RUN", run)
      .set("INPUTS", join(globals, ", "))
      .set("RUNCALL", run_call)
      .set("READ", split_numbers(d,
                                 [](const Array& a, std::size_t first) {
                                   return fmt::format("        {} = numbers[{}:{}]\n", a.name, first,
                                                      first + a.entries.size());
                                 }))
      .set("CALL", call)
      .set("OUTPUTS", join(d.outputs, ", "));
  std::vector<SourceFile> files{{name + "_main.py", main.text()}};
  if (d.runs) files.push_back({"user_forces.py", TextTemplate(python_forces).set("N", std::to_string(d.n())).text()});
  return files;
}

std::vector<SourceFile> make_matlab(const Data& d) {
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
    const std::string end =
        fmt::format("    [qc, qdc] = {}(x(1:{}), x({}:end), zeros({}, 1){});\n    x = [qc(:); qdc(:)];\n", name, d.n(),
                    d.n() + 1, d.n(), d.extras("varargin{2}"));
    run_call = TextTemplate(matlab_run_call)
                   .set("ONCE", once.empty() ? "" : "    " + once)
                   .set("END", d.loops ? end : "")
                   .set("EXTRA", passed)
                   .text();
  }
  TextTemplate main(matlab_main);
  main.set("RUNHELP",
           d.runs ? "\n% " + name + "_main('run', T, STEPS) integrates the motion to the time T and prints q and qd."
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
  if (d.runs) files.push_back({"user_forces.m", TextTemplate(matlab_forces).set("N", std::to_string(d.n())).text()});
  return files;
}

}  // namespace

std::vector<SourceFile> make_main_program(const Generated& g, Language language) {
  const Data data(g);
  if (language == Language::python) return make_python(data);
  if (language == Language::matlab) return make_matlab(data);
  return make_c(data, language == Language::cpp);
}

}  // namespace coenergy::generate
