#include <fmt/core.h>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/answer_report.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/study/roots.hpp"

namespace coenergy::app {

namespace {

using study::Formulas;
using study::Root;

/// --guess x=-10 takes the place of the guess in the file.
void apply_guesses(const std::vector<std::string>& guesses, Formulas& equations) {
  std::vector<std::string> known;
  for (const study::Variable& v : equations.variables()) known.push_back(v.name);
  for (const std::string& text : guesses) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (equals == std::string::npos || equals == 0)
      throw Error("--guess " + text + ": write name=value, such as --guess x=-10");
    const int k = equations.find_variable(name);
    if (k < 0) throw Error("--guess " + name + ": there is no such unknown" + did_you_mean(name, known));
    study::Variable& v = equations.variables()[static_cast<std::size_t>(k)];
    const std::string unit = v.unit();
    v.guess = equations.evaluate_constant(io::parse_value(text.substr(equals + 1), "--guess " + name), name,
                                          v.kind.dimension_known ? &unit : nullptr);
    if (!(v.guess >= v.lower && v.guess <= v.upper))
      throw Error("--guess " + text + ": it must lie in [" + format_short(v.lower) + ", " + format_short(v.upper) +
                  "]");
  }
}

nlohmann::json to_json(const Formulas& f, const Root& root) {
  nlohmann::json j;
  for (std::size_t k = 0; k < root.x.size(); ++k) j["unknowns"][f.variables()[k].name] = root.x[k];
  for (int k = 0; k < f.size(); ++k) j["residuals"][f.name(k)] = root.residual[static_cast<std::size_t>(k)];
  j["iterations"] = root.trace.size() - 1, j["damped"] = root.damped;
  return j;
}

nlohmann::json trace_to_json(const Formulas& f, const Root& root) {
  nlohmann::json rows = nlohmann::json::array();
  for (std::size_t i = 0; i < root.trace.size(); ++i) {
    const study::RootIteration& at = root.trace[i];
    nlohmann::json row = {
        {"iteration", i + 1}, {"correction", at.correction}, {"step", at.step}, {"determinant", at.determinant}};
    for (std::size_t k = 0; k < at.x.size(); ++k) row["unknowns"][f.variables()[k].name] = at.x[k];
    for (int k = 0; k < f.size(); ++k) row["residuals"][f.name(k)] = at.residual[static_cast<std::size_t>(k)];
    rows.push_back(std::move(row));
  }
  return rows;
}

void print_trace(const Formulas& f, const Root& root) {
  fmt::print("{:>4}", "i");
  for (const study::Variable& v : f.variables()) fmt::print("{:>18}", name_and_unit(v.name, v.unit()));
  for (int k = 0; k < f.size(); ++k) fmt::print("{:>18}", name_and_unit(f.name(k), f.unit(k)));
  fmt::print("{:>14}{:>10}\n", "determinant", "step");
  for (std::size_t i = 0; i < root.trace.size(); ++i) {
    const study::RootIteration& at = root.trace[i];
    fmt::print("{:>4}", i + 1);
    for (const double x : at.x) fmt::print("{:>18.8g}", x);
    for (const double r : at.residual) fmt::print("{:>18.6g}", r);
    if (at.determinant != 0) fmt::print("{:>14.6g}{:>10.3g}", at.determinant, at.step);
    fmt::print("\n");
  }
}

void print_root(const Formulas& f, const Root& root) {
  for (std::size_t k = 0; k < root.x.size(); ++k) {
    const study::Variable& v = f.variables()[k];
    fmt::print("{:<20}{:>24.14g} {}\n", v.name, root.x[k], v.unit());
  }
}

Report make_page(const Formulas& f, const Root& last, const nlohmann::json& answer) {
  Report report = begin_report("solve", answer);
  report.ended = last.good ? "solved" : "no solution found";
  report.succeeded = last.good;
  ReportTable table{"Iterations", {"i"}, {}};
  for (const study::Variable& v : f.variables()) table.columns.push_back(name_and_unit(v.name, v.unit()));
  for (int k = 0; k < f.size(); ++k) table.columns.push_back(name_and_unit(f.name(k), f.unit(k)));
  for (std::size_t i = 0; i < last.trace.size(); ++i) {
    std::vector<std::string> row{std::to_string(i + 1)};
    for (const double x : last.trace[i].x) row.push_back(format_number(x));
    for (const double r : last.trace[i].residual) row.push_back(format_short(r));
    table.rows.push_back(std::move(row));
  }
  report.tables.push_back(std::move(table));
  return report;
}

}  // namespace

int solve_equations(const SolveArguments& arguments) {
  check_target("--report", arguments.model.report, ".html");
  const model::Model model = load_model(arguments.model);
  Formulas equations = study::read_equations(model);
  apply_guesses(arguments.guesses, equations);
  if (static_cast<std::size_t>(equations.size()) != equations.variables().size()) {
    std::string names;
    for (const study::Variable& v : equations.variables()) names += (names.empty() ? "" : ", ") + v.name;
    throw Error({model.file}, fmt::format("{} residuals for {} unknowns ({}): there must be as many", equations.size(),
                                          equations.variables().size(), names));
  }
  std::vector<Root> roots;
  if (arguments.all) {
    roots = study::find_roots(equations, arguments.starts);
  } else {
    std::vector<double> guess;
    for (const study::Variable& v : equations.variables()) guess.push_back(v.guess);
    roots.push_back(study::find_root(equations, guess));
  }
  const bool trace = arguments.trace;
  if (!arguments.model.json && trace)
    for (const Root& root : roots) {
      if (root.damped) fmt::print("full steps diverge from the guess; with a line search:\n");
      print_trace(equations, root);
    }
  if (roots.empty())
    throw Failure(fmt::format("solve: no root is found from {} starts in the box of the bounds", arguments.starts + 1));
  nlohmann::json j = begin_answer(model.file, model.notes);
  if (!roots.front().good) {
    if (!arguments.model.report.empty()) write_page(arguments.model.report, make_page(equations, roots.front(), j));
    throw Failure("solve: " + roots.front().text);
  }
  j.update(to_json(equations, roots.front()));
  for (const study::Variable& v : equations.variables()) j["units"][v.name] = v.unit();
  for (int k = 0; k < equations.size(); ++k) j["units"][equations.name(k)] = equations.unit(k);
  j["roots"] = nlohmann::json::array();
  for (const Root& root : roots) j["roots"].push_back(to_json(equations, root));
  if (trace) j["trace"] = trace_to_json(equations, roots.front());
  if (arguments.all)
    add_notes(j, {fmt::format("found from {} starts: there is no proof that there are no other roots",
                              arguments.starts + 1)});
  if (!arguments.model.report.empty()) write_page(arguments.model.report, make_page(equations, roots.front(), j));
  if (arguments.model.json) return print_answer(j);
  if (roots.size() > 1 || arguments.all) fmt::print("{} root{}\n", roots.size(), roots.size() == 1 ? "" : "s");
  for (const Root& root : roots) {
    fmt::print("{} iterations{}\n", root.trace.size() - 1, root.damped ? " with a line search" : "");
    print_root(equations, root);
  }
  if (arguments.all) print_note(stdout, j["notes"].back().get<std::string>());
  return 0;
}

}  // namespace coenergy::app
