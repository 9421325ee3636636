#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "apps/coenergy/load.hpp"
#include "apps/coenergy/operating_point.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/sampled.hpp"

namespace coenergy::app {

namespace {

void print_matrix(const char* name, const math::Matrix& m, const std::vector<std::string>& rows,
                  const std::vector<std::string>& columns) {
  if (m.rows == 0 || m.columns == 0) return;
  fmt::print("{}\n{:<24}", name, "");
  for (const std::string& c : columns) fmt::print("{:>24}", c);
  fmt::print("\n");
  for (int i = 0; i < m.rows; ++i) {
    fmt::print("{:<24}", rows[i]);
    for (int j = 0; j < m.columns; ++j) fmt::print("{:>24.15g}", m(i, j));
    fmt::print("\n");
  }
}

nlohmann::json to_json(const math::Matrix& m) {
  nlohmann::json rows = nlohmann::json::array();
  for (int i = 0; i < m.rows; ++i) {
    nlohmann::json row = nlohmann::json::array();
    for (int j = 0; j < m.columns; ++j) row.push_back(m(i, j));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

int linearize(const LinearizeArguments& arguments) {
  OperatingPoint at = find_operating_point(arguments);
  analyze::Linearization linear = analyze::linearize(at.evaluator, at.point, at.inputs, at.outputs);
  std::optional<analyze::SampledModel> sampled;
  if (analyze::has_samples(at.compiled.system))
    sampled = analyze::linearize_sampled(at.evaluator, at.point, std::move(linear));
  const analyze::StateSpace s = sampled ? analyze::discretize(*sampled) : linear.model;
  if (arguments.model.json) {
    nlohmann::json j = begin_answer(at, arguments.model.file);
    j.update({{"A", to_json(s.a)},
              {"B", to_json(s.b)},
              {"C", to_json(s.c)},
              {"D", to_json(s.d)},
              {"states", s.states},
              {"inputs", s.inputs},
              {"outputs", s.outputs},
              {"state_units", s.state_units},
              {"input_units", s.input_units},
              {"output_units", s.output_units}});
    if (s.has_rates()) j["E"] = to_json(s.e), j["F"] = to_json(s.f);
    if (sampled) {
      j["sampled"] = {{"period", sampled->period}, {"samples", sampled->ticks.size()}, {"unit", "s"}};
      for (const std::string& note : sampled->notes) j["notes"].push_back(note);
    }
    fmt::print("{}\n", j.dump(2));
    return 0;
  }
  fmt::print("{}\n", at.text());
  for (const std::string& line : describe_opened(at.compiled.system)) fmt::print("{}\n", line);
  if (sampled) {
    fmt::print(
        "sampled: x(k+1) = A x(k) + B u(k), w(k) = C x(k) + D u(k) over the common period of {:.12g} s, just "
        "behind its samples, inputs held\n",
        sampled->period);
    for (const std::string& note : sampled->notes) fmt::print("note: {}\n", note);
  }
  print_matrix("A", s.a, s.states, s.states);
  print_matrix("B", s.b, s.states, s.inputs);
  print_matrix("C", s.c, s.outputs, s.states);
  print_matrix("D", s.d, s.outputs, s.inputs);
  if (!s.has_rates()) return 0;
  // rates of inputs
  std::vector<std::string> rates;
  for (const std::string& input : s.inputs) rates.push_back("der(" + input + ")");
  print_matrix("E", s.e, s.states, rates);
  print_matrix("F", s.f, s.outputs, rates);
  return 0;
}

}  // namespace coenergy::app
