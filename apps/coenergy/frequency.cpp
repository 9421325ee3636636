#include <fmt/core.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "apps/coenergy/load.hpp"
#include "apps/coenergy/operating_point.hpp"
#include "coenergy/analyze/frequency_response.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/base/error.hpp"

namespace coenergy::app {

namespace {

double degrees(std::complex<double> z) { return std::arg(z) * 180 / std::numbers::pi; }

struct LinearModel {
  analyze::StateSpace model;
  std::map<std::string, std::string> opened;  ///< inputs that were bound to expressions, and these
  /// Elements that show their voltage and their current, and these outputs.
  struct Element {
    std::string name;
    int v, i;
  };
  std::vector<Element> elements;
};

LinearModel make_linear_model(const FrequencyArguments& arguments) {
  OperatingPoint at = find_operating_point(arguments.point);
  if (at.inputs.empty())
    throw Error("a frequency response needs an input: name one, such as --input U1.v, or declare inputs: in the model");
  const equations::System& s = at.compiled.system;
  LinearModel result{analyze::linearize(at.evaluator, at.point, at.inputs, at.outputs).model, {}, {}};
  for (const equations::OpenedInput& input : s.opened()) result.opened[s.parameter_name(input.parameter)] = input.was;
  if (!arguments.point.model.json)
    for (const std::string& line : describe_opened(s)) fmt::print("{}\n", line);
  std::map<std::string, int> place;
  for (std::size_t k = 0; k < result.model.outputs.size(); ++k) place.emplace(result.model.outputs[k], int(k));
  for (const auto& [name, v] : place) {
    const equations::SignalInfo& signal = s.signals()[s.find_signal(name)];
    const std::string owner(signal.owner());
    if (owner.empty() || signal.name != owner + ".v") continue;
    if (const auto i = place.find(owner + ".i"); i != place.end()) result.elements.push_back({owner, v, i->second});
  }
  return result;
}

}  // namespace

int bode(const FrequencyArguments& arguments) {
  if (arguments.to < arguments.from) throw Error("--to must not be below --from");
  const auto [model, opened, elements] = make_linear_model(arguments);
  nlohmann::json rows = nlohmann::json::array();
  for (int k = 0; k < arguments.points; ++k) {
    const double part = arguments.points == 1 ? 0 : double(k) / (arguments.points - 1);
    const double f = arguments.from * std::pow(arguments.to / arguments.from, part);
    const auto h = analyze::compute_frequency_response(model, 2 * std::numbers::pi * f);
    for (std::size_t i = 0; i < h.size(); ++i) {
      const std::string &output = model.outputs[i / model.inputs.size()],
                        &input = model.inputs[i % model.inputs.size()];
      const double decibel = 20 * std::log10(std::abs(h[i]));
      if (!arguments.point.model.json)
        fmt::print("{:>16.8g} Hz  {:<30}{:>16.8g} dB{:>14.6f} deg\n", f, output + "/" + input, decibel, degrees(h[i]));
      rows.push_back({{"frequency", f},
                      {"output", output},
                      {"input", input},
                      {"real", h[i].real()},
                      {"imaginary", h[i].imag()},
                      {"decibel", decibel},
                      {"phase", degrees(h[i])}});
      if (const auto was = opened.find(input); was != opened.end()) rows.back()["opened"] = was->second;
    }
  }
  if (arguments.point.model.json) fmt::print("{}\n", rows.dump(2));
  return 0;
}

int ac(const FrequencyArguments& arguments) {
  const auto [model, opened, elements] = make_linear_model(arguments);
  const auto h = analyze::compute_frequency_response(model, 2 * std::numbers::pi * arguments.from);
  // all inputs in phase, each with the given RMS value
  std::vector<std::complex<double>> phasor(model.outputs.size());
  for (std::size_t i = 0; i < h.size(); ++i) phasor[i / model.inputs.size()] += arguments.rms * h[i];
  nlohmann::json j = {{"frequency", arguments.from}};
  for (const auto& [input, was] : opened) j["opened"][input] = was;
  for (std::size_t k = 0; k < model.outputs.size(); ++k) {
    const std::complex<double> z = phasor[k];
    j["signals"][model.outputs[k]] = {
        {"rms", std::abs(z)}, {"phase", degrees(z)}, {"real", z.real()}, {"imaginary", z.imag()}};
    if (!arguments.point.model.json)
      fmt::print("{:<30}{:>20.10g} {:<6}{:>14.6f} deg\n", model.outputs[k], std::abs(z), model.output_units[k],
                 degrees(z));
  }
  // an element that shows its voltage and its current takes the average power Re(V I*)
  for (const auto& [name, v, i] : elements) {
    const std::complex<double> s = phasor[v] * std::conj(phasor[i]);
    j["powers"][name] = {{"active", s.real()}, {"reactive", s.imag()}};
    if (!arguments.point.model.json) fmt::print("{:<30}{:>20.10g} W     {:>20.10g} var\n", name, s.real(), s.imag());
  }
  if (arguments.point.model.json) fmt::print("{}\n", j.dump(2));
  return 0;
}

}  // namespace coenergy::app
