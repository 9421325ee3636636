#include "coenergy/analyze/equilibrium.hpp"

#include <fmt/core.h>

#include <fstream>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/answer_report.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"

namespace coenergy::app {

namespace {

void write_signals(const std::string& file, const equations::System& s, const std::vector<double>& values) {
  std::ofstream out(file);
  for (std::size_t k = 0; k < values.size(); ++k)
    out << fmt::format("{},{:.17g},{}\n", s.signals()[k].name, values[k], s.signals()[k].unit);
  if (!out.flush()) throw Failure("equilibrium: cannot write " + file);
}

}  // namespace

int equilibrium(const ModelArguments& arguments, const std::string& output) {
  check_target("--report", arguments.report, ".html");
  auto [model, options, compiled] = prepare(load_model_at_rest(arguments));
  options.start = "static";
  equations::Evaluator evaluator(compiled.system);
  const solve::HeldTime time(evaluator);
  const solve::Start start =
      with_places(model, [&, &options = options] { return solve::initialize(evaluator, options); });
  if (!start.good) throw Failure("equilibrium: " + start.text);
  const analyze::Stability stability = analyze::find_stability(evaluator, start.point);
  std::vector<double> values(compiled.system.signals().size());
  evaluator.signals(start.point, values);
  const auto& signals = compiled.system.signals();
  if (!output.empty()) write_signals(output, compiled.system, values);
  if (arguments.answers()) {
    nlohmann::json j = begin_answer(arguments.file, list_notes(model, compiled));
    add_notes(j, start.notes);
    j["operating_point"] = make_point("equilibrium", start.point.t), j["time"] = start.point.t;
    j["stable"] = stability.stable, j["lowest_eigenvalue"] = stability.lowest;
    j["negative_eigenvalues"] = stability.negative, j["fastest_growth"] = stability.fastest_growth;
    add_signals(j, compiled.system, values);
    if (!arguments.report.empty()) write_page(arguments.report, report_signals("equilibrium", j));
    if (arguments.json) return print_answer(j);
  }
  for (std::size_t k = 0; k < values.size() && output.empty(); ++k)
    fmt::print("{:<30}{:>22.12g} {}\n", signals[k].name, values[k], signals[k].unit);
  for (const std::string& note : start.notes) fmt::print("note: {}\n", note);
  fmt::print("{} equilibrium: lowest eigenvalue of M^-1 K {:.6g} 1/s2, {} below zero; fastest growth {:.3g} 1/s\n",
             stability.stable ? "stable" : "unstable", stability.lowest, stability.negative, stability.fastest_growth);
  return 0;
}

}  // namespace coenergy::app
