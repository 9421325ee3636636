#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/operating_point.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/reduce/local_model.hpp"
#include "coenergy/solve/initialize.hpp"

namespace coenergy::app {

namespace {

using math::Matrix;
using reduce::LocalModel;

/// Joints whose force is an input of the model.
std::vector<std::string> find_actuated(const model::Model& model) {
  std::vector<std::string> joints;
  for (const model::Value& input : model.inputs) {
    const auto [component, entry] = model.find_owner(input.text);
    if (component && (entry == "torque" || entry == "force")) joints.push_back(component->name);
  }
  return joints;
}

reduce::Choice make_choice(const ReduceArguments& arguments, const model::Model& model) {
  reduce::Choice choice;
  choice.theta = arguments.theta.empty() ? find_actuated(model) : arguments.theta;
  if (choice.theta.empty())
    throw Error("--theta: name the joints to keep; the model has no joint whose torque or force is among its inputs");
  choice.directions = choose_names(arguments.directions, model.outputs);
  choice.sensors = arguments.sensors;
  choice.internal = arguments.modes;
  choice.candidates = std::max(arguments.modes + 2, 5);
  for (const model::Component& component : model.components)
    if (component.type == "multibody.Gravity")
      for (int k = 0; k < 3; ++k) choice.gravity.push_back(fmt::format("{}.g[{}]", component.name, k));
  return choice;
}

/// "0.1,-0.05,0.2"
std::vector<double> read_theta(const std::string& text) {
  std::vector<double> values;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, comma - at);
    std::size_t read = 0;
    try {
      values.push_back(std::stod(word, &read));
    } catch (const std::exception&) {
      read = std::string::npos;
    }
    if (read != word.size() || !std::isfinite(values.back()))
      throw Error(
          fmt::format("--at {}: \"{}\" is no number; give one for each of --theta, as in 0.1,-0.05", text, word));
    at = comma + 1;
  }
  return values;
}

nlohmann::json tell(const LocalModel& model) {
  nlohmann::json j = {{"theta", model.theta},          {"M", rows_of(model.mass)},
                      {"K", rows_of(model.stiffness)}, {"C", rows_of(model.damping)},
                      {"h", nlohmann::json::array()},  {"Psi", rows_of(model.sensors)},
                      {"gravity", model.gravity},      {"frequencies", model.modes.frequencies}};
  for (const Matrix& slice : model.quadratic) j["h"].push_back(rows_of(slice));
  return j;
}

void print_matrix(const char* name, const Matrix& m) {
  for (int i = 0; i < m.rows; ++i) {
    fmt::print("{:<8}", i == 0 ? name : "");
    for (int j = 0; j < m.columns; ++j) fmt::print("{:>15.7g}", m(i, j));
    fmt::print("\n");
  }
}

void print(const LocalModel& model, const reduce::Choice& choice) {
  fmt::print("{} = {:.9g}\n", fmt::join(choice.theta, ", "), fmt::join(model.theta, ", "));
  print_matrix("M", model.mass), print_matrix("K", model.stiffness), print_matrix("Psi", model.sensors);
  for (int i = 0; i < model.size(); ++i) print_matrix(fmt::format("h{}", i + 1).c_str(), model.quadratic[i]);
  fmt::print("{:<8}{:>15.7g}\n", "gravity", fmt::join(model.gravity, " "));
  fmt::print("{:<8}{:>15.7g} Hz\n", "modes", fmt::join(model.modes.frequencies, " "));
}

std::vector<std::string> name_coordinates(const reduce::Choice& choice, const LocalModel& model) {
  std::vector<std::string> names = choice.theta;
  names.insert(names.end(), choice.directions.begin(), choice.directions.end());
  for (int k = 1; int(names.size()) < model.size(); ++k) names.push_back(fmt::format("mode {}", k));
  return names;
}

}  // namespace

int reduce(const ReduceArguments& arguments) {
  if (arguments.method != "gmp") return reduce_linear(arguments);
  auto [model, options, compiled] = prepare(load_model_at_rest(arguments.model));
  const reduce::Choice choice = make_choice(arguments, model);
  nlohmann::json answer = begin_answer(arguments.model.file, list_notes(model, compiled));
  answer["method"] = arguments.method, answer["configurations"] = nlohmann::json::array();
  with_places(model, [&, &options = options, &compiled = compiled] {
    equations::Evaluator evaluator(compiled.system);
    const equations::Point start = solve::find_start_pose(evaluator, options);
    reduce::Mechanism mechanism(compiled.system, choice, start);
    std::vector<std::vector<double>> places;
    for (const std::string& text : arguments.at) places.push_back(read_theta(text));
    if (places.empty()) places.push_back(mechanism.theta_of(start));
    for (const std::vector<double>& theta : places) {
      const reduce::Pose pose = find_pose(mechanism, start, theta);
      if (!pose.good) throw Failure("reduce: " + pose.text);
      const LocalModel local = make_local_model(mechanism, pose.point);
      answer["coordinates"] = name_coordinates(choice, local), answer["sensors"] = mechanism.sensor_names();
      answer["configurations"].push_back(tell(local));
      if (!arguments.model.json) print(local, choice);
    }
  });
  return arguments.model.json ? print_answer(answer) : 0;
}

}  // namespace coenergy::app
