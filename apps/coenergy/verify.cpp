#include <fmt/core.h>

#include "apps/coenergy/answer.hpp"
#include "coenergy/analyze/compare.hpp"
#include "coenergy/domains/standard.hpp"

namespace coenergy::app {

namespace {

compile::Compiled compile_as(model::Model model, const std::string& formulation) {
  model.formulation = formulation;
  return with_places(model, [&] { return compile::compile(model, domains::make_standard_registry()); });
}

/// Throws where there is nothing to compare.
void check_rigid(const model::Model& model) {
  const model::Registry registry = domains::make_standard_registry();
  bool bodies = false;
  for (const model::Component& c : model.components) {
    const model::ComponentType* type = registry.find(c.type);
    if (type == nullptr) continue;
    if (type->flexible)
      throw Error(c.where, c.name +
                               " is flexible, which only the absolute formulation holds; verify compares "
                               "formulations of rigid bodies");
    bodies = bodies || type->body;
  }
  if (!bodies) throw Error({model.file}, "the model has no bodies; verify compares formulations of mechanisms");
}

void print(const std::string& name, const analyze::Comparison& c) {
  fmt::print("  relative and {}: {} states", name, c.states);
  if (c.skipped > 0) fmt::print(" ({} random ones could not be assembled)", c.skipped);
  fmt::print("\n");
  auto line = [](const char* what, const analyze::Difference& d) {
    fmt::print("    {:<16}{:>10.2e}", what, d.value);
    if (d.value > 0) fmt::print("   {}, state {}", d.where, d.state);
    fmt::print("\n");
  };
  line("positions", c.position);
  line("velocities", c.velocity);
  line("accelerations", c.acceleration);
  line("energies", c.energy);
  for (const std::string& failure : c.failures) fmt::print("    {}\n", failure);
}

nlohmann::json to_json(const std::string& name, const analyze::Comparison& c) {
  auto difference = [](const analyze::Difference& d) {
    return nlohmann::json{{"value", d.value}, {"where", d.where}, {"state", d.state}};
  };
  return {{"formulation", name},
          {"states", c.states},
          {"skipped", c.skipped},
          {"positions", difference(c.position)},
          {"velocities", difference(c.velocity)},
          {"accelerations", difference(c.acceleration)},
          {"energies", difference(c.energy)},
          {"failures", c.failures}};
}

}  // namespace

int verify(const VerifyArguments& arguments) {
  const model::Model model = load_model(arguments.model);
  check_rigid(model);
  const analyze::CompareOptions options{.random_states = arguments.states, .seed = arguments.seed};
  equations::Evaluator relative(compile_as(model, "relative").system);
  nlohmann::json j = begin_answer(model.file, model.notes);
  j["tolerance"] = arguments.tolerance, j["comparisons"] = nlohmann::json::array();
  bool good = true;
  if (!arguments.model.json) fmt::print("{}\n", model.title.empty() ? model.file : model.title);
  for (const std::string name : {"absolute", "lagrange"}) {
    equations::Evaluator other(compile_as(model, name).system);
    const analyze::Comparison c = with_places(model, [&] { return analyze::compare(relative, other, options); });
    good = good && c.failures.empty() && c.largest().value <= arguments.tolerance;
    j["comparisons"].push_back(to_json(name, c));
    if (!arguments.model.json) print(name, c);
  }
  j["equal"] = good;
  if (arguments.model.json)
    print_answer(j);
  else
    fmt::print("  {} to {:g}\n", good ? "equal" : "not equal", arguments.tolerance);
  return good ? 0 : 1;
}

}  // namespace coenergy::app
