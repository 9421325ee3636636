#include <fmt/format.h>

#include "coenergy/generate/main_data.hpp"

namespace coenergy::generate {
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
/* one step by Runge and Kutta's method of the fourth order */
static void step(double t, double h, double* x) {
  double y[2*N], k[4][2*N];
  int i;
  rates(t, x, k[0]);
  for (i = 0; i < 2*N; ++i) y[i] = x[i] + h/2*k[0][i];
  rates(t + h/2, y, k[1]);
  for (i = 0; i < 2*N; ++i) y[i] = x[i] + h/2*k[1][i];
  rates(t + h/2, y, k[2]);
  for (i = 0; i < 2*N; ++i) y[i] = x[i] + h*k[2][i];
  rates(t + h, y, k[3]);
  for (i = 0; i < 2*N; ++i) x[i] += h/6*(k[0][i] + 2*k[1][i] + 2*k[2][i] + k[3][i]);
}

static const char* const names[] = {%NAMES%};
static const char* const units[] = {%UNITS%};

/* a table with names, units and rows + 1 rows of time, q and qd */
static void run(double begin, double end, int steps, int rows) {
  const int each = (steps + rows - 1)/rows;
  const double h = (end - begin)/rows/each;
  double x[2*N];
  int i, row;
  memcpy(x, q, sizeof q);
  memcpy(x + N, qd, sizeof qd);
  printf("time");
  for (i = 0; i < 2*N; ++i) printf(",%s", names[i]);
  printf("\ns");
  for (i = 0; i < 2*N; ++i) printf(",%s", units[i]);
  puts("");
  for (row = 0; row <= rows; ++row) {
    const double t = begin + row*each*h;
%ROW%    printf("%.17g", t);
    for (i = 0; i < 2*N; ++i) printf(",%.17g", x[i]);
    puts("");
    for (i = 0; i < each && row < rows; ++i) step(t + i*h, h, x);
  }
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

constexpr std::string_view c_loop_row = R"(    double xd[2*N];
    rates(t, x, xd);
    memcpy(x, qc, sizeof qc);
    memcpy(x + N, xd, sizeof qc);
)";

constexpr std::string_view c_run_call = R"(  if ((argc == 2 || argc == 5) && strcmp(argv[1], "run") == 0) {
    const double end = argc > 2 ? atof(argv[2]) : %TEND%;
    const int steps = argc > 2 ? atoi(argv[3]) : %STEPS%, rows = argc > 2 ? atoi(argv[4]) : %ROWS%;
    if (!(end > %BEGIN%) || steps < 1 || rows < 1) {
      fprintf(stderr, "run T STEPS ROWS: T must be later than %BEGIN%, STEPS and ROWS at least 1\n");
      return 2;
    }
%ONCE%    run(%BEGIN%, end, steps, rows);
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

}  // namespace

std::vector<SourceFile> make_c_main(const MainData& d, bool cpp) {
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
              .set("ROW", d.loops ? std::string(c_loop_row) : "")
              .set("NAMES", "\"" + join(d.names(), "\", \"") + "\"")
              .set("UNITS", "\"" + join(d.units(), "\", \"") + "\"")
              .set("NAME", name)
              .set("LAMBDA", d.closed ? ", multipliers" : "")
              .set("EXTRA", d.extras("&t"))
              .text();
    run_call = d.set_run(TextTemplate(c_run_call)).set("ONCE", once.empty() ? "" : "    " + once).text();
  }
  TextTemplate main(c_main);
  main.set("RUNHELP", d.runs ? "\n   " + name +
                                   "_main run [T STEPS ROWS] integrates the motion to the time T and prints a table, "
                                   "as the\n   program does; by itself, the run of the model."
                             : "")
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
  if (d.runs)
    files.push_back({"user_forces" + ending, TextTemplate(c_forces).set("N", std::to_string(d.n())).text(), true});
  return files;
}

}  // namespace coenergy::generate
