#include <fmt/core.h>

#include <optional>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/operating_point.hpp"
#include "coenergy/analyze/averaged.hpp"
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

/// "motor.i (A)".
std::vector<std::string> add_units(std::vector<std::string> names, const std::vector<std::string>& units) {
  for (std::size_t k = 0; k < names.size(); ++k)
    if (!units[k].empty()) names[k] += " (" + units[k] + ")";
  return names;
}

}  // namespace

int linearize(const LinearizeArguments& arguments) {
  OperatingPoint at = find_operating_point(arguments);
  analyze::Linearization linear = analyze::linearize(at.evaluator, at.point, at.inputs, at.outputs);
  check_averaged(at.compiled.system, arguments.averaged);
  std::optional<analyze::SampledModel> sampled;
  if (analyze::has_samples(at.compiled.system))
    sampled = analyze::linearize_sampled(at.evaluator, at.point, std::move(linear));
  const analyze::StateSpace s = arguments.averaged ? analyze::average(*sampled)
                                : sampled          ? analyze::discretize(*sampled)
                                                   : linear.model;
  if (arguments.model.json) {
    nlohmann::json j = begin_answer(at, arguments.model.file);
    j.update({{"A", rows_of(s.a)},
              {"B", rows_of(s.b)},
              {"C", rows_of(s.c)},
              {"D", rows_of(s.d)},
              {"states", s.states},
              {"inputs", s.inputs},
              {"outputs", s.outputs},
              {"state_units", s.state_units},
              {"input_units", s.input_units},
              {"output_units", s.output_units}});
    if (s.has_rates()) j["E"] = rows_of(s.e), j["F"] = rows_of(s.f);
    if (sampled) {
      j[arguments.averaged ? "averaged" : "sampled"] = {
          {"period", sampled->period}, {"samples", sampled->ticks.size()}, {"unit", "s"}};
      add_notes(j, sampled->notes);
    }
    return print_answer(j);
  }
  fmt::print("{}\n", at.text());
  for (const std::string& line : describe_opened(at.compiled.system)) fmt::print("{}\n", line);
  if (arguments.averaged) fmt::print(averaged_text, sampled->period);
  if (sampled && !arguments.averaged)
    fmt::print(
        "sampled: x(k+1) = A x(k) + B u(k), w(k) = C x(k) + D u(k) over the common period of {:.12g} s, just "
        "behind its samples, inputs held\n",
        sampled->period);
  if (sampled)
    for (const std::string& note : sampled->notes) fmt::print("note: {}\n", note);
  const std::vector<std::string> states = add_units(s.states, s.state_units),
                                 inputs = add_units(s.inputs, s.input_units),
                                 outputs = add_units(s.outputs, s.output_units);
  print_matrix("A", s.a, states, states);
  print_matrix("B", s.b, states, inputs);
  print_matrix("C", s.c, outputs, states);
  print_matrix("D", s.d, outputs, inputs);
  if (!s.has_rates()) return 0;
  // rates of inputs
  std::vector<std::string> rates;
  for (std::size_t k = 0; k < s.inputs.size(); ++k)
    rates.push_back("der(" + s.inputs[k] + ")" + (s.input_units[k].empty() ? "" : " (" + s.input_units[k] + "/s)"));
  print_matrix("E", s.e, states, rates);
  print_matrix("F", s.f, outputs, rates);
  return 0;
}

}  // namespace coenergy::app
