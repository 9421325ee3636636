#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/block_file.hpp"
#include "apps/coenergy/design_answer.hpp"
#include "apps/coenergy/operating_point.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/sampled.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/control/norms.hpp"
#include "coenergy/reduce/linear.hpp"

namespace coenergy::app {

namespace {

const std::map<std::string, reduce::LinearMethod> linear_methods = {{"balanced", reduce::LinearMethod::balanced},
                                                                    {"residual", reduce::LinearMethod::residual},
                                                                    {"modal", reduce::LinearMethod::modal},
                                                                    {"krylov", reduce::LinearMethod::krylov},
                                                                    {"irka", reduce::LinearMethod::irka}};

double read_number(const std::string& option, const std::string& text) {
  std::size_t end = 0;
  try {
    const double value = std::stod(text, &end);
    if (end == text.size() && std::isfinite(value)) return value;
  } catch (const std::exception&) {
  }
  throw Error(option + " " + text + ": a number is wanted");
}

/// "10" or "1+20j".
reduce::Complex read_point(const std::string& text) {
  const std::size_t sign = text.find_first_of("+-", 1);
  if (text.empty() || text.back() != 'j' || sign == std::string::npos) return read_number("--point", text);
  return {read_number("--point", text.substr(0, sign)),
          read_number("--point", text.substr(sign, text.size() - sign - 1))};
}

/// "h1.torque" as the name of a component or parameter of the file.
std::string plain(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

/// A model of its own: inputs are parameters, outputs blocks, with the names of the full model.
void write_model(const std::string& path, const std::string& from, const std::string& method,
                 const analyze::StateSpace& full, const control::LinearSystem& s) {
  BlockFile file(fmt::format("{} reduction of {} about its operating point: {} of {} states; units are SI", method,
                             from, s.states(), full.states.size()));
  file.add_line("model: reduced");
  std::vector<std::string> parameters, inputs, outputs;
  for (const std::string& name : full.inputs) parameters.push_back(plain(name) + ": 0"), inputs.push_back(plain(name));
  file.add_line(fmt::format("parameters: {{{}}}", fmt::join(parameters, ", ")));
  file.add_system("reduced", inputs, s);
  for (std::size_t k = 0; k < full.outputs.size(); ++k) {
    const std::string y = full.outputs.size() == 1 ? "reduced.y" : fmt::format("reduced.y{}", k + 1);
    file.add(plain(full.outputs[k]), "blocks.Gain", {"u: " + y, "k: 1"});
    outputs.push_back(plain(full.outputs[k]) + ".y");
  }
  file.add_line(fmt::format("inputs: [{}]", fmt::join(inputs, ", ")));
  file.add_line(fmt::format("outputs: [{}]", fmt::join(outputs, ", ")));
  file.write(path);
}

}  // namespace

int reduce_linear(const ReduceArguments& arguments) {
  const auto method = linear_methods.find(arguments.method);
  if (method == linear_methods.end())
    throw Error("--method " + arguments.method +
                ": there are gmp (a mechanism in each configuration) and, of the linear model, balanced, residual, "
                "modal, krylov, irka");
  check_target("--output", arguments.output, ".yaml");
  if (arguments.order < 1) throw Error("--order: say how many states are to stay");
  LinearizeArguments linear{arguments.model, arguments.inputs, arguments.outputs, arguments.point};
  if (arguments.at.size() > 1) throw Error("--at: a linear model has one operating point");
  if (!arguments.at.empty()) linear.at.time = read_number("--at", arguments.at[0]);
  OperatingPoint at = find_operating_point(linear);
  if (at.inputs.empty() || at.outputs.empty())
    throw Error("--input, --signal: a linear model is reduced between inputs and outputs; name both");
  if (analyze::has_samples(at.compiled.system)) throw Error("the model has samples; reduce what is continuous");
  const analyze::StateSpace full = analyze::linearize(at.evaluator, at.point, at.inputs, at.outputs).model;
  std::vector<reduce::Complex> points;
  for (const std::string& text : arguments.points) points.push_back(read_point(text));
  const control::LinearSystem plant = control::make_linear_system(full);
  const reduce::ReducedSystem r = reduce::reduce_linear(plant, method->second, arguments.order, points);
  nlohmann::json answer = begin_answer(at, arguments.model.file);
  answer["method"] = arguments.method, answer["order"] = r.system.states(), answer["states"] = full.states.size();
  answer["inputs"] = full.inputs, answer["outputs"] = full.outputs;
  answer.update(matrices_of(r.system));
  answer["poles"] = pairs_of(control::find_poles(r.system));
  if (!r.hankel.empty()) answer["hankel"] = r.hankel, answer["bound"] = r.bound;
  if (!r.points.empty()) answer["points"] = pairs_of(r.points);
  if (control::is_stable(plant) && control::is_stable(r.system)) {
    const control::LinearSystem error = reduce::find_difference(plant, r.system);
    answer["hinf_error"] = control::find_hinf_norm(error).gain;
    const double h2 = control::find_h2_norm(error);
    answer["h2_error"] = std::isfinite(h2) ? nlohmann::json(h2) : nlohmann::json();
  } else if (!control::is_stable(r.system) && control::is_stable(plant)) {
    add_notes(answer, {"the reduced model is unstable though the full one is not; balanced keeps stability"});
  }
  if (!arguments.output.empty()) {
    write_model(arguments.output, arguments.model.file, arguments.method, full, r.system);
    answer["output"] = arguments.output;
  }
  if (arguments.model.json) return print_answer(answer);
  print_design(answer);
  return 0;
}

}  // namespace coenergy::app
