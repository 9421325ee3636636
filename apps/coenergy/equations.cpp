#include <fmt/core.h>

#include <sstream>

#include "apps/coenergy/answer.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/circuits/circuit_matrices.hpp"
#include "coenergy/compile/compile.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/equations/state_equations.hpp"

namespace coenergy::app {

namespace {

nlohmann::json to_json(const std::vector<equations::PrintedEquation>& printed) {
  nlohmann::json list = nlohmann::json::array();
  for (const equations::PrintedEquation& e : printed) list.push_back({{"row", e.row}, {"zero", e.zero}});
  return list;
}

int show_matrices(const Prepared& prepared, bool json) {
  const circuits::CircuitMatrices found = with_places(prepared.model, [&] {
    return circuits::make_circuit_matrices(prepared.compiled.system, prepared.compiled.summary.circuit);
  });
  if (!json) {
    fmt::print("{}", found.text());
    return 0;
  }
  nlohmann::json j = begin_answer(prepared);
  j["y"] = found.y, j["w"] = found.w, j["z"] = found.z;
  for (const auto& [name, matrix] : {std::pair("A", &found.a), std::pair("B", &found.b), std::pair("C", &found.c),
                                     std::pair("D", &found.d), std::pair("M", &found.m)})
    j[name] = found.print(*matrix);
  return print_answer(j);
}

/// Λ, D and Q of the circuits.
int show_charges(const model::Model& model, bool json) {
  const compile::Compiled compiled =
      with_places(model, [&] { return compile::compile(model, domains::make_standard_registry(), {.charges = true}); });
  if (compiled.charges.rows.empty())
    throw Error({model.file}, "the model has no circuits; --lagrange writes their charge formulation");
  if (!json) {
    fmt::print("{}", compiled.charges.text);
    return 0;
  }
  nlohmann::json j = begin_answer(model.file, list_notes(model, compiled));
  std::istringstream lines(compiled.charges.text);
  for (std::string line; std::getline(lines, line);) j["lagrange"].push_back(line);
  return print_answer(j);
}

}  // namespace

int equations(const ModelArguments& arguments, bool matrices, bool lagrange) {
  if (lagrange) return show_charges(load_model(arguments), arguments.json);
  const Prepared prepared = prepare(load_model(arguments));
  if (matrices) return show_matrices(prepared, arguments.json);
  const compile::Compiled& compiled = prepared.compiled;
  const equations::StateEquations states =
      equations::make_state_equations(compiled.system, compiled.summary.circuit.constraints);
  if (arguments.json) {
    nlohmann::json j = begin_answer(prepared);
    j["state_equations"] = states.lines;
    j["equations"] = to_json(equations::print_equations(compiled.system));
    return print_answer(j);
  }
  if (!states.text.empty()) fmt::print("state equations\n{}\nall equations\n", states.text);
  fmt::print("{}", compiled.system.equations());
  return 0;
}

}  // namespace coenergy::app
