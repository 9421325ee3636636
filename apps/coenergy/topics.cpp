#include "apps/coenergy/topics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "coenergy/base/names.hpp"
#include "coenergy/base/unit_table.hpp"
#include "coenergy/base/version.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/model/expression_syntax.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::app {
namespace {

using Word = Topic::Word;
using Group = Topic::Group;

std::vector<Group> simulate_groups() {
  Group entries{"simulate: {…}", {}};
  for (const io::SimulationEntry& e : io::simulation_entries())
    entries.words.push_back({e.name, e.unit == "word" ? "" : e.unit, e.help + " (default " + e.fallback + ")"});
  return {entries};
}

const std::map<std::string, std::string>& method_helps() {
  static const std::map<std::string, std::string> helps{
      {"radau", "Radau IIA, implicit, order 5, error-controlled: stiff and constrained systems, high accuracy"},
      {"esdirk", "diagonally implicit Runge-Kutta, order 3, error-controlled: many events at moderate accuracy"},
      {"dopri", "Dormand-Prince, explicit, order 5, error-controlled"},
      {"dop853", "Dormand-Prince, explicit, order 8, error-controlled: bodies over long times"},
      {"ida", "SUNDIALS, implicit, orders 1 to 5, error-controlled; in builds that found it"},
      {"cvode", "SUNDIALS, implicit, orders 1 to 5, error-controlled; in builds that found it"},
      {"generalized-alpha",
       "Chung-Hulbert by rho_inf, or any alpha_m, alpha_f; order 2; fixed steps where step is given"},
      {"hht", "alpha_m = 0, damping by alpha_f; order 2; fixed steps where step is given"},
      {"newmark", "no numerical damping; order 2; fixed steps where step is given"},
      {"jansen", "of the same family, best for first-order states; order 2; fixed steps where step is given"},
      {"backward-euler", "implicit, order 1, fixed steps"},
      {"rk4", "Runge-Kutta, explicit, order 4, fixed steps"},
      {"trapez", "Adams-Bashforth of two steps, explicit, order 2, fixed steps"},
      {"euler", "explicit, order 1, fixed steps"}};
  return helps;
}

std::vector<Group> method_groups() {
  Group methods{"simulate: {method: …}, run --method", {}};
  for (const std::string& name : solve::method_names()) methods.words.push_back({name, "", method_helps().at(name)});
  return {methods};
}

std::vector<Group> expression_groups() {
  static const std::map<std::string, std::string> helps{
      {"sin", "sin cos tan asin acos atan: of numbers and angles"},
      {"sinh", "sinh cosh tanh exp log: of plain numbers"},
      {"atan2", "atan2(y, x): angle of a vector; both of one unit"},
      {"sqrt", "square root; of m2 it is m"},
      {"abs", "magnitude; its corner is located"},
      {"sign", "-1, 0, 1; its jump is located"},
      {"floor", "largest integer below; its jumps are located"},
      {"min", "min(a, b, …): corners are located"},
      {"max", "max(a, b, …)"},
      {"pow", "pow(x, n), the same as x^n"},
      {"if", "if(c, a, b), the same as c ? a : b"},
      {"table",
       "table(x, [x0, x1, …], [y0, y1, …]): straight between the points; table(\"bench.csv\", \"i\"): a column of a "
       "file (also .h5) over its column time"},
      {"spline", "spline(x, [x0, …], [y0, …]): natural cubic spline; also spline(\"bench.csv\", \"i\")"}};
  static const std::array together{"cos", "tan", "asin", "acos", "atan", "cosh", "tanh", "exp", "log"};
  Group functions{"functions", {}};
  for (const std::string& name : model::list_functions()) {
    if (std::find(together.begin(), together.end(), name) != together.end()) continue;
    const auto help = helps.find(name);
    functions.words.push_back({name, "", help == helps.end() ? "" : help->second});
  }
  return {{"operators, loosest first",
           {{"c ? a : b", "", "choice; the switch is located"},
            {"or  and  not", "", "also || && !"},
            {"< <= > >= == !=", "", "comparisons; crossings are located"},
            {"+ -  * /", "", ""},
            {"- x", "", "sign"},
            {"x^n  x**n", "", "power, from the right"}}},
          functions,
          {"names",
           {{"time", "s", "time of the run"},
            {"pi true false", "", "constants"},
            {"Rtotal", "", "an entry of parameters:"},
            {"motor.i", "", "any signal of the model; `coenergy list MODEL` shows them"},
            {"s[k-1].q", "", "signal of an element of an array"},
            {"f(x)", "", "an entry of functions:, from a shared library beside the model"}}}};
}

std::vector<Group> unit_groups() {
  Group symbols{"symbols", {}};
  for (const UnitSymbol& symbol : list_unit_symbols())
    symbols.words.push_back({std::string(symbol.name), symbol.takes_prefix ? "prefix" : "",
                             symbol.meaning.empty() ? "" : "= " + symbol.meaning});
  return {symbols,
          {"prefixes, before symbols marked so",
           {{"P T G M k h da", "", "1e15 1e12 1e9 1e6 1e3 1e2 1e1"},
            {"d c m u µ n p f a", "", "1e-1 1e-2 1e-3 1e-6 1e-6 1e-9 1e-12 1e-15 1e-18"}}},
          {"joined by",
           {{"N.m  N*m  N·m", "", "product"},
            {"m/s  J/(kg.K)", "", "quotient; J/kg.K is refused, since it can be read in two ways"},
            {"m2  m^2  m²", "", "power"},
            {"7.3 mH", "", "a number with its unit; plain numbers are SI"}}}};
}

std::vector<Group> plot_groups() {
  return {{"plots: […]",
           {{"[a, b]", "", "signals over time in one plot"},
            {"y: [a, b]", "", "the same in a plot with more to say: {y: [A.p, B.p], unit: bar}"},
            {"x: a", "", "over another signal instead of time: {x: tip.x, y: tip.z}"},
            {"table(\"bench.csv\", \"i\")", "",
             "among the signals, in single quotes: a measured curve of a data file (also .h5)"},
            {"title: Path", "", "words above the plot"},
            {"unit: bar", "", "unit of the values; must fit all signals of y"},
            {"x_unit: mm", "", "unit of x, or of time"}}}};
}

std::vector<Group> part_groups() {
  return {
      {"parts: {Axis: {…}}",
       {{"ports", "", "[a, b]: nodes of the part; {tip: arm}: name for the outside and what it is inside; {u: signal}"},
        {"", "",
         "{a: {inner: n1, optional: true}}: may stay open; {default: ground}: connected so unless the instance says"},
        {"parameters", "", "{gear: 100, R: required}: defaults, which an instance may change"},
        {"components", "", "as those of a model; their names, nodes and parameters are the part's own"},
        {"plots", "", "groups of signals, shown of every instance"},
        {"file", "", "a netlist, robot (.urdf, .mbs), Electran circuit or model file instead of components"},
        {"subckt", "", "of a netlist: this subcircuit, whose pins are the ports"},
        {"override", "", "of a file: {j1.friction: 2}, entries of what is in it"}}},
      {"components: {x: {type: Axis, …}}",
       {{"type", "", "name of the part"},
        {"PORT", "", "what it is connected to; also from outside as x.PORT"},
        {"PARAMETER", "", "its value; may depend on signals"},
        {"override", "", "{motor.R: 3 ohm}: entries of what is inside"},
        {"repeat", "",
         "30 or {k: 30}: elements x1 … x30; k is known in their entries, previous and next name neighbours"},
        {"first, last", "", "{…}: entries of the first and the last element"},
        {"if", "", "the component is there where this constant expression is not 0"}}}};
}

std::vector<Group> include_groups() {
  return {{"include: …",
           {{"[more.yaml]", "", "parameters, parts and components of another model file, as if they stood here"},
            {"{motors: motors.yaml}", "", "its parts alone, as type: motors.Axis"}}},
          {"parts: {Name: {file: …}}",
           {{"lift.yaml", "", "a whole model; its ports: say what the outside sees"},
            {"filter.cir", "", "a SPICE netlist, its nodes are ports; subckt: a subcircuit of it"},
            {"arm.urdf  arm.mbs", "", "a robot, its links are ports"},
            {"circuit.electran", "", "an Electran circuit"}}}};
}

std::vector<Group> study_groups() {
  return {{"solve, identify: unknowns: and residuals:",
           {{"x: 1 m", "", "an unknown with its guess, or {guess: 1 m, min: 0 m, max: 5 m, unit: m}"},
            {"[x^2 = 4 m^2, x - y]", "", "equations, or expressions that are zero; also {name: text}"},
            {"identify: {columns: …}", "",
             "yd: {derivative: y, order: 1, window: 20 ms}, Fs: {smooth: F, window: 20 ms}: columns made of others"}}},
          {"optimize: {…}, of a design",
           {{"variables", "", "{motor.R: {min: 1 ohm, max: 3 ohm}, x: 2}: entries, parameters, names of their own"},
            {"measures", "", "{peak: max(motor.i)}: numbers of a run, see study --measure"},
            {"minimize, maximize", "", "an expression of variables and measures"},
            {"constraints", "", "[peak <= 8 A, x + y = 3], or {name: text}"}}},
          {"optimize: {…}, of a motion",
           {{"inputs", "", "{T1.tau: {min: -10 N.m, max: 10 N.m}}: entries as functions of time"},
            {"time", "s", "{min: 0.1 s, max: 5 s, guess: 1 s}, or one value"},
            {"end", "", "{hip.q: 90 deg, hip.qd: 0}: signals at the end"},
            {"limits", "", "{hip.qd: {min: -3 rad/s, max: 3 rad/s}}: signals on the way"},
            {"minimize", "", "time, or {integral: \"T1.tau^2\"}"},
            {"intervals", "", "of the collocation (default 50)"}}},
          {"study --vary",
           {{"motor.R=1:0.1:3", "", "a grid: first, step, last; or values 1,2,5"},
            {"wheel.J~normal(1e-4, 5%)", "",
             "mean and deviation; uniform(A, B), lognormal(MEDIAN, DEVIATION), triangular(A, B, C)"}}},
          {"study --measure, optimize: {measures: …}",
           {{"wheel.w", "", "where the run ends; \"wheel.w at 0.2 s\""},
            {"max(wheel.w)", "", "also min mean rms integral range time_of_max time_of_min"},
            {"rise(wheel.w, 3 rad/s)", "s", "when it rises through a level first; fall"}}}};
}

struct Maker {
  const char *name, *help;
  std::vector<Group> (*groups)();
  std::vector<std::string> examples;
};

const std::vector<Maker>& makers() {
  static const std::vector<Maker> all{
      {"simulate",
       "entries of simulate: with their defaults",
       simulate_groups,
       {"simulate: {t_end: 2 s, rtol: 1e-8, output_step: 1 ms}"}},
      {"methods",
       "integration methods",
       method_groups,
       {"simulate: {t_end: 2 s, method: dop853}", "simulate: {t_end: 2 s, method: hht, step: 1 ms}"}},
      {"expressions",
       "what may stand where a value is expected",
       expression_groups,
       {"v: \"time < 10 ms ? 0 : 24 V\"", "f: -k*slide.s - 2 N.s/m * slide.v", "L: 7.3 mH*(1 - 0.1*tanh(L1.i/(5 A)))"}},
      {"units", "units of values, and how they are joined", unit_groups, {"J: 1e-4 kg.m2", "w0: 1500 rev/min"}},
      {"plots",
       "what the report shows",
       plot_groups,
       {"plots: [[motor.i], {x: tip.x, y: tip.z, title: Path}, {y: [A.p, B.p], unit: bar}]"}},
      {"parts", "reusable parts, instances and arrays", part_groups, {}},
      {"include", "models, netlists and robots from other files", include_groups, {}},
      {"studies",
       "what solve, identify, optimize and study look for",
       study_groups,
       {"unknowns: {x: 0}", "residuals: [2*x^2 + 7*x + 3 = 0]",
        "optimize: {variables: {motor.R: {min: 1 ohm, max: 3 ohm}}, measures: {peak: max(motor.i)}, minimize: peak}"}}};
  return all;
}

}  // namespace

Topic make_topic(const std::string& name) {
  for (const Maker& maker : makers())
    if (maker.name == name) return {maker.name, maker.help, maker.groups(), maker.examples};
  throw std::out_of_range(name);
}

const std::vector<Topic::Word>& topic_names() {
  static const std::vector<Word> names = [] {
    std::vector<Word> all;
    for (const Maker& maker : makers()) all.push_back({maker.name, "", maker.help});
    return all;
  }();
  return names;
}

void print_topic(const Topic& topic, bool json) {
  if (json) {
    nlohmann::json j{{"version", version}, {"topic", topic.name}, {"help", topic.help}, {"examples", topic.examples}};
    for (const Group& group : topic.groups) {
      nlohmann::json words = nlohmann::json::array();
      for (const Word& w : group.words) words.push_back({{"name", w.name}, {"unit", w.unit}, {"help", w.help}});
      j["groups"].push_back({{"title", group.title}, {"words", words}});
    }
    fmt::print("{}\n", j.dump(2));
    return;
  }
  fmt::print("{}: {}\n", topic.name, topic.help);
  for (const Group& group : topic.groups) {
    std::size_t width = 0, units = 0;
    for (const Word& w : group.words) width = std::max(width, w.name.size()), units = std::max(units, w.unit.size());
    fmt::print("\n{}\n", group.title);
    for (const Word& w : group.words) {
      std::string line = fmt::format("  {:<{}}  ", w.name, width);
      if (units > 0) line += fmt::format("{:<{}}  ", w.unit, units);
      line += w.help;
      fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
    }
  }
  if (!topic.examples.empty()) fmt::print("\nexamples\n");
  for (const std::string& line : topic.examples) fmt::print("  {}\n", line);
}

}  // namespace coenergy::app
