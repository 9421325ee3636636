#include <fmt/format.h>

#include "coenergy/generate/main_data.hpp"

namespace coenergy::generate {
namespace {

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

def step(t, h, x):
    """One step by Runge and Kutta's method of the fourth order."""
    k1 = rates(t, x)
    k2 = rates(t + h/2, [a + h/2*b for a, b in zip(x, k1)])
    k3 = rates(t + h/2, [a + h/2*b for a, b in zip(x, k2)])
    k4 = rates(t + h, [a + h*b for a, b in zip(x, k3)])
    return [a + h/6*(b + 2*c + 2*d + e) for a, b, c, d, e in zip(x, k1, k2, k3, k4)]


def run(begin, end, steps, rows):
    """A table with names, units and rows + 1 rows of time, q and qd."""
    each = (steps + rows - 1)//rows
    x, h = list(q) + list(qd), (end - begin)/rows/each
    print("%NAMES%")
    print("%UNITS%")
    for row in range(rows + 1):
        t = begin + row*each*h
%ROW%        print(",".join(repr(float(value)) for value in [t] + x))
        if row < rows:
            for i in range(each):
                x = step(t + i*h, h, x)


)";

constexpr std::string_view python_run_call = R"(    if len(sys.argv) in (2, 5) and sys.argv[1] == "run":
        end, steps, rows = sys.argv[2:] or (%TEND%, %STEPS%, %ROWS%)
%ONCE%        run(%BEGIN%, float(end), int(steps), int(rows))
        return
)";

constexpr std::string_view python_forces = R"(# Forces and torques in the %N% joints at time t: yours to write.
def user_forces(t, q, qd):
    return [0.0]*%N%
)";

}  // namespace

std::vector<SourceFile> make_python_main(const MainData& d) {
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
              .set("ROW", d.loops ? "        rates(t, x)\n" : "")
              .set("NAMES", "time," + join(d.names(), ","))
              .set("UNITS", "s," + join(d.units(), ","))
              .set("N", std::to_string(d.n()))
              .set("NAME", name)
              .set("EXTRA", d.extras("[t]"))
              .text();
    run_call = d.set_run(TextTemplate(python_run_call)).set("ONCE", once.empty() ? "" : "        " + once).text();
  }
  TextTemplate main(python_main);
  main.set("RUNHELP", d.runs ? "\n# " + name +
                                   "_main.py run [T STEPS ROWS] integrates the motion to the time T and prints a "
                                   "table, as the program\n# does; by itself, the run of the model."
                             : "")
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
  if (d.runs)
    files.push_back({"user_forces.py", TextTemplate(python_forces).set("N", std::to_string(d.n())).text(), true});
  return files;
}

}  // namespace coenergy::generate
