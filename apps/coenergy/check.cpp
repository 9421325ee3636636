#include <fmt/core.h>
#include <fmt/ranges.h>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/tree.hpp"
#include "coenergy/solve/initialize.hpp"

namespace coenergy::app {

namespace {

using Row = std::vector<std::pair<std::string, int>>;

/// "L1.i - L2.i + L3.i = 0".
std::string row_text(const Row& row) {
  std::string text = row.front().first;
  for (std::size_t k = 1; k < row.size(); ++k) text += (row[k].second > 0 ? " + " : " - ") + row[k].first;
  return text + " = 0";
}

nlohmann::json to_json(const circuits::CircuitSummary& circuit) {
  nlohmann::json rows = nlohmann::json::array(), dependent = nlohmann::json::array();
  for (const Row& row : circuit.constraints) {
    nlohmann::json entries;
    for (const auto& [name, sign] : row) entries[name] = sign;
    rows.push_back(entries);
    dependent.push_back(row.front().first);
  }
  return {{"tree", circuit.tree}, {"constraints", rows}, {"dependent", dependent}, {"order", circuit.order}};
}

void print_circuit(const circuits::CircuitSummary& circuit) {
  constexpr std::size_t most = 20;
  std::string names;
  for (std::size_t k = 0; k < circuit.tree.size() && k < most; ++k) names += (k == 0 ? "" : " ") + circuit.tree[k];
  if (circuit.tree.size() > most) names += fmt::format(" and {} more", circuit.tree.size() - most);
  fmt::print("  {:<26}{}\n  {:<26}{}\n", "order of the circuits", circuit.order, "normal tree", names);
  for (const Row& row : circuit.constraints)
    fmt::print("  constraint: {}\n  dependent:  {}\n", row_text(row), circuits::make_relation_text(row));
}

}  // namespace

int check(const ModelArguments& arguments, bool tree) {
  const auto [model, options, compiled] = prepare(load_model(arguments));
  const compile::ModelSummary& s = compiled.summary;

  // a consistent start tells redundant constraints and conflicts
  equations::Evaluator evaluator(compiled.system);
  const solve::Start start =
      with_places(model, [&, &options = options] { return solve::initialize(evaluator, options); });
  std::vector<std::string> redundant;
  for (int k : start.redundancy.always) redundant.push_back(compiled.system.row_name(compiled.system.nv() + k));
  const int dof = s.degrees_of_freedom + static_cast<int>(redundant.size());

  // rows that hold by themselves count as redundant ones
  const int surplus = s.freedom_count ? dof - s.freedom_count->value() : 0;
  std::vector<std::string> spare = s.mechanism.dropped;
  spare.insert(spare.end(), redundant.begin(), redundant.end());

  std::vector<std::string> notes = s.notes;
  notes.insert(notes.end(), start.notes.begin(), start.notes.end());
  for (const std::string& row : s.mechanism.dropped)
    notes.push_back("constraint " + row + " always holds and was dropped");
  if (arguments.json) {
    nlohmann::json j = begin_answer(arguments.file, model.notes);
    add_notes(j, notes);
    j.update({{"components", s.components},
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
              {"circuit", to_json(s.circuit)},
              {"consistent", start.good},
              {"text", start.good ? "" : start.text}});
    if (s.freedom_count) {
      j["counted_freedoms"] = s.freedom_count->value();
      j["over_constrained_by"] = surplus;
      j["over_constrained_in"] = surplus > 0 ? spare : std::vector<std::string>{};
    }
    if (tree) j["tree"] = make_tree_json(model);
    print_answer(j);
    return start.good ? 0 : 1;
  }
  fmt::print("{}\n", model.title.empty() ? model.file : model.title);
  if (tree) fmt::print("{}\n", make_tree_text(model));
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
  if (s.freedom_count) fmt::print("  {:<26}{}\n", "counted from the parts", s.freedom_count->text());
  if (surplus > 0) fmt::print("  over-constrained by {}: {}\n", surplus, fmt::join(spare, ", "));
  line("states", s.states);
  line("algebraic variables", s.algebraic);
  line("discrete variables", s.discrete);
  if (!s.circuit.branches.empty()) print_circuit(s.circuit);
  for (const std::string& note : notes) fmt::print("  note: {}\n", note);
  if (!start.good) fmt::print(stderr, "check: {}\n", start.text);
  return start.good ? 0 : 1;
}

}  // namespace coenergy::app
