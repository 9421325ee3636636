#include <fmt/core.h>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/answer_report.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"

namespace coenergy::app {

int operating_point(const ModelArguments& arguments) {
  check_target("--report", arguments.report, ".html");
  auto [model, options, compiled] = prepare(load_model_at_rest(arguments));
  options.start = "steady";
  equations::Evaluator evaluator(compiled.system);
  const solve::HeldTime time(evaluator);
  const solve::Start start =
      with_places(model, [&, &options = options] { return solve::initialize(evaluator, options); });
  if (!start.good) throw Failure("op: " + start.text);
  const std::vector<std::string>& notes = start.notes;
  std::vector<double> values(compiled.system.signals().size());
  evaluator.signals(start.point, values);
  if (arguments.answers()) {
    nlohmann::json j = begin_answer(arguments.file, list_notes(model, compiled));
    add_notes(j, notes);
    j["operating_point"] = make_point("steady", start.point.t), j["time"] = start.point.t, j["method"] = start.method;
    add_signals(j, compiled.system, values);
    if (!arguments.report.empty()) write_page(arguments.report, report_signals("op", j));
    if (arguments.json) return print_answer(j);
  }
  fmt::print("operating point by {}\n", start.method);
  for (std::size_t k = 0; k < values.size(); ++k)
    fmt::print("{:<30}{:>22.12g} {}\n", compiled.system.signals()[k].name, values[k],
               compiled.system.signals()[k].unit);
  for (const std::string& note : notes) fmt::print("note: {}\n", note);
  return 0;
}

}  // namespace coenergy::app
