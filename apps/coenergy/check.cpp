#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "apps/coenergy/load.hpp"
#include "coenergy/solve/initialize.hpp"

namespace coenergy::app {

int check(const ModelArguments& arguments) {
  const auto [model, options, compiled] = prepare(load_model(arguments));
  const system::ModelSummary& s = compiled.summary;

  // a consistent start tells redundant constraints and conflicts
  system::Evaluator evaluator(compiled.system);
  const solve::Start start =
      with_places(model, [&, &options = options] { return solve::initialize(evaluator, options); });
  std::vector<std::string> redundant;
  for (int k : start.redundant) redundant.push_back(compiled.system.row_name(compiled.system.nv() + k));
  const int dof = s.degrees_of_freedom + static_cast<int>(redundant.size());

  std::vector<std::string> notes = s.notes;
  notes.insert(notes.end(), start.notes.begin(), start.notes.end());
  for (const std::string& row : s.mechanism.dropped)
    notes.push_back("constraint " + row + " always holds and was dropped");
  if (arguments.json) {
    nlohmann::json j = {{"components", s.components},
                        {"nodes", s.nodes},
                        {"bodies", s.mechanism.bodies},
                        {"joints", s.mechanism.joints},
                        {"loops", s.mechanism.loops},
                        {"formulation", s.formulation},
                        {"coordinates", compiled.system.nv()},
                        {"constraints", s.constraints},
                        {"redundant", redundant},
                        {"degrees_of_freedom", dof},
                        {"states", s.states},
                        {"algebraic", s.algebraic},
                        {"discrete", s.discrete},
                        {"dependent", s.dependent},
                        {"notes", notes},
                        {"consistent", start.good}};
    fmt::print("{}\n", j.dump(2));
    return start.good ? 0 : 1;
  }
  fmt::print("{}\n", model.title.empty() ? model.file : model.title);
  auto line = [](const char* what, int count) {
    if (count > 0) fmt::print("  {:<26}{}\n", what, count);
  };
  line("components", s.components);
  line("nodes", s.nodes);
  line("bodies", s.mechanism.bodies);
  line("joints", s.mechanism.joints);
  line("loops", s.mechanism.loops);
  if (!s.formulation.empty()) fmt::print("  {:<26}{}\n", "formulation", s.formulation);
  line("coordinates", compiled.system.nv());
  line("constraints", s.constraints);
  line("redundant constraints", static_cast<int>(redundant.size()));
  if (compiled.system.nv() > 0) fmt::print("  {:<26}{}\n", "degrees of freedom", dof);
  line("states", s.states);
  line("algebraic variables", s.algebraic);
  line("discrete variables", s.discrete);
  for (const std::string& row : s.dependent) fmt::print("  dependent: {}\n", row);
  for (const std::string& row : redundant) fmt::print("  redundant: {}\n", row);
  for (const std::string& note : notes) fmt::print("  note: {}\n", note);
  if (!start.good) fmt::print(stderr, "check: {}\n", start.text);
  return start.good ? 0 : 1;
}

}  // namespace coenergy::app
