#include <fmt/core.h>

#include "apps/coenergy/answer.hpp"
#include "coenergy/analyze/charge_check.hpp"
#include "coenergy/domains/standard.hpp"

namespace coenergy::app {

namespace {

compile::Compiled compile_as(model::Model model, const std::string& formulation) {
  model.formulation = formulation;
  return with_places(model, [&] { return compile::compile(model, domains::make_standard_registry()); });
}

/// What there is to compare.
struct Contents {
  bool bodies = false, circuits = false;
  const model::Component* flexible = nullptr;
};

Contents find_contents(const model::Model& model) {
  const model::Registry registry = domains::make_standard_registry();
  Contents found;
  for (const model::Component& c : model.components) {
    const model::ComponentType* type = registry.find(c.type);
    if (type == nullptr) continue;
    if (type->flexible && found.flexible == nullptr) found.flexible = &c;
    found.bodies = found.bodies || type->body;
    found.circuits = found.circuits || type->branches;
  }
  if (found.flexible != nullptr && !found.circuits)
    throw Error(found.flexible->where, found.flexible->name +
                                           " is flexible, which only the absolute formulation holds; verify compares "
                                           "formulations of rigid bodies");
  if (!found.bodies && !found.circuits)
    throw Error({model.file},
                "the model has no bodies and no circuits; verify compares formulations of mechanisms and of circuits");
  return found;
}

void print_line(const char* what, const analyze::Difference& d) {
  fmt::print("    {:<16}{:>10.2e}", what, d.value);
  if (d.value > 0) fmt::print("   {}, state {}", d.where, d.state);
  fmt::print("\n");
}

void print(const std::string& name, const analyze::Comparison& c) {
  fmt::print("  relative and {}: {} states", name, c.states);
  if (c.skipped > 0) fmt::print(" ({} random ones could not be assembled)", c.skipped);
  fmt::print("\n");
  print_line("positions", c.position);
  print_line("velocities", c.velocity);
  print_line("accelerations", c.acceleration);
  print_line("energies", c.energy);
  for (const std::string& failure : c.failures) fmt::print("    {}\n", failure);
}

nlohmann::json difference(const analyze::Difference& d) {
  return {{"value", d.value}, {"where", d.where}, {"state", d.state}};
}

nlohmann::json to_json(const std::string& name, const analyze::Comparison& c) {
  return {{"formulation", name},
          {"states", c.states},
          {"skipped", c.skipped},
          {"positions", difference(c.position)},
          {"velocities", difference(c.velocity)},
          {"accelerations", difference(c.acceleration)},
          {"energies", difference(c.energy)},
          {"failures", c.failures}};
}

/// The charge formulation of all circuits; whether it agrees.
bool verify_charges(const model::Model& model, const VerifyArguments& arguments, const analyze::CompareOptions& options,
                    nlohmann::json& j) {
  const compile::Compiled compiled =
      with_places(model, [&] { return compile::compile(model, domains::make_standard_registry(), {.charges = true}); });
  equations::Evaluator evaluator(compiled.system);
  const analyze::ChargeCheck c =
      with_places(model, [&] { return analyze::check_charges(evaluator, compiled.charges, options); });
  if (arguments.model.json) {
    j["charges"] = {{"states", c.states},
                    {"skipped", c.skipped},
                    {"rows", compiled.charges.rows.size()},
                    {"voltages", difference(c.voltage)},
                    {"currents", difference(c.current)},
                    {"powers", difference(c.power)},
                    {"left_out", c.left_out},
                    {"failures", c.failures}};
  } else {
    fmt::print("  circuits by nodes and by charges of meshes: {} rows, {} states\n", compiled.charges.rows.size(),
               c.states);
    print_line("mesh voltages", c.voltage);
    print_line("currents", c.current);
    print_line("powers", c.power);
    for (const std::string& name : c.left_out) fmt::print("    not compared: {}\n", name);
    for (const std::string& failure : c.failures) fmt::print("    {}\n", failure);
  }
  return c.failures.empty() && c.largest().value <= arguments.tolerance;
}

}  // namespace

int verify(const VerifyArguments& arguments) {
  const model::Model model = load_model(arguments.model);
  const Contents contents = find_contents(model);
  const analyze::CompareOptions options{.random_states = arguments.states, .seed = arguments.seed};
  nlohmann::json j = begin_answer(model.file, model.notes);
  j["tolerance"] = arguments.tolerance, j["comparisons"] = nlohmann::json::array();
  bool good = true;
  if (!arguments.model.json) fmt::print("{}\n", model.title.empty() ? model.file : model.title);
  if (contents.bodies && contents.flexible == nullptr) {
    equations::Evaluator relative(compile_as(model, "relative").system);
    for (const std::string name : {"absolute", "lagrange"}) {
      equations::Evaluator other(compile_as(model, name).system);
      const analyze::Comparison c = with_places(model, [&] { return analyze::compare(relative, other, options); });
      good = good && c.failures.empty() && c.largest().value <= arguments.tolerance;
      j["comparisons"].push_back(to_json(name, c));
      if (!arguments.model.json) print(name, c);
    }
  }
  if (contents.circuits) good = verify_charges(model, arguments, options, j) && good;
  j["equal"] = good;
  if (arguments.model.json)
    print_answer(j);
  else
    fmt::print("  {} to {:g}\n", good ? "equal" : "not equal", arguments.tolerance);
  return good ? 0 : 1;
}

}  // namespace coenergy::app
